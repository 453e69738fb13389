"""Presets that write no score matrix: methods that need only ranks, and memory-mapped folders."""

import numpy as np
import yaml

from accuracy_curves.scores.files import load_scores
from accuracy_curves.scores.formats.scores import save_scores
from accuracy_curves.utils.seeds import derive_seed
from conftest import simulated
from experiments.datasets import make_dataset
from experiments.evaluation.subsampling import Draws, predict, true_curve
from experiments.stored import read_table
from presets import PRESETS, checked, read
from running import planned, snakemake

RANKS = PRESETS / "ranks.yaml"


def test_the_curves_are_those_of_the_stored_matrix(tmp_path):
    snakemake(tmp_path, "--cores", "1", preset=RANKS)
    results = tmp_path / "results/ranks"
    with np.load(results / "scores/one.npz") as written:
        assert "scores" not in written
        assert written["gallery"].shape == (40, 3)
    preset = read(RANKS)
    dataset = make_dataset(**preset["experiments"]["one"]["dataset"])
    matrix = dataset.score_matrix(derive_seed(7, "one", "data set"))
    k = true_curve(matrix, 40, derive_seed(7, "one", "ties"))
    np.testing.assert_array_equal(read_table(results / "true/one.parquet")["accuracy"], k.accuracy)
    for method in preset["methods"]:
        found = read_table(results / f"predicted/one/k1_20/{method}/0000-0001.parquet")["accuracy"]
        made, _ = predict(Draws(matrix, 20, range(2), (7, "one")), 40, method, {})
        np.testing.assert_array_equal(found, made.accuracy)
    assert (tmp_path / "figures/ranks/distributions/figure10.pdf").exists()


def test_which_experiments_store_their_matrix(tmp_path):
    ranks = read(RANKS)
    one = ranks["experiments"]["one"]
    np.savez(tmp_path / "mine.npz", scores=np.zeros((1, 40)))
    shown = {"reversed_roc": {"figure1": {"experiment": "one"}}}
    scores = {"kind": "scores", "path": str(tmp_path / "mine.npz")}
    characters = {"kind": "glyph_images", "n_classes": 40}
    for changes, stored in (
        ({}, False),
        ({"methods": {**ranks["methods"], "kde": {}}}, True),
        ({"figures": shown}, True),
        ({"experiments": {"one": {**one, "dataset": {"kind": "glyphs", "n_classes": 40}}}}, False),
        ({"experiments": {"one": {**one, "dataset": characters}}}, True),
        ({"experiments": {"one": {**one, "dataset": scores}}, "figures": {}}, True),
    ):
        assert checked(ranks, **changes).stores_matrix("one") == stored, changes


def test_a_folder_is_not_copied_and_a_changed_one_is_scored_anew(tmp_path):
    matrix = simulated(40, 3)
    (tmp_path / "data/mine").mkdir(parents=True)
    scores = tmp_path / "data/mine/scores.npy"
    np.save(scores, matrix.scores)
    np.save(tmp_path / "data/mine/labels.npy", matrix.labels)
    (tmp_path / "data/mine/meta.json").write_text('{"higher_is_better": false}')
    preset = {"preset": "mapped", "seed": 7, "repetitions": 2, "data_dir": "data"}
    preset |= {"methods": {"log_linear": {}, "pooled_tail": {}}, "reference": "log_linear"}
    dataset = {"kind": "scores", "path": "mine"}
    preset["experiments"] = {"one": {"dataset": dataset, "k1": [20], "k2": 40}}
    preset["figures"] = {"reversed_roc": {"figure1": {"experiment": "one"}}}
    (tmp_path / "mapped.yaml").write_text(yaml.safe_dump(preset))
    results, mapped = tmp_path / "results/mapped", tmp_path / "mapped.yaml"
    snakemake(tmp_path, "--cores", "1", preset=mapped)
    with np.load(results / "scores/one.npz") as written:
        assert str(written["folder"]) == "data/mine"
    save_scores(matrix, tmp_path / "copy.npz")
    copy = load_scores(tmp_path / "copy.npz")
    expected = true_curve(copy, 40, derive_seed(7, "one", "ties")).accuracy
    found = read_table(results / "true/one.parquet")["accuracy"]
    np.testing.assert_array_equal(found, expected)
    for method in preset["methods"]:
        found = read_table(results / f"predicted/one/k1_20/{method}/0000-0001.parquet")["accuracy"]
        made, _ = predict(Draws(copy, 20, range(2), (7, "one")), 40, method, {})
        np.testing.assert_array_equal(found, made.accuracy)
    np.save(scores, matrix.scores + 1)
    assert planned(tmp_path, preset=mapped)["score"] == 1

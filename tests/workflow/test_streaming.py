"""Presets that write no score matrix: methods that need only ranks."""

import numpy as np

from accuracy_curves.utils.seeds import derive_seed
from experiments.datasets import make_dataset
from experiments.evaluation.subsampling import Draws, predict, true_curve
from experiments.stored import read_table
from presets import PRESETS, checked, read
from running import snakemake

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

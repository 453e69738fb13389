"""Presets that write no score matrix: methods that need only ranks, and memory-mapped folders."""

import copy
import os
import re

import numpy as np
import yaml

from accuracy_curves.scores.score_files import load_scores, save_scores
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.tables import read_table
from conftest import ROOT, simulated
from experiments.datasets import DATASETS, make_dataset
from experiments.evaluation.subsampling import predict, true_curve
from pipeline.preset.configuration import check_config
from pipeline.preset.settings import stores_matrix
from running import TINY, snakemake

RANKS = ROOT / "tests/workflow/presets/ranks.yaml"


def test_the_curves_are_those_of_the_stored_matrix(tmp_path):
    snakemake(tmp_path, "--cores", "1", preset=RANKS)
    results = tmp_path / "results/ranks"
    with np.load(results / "scores/one.npz") as written:
        assert "scores" not in written
        assert written["gallery"].shape == (40, 3)
    config = check_config(yaml.safe_load(RANKS.read_text()))
    dataset = make_dataset(**config["experiments"]["one"]["dataset"])
    matrix = dataset.score_matrix(derive_seed(7, "one", "data set"))
    k = true_curve(matrix, 40, derive_seed(7, "one", "ties"))
    np.testing.assert_array_equal(read_table(results / "true/one.parquet")["accuracy"], k.accuracy)
    for method in config["methods"]:
        found = read_table(results / f"predicted/one/k1_20/{method}/0000-0001.parquet")["accuracy"]
        made = predict(matrix, 20, 40, range(2), (7, "one"), method, {})
        np.testing.assert_array_equal(found, made.accuracy)
    assert (tmp_path / "figures/ranks/distributions/figure10.pdf").exists()


def test_which_experiments_store_their_matrix():
    config = check_config(yaml.safe_load(RANKS.read_text()))
    assert not stores_matrix(config, "one")
    with_kde = copy.deepcopy(config)
    with_kde["methods"]["kde"] = {}
    assert stores_matrix(with_kde, "one")
    shown = copy.deepcopy(config)
    shown["figures"]["reversed_roc"] = {"figure1": {"experiment": "one"}}
    assert stores_matrix(shown, "one")
    others = copy.deepcopy(config)
    for kind in DATASETS:
        others["experiments"]["one"]["dataset"] = {"kind": kind}
        stores = kind not in ("simulation", "embeddings", "glyphs", "omniglot", "lfw")
        assert stores_matrix(others, "one") == stores
    assert stores_matrix(check_config(yaml.safe_load(TINY.read_text())), "one")


def test_a_folder_is_not_copied_and_a_changed_one_is_refused(tmp_path):
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
        made = predict(copy, 20, 40, range(2), (7, "one"), method, {})
        np.testing.assert_array_equal(found, made.accuracy)
    np.save(scores, matrix.scores + 1)
    planned = snakemake(tmp_path, "--dry-run", "--quiet", "rules", preset=mapped)
    assert re.search(r"^score +1$", planned.stdout + planned.stderr, re.MULTILINE)
    os.utime(scores, (1, 1))
    true = "results/mapped/true/one.parquet"
    words = ("--cores", "1", "--forcerun", "average_all", "--allowed-rules", "average_all", "--")
    refused = snakemake(tmp_path, *words, true, preset=mapped, check=False)
    assert refused.returncode != 0
    sentence = "data/mine/scores.npy cannot be read, or is not what it was when results/mapped/"
    assert sentence in (results / "logs/true_curve/one.log").read_text()
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr

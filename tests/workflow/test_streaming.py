"""Presets whose methods need only ranks run without a score matrix on disk."""

import copy

import numpy as np
import yaml

from accuracy_curves.datasets import make_dataset
from accuracy_curves.repetitions import predict, true_curve
from accuracy_curves.seeds import derive_seed
from accuracy_curves.tables import read_table
from conftest import ROOT
from pipeline.config import check_config
from pipeline.streaming import stores_matrix
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
    glyphs = copy.deepcopy(config)
    glyphs["experiments"]["one"]["dataset"] = {"kind": "glyphs"}
    assert stores_matrix(glyphs, "one")
    assert stores_matrix(check_config(yaml.safe_load(TINY.read_text())), "one")

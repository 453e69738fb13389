"""Experiments whose classifier is trained anew on each repetition's k1 classes."""

import numpy as np
import pandas as pd
import pytest

from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.files import load_scores
from accuracy_curves.scores.parts import draw_classes as training_classes
from accuracy_curves.utils.seeds import derive_seed
from experiments.datasets import DATASETS, make_dataset
from experiments.datasets.classifiers import CLASSIFIERS
from experiments.stored import read_table
from presets import PRESETS, checked, read
from running import snakemake

PRESET = PRESETS / "trained.yaml"
CONFIG = read(PRESET)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    table = "results/trained/tables/accuracies.csv"
    snakemake(folder, "--cores", "1", table, preset=PRESET)
    return folder / "results/trained"


def test_only_classifiers_that_are_not_marginal_are_trained_anew(results):
    assert checked(CONFIG).trained == ["epsilon"]
    files = sorted(path.name for path in (results / "scores").rglob("*.npz"))
    assert files == ["0000.npz", "0001.npz", "0002.npz", "bayes.npz", "epsilon.npz"]


def test_a_repetitions_scores_are_of_a_classifier_of_its_own_classes(results):
    whole = load_scores(results / "scores/epsilon.npz")
    dataset = make_dataset(**CONFIG["experiments"]["epsilon"]["dataset"])
    seed = derive_seed(3, "epsilon", "data set")
    for repetition in range(3):
        own = load_scores(results / f"scores/epsilon/k1_10/{repetition:04d}.npz")
        drawn = derive_seed(3, "epsilon", 10, repetition, "classes")
        classes = training_classes(30, 10, drawn)
        expected = dataset.trained_scores(seed, classes)
        np.testing.assert_array_equal(own.scores, expected.scores)
        rows = np.isin(whole.labels, classes)
        assert not np.array_equal(own.scores, whole.scores[np.ix_(rows, classes)])


def test_observed_and_predicted_curves_are_of_those_scores(results):
    observed = read_table(results / "observed/epsilon/k1_10.parquet")
    chunks = sorted((results / "predicted/epsilon/k1_10/log_linear").glob("*.parquet"))
    assert [path.stem for path in chunks] == ["0000-0001", "0002-0002"]
    predicted = pd.concat([read_table(path) for path in chunks])
    for repetition in range(3):
        own = load_scores(results / f"scores/epsilon/k1_10/{repetition:04d}.npz")
        seed = derive_seed(3, "epsilon", 10, repetition, "fit")
        seen = observed[observed["repetition"] == repetition]
        np.testing.assert_allclose(seen["accuracy"], average_accuracy(own, range(2, 11), seed))
        curve = predicted[predicted["repetition"] == repetition]
        expected = make_extrapolator("log_linear", seed=seed).fit(own).predict(range(2, 31))
        np.testing.assert_allclose(curve["accuracy"], expected)


def test_the_table_stands_beside_the_printed_numbers(results):
    table = pd.read_csv(results / "tables/accuracies.csv")
    assert table[["experiment", "k1", "k2", "method", "repetitions"]].to_numpy().tolist() == [
        ["epsilon", 10, 30, "log_linear", 3],
        ["bayes", 10, 30, "log_linear", 3],
    ]
    observed = read_table(results / "observed/epsilon/k1_10.parquet")
    at_k1 = observed.loc[observed["k"] == 10, "accuracy"]
    true = read_table(results / "true/epsilon.parquet")
    first = table.iloc[0]
    assert first["accuracy_k1_mean"] == pytest.approx(at_k1.mean())
    assert first["accuracy_k1_sd"] == pytest.approx(np.std(at_k1, ddof=1))
    assert first["accuracy_k2"] == pytest.approx(true["accuracy"].iloc[-1])
    assert first["printed_accuracy_k1"] == 0.951
    assert table["printed_accuracy_k2"].isna().tolist() == [False, True]
    assert table["printed_predicted_k2"].isna().all()


def test_the_code_of_the_classifier_counts_for_its_scores():
    found = checked(CONFIG)
    for experiment, classifier in (("epsilon", "epsilon_nn"), ("bayes", "naive_bayes")):
        kinds = [DATASETS["glyph_images"], CLASSIFIERS[classifier]]
        assert found.classes_of_dataset(experiment) == kinds

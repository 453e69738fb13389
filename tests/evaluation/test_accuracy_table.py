import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from experiments.evaluation.accuracy_table import accuracy_table


def curve(accuracy, **columns):
    return pd.DataFrame({"k": range(2, 2 + len(accuracy)), "accuracy": accuracy, **columns})


TRUE = pd.concat([curve([0.9, 0.8, 0.7], experiment="a"), curve([0.5, 0.4], experiment="b")])
OBSERVED = pd.concat(
    [
        curve([0.95, 0.85], experiment="a", k1=3, repetition=0),
        curve([0.93, 0.81], experiment="a", k1=3, repetition=1),
        curve([0.93], experiment="a", k1=2, repetition=0),
        curve([0.6], experiment="b", k1=2, repetition=0),
    ]
)
PREDICTED = pd.concat(
    [
        curve([0.9, 0.85, 0.6], experiment="a", k1=3, repetition=0, method="m"),
        curve([0.9, 0.85, 0.8], experiment="a", k1=3, repetition=1, method="m"),
        curve([0.9, 0.85, 0.1], experiment="a", k1=3, repetition=0, method="n"),
        curve([0.5, 0.3], experiment="b", k1=2, repetition=0, method="m"),
    ]
)


def test_means_and_spreads_at_k1_and_k2():
    table = accuracy_table(TRUE, OBSERVED, PREDICTED, [("b", 2), ("a", 3)], ["m"])
    assert table["experiment"].tolist() == ["b", "a"]
    assert table["k2"].tolist() == [3, 4]
    assert table["repetitions"].tolist() == [1, 2]
    np.testing.assert_allclose(table["accuracy_k1_mean"], [0.6, 0.83])
    np.testing.assert_allclose(table["accuracy_k1_sd"], [np.nan, 0.02 * np.sqrt(2)])
    np.testing.assert_allclose(table["accuracy_k2"], [0.4, 0.7])
    np.testing.assert_allclose(table["predicted_k2_mean"], [0.3, 0.7])
    np.testing.assert_allclose(table["predicted_k2_sd"], [np.nan, 0.1 * np.sqrt(2)])
    assert not [name for name in table if name.startswith("printed")]


def test_printed_numbers_stand_at_their_k1_alone():
    printed = {"a": {"k1": 3, "accuracy_k2": 0.71}}
    table = accuracy_table(TRUE, OBSERVED, PREDICTED, [("a", 3), ("b", 2)], ["m"], printed)
    np.testing.assert_allclose(table["printed_accuracy_k2"], [0.71, np.nan])
    assert table[["printed_accuracy_k1", "printed_predicted_k2"]].isna().all(axis=None)
    other = accuracy_table(TRUE, OBSERVED, PREDICTED, [("a", 3)], ["m"], {"a": {"k1": 4}})
    assert other["printed_accuracy_k2"].isna().all()


def test_what_is_missing_is_said():
    with pytest.raises(InputError, match="n has no curve to k = 3 of b, k1 = 2"):
        accuracy_table(TRUE, OBSERVED, PREDICTED, [("b", 2)], ["n"])

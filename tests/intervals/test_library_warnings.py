"""The library warns as the command does, with the reason as data."""

import warnings

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.cautions import Predicted, misfit
from conftest import simulated


def reasons(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    found = [each for each in caught if issubclass(each.category, ac.AccuracyWarning)]
    assert all(each.filename == __file__ for each in found)
    return [each.message.reason for each in found]


def test_a_wrong_direction_and_shuffled_labels_warn():
    good, labels = simulated(60, 4, variance=0.1), np.repeat(np.arange(60), 4)
    labels[::2] = np.random.default_rng(0).permutation(labels[::2])
    for sample, reason in ((ac.ScoreMatrix(good.scores, good.labels), "wrong_direction"),
                           (ac.ScoreMatrix(good.scores, labels, higher_is_better=False),
                            "shuffled_labels")):  # fmt: skip
        assert reason in reasons(lambda s=sample: ac.extrapolate(s, 60, "regression"))
        assert reason in reasons(lambda s=sample: ac.ClassIntervals(s, "regression", splits=3))
    good = simulated(60, 4, variance=0.3)
    assert reasons(lambda: ac.extrapolate(good, 60)) == []
    assert reasons(lambda: ac.ClassIntervals(good, splits=10)) == []


def test_what_is_mild_does_not_warn_and_is_in_the_table():
    intervals = ac.ClassIntervals(simulated(60, 4, variance=0.3), splits=3)
    assert reasons(lambda: intervals.interval([60, 60_000])) == []
    assert intervals.interval([600, 601]).too_far.tolist() == [False, True]
    # The t best reach t times as far.
    assert intervals.interval([6_000, 6_001], top=10).too_far.tolist() == [False, True]
    assert reasons(lambda: intervals.classes_below(0.1)) == []


class Optimist(ac.Regression):
    """Misses what it sees."""

    name, label = "optimist", "Optimist"

    def _predict(self, k):
        return np.sqrt(super()._predict(k))


def test_a_curve_that_misses_what_was_observed_warns(monkeypatch):
    monkeypatch.setitem(ac.EXTRAPOLATORS, "optimist", Optimist)
    sample = simulated(60, 4, variance=0.3)
    assert reasons(lambda: ac.extrapolate(sample, 60, "optimist")) == ["above_observed"]
    assert reasons(lambda: ac.ClassIntervals(sample, "optimist", splits=10)) == ["above_observed"]


@pytest.mark.parametrize("method", ["auto", "gaussian_tail", "empirical_bayes", "regression"])
def test_good_curves_do_not_warn(method):
    for seed in range(20):
        sample = simulated(40, 2, variance=0.1 + 0.02 * seed, seed=seed)
        fitted = make_extrapolator(method).fit(sample)
        assert list(misfit(Predicted(fitted, 40, sample=sample))) == []


def test_ranks_have_no_halves():
    ranks = ac.Ranks(np.zeros(9, int), np.zeros(9, int), np.arange(9), 9)
    with pytest.raises(ac.InputError, match="divided into halves, not Ranks"):
        ac.ClassIntervals(ranks, "regression")

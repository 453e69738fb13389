"""Fits to halves: one half in memory at a time, the same halves for all methods."""

import gc
import pickle
import tracemalloc
import weakref

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from accuracy_curves import EXTRAPOLATORS, ClassIntervals, Regression, ScoreMatrix, average_accuracy
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.half_fits import fit_halves
from accuracy_curves.scores.parts import random_halves
from conftest import simulated

QUICK = [name for name, kind in EXTRAPOLATORS.items() if not kind.slow]


@pytest.mark.parametrize("method", QUICK)
def test_fitted_models_hold_no_scores(method):
    sample = simulated(40, 10, variance=0.3)
    fitted = make_extrapolator(method).fit(sample)
    fitted.predict([50, 500])
    assert len(pickle.dumps(fitted)) < sample.scores.nbytes / 3
    gone = weakref.ref(sample)
    del sample
    gc.collect()
    assert gone() is None
    assert np.isfinite(fitted.predict(60)).all()


def test_halves_are_made_one_after_another():
    """All 30 pairs would take 15 times the matrix."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(2000, 1000)).astype(np.float32)
    sample = ScoreMatrix(scores, np.arange(2000) % 1000)
    tracemalloc.start()
    ClassIntervals.of(*fit_halves(sample, [make_extrapolator("regression")], [30]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.2 * scores.nbytes


def test_methods_together_are_as_alone():
    sample = simulated(20, 4, variance=0.3)
    methods = [make_extrapolator(name) for name in ("auto", "gaussian_tail", "regression")]
    together = fit_halves(sample, methods, [6, 3, 4], seed=5)
    for method, splits, found in zip(methods, [6, 3, 4], together, strict=True):
        (alone,) = fit_halves(sample, [method], [splits], seed=5)
        assert len(found.halves) == 2 * splits
        assert found.set_variance == alone.set_variance
        np.testing.assert_array_equal(found.variance([30, 90]), alone.variance([30, 90]))


def test_halves_are_disjoint_and_of_a_split_next_to_each_other():
    halves = [set(classes) for classes, _ in random_halves(9, 5)]
    assert len(halves) == 10
    for first, second in zip(halves[::2], halves[1::2], strict=True):
        assert len(first) == len(second) == 4
        assert not first & second
        assert first | second < set(range(9))


def test_fits_in_two_processes_are_the_same_bits(tmp_path):
    """Of a sample in memory and a memory-mapped one, which is not sent."""
    sample = simulated(20, 4, variance=0.3)
    np.save(tmp_path / "scores.npy", sample.scores)
    mapped = ScoreMatrix(
        np.load(tmp_path / "scores.npy", mmap_mode="r"), sample.labels, higher_is_better=False
    )
    methods = [make_extrapolator(name) for name in ("auto", "empirical_bayes")]
    k = [20, 40, 400]
    alone = fit_halves(sample, methods, [4, 3], seed=5)
    for given in (sample, mapped):
        spread = fit_halves(given, methods, [4, 3], seed=5, jobs=2)
        for one, other in zip(alone, spread, strict=True):
            np.testing.assert_array_equal(one.fitted.predict(k), other.fitted.predict(k))
            for mine, its in zip(one.halves, other.halves, strict=True):
                np.testing.assert_array_equal(mine.predict(k), its.predict(k))
            np.testing.assert_array_equal(one.variance(k), other.variance(k))
            assert (one.seen(), one.set_variance) == (other.seen(), other.set_variance)


def test_threads_are_left_as_they_were():
    before = [each["num_threads"] for each in threadpool_info()]
    seen = []

    class Watching(EXTRAPOLATORS["regression"]):
        def _fit_curve(self, k, accuracy):
            seen.append([each["num_threads"] for each in threadpool_info()
                         if each["user_api"] == "blas"])  # fmt: skip
            super()._fit_curve(k, accuracy)

    Watching().fit(simulated(10, 2))
    assert seen
    assert all(set(each) == {1} for each in seen)
    assert [each["num_threads"] for each in threadpool_info()] == before


def test_the_error_of_a_curve_at_k1_is_how_halves_differ_in_it():
    sample = simulated(40, 4, variance=0.3)
    halves = [sample.select_classes(half) for half, _ in random_halves(40, 3, 5)]
    missed = [Regression(seed=5).fit(each).predict(20) - average_accuracy(each, 20)
              for each in halves]  # fmt: skip
    found = ClassIntervals(sample, "regression", splits=3, seed=5).variation.misfit_error
    assert found**2 == pytest.approx(np.square(np.diff(np.reshape(missed, (3, 2)))).mean() / 4)

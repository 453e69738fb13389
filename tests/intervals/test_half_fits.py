"""Fits to halves: one half in memory at a time, the same halves for all methods."""

import gc
import pickle
import tracemalloc
import weakref

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from accuracy_curves import EXTRAPOLATORS, ClassIntervals, ScoreMatrix
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.half_fits import fit_halves, random_halves
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
    ClassIntervals(sample, "regression", splits=30)
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
        assert (found.backtest, found.misfit, found.set_variance) == (
            alone.backtest, alone.misfit, alone.set_variance,
        )  # fmt: skip
        np.testing.assert_array_equal(found.variance([30, 90]), alone.variance([30, 90]))


def test_halves_are_disjoint_and_of_a_split_next_to_each_other():
    scores = np.tile(np.arange(9.0), (9, 1))  # A column is told by its score.
    sample = ScoreMatrix(scores, np.arange(9))
    columns = [part.scores[0] for part in random_halves(sample, 5)]
    assert len(columns) == 10
    for first, second in zip(columns[::2], columns[1::2], strict=True):
        assert len(first) == len(second) == 4
        assert not set(first) & set(second)


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

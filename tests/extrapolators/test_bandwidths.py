import numpy as np
import pytest

from accuracy_curves import KDE
from accuracy_curves.extrapolators.kde import bandwidths as _bandwidths
from accuracy_curves.extrapolators.kde.bandwidths import near_zero, numpy_bandwidths
from accuracy_curves.extrapolators.kde.estimator import r_bandwidths
from conftest import simulated

RULES = ["bcv", "ucv", "SJ", "nrd0"]


def samples():
    rng = np.random.default_rng(4)
    yield rng.normal(size=(300, 60))
    yield rng.normal(size=(30, 700)) + 1e3
    yield np.round(rng.normal(size=(200, 80)), 1)
    yield rng.integers(0, 5, size=(100, 40)).astype(float)
    yield rng.exponential(size=(200, 2)) * 1e-150
    yield rng.normal(size=(200, 3)) * 1e150
    yield np.concatenate([rng.normal(size=(100, 90)), rng.normal(4, 0.1, size=(100, 30))], axis=1)
    yield rng.normal(size=(20, 50)) + 2.0**40


@pytest.mark.parametrize("rule", RULES)
def test_bandwidths_are_those_of_r(rule):
    for scores in samples():
        scores = near_zero(np.sort(scores, axis=1))
        expected, fate, _ = r_bandwidths(scores, rule)
        found = numpy_bandwidths(scores, rule)
        np.testing.assert_allclose(found[0], expected, rtol=1e-9)
        np.testing.assert_array_equal(found[1], fate)


@pytest.mark.parametrize("rule", RULES)
def test_the_method_without_r_is_that_with_it(rule):
    matrix = simulated(120, 4)
    one, other = (KDE(bandwidth=rule, engine=engine).fit(matrix) for engine in ("R", "numpy"))
    np.testing.assert_allclose(other.favorability_, one.favorability_, atol=1e-10)


@pytest.mark.parametrize("rule", RULES)
def test_constant_scores_and_rows_without_bins(rule):
    rows = np.array([[1.0, 1, 1, 1], [0, 1, 2, 4], [1e10, 1e10, 1e10, 1.0000000001e10]])
    rows[0] += 1e-3
    found, fate, message = numpy_bandwidths(rows, rule)
    assert found[0] == 0
    assert fate[0] == _bandwidths.CONSTANT
    assert found[1] > 0
    assert fate[1] == 0
    assert (fate[2] == _bandwidths.FALLBACK) == (rule != "nrd0")
    assert bool(message) == (rule != "nrd0")
    assert found[2] == pytest.approx(r_bandwidths(rows[2:] - 1e10, "nrd0")[0][0], rel=1e-5)


@pytest.mark.parametrize("rule", ["ucv", "SJ"])
def test_blocks_of_points_agree(rule, monkeypatch):
    scores = np.sort(np.random.default_rng(1).normal(size=(60, 40)), axis=1)
    whole = numpy_bandwidths(scores, rule)[0]
    monkeypatch.setattr(_bandwidths, "POINTS", 17)
    monkeypatch.setattr(_bandwidths, "SOME", 5)
    np.testing.assert_allclose(numpy_bandwidths(scores, rule)[0], whole, rtol=1e-9)

import numpy as np
import pytest

from accuracy_curves.extrapolators.spline import spline_gaps, spline_moments
from accuracy_curves.utils.numerics import nonnegative_least_squares, spanning_directions


@pytest.mark.parametrize("spacing", ["linear", "quadratic"])
@pytest.mark.parametrize("m", [30, 3000])
def test_meets_the_optimality_conditions_with_nearly_collinear_columns(m, spacing):
    k = np.arange(2, 301)
    design = spline_moments(spline_gaps(m, spacing), k)
    rng = np.random.default_rng(m)
    target = 0.3 * (1 - 1 / np.sqrt(k)) + 1e-5 * rng.normal(size=len(k)).cumsum()
    found = nonnegative_least_squares(design, target)
    residual = target - design @ found
    gradient = design.T @ residual / np.linalg.norm(design, axis=0)
    size = np.linalg.norm(residual)
    assert gradient.max() <= 1e-10 * size
    assert np.abs(gradient[found > 0]).max() <= 1e-8 * size
    assert np.count_nonzero(found) < 20


def test_columns_in_few_directions_give_the_same_solution():
    k = np.arange(2, 201)
    design = spline_moments(spline_gaps(50, "linear"), k)
    target = 0.4 * (1 - k**-0.3)
    directions = spanning_directions(design)
    assert directions.shape[1] < 40
    np.testing.assert_allclose(directions @ (directions.T @ design), design, rtol=0, atol=1e-13)
    whole = nonnegative_least_squares(design, target)
    few = nonnegative_least_squares(directions.T @ design, directions.T @ target)
    np.testing.assert_allclose(few, whole, rtol=1e-6, atol=1e-9)


def test_a_target_in_the_cone_is_met_and_zeros_stay_zero():
    rng = np.random.default_rng(3)
    design = rng.uniform(size=(30, 10))
    design[:, 4] = 0
    wanted = np.where(np.arange(10) % 3 == 0, rng.uniform(size=10), 0)
    np.testing.assert_allclose(
        nonnegative_least_squares(design, design @ wanted), wanted, atol=1e-12
    )
    assert not nonnegative_least_squares(design, np.zeros(30)).any()
    assert not nonnegative_least_squares(design, -np.ones(30)).any()

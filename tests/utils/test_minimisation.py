import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves.utils.numerics import minimise_on_grid

GRID = np.linspace(-3.0, 4.0, 15)


@given(st.floats(-3, 4))
def test_finds_the_least_point_of_a_parabola(least):
    assert minimise_on_grid(lambda x: (x - least) ** 2, GRID) == pytest.approx(least, abs=1e-6)


def test_takes_the_deeper_of_two_minima():
    # (x^2 - 4)^2 is 0 at -2 and 2; the slope makes the one at 2 deeper, and its place a root of
    # the derivative 4x^3 - 16x - 1.
    found = minimise_on_grid(lambda x: (x**2 - 4) ** 2 - x, GRID)
    roots = np.roots([4, 0, -16, -1])
    assert found == pytest.approx(max(roots.real), abs=1e-6)


@pytest.mark.parametrize(("slope", "end"), [(1.0, -3.0), (-1.0, 4.0)])
def test_a_slope_ends_at_the_end_of_the_grid(slope, end):
    assert minimise_on_grid(lambda x: slope * x, GRID) == end


def test_a_point_of_the_grid_that_is_better_than_the_search_stays():
    # A hole in one point, which no search between its neighbours finds.
    assert minimise_on_grid(lambda x: 0.0 if x == GRID[7] else 1 + x**2, GRID) == GRID[7]


@given(st.integers(0, 2**32 - 1))
def test_of_many_minima_it_is_one_beside_the_best_point_of_the_grid(seed):
    rough = np.random.default_rng(seed).normal(size=71)

    def cost(x):
        return np.interp(x, np.linspace(-3, 4, 71), rough)

    found, best = minimise_on_grid(cost, GRID), GRID[np.argmin(cost(GRID))]
    assert abs(found - best) <= 0.5
    assert cost(found) <= cost(best)

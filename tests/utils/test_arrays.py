import numpy as np
import pytest

from accuracy_curves.utils.arrays import exponential, geometric_rule


def test_the_bits_of_exp_and_zero_where_it_nearly_underflows():
    logarithms = np.concatenate([np.linspace(-699.9, 700, 5001), [-0.0, 1e-300, np.nan]])
    np.testing.assert_array_equal(exponential(logarithms.copy()), np.exp(logarithms))
    below = np.array([-np.inf, -1e300, -1e12, -746.0, -740.0, -700.5, -700.0])
    np.testing.assert_array_equal(exponential(below), 0.0)


@pytest.mark.parametrize(
    ("first", "last", "most"), [(50, 99, 60), (5, 400, 30), (3, 5000, 200), (1, 50_000, 200)]
)
def test_a_rule_sums_what_is_linear_between_its_numbers(first, last, most):
    chosen, weights = geometric_rule(first, last, most)
    every = np.arange(first, last + 1)
    values = np.random.default_rng(0).random(len(chosen))
    assert values @ weights == pytest.approx(np.interp(every, chosen, values).sum())
    assert len(chosen) == len(every) if len(every) <= most else 0.8 * most < len(chosen) <= most

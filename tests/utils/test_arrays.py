import numpy as np

from accuracy_curves.utils.arrays import exponential


def test_the_bits_of_exp_and_zero_where_it_nearly_underflows():
    logarithms = np.concatenate([np.linspace(-699.9, 700, 5001), [-0.0, 1e-300, np.nan]])
    np.testing.assert_array_equal(exponential(logarithms.copy()), np.exp(logarithms))
    below = np.array([-np.inf, -1e300, -1e12, -746.0, -740.0, -700.5, -700.0])
    np.testing.assert_array_equal(exponential(below), 0.0)

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.log_linear import LogLinear
from conftest import simulated


def test_equals_the_least_squares_line():
    sample = simulated(60, 5, variance=0.3)
    model = LogLinear().fit(sample)
    k, accuracy = model.observed(sample)
    slope, intercept = np.polyfit(np.log(k), accuracy, 1)
    assert model.slope_ == pytest.approx(slope, rel=1e-10)
    assert model.intercept_ == pytest.approx(intercept, rel=1e-10)
    assert model.predict(100)[0] == pytest.approx(intercept + slope * np.log(100))


def test_is_cut_to_the_unit_interval():
    model = LogLinear()
    k = np.arange(2, 11)
    model._fit_curve(k, 1.1 - 0.2 * np.log(k))
    np.testing.assert_allclose(model.predict([10, 10**18]), [1.1 - 0.2 * np.log(10), 0])
    assert LogLinear.minimum_classes >= 3
    model._fit_curve(k, np.ones(9))
    np.testing.assert_allclose(model.predict([2, 10**18]), [1, 1])


def test_refuses_bad_options():
    with pytest.raises(InputError, match="seed is -1"):
        LogLinear(seed=-1)

import numpy as np
import pytest
from scipy.optimize import nnls

import accuracy_curves as ac
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.radial_nnls import BANDWIDTHS, RadialNNLS
from accuracy_curves.extrapolators.regression import radial_knots, radial_moments
from accuracy_curves.utils.seeds import derive_seed
from conftest import shared_data, simulated

# Zheng et al. 2018, Telugu characters: one prediction for each bandwidth 0.1, 0.2..1.0.
PUBLISHED = {
    ("logistic", 20, 100): "8980 8935 8895 8858 8829 8839 8948 9052 9135 9201",
    ("logistic", 20, 400): "8824 8643 8412 8188 7960 7981 8270 8516 8698 8836",
    ("deepslim", 20, 100): "9767 9777 9793 9815 9837 9857 9874 9887 9897 9905",
    ("deepslim", 20, 400): "9349 9424 9521 9614 9691 9748 9790 9821 9844 9861",
    ("logistic", 100, 400): "7075 7003 6952 6989 7101 7162 7214 7276 7326 7404",
}


@pytest.fixture(scope="module")
def sample():
    return simulated(60, 10, variance=0.2)


@pytest.mark.parametrize(("classifier", "k1", "k2"), PUBLISHED)
def test_published_accuracies_at_every_bandwidth(classifier, k1, k2):
    matrix = ac.load_scores(shared_data(f"telugu_scores_{classifier}_{k1}.npz"))
    published = np.array(PUBLISHED[classifier, k1, k2].split(), dtype=float) / 10_000
    predicted = np.array([RadialNNLS(bandwidth=h).fit(matrix).predict(k2)[0] for h in BANDWIDTHS])
    # 45 of the 50 agree to the last printed digit, the others to 1.2e-4.
    assert np.abs(predicted - published).max() < 1.5e-4
    assert np.median(np.abs(predicted - published)) < 5e-5


def test_cross_validation_is_what_it_says(sample):
    model = RadialNNLS(seed=3).fit(sample)
    assert model.bandwidth_ == min(BANDWIDTHS, key=model.cv_rmse_.__getitem__)
    assert list(model.cv_rmse_) == list(BANDWIDTHS)
    again = RadialNNLS(bandwidth=model.bandwidth_, seed=3).fit(sample)
    np.testing.assert_array_equal(model.predict([2, 500]), again.predict([2, 500]))
    assert again.cv_rmse_ == {}


def test_cross_validation_errors_by_brute_force(sample):
    h = 0.5
    model = RadialNNLS(seed=1).fit(sample)
    knots = radial_knots(60, h)
    squares = []
    for draw in range(20):
        half = ac.subsample(sample, 30, derive_seed(1, "radial_nnls", "subsample", draw))
        k = np.arange(1, 31)
        accuracy = np.append(1, ac.average_accuracy(half, k[1:]))
        coefficients = nnls(radial_moments(knots, h, k), accuracy)[0]
        predicted = radial_moments(knots, h, 60) @ coefficients
        squares.append((predicted[0] - ac.average_accuracy(sample, 60)[0]) ** 2)
    assert model.cv_rmse_[h] == pytest.approx(np.sqrt(np.mean(squares)), rel=1e-5)


def test_the_fit_is_close_on_the_observed_range(sample):
    model = RadialNNLS(bandwidth=0.3).fit(sample)
    k, accuracy = model.observed(sample)
    np.testing.assert_allclose(model.predict(k), accuracy, atol=2e-3)
    assert (model.coefficients_ > 0).all()
    assert model.coefficients_.sum() == pytest.approx(1, abs=0.02)
    curve = model.predict(np.array([2, 10, 10**3, 10**6, 10**12, 10**18]))
    assert (np.diff(curve) <= 0).all()
    assert curve[-1] >= 0


def test_few_classes_need_a_bandwidth(sample):
    few = ac.subsample(sample, 5, 0)
    with pytest.raises(InputError, match="at least k1 = 6 classes, the sample has 5"):
        RadialNNLS().fit(few)
    assert 0 < RadialNNLS(bandwidth=1).fit(few).predict(50)[0] < 1
    assert np.isfinite(RadialNNLS().fit(ac.subsample(sample, 6, 0)).predict(50)[0])

"""Entropy, exponential decay, cubic and log-quadratic: curves without a theory, or a simple one."""

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.extrapolators import make_extrapolator

K = np.arange(2, 101)
SIGNATURES = 2**8.5
CURVES = {
    # One guess for each of the distinct signatures among k people is right.
    "entropy": lambda k: SIGNATURES / k * (1 - (1 - 1 / SIGNATURES) ** k),
    "exponential_decay": lambda k: 0.7 * np.exp(-0.11 * np.sqrt(k)) + 1 - 0.7 * np.exp(-0.11),
    "cubic": lambda k: 1 - 0.03 * np.log10(k) - 0.02 * np.log10(k) ** 2 - 0.01 * np.log10(k) ** 3,
    "log_quadratic": lambda k: 0.95 - 0.02 * np.log(k) - 0.003 * np.log(k) ** 2,
}


@pytest.mark.parametrize("method", CURVES)
def test_a_curve_of_its_own_kind_is_found_again(method):
    model = ac.fit_curve(K, CURVES[method](K), method)
    far = np.array([2, 100, 1000])
    np.testing.assert_allclose(model.predict(far), CURVES[method](far), atol=1e-6)
    assert model.predict(10**18)[0] >= 0


def test_the_entropy_model_is_the_share_of_people_with_a_guess_of_their_own():
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 64, (4000, 40))
    shares = [len(np.unique(each)) / 40 for each in drawn]
    model = make_extrapolator("entropy")
    model.bits_ = 6.0
    assert model.predict(40)[0] == pytest.approx(np.mean(shares), abs=0.002)


@pytest.mark.parametrize("method", CURVES)
@pytest.mark.parametrize("accuracy", [1.0, 0.0])
def test_perfect_and_useless_classifiers(method, accuracy):
    model = ac.fit_curve(K, np.full(99, accuracy), method)
    found = model.predict([100, 10**6])
    # A cubic and a decay are 1 at one class, and an entropy of 0 bits is a guess.
    tolerance = {"cubic": 0.1, "exponential_decay": 0.01, "entropy": 0.011}.get(method, 1e-6)
    np.testing.assert_allclose(found, accuracy, atol=tolerance)


@pytest.mark.parametrize("method", CURVES)
def test_errors_of_few_classes_weigh_less(method):
    """As in the authors' program, each square by log k; the quadratic weighs all the same."""
    rng = np.random.default_rng(1)
    noisy = np.clip(CURVES[method](K) + 0.01 * rng.normal(size=99), 0, 1)
    weight = np.ones(99) if method == "log_quadratic" else np.log(K)
    best = ac.fit_curve(K, noisy, method)
    least = (weight * (best.predict(K) - noisy) ** 2).sum()
    names = [name for name in vars(best) if name.endswith("_") and name != "seed"]
    for name in names:
        for factor in (0.99, 1.01):
            moved = ac.fit_curve(K, noisy, method)
            setattr(moved, name, getattr(best, name) * factor)
            assert (weight * (moved.predict(K) - noisy) ** 2).sum() >= least - 1e-12

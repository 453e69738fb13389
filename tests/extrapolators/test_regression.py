import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.extrapolators.regression import Regression, radial_knots, radial_moments
from accuracy_curves.scores.parts import subsample
from conftest import simulated


def fit_curve(accuracy, **options):
    method = Regression(**options)
    method._fit_curve(np.arange(2, len(accuracy) + 2), np.asarray(accuracy))
    return method


def test_fits_the_observed_curve_as_well_as_least_squares():
    sample = subsample(simulated(300, 5), 100, seed=1)
    method = Regression().fit(sample)
    k, accuracy = method.observed(sample)
    np.testing.assert_array_equal(method.knots_, radial_knots(100, 0.4))
    basis = radial_moments(method.knots_, 0.4, k)
    best = basis @ np.linalg.lstsq(basis, accuracy)[0]
    np.testing.assert_allclose(method.predict(k), best, rtol=0, atol=5e-4)
    assert np.mean((method.predict(k) - accuracy) ** 2) < np.mean((best - accuracy) ** 2) + 1e-7


@settings(max_examples=15)
@given(weights=st.lists(st.floats(0, 1), min_size=20, max_size=20))
def test_a_curve_of_the_span_is_recovered(weights):
    weights = np.array(weights) + 1e-3
    weights /= weights.sum()
    knots = radial_knots(100, 0.4)
    assert len(knots) == len(weights)
    k = np.array([2, 5, 20, 100, 200, 500])
    true = radial_moments(knots, 0.4, k) @ weights
    observed = radial_moments(knots, 0.4, np.arange(2, 101)) @ weights
    error = np.abs(fit_curve(observed).predict(k) - true)
    assert error[:4].max() < 2e-3
    assert error[4:].max() < 0.04


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    k1=st.integers(3, 120),
    penalty=st.floats(1e-7, 1),
    bandwidth=st.floats(0.1, 2),
)
def test_the_gradient_of_the_penalised_error_vanishes(seed, k1, penalty, bandwidth):
    accuracy = np.sort(np.random.default_rng(seed).random(k1 - 1))[::-1]
    method = fit_curve(accuracy, penalty=penalty, bandwidth=bandwidth)
    basis = radial_moments(method.knots_, bandwidth, np.arange(2, k1 + 1))
    beta = method.coefficients_
    penalties = np.append(np.full(len(beta) - 1, penalty), 0.0)
    slope = basis.T @ (basis @ beta - accuracy) / len(basis) + penalties * beta
    assert np.abs(slope).max() < 1e-12
    # And no other stationary point exists: the Hessian is above 0.
    closed = np.linalg.lstsq(
        np.vstack([basis / np.sqrt(len(basis)), np.diag(np.sqrt(penalties))]),
        np.concatenate([accuracy / np.sqrt(len(basis)), np.zeros(len(beta))]),
    )[0]
    np.testing.assert_allclose(basis @ closed, basis @ beta, rtol=0, atol=1e-9)


@pytest.mark.parametrize("k1", [3, 30, 300])
def test_where_nothing_errs_the_curve_is_1(k1):
    predicted = fit_curve(np.ones(k1 - 1)).predict([2, k1, 100 * k1, 10**18])
    np.testing.assert_allclose(predicted, 1, rtol=0, atol=1e-12)


def test_both_solvers_meet_the_observed_curve():
    sample = subsample(simulated(300, 5), 100, seed=1)
    k, accuracy = Regression().observed(sample)
    ridge, newton = (Regression(solver=s).fit(sample).predict(k) for s in ("ridge", "newton_cg"))
    np.testing.assert_allclose(ridge, newton, rtol=0, atol=1e-3)
    assert np.abs(ridge - accuracy).max() < 2e-3
    assert Regression(solver="newton_cg").stepwise
    assert not Regression().stepwise


KERNELS = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX")
PREDICTED = """
import sys
import numpy as np
from accuracy_curves.extrapolators.regression import Regression
observed = np.load(sys.argv[1])
k = np.arange(2, observed.shape[1] + 2)
curves = []
for accuracy in observed:
    method = Regression(solver=sys.argv[3])
    method._fit_curve(k, accuracy)
    curves.append(method.predict(np.array([2, 100, 500, 2000, 10**6])))
np.save(sys.argv[2], curves)
"""


@pytest.fixture(scope="module")
def by_kernel(tmp_path_factory):
    """Predict 40 draws' curves with each of OpenBLAS's kernels, (kernels, draws, k), by solver.

    A kernel that the processor lacks is replaced by OpenBLAS with one that it has.
    """
    folder = tmp_path_factory.mktemp("kernels")
    matrix = simulated(600, 5, d=5, variance=0.2)
    draws = [Regression().observed(subsample(matrix, 100, seed))[1] for seed in range(40)]
    np.save(folder / "observed.npy", draws)

    def predicted(kernel, solver):
        out = folder / f"{kernel}_{solver}.npy"
        command = [sys.executable, "-c", PREDICTED, str(folder / "observed.npy"), str(out), solver]
        environment = {**os.environ, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(command, env=environment)
        # A processor without the instructions of a kernel cannot run it.
        if done.returncode == -signal.SIGILL:
            return []
        assert done.returncode == 0
        return [np.load(out)]

    return {
        solver: np.array([curve for kernel in kernels for curve in predicted(kernel, solver)])
        for solver, kernels in (("ridge", KERNELS), ("newton_cg", ("Prescott", "Haswell")))
    }


def test_the_curve_does_not_depend_on_the_kernel(by_kernel):
    assert np.ptp(by_kernel["ridge"], axis=0).max() < 1e-11
    # That the kernels differ at all is seen where rounding decides.
    assert np.ptp(by_kernel["newton_cg"], axis=0).max() > 0


def test_solution_has_a_vanishing_gradient_and_starts_at_zero():
    # With h = 10 the basis is one knot at 0 and the constant: a well-conditioned problem.
    accuracy = 0.3 + 0.5 / np.arange(2, 40)
    method = fit_curve(accuracy, solver="newton_cg", bandwidth=10.0)
    np.testing.assert_array_equal(method.knots_, [0, np.inf])
    basis = radial_moments(method.knots_, 10.0, np.arange(2, 40))
    exact = np.linalg.lstsq(basis, accuracy)[0]
    np.testing.assert_allclose(method.coefficients_, exact, rtol=1e-4)
    np.testing.assert_array_equal(fit_curve(np.zeros(30)).coefficients_, 0)


def test_the_penalty_regularises():
    accuracy = Regression().observed(subsample(simulated(300, 5), 50, seed=2))[1]
    norms = [
        np.linalg.norm(fit_curve(accuracy, bandwidth=0.2, penalty=penalty).coefficients_[:-1])
        for penalty in (1e-2, 1e-4, 1e-6)
    ]
    assert norms[0] < norms[1] < norms[2]


def test_knots_of_a_given_number_and_range():
    accuracy = 0.3 + 0.5 / np.arange(2, 40)
    method = fit_curve(accuracy, n_knots=7, largest_knot=2.0, bandwidth=0.5)
    np.testing.assert_allclose(method.knots_, [*np.linspace(-2, 2, 7), np.inf], atol=1e-12)
    assert len(fit_curve(accuracy, largest_knot=2.0, bandwidth=0.5).knots_) == 8
    widest = fit_curve(accuracy, n_knots=2).knots_
    np.testing.assert_allclose(widest[:2], radial_knots(39, 0.4)[[0, -2]])

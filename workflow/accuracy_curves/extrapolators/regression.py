"""Regression: radial basis functions fitted to the observed average accuracies, unconstrained."""

from functools import lru_cache
from typing import Annotated

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators._radial_basis import (
    radial_favorabilities,
    radial_knots,
    radial_moments,
)
from accuracy_curves.extrapolators.base import CurveExtrapolator, Favorabilities
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import Count, Number, Positive, Seed, check_options


class Regression(CurveExtrapolator):
    """Non-parametric regression on the radial basis, as ICLR 2021 (Appendix C) fits it.

    The curve is a sum of the radial basis of Zheng et al. (2018),

        E_k[A] = sum_j beta_j E[Phi(Z_j)^(k - 1)],  Z_j ~ N(t_j, h^2),

    with knots t_j about h apart, whose number follows k1 (`radial_knots`), and a constant column.
    The coefficients minimise the mean squared error at k = 2..k1, by scipy's "Newton-CG" with the
    exact gradient and Hessian, from beta = 0. They may have any sign, so that a curve may increase
    with k or leave [0, 1].

    The basis functions are nearly collinear: many coefficients fit the observed curve almost
    equally well and extrapolate differently. Newton-CG takes the best determined directions first,
    so that stopping after some iterations acts as regularisation: the gradients of a mean squared
    error are small, and it stops after about five. A smaller `xtol` or more iterations change
    little, as the line search then finds no better point.

    Parameters
    ----------
    bandwidth : float
        h, from 0.01 to 10; Zheng et al. consider 0.1 to 1. The default is a compromise over
        simulations, characters, faces, brain recordings and images: 0.2 does better where the
        curve falls far (median RMSE .018, not .057, from 100 to 2000 simulated classes), but
        worse with few classes (.053, not .016, from 20 to 100 characters); the
        averages over the data sets are alike from 0.3 to 0.7.
    xtol : float
        Newton-CG stops when a step's mean absolute change of a coefficient is below; above 0.
    max_iterations : int
        Largest number of Newton iterations.
    seed : int
        Seed of the tie-breaking in the observed accuracies.

    Attributes
    ----------
    knots_ : (m,) array of float
        Knots t_j, ascending; the last, ``+inf``, is the constant column.
    coefficients_ : (m,) array of float
        beta_j.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> from accuracy_curves.datasets.simulation import Simulation
    >>> matrix = Simulation(n_classes=100, variance=0.2).score_matrix(seed=0)
    >>> model = ac.Regression(bandwidth=0.4).fit(matrix)
    >>> abs(model.predict(100) - ac.average_accuracy(matrix, 100)) < 0.05
    array([ True])
    """

    name = "regression"
    label = "Regression"
    color = "#0072B2"
    stepwise = True
    every_k = True

    knots_: Float64Array
    coefficients_: Float64Array

    def __init__(
        self,
        *,
        bandwidth: Annotated[float, Number(0.01, 10)] = 0.4,
        xtol: Positive = 1e-5,
        max_iterations: Count = 1000,
        seed: Seed = 0,
    ) -> None:
        self.bandwidth = bandwidth
        self.xtol = xtol
        self.max_iterations = max_iterations
        self.seed = seed
        check_options(self)

    def _fit_curve(self, k: npt.NDArray[np.int64], accuracy: Float64Array) -> None:
        knots, basis = _basis(int(k[-1]), self.bandwidth)
        # Products by einsum, as BLAS may depend, in the last bits, on the number of cores.
        hessian: Float64Array = 2.0 * np.einsum("ki,kj->ij", basis, basis) / len(k)

        def residual(beta: Float64Array) -> Float64Array:
            difference: Float64Array = np.einsum("ki,i->k", basis, beta) - accuracy
            return difference

        def error(beta: Float64Array) -> float:
            return float(np.mean(residual(beta) ** 2))

        def gradient(beta: Float64Array) -> Float64Array:
            slope: Float64Array = 2.0 * np.einsum("ki,k->i", basis, residual(beta)) / len(k)
            return slope

        def curvature(_: Float64Array) -> Float64Array:
            return hessian

        found = minimize(
            error,
            np.zeros(len(knots)),
            method="Newton-CG",
            jac=gradient,
            hess=curvature,
            options={"xtol": self.xtol, "maxiter": self.max_iterations},
        )
        if not (np.isfinite(found.x).all() and np.isfinite(found.fun)):
            raise FitError(
                f"regression found no finite coefficients ({found.message.strip()}): "
                f"try another bandwidth than {self.bandwidth:g}"
            )
        self.knots_ = knots
        self.coefficients_ = found.x

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        moments = _moments(self.knots_.tobytes(), self.bandwidth, k.tobytes())
        curve: Float64Array = np.einsum("ki,i->k", moments, self.coefficients_)
        return curve

    def _favorabilities(self) -> Favorabilities:
        return radial_favorabilities(self.knots_, self.bandwidth, self.coefficients_)


@lru_cache(maxsize=8)
def _moments(knots: bytes, bandwidth: float, k: bytes) -> Float64Array:
    """Compute the moments once for all fits to as many classes: halves are asked the same k."""
    moments = radial_moments(np.frombuffer(knots), bandwidth, np.frombuffer(k, np.int64))
    moments.flags.writeable = False
    return moments


@lru_cache(maxsize=8)
def _basis(k1: int, bandwidth: float) -> tuple[Float64Array, Float64Array]:
    """Knots of k1 classes and their moments at k = 2..k1, once for all repetitions."""
    knots = radial_knots(k1, bandwidth)
    basis = radial_moments(knots, bandwidth, np.arange(2, k1 + 1))
    knots.flags.writeable = basis.flags.writeable = False
    return knots, basis

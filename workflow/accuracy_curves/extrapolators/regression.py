"""Regression: radial basis functions fitted to the observed average accuracies, of any sign.

The moments of the basis are the accuracy curves of a normal favorability on the probit scale.
"""

import math
from functools import lru_cache
from typing import Annotated

import numpy as np
import scipy

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray
from accuracy_curves.utils.validation import Choice, Number, Whole

# The normal weight beyond this many standard deviations is below 1e-18.
FARTHEST = 9.0
# Largest steps of the trapezoidal rule: in standard deviations, and on the axis of z, where
# Phi(z)^(k - 1) climbs from 0 to 1 over a length of about 1 / sqrt(2 log k).
LARGEST_STEP = 0.75
LARGEST_STEP_Z = 0.04


def radial_moments(t: ArrayLike, h: float, k: ArrayLike) -> Float64Array:
    """Compute the columns of the radial basis, E[Phi(Z)^(k - 1)] with Z ~ N(t, h^2), (n, m).

    If C_x = Phi(Z), column j is the expected accuracy at k classes (Zheng et al. 2018, radial
    basis; ICLR 2021, Appendix C). A knot t of ``+inf`` is the constant column of 1; with h = 0 the
    moments are Phi(t)^(k - 1). The expectation is a trapezoidal sum over t +- 9 h, whose error
    falls exponentially with the number of points as the integrand is smooth: the absolute error is
    below 1e-10 for every t, every h >= 0 and every k from 1 to 10**12.
    """
    classes = np.atleast_1d(np.asarray(k))
    columns = (radial_favorabilities(knot, h, 1.0).accuracy(classes) for knot in np.atleast_1d(t))
    return np.minimum(np.column_stack([*columns]), 1.0)


def radial_favorabilities(t: ArrayLike, h: float, coefficients: ArrayLike) -> Favorabilities:
    """Spread the radial basis over the nodes of its quadrature, as a distribution of C = Phi(Z).

    Each knot t has the weight of its coefficient; ``+inf`` is C = 1.
    """
    knots = np.atleast_1d(np.asarray(t, dtype=np.float64))[:, None]
    step = min(LARGEST_STEP, LARGEST_STEP_Z / h) if h > 0 else LARGEST_STEP
    half = math.ceil(FARTHEST / step)
    x = step * np.arange(-half, half + 1, dtype=np.float64)
    share = np.exp(-0.5 * x**2)
    z = (knots + h * x).ravel()
    weights = (np.atleast_1d(np.asarray(coefficients))[:, None] * share / share.sum()).ravel()
    return Favorabilities(scipy.special.log_ndtr(z), scipy.special.log_ndtr(-z), weights)


def radial_knots(
    k1: int, h: float, n_knots: int | None = None, largest: float | None = None
) -> Float64Array:
    """Place the knots of the radial basis for k1 classes: ascending, the last is ``+inf``.

    The others are evenly spaced and symmetric on [-t_max, t_max]. By default t_max (`largest`) is
    Phi^-1(1 - 1 / k1^2), and they are about h apart: ceil(t_max / h) of them on [0, t_max],
    mirrored (the rule of ClassEx, the R package of Zheng et al. 2018). Their number so follows k1.
    """
    t_max = float(-scipy.special.ndtri(1.0 / k1**2)) if largest is None else largest
    if n_knots is not None:
        return np.append(np.linspace(-t_max, t_max, n_knots), np.inf)
    half = np.linspace(0.0, t_max, math.ceil(t_max / h))
    return np.concatenate([-half[:0:-1], half, [np.inf]])


class Regression(CurveExtrapolator):
    """Non-parametric regression on the radial basis, as ICLR 2021 (Appendix C) fits it.

    The curve is a sum of the radial basis of Zheng et al. (2018),

        E_k[A] = sum_j beta_j E[Phi(Z_j)^(k - 1)],  Z_j ~ N(t_j, h^2),

    with knots t_j, by default about h apart, so that their number follows k1 (`radial_knots`), and
    a constant column.
    The coefficients may have any sign, so that a curve may increase with k or leave [0, 1]. The
    basis functions are nearly collinear: many coefficients fit the observed curve almost equally
    well and extrapolate differently, and what chooses among them decides the prediction. The
    paper minimises the mean squared error by scipy's "Newton-CG" from beta = 0. That stops after
    some steps, short of the minimum, and where it stops is its only regularisation. Rounding moves
    that place: over 3000 curves one in six differs by more than 0.0001, one by 0.09, between the
    five kernels of OpenBLAS that one processor can run.

    By default the regularisation is explicit: the coefficients minimise

        mean_k (E_k[A] - observed_k)^2 + penalty sum_j beta_j^2,

    the sum over all columns but the constant one: where nothing errs the curve is 1 at every k. It
    has one solution: those curves are the same to 1e-13. Newton-CG predicts .90 of a curve of 1 at
    10 k1, and .64 at 100 k1, with k1 = 200: its steps too fall short of the constant. But where
    points err, a constant that costs nothing lets more curves end in a plateau. The mean RMSE is
    1.37 of Newton-CG's from 100 to 2000 simulated classes, and 1.07 from 500 to 2000 (geometric
    means over eight settings, 60 draws each).

    Parameters
    ----------
    solver : {"ridge", "newton_cg"}
        The penalised minimum; or scipy's Newton-CG without a penalty, as the paper has it.
    penalty : float
        Penalty of "ridge"; above 0, at most 1. From 100 to 2000 simulated classes
        errors grow with it, by a sixth from 1e-6 to 1e-5.
    bandwidth : float
        h, from 0.01 to 10; Zheng et al. consider 0.1 to 1. The default is a compromise over
        simulations, characters, faces, brain recordings and images. 0.2 does better where the
        curve falls far (median RMSE .018, not .057, from 100 to 2000 simulated classes). It does
        worse with few classes (.053, not .016, from 20 to 100 characters). The averages over the
        data sets are about equal from 0.3 to 0.7.
    n_knots : int, optional
        Number of the knots t_j, from 2 to 1000. By default it follows k1 and h.
    largest_knot : float, optional
        The knots lie from minus this to this, above 0 and at most 9. By default it is
        Phi^-1(1 - 1 / k1^2).
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
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> model = ac.Regression(bandwidth=0.4).fit(matrix)
    >>> abs(model.predict(100) - ac.average_accuracy(matrix, 100)) < 0.05
    array([ True])
    """

    name = "regression"
    label = "Regression"
    color = "#0072B2"
    has_tops = True
    takes_lists = True

    solver: Annotated[str, Choice("ridge", "newton_cg")] = "ridge"
    penalty: Annotated[float, Number(0, 1, above=True)] = 3e-6
    bandwidth: Annotated[float, Number(0.01, 10)] = 0.4
    n_knots: Annotated[int, Whole(2, 1000)] | None = None
    largest_knot: Annotated[float, Number(0, 9, above=True)] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        # Where Newton-CG stops, differences in rounding grow.
        self.stepwise = self.solver == "newton_cg"

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        knots = radial_knots(int(k[-1]), self.bandwidth, self.n_knots, self.largest_knot)
        # The squared errors are those of rows and accuracies times these.
        root = np.sqrt(weights * np.ones(len(k)))
        basis = root[:, None] * _moments(knots.tobytes(), self.bandwidth, k.tobytes())
        if self.solver == "ridge":
            # A row a coefficient but the constant's has its penalty for the squared error.
            penalties = np.sqrt(self.penalty * len(k)) * np.eye(len(knots))[:-1]
            rows = np.vstack([basis, penalties])
            target = np.append(root * accuracy, np.zeros(len(penalties)))
            coefficients = np.linalg.lstsq(rows, target)[0]
        else:
            coefficients = self._newton_cg(basis, root * accuracy)
        self.knots_ = knots
        self.coefficients_ = coefficients

    def _newton_cg(self, basis: Float64Array, accuracy: Float64Array) -> Float64Array:
        """Minimise the mean squared error, with its exact gradient and Hessian, from 0."""
        # Products by einsum, as BLAS may depend, in the last bits, on the number of cores.
        hessian: Float64Array = 2.0 * np.einsum("ki,kj->ij", basis, basis) / len(basis)

        def residual(beta: Float64Array) -> Float64Array:
            return np.einsum("ki,i->k", basis, beta) - accuracy

        def error(beta: Float64Array) -> float:
            return float(np.mean(residual(beta) ** 2))

        def gradient(beta: Float64Array) -> Float64Array:
            return 2.0 * np.einsum("ki,k->i", basis, residual(beta)) / len(basis)

        start, hess = np.zeros(basis.shape[1]), lambda _: hessian
        fit = scipy.optimize.minimize(error, start, method="Newton-CG", jac=gradient, hess=hess)
        return np.asarray(fit.x)

    def _predict(self, k: IntArray) -> Float64Array:
        # All fits to as many classes have the same moments, and predict the same k.
        moments = _moments(self.knots_.tobytes(), self.bandwidth, k.tobytes())
        return np.einsum("ki,i->k", moments, self.coefficients_)

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution."""
        return radial_favorabilities(self.knots_, self.bandwidth, self.coefficients_)


@lru_cache(maxsize=8)
def _moments(knots: bytes, bandwidth: float, k: bytes) -> Float64Array:
    """Compute the moments once for all fits to as many classes: repetitions, and halves."""
    moments = radial_moments(np.frombuffer(knots), bandwidth, np.frombuffer(k, np.int64))
    moments.flags.writeable = False
    return moments

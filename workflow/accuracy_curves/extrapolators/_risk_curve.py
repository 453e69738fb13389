"""The risk curve under any cost, by regression on favorabilities seen through binomial noise."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betainc

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators._spline_basis import SPACINGS, spline_gaps, spline_moments
from accuracy_curves.observed.accuracy import check_classes
from accuracy_curves.observed.risk import rank_costs
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.linear_algebra import one_thread
from accuracy_curves.utils.validation import check_choice, check_whole

VARIANCES = ("plug_in", "universal")
# Smaller ratios of the diagonal of a triangular factor mean that the basis is not identified.
COLLINEAR = 1e-12


class Basis(ABC):
    """Functions h_1..h_d on [0, 1] whose sum models K-bar(u)."""

    @abstractmethod
    def seen(self, k1: int) -> Float64Array:
        """Compute Z, (k1 - 1, d): E[h_l(U)] with U ~ Beta(m, k1 - m) for m = 1..k1 - 1.

        That is how the ranks of k1 classes see the functions.
        """

    @abstractmethod
    def moments(self, k: npt.NDArray[np.int64]) -> Float64Array:
        """Compute W, (n, d), the risks of the functions: E[h_l(U)] with U ~ Beta(k - 1, 1)."""


@dataclass(frozen=True)
class PolynomialBasis(Basis):
    """Powers u^l for l = 0..degree (Zheng, Achanta and Benjamini 2016, Section 3.4)."""

    degree: int

    def seen(self, k1: int) -> Float64Array:
        """Compute Z, (k1 - 1, degree + 1)."""
        m = np.arange(1, k1, dtype=np.float64)[:, None]
        steps = np.arange(self.degree, dtype=np.float64)
        # (m + l - 1)! (k1 - 1)! / ((m - 1)! (k1 + l - 1)!) as a product of l factors.
        ratios = np.cumprod((m + steps) / (k1 + steps), axis=1)
        return np.column_stack([np.ones(k1 - 1), ratios])

    def moments(self, k: npt.NDArray[np.int64]) -> Float64Array:
        """Compute W, (n, degree + 1)."""
        incorrect = (k - 1).astype(np.float64)[:, None]
        return incorrect / (incorrect + np.arange(self.degree + 1))


@dataclass(frozen=True)
class SplineBasis(Basis):
    """u and the linear splines [u - t_l]+ of m knots, linearly or quadratically spaced."""

    knots: int
    spacing: str

    def _gaps(self) -> Float64Array:
        return np.concatenate([[1.0], spline_gaps(self.knots, self.spacing)])

    def seen(self, k1: int) -> Float64Array:
        """Compute Z, (k1 - 1, knots + 1)."""
        gaps = self._gaps()
        m = np.arange(1, k1, dtype=np.float64)[:, None]
        # The mean of (u - t)+ is m / k1 P(V > t) - t P(U > t) with V one step up in m; as
        # P(U > t) is betainc of 1 - t with the parameters exchanged, no digits are lost near 1.
        above = betainc(k1 - m, m, gaps)
        return np.asarray(m / k1 * betainc(k1 - m, m + 1, gaps) - (1.0 - gaps) * above)

    def moments(self, k: npt.NDArray[np.int64]) -> Float64Array:
        """Compute W, (n, knots + 1)."""
        return spline_moments(self._gaps(), k)


@dataclass(frozen=True, eq=False)
class RiskCurve:
    """A fitted risk curve, K-bar(u) = sum_l beta_l h_l(u).

    `basis` has the h_l, `coefficients`, (d,), are the beta_l; `root`, (d, d), is the upper
    triangular R with R'R = Z' V^-1 Z.
    """

    basis: Basis
    coefficients: Float64Array
    root: Float64Array

    def risk(self, k: npt.ArrayLike) -> Float64Array:
        """Predict the expected risk at k classes, beta' W, (n,): unbiased, it may leave [0, 1]."""
        return np.asarray((self.basis.moments(check_classes(k)) * self.coefficients).sum(axis=1))

    def standard_error(self, k: npt.ArrayLike) -> Float64Array:
        """Bound the standard error of the risk at k classes, (W' (Z' V^-1 Z)^-1 W)^(1/2), (n,).

        An approximate upper bound: it takes the variance of each C-bar_m to be that of one class's
        points alone, as if all classes erred together.
        """
        from scipy.linalg import solve_triangular

        moments = self.basis.moments(check_classes(k))
        whitened = solve_triangular(self.root, moments.T, trans="T")
        return np.asarray(np.sqrt((whitened**2).sum(axis=0)))


def fit_risk_curve(
    sample: Ranked,
    cost: npt.ArrayLike | None = None,
    *,
    basis: str = "spline",
    degree: int = 3,
    knots: int = 8,
    spacing: str = "quadratic",
    variance: str = "plug_in",
    seed: int = 0,
) -> RiskCurve:
    """Estimate the risk curve of a classifier under any cost of mistakes.

    The expected risk at k classes is (k - 1) * integral K-bar(u) u^(k - 2) du, where K-bar(u) is
    the mean cost of losing to an incorrect class with favorability u (Zheng, Achanta and Benjamini
    2016, Theorem 3.1, where k is printed for k - 1). The m-th smallest of the k1 - 1 incorrect
    classes has a favorability with distribution Beta(m, k1 - m), so that

        E[C-bar_m] = sum_l beta_l Z_{m,l},  Z_{m,l} = E[h_l(U)],  U ~ Beta(m, k1 - m)

    (the Z of Section 3.4; the density printed in Section 3.3 counts one class more). The
    coefficients are those of the regression of C-bar on Z with weights 1 / v_m, and are unbiased
    where the model holds and the weights do not depend on the data.

    Parameters
    ----------
    sample : ScoreMatrix
        Scores of the observed classes; without `cost`, Ranks or a DistanceMatrix will do.
    cost : (k1, k1) array of float, optional
        ``cost[i, j]``, in [0, 1], of predicting class i where j is correct, with zeros on the
        diagonal; by default every mistake costs 1.
    basis : {"polynomial", "spline"}
        u^l for l = 0..degree, or u and [u - t_l]+ for as many knots.
    degree : int
        Degree of the polynomials, at least 1.
    knots : int
        Number of knots of the splines, at least 1.
    spacing : {"linear", "quadratic"}
        Spacing of the knots.
    variance : {"plug_in", "universal"}
        v_m = p (1 - p) / r with p = C-bar_m, half an observation added so that none is 0, or
        1 / (4 r); r is the mean number of points of a class.
    seed : int
        Seed of the tie-breaking.

    Returns
    -------
    RiskCurve
        ``.risk(k)`` predicts the expected cost at any k, ``.standard_error(k)`` bounds its error.

    Raises
    ------
    InputError
        If the cost or an option is out of range, or there are too few classes for the basis.
    FitError
        If the sample does not identify the basis.

    Examples
    --------
    Classes stand on a line, and a mistake costs the more the farther it is off.

    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> classes = rng.uniform(size=60)
    >>> points = np.repeat(classes, 5) + rng.normal(scale=0.05, size=300)
    >>> distances = abs(points[:, None] - classes)
    >>> sample = ac.ScoreMatrix(distances, np.repeat(np.arange(60), 5), higher_is_better=False)
    >>> cost = abs(classes[:, None] - classes)
    >>> curve = ac.fit_risk_curve(sample, cost)
    >>> bool(0 < curve.risk(120)[0] < 0.1)
    True
    """
    functions = make_basis(basis, degree, knots, spacing)
    check_variance(variance)
    costs = rank_costs(sample, cost, seed)
    repeats = sample.n_points / len(np.unique(sample.labels))
    share = np.full(len(costs), 0.5)
    if variance == "plug_in":
        share = (sample.n_points * costs + 0.5) / (sample.n_points + 1.0)
    scale = 1.0 / np.sqrt(share * (1.0 - share) / repeats)
    seen = functions.seen(sample.n_classes)
    if len(seen) < seen.shape[1]:
        raise InputError(
            f"{seen.shape[1]} basis functions need at least k1 = {seen.shape[1] + 1} classes, "
            f"the sample has {sample.n_classes}: lower the degree or the number of knots"
        )
    with one_thread():
        orthogonal, root = np.linalg.qr(seen * scale[:, None])
        diagonal = np.abs(np.diagonal(root))
        if diagonal.min() < COLLINEAR * diagonal.max():
            raise FitError(
                f"{sample.n_classes} classes cannot tell {seen.shape[1]} basis functions apart: "
                "lower the degree or the number of knots"
            )
        coefficients = np.linalg.solve(root, orthogonal.T @ (costs * scale))
    return RiskCurve(functions, coefficients, root)


def make_basis(basis: str, degree: int, knots: int, spacing: str) -> Basis:
    """Check the options of `fit_risk_curve` that choose the basis, and make it."""
    check_choice("basis", basis, ("polynomial", "spline"))
    check_whole("degree", degree, 1)
    check_whole("knots", knots, 1)
    check_choice("spacing", spacing, SPACINGS)
    return PolynomialBasis(degree) if basis == "polynomial" else SplineBasis(knots, spacing)


def check_variance(variance: str) -> None:
    """Check the option of `fit_risk_curve` that weighs the regression."""
    check_choice("variance", variance, VARIANCES)

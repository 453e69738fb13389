"""Covariate adjustment: unbiased regression on favorabilities seen through binomial noise."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators._risk_curve import (
    RiskCurve,
    check_variance,
    fit_risk_curve,
    make_basis,
)
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import Seed, check_options


class CovariateAdjusted(Extrapolator):
    """Regression on binomially distorted U-values (Zheng, Achanta and Benjamini 2016, 3.3).

    The curve of `fit_risk_curve` for 0-1 cost; the accuracy is 1 - risk. Without constraints it
    is unbiased, and its variance grows fast as k leaves k1: it may leave [0, 1] and increase.

    Parameters
    ----------
    basis : {"polynomial", "spline"}
        u^l for l = 0..degree, or u and [u - t_l]+ for as many knots.
    degree : int
        Degree of the polynomials, at least 1.
    knots : int
        Number of knots of the splines, at least 1.
    spacing : {"linear", "quadratic"}
        Spacing of the knots.
    variance : {"plug_in", "universal"}
        Variances that weigh the regression, see `fit_risk_curve`.
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    curve_ : RiskCurve
        The fitted risk curve, with its standard errors.
    """

    name = "covariate_adjusted"
    label = "covariate-adjusted"
    color = "#44AA99"
    needs = "ranks"

    curve_: RiskCurve

    def __init__(
        self,
        *,
        basis: str = "spline",
        degree: int = 3,
        knots: int = 8,
        spacing: str = "quadratic",
        variance: str = "plug_in",
        seed: Seed = 0,
    ) -> None:
        make_basis(basis, degree, knots, spacing)
        check_variance(variance)
        self.basis = basis
        self.degree = degree
        self.knots = knots
        self.spacing = spacing
        self.variance = variance
        self.seed = seed
        check_options(self)

    def _fit(self, sample: Ranked) -> None:
        self.curve_ = fit_risk_curve(
            sample,
            basis=self.basis,
            degree=self.degree,
            knots=self.knots,
            spacing=self.spacing,
            variance=self.variance,
            seed=self.seed,
        )

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        return 1.0 - self.curve_.risk(k)

"""Radial basis, non-negative: favorabilities as a mixture of normals on the probit scale."""

from functools import lru_cache
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import regression
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.parts import subsample
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.numerics import nonnegative_least_squares
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Number, check

BANDWIDTHS = tuple(tenth / 10 for tenth in range(1, 11))
WIDEST = 1e6
SUBSAMPLES = 20
# The coefficients sum to about 1: a column below this wherever the curve is fitted has no part.
INVISIBLE = 1e-10


class RadialNNLS(Extrapolator):
    """Radial basis with non-negative weights (Zheng, Achanta and Benjamini, JMLR 2018).

    The favorability is modelled as C_x = Phi(Z) with Z a mixture of normals N(t_j, h^2), so that

        E_k[A] = sum_j b_j E[Phi(Z_j)^(k - 1)],  Z_j ~ N(t_j, h^2),  b_j >= 0

    with the knots of `radial_knots`, the last of which is the constant
    column. The b_j minimise the squared errors of the average accuracies A_k at k = 1..k1
    (A_1 = 1). Nothing makes them sum to 1, so that a prediction can pass 1 slightly.

    With ``bandwidth="cv"`` the best h of 0.1, 0.2..1.0 is chosen. The basis of the k1 classes is
    fitted to the average accuracies of each of 20 random subsamples of k1 / 2 classes. The
    bandwidth with the least root mean square error for A_{k1} is best. This is how ClassEx, the R
    package of the authors, chooses.

    Parameters
    ----------
    bandwidth : float or "cv"
        h, above 0 and at most 10^6; or chosen from the data, which needs at least 6 classes.
    seed : int
        Seed of the subsamples and of the tie-breaking; at least 0.

    Attributes
    ----------
    bandwidth_ : float
        h.
    knots_ : (m,) array of float
        t_j of the columns with a positive weight; ``+inf`` is the constant column.
    coefficients_ : (m,) array of float
        Their weights b_j.
    cv_rmse_ : dict of float to float
        Root mean square error of each bandwidth for A_{k1}; empty where h was given.
    """

    name = "radial_nnls"
    label = "radial basis (NNLS)"
    color = "#999933"
    has_tops = True

    bandwidth: float | str = "cv"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.bandwidth, str) and self.bandwidth != "cv":
            raise InputError(
                f"bandwidth is {self.bandwidth!r}: it must be a number above 0, or 'cv'"
            )
        if not isinstance(self.bandwidth, str):
            check("bandwidth", self.bandwidth, Number(0, WIDEST, above=True))
        # Subsamples of half of the classes have ranks of their own.
        self.needs = "scores" if isinstance(self.bandwidth, str) else "ranks"
        self.minimum_classes = (2 if isinstance(self.bandwidth, str) else 1) * MINIMUM_CLASSES

    def _fit(self, sample: Any) -> None:
        k1 = sample.n_classes
        accuracy = self._accuracy(sample)
        rmse: dict[float, float] = {}
        if isinstance(self.bandwidth, str):
            rmse = self._cross_validated(sample, accuracy[-1])
            bandwidth = min(rmse, key=rmse.__getitem__)
        else:
            bandwidth = float(self.bandwidth)
        coefficients = nonnegative_least_squares(_design(k1, bandwidth, k1), accuracy)
        used = coefficients > 0
        self.cv_rmse_ = rmse
        self.bandwidth_ = bandwidth
        self.knots_ = regression.radial_knots(k1, bandwidth)[used]
        self.coefficients_ = coefficients[used]

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution."""
        return regression.radial_favorabilities(self.knots_, self.bandwidth_, self.coefficients_)

    def _accuracy(self, sample: Sample) -> Float64Array:
        """Average accuracies of the sample at k = 1, 2..k1; 1 at a single class."""
        return np.append(1.0, self.observed(sample)[1])

    def _cross_validated(self, sample: ScoreMatrix, target: float) -> dict[float, float]:
        """Root mean square error of each bandwidth for the k1-class accuracy, from half of it."""
        k1, half = sample.n_classes, sample.n_classes // 2
        accuracies = []
        for draw in range(SUBSAMPLES):
            seed = derive_seed(self.seed, self.name, "subsample", draw)
            accuracies.append(self._accuracy(subsample(sample, half, seed)))
        rmse = {}
        for bandwidth in BANDWIDTHS:
            design = _design(k1, bandwidth, half)
            at_k1 = regression.radial_moments(
                regression.radial_knots(k1, bandwidth), bandwidth, k1
            )[0]
            errors = [
                float((at_k1 * nonnegative_least_squares(design, accuracy)).sum()) - target
                for accuracy in accuracies
            ]
            rmse[bandwidth] = float(np.sqrt(np.mean(np.square(errors))))
        return rmse


@lru_cache(maxsize=64)
def _design(k1: int, bandwidth: float, most: int) -> Float64Array:
    """Compute the moments at k = 1..most of the basis of k1 classes."""
    moments = regression.radial_moments(
        regression.radial_knots(k1, bandwidth), bandwidth, np.arange(1, most + 1)
    )
    moments[:, moments.max(axis=0) < INVISIBLE] = 0.0
    moments.flags.writeable = False
    return moments

"""KDE: a kernel density estimate of each point's incorrect scores gives its favorability."""

from __future__ import annotations

import logging
from typing import Annotated

import numpy as np
from scipy.special import ndtr

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.extrapolators.kde.bandwidths import OF_R, RULES, find_bandwidths
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, blocks
from accuracy_curves.utils.validation import Choice

log = logging.getLogger(__name__)


class KDE(FavorabilityExtrapolator):
    """Kernel density estimates of the incorrect scores (Kay et al. 2008; Zheng et al. 2018).

    The favorability of a point x with the incorrect scores s_1..s_{k1 - 1} is the distribution
    function of their Gaussian kernel density estimate, at the correct score:

        C_x = 1 / (k1 - 1) * sum_j Phi((s_correct - s_j) / h_x)

    The bandwidth h_x is what ``density(incorrect, bw = ...)`` of R's stats package computes: by R
    itself, through rpy2 (extra `kde`), but for nrd0 and mlcv, which R has not.
    Points are taken in blocks, so that a memory-mapped matrix of scores needs little memory.

    If the incorrect scores of a point are constant the bandwidth is 0, and C_x is 1, 1/2 or 0
    as the correct score is above, equal or below. If the rule fails for another reason (such
    as "sample is too sparse to find TD" of SJ), R's default rule nrd0 stands in. Both are counted
    and logged.

    Parameters
    ----------
    bandwidth : {"bcv", "ucv", "SJ", "nrd0", "mlcv"}
        R's biased or unbiased cross-validation, Sheather and Jones' solve-the-equation,
        Silverman's rule of thumb, or pseudo-likelihood cross-validation (Cao, Cuevas and
        Gonzalez Manteiga 1994). From 200 incorrect scores on the last one uses 512 bins.
    transformation : {"none", "square_root", "log"}
        Function of the scores, applied first; "square_root" needs scores of at least 0, "log"
        scores above 0. It changes no rank, and so no observed accuracy, but the curve: the
        kernels have one width on another scale.
    seed : int
        Not used: nothing is random.

    Attributes
    ----------
    favorability_ : (N,) array of float
        Estimates of C_x in [0, 1].
    weights_ : (N,) array of float
        Weights of the points, summing to 1.
    bandwidth_ : (N,) array of float
        Bandwidths h_x, in units of the scores.
    n_constant_ : int
        Number of points with constant incorrect scores.
    n_fallback_ : int
        Number of points whose bandwidth is nrd0's because the chosen rule failed.

    Raises
    ------
    MissingDependencyError
        By `fit` with bcv, ucv or SJ, if R is missing or rpy2 cannot load.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=50, points_per_class=2)
    >>> model = ac.KDE(bandwidth="ucv").fit(matrix)
    >>> model.favorability_.shape, model.predict([50, 500]).shape
    ((100,), (2,))
    """

    name = "kde"
    label = "KDE"
    color = "#CC79A7"
    reach = 0  # Its curve misses the accuracy at k1 itself (benchmarks/studies/reach.py).
    splits = 10  # There is a bandwidth for every point of every half.

    bandwidth: Annotated[str, Choice(*RULES)] = "bcv"
    transformation: Annotated[str, Choice("none", "square_root", "log")] = "none"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.extra = "kde" if self.bandwidth in OF_R else None

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        favorability, width = np.empty((2, sample.n_points))
        self.n_fallback_, failure = 0, ""
        for rows, own, others, _ in sample.incorrect(np.arange(sample.n_points)):
            correct, incorrect = (
                transformed(part.astype(np.float64), self.transformation, sample.higher_is_better)
                for part in (own[:, 0], np.sort(others, axis=1)[:, :-1])
            )
            width[rows], fallback, why = find_bandwidths(incorrect, self.bandwidth)
            favorability[rows] = _kernel_cdf(correct, incorrect, width[rows])
            self.n_fallback_ += int(np.count_nonzero(fallback))
            failure = failure or why
        self.bandwidth_, self.n_constant_ = width, int(np.count_nonzero(width == 0))
        if self.n_constant_:
            text = "%d of %d points have constant incorrect scores: their bandwidth is 0"
            log.warning(text, self.n_constant_, len(width))
        if self.n_fallback_:
            text = "the %s bandwidth failed for %d of %d points, nrd0 stands in: %s"
            log.warning(text, self.bandwidth, self.n_fallback_, len(width), failure)
        return favorability


def transformed(scores: Float64Array, how: str, higher_is_better: bool = True) -> Float64Array:
    """Transform scores by a rising function; `scores` are negated if lower ones were better."""
    if how == "none":
        return scores
    sign = 1.0 if higher_is_better else -1.0
    original = sign * scores
    least = float(original.min())
    if least < 0 or (how == "log" and least == 0):
        raise FitError(
            f"kde cannot take the {how.replace('_', ' ')} of the score {least:g}: it needs scores "
            f"{'above' if how == 'log' else 'of at least'} 0"
        )
    function = np.log if how == "log" else np.sqrt
    return np.asarray(sign * function(original))


def _kernel_cdf(
    correct: Float64Array, incorrect: Float64Array, width: Float64Array
) -> Float64Array:
    """Mean of Phi((correct - incorrect) / width) of every point; a step where the width is 0."""
    result = np.empty(len(correct))
    for block in blocks(*incorrect.shape):
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            above = correct[block, None] - incorrect[block]
            values = ndtr(above / width[block, None])
        step = width[block] == 0
        values[step] = 0.5 + 0.5 * np.sign(above[step])
        result[block] = values.mean(axis=1)
    return result

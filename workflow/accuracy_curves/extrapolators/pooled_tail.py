"""Tail of the incorrect scores near the correct one, with a shape pooled over all points."""

import numpy as np
from scipy.optimize import minimize_scalar

from accuracy_curves.extrapolators._gumbel_scores import GumbelScores
from accuracy_curves.extrapolators._nearest_scores import (
    log_share_beyond,
    mean_excess,
    nearest_scores,
)
from accuracy_curves.extrapolators._tail_scale import eta_of_log_p, favorability_of_eta
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray

FEWEST_NEIGHBOURS, MOST_NEIGHBOURS = 3, 10
LOG_EXPONENT_LIMIT = 1.5
LOG_EXPONENT_SD = 0.5
FEWEST_BEYOND = 10


class PooledTail(FavorabilityExtrapolator):
    """Extreme-value tail of the incorrect scores, its shape pooled over the points.

    The m-th best incorrect score of x is its anchor t_x. The probability beyond the anchor is
    known to a relative error of 1 / sqrt(m) without bias in the logarithm,
    E[log P(S > t_x)] = log((m - 1/2) / (k1 - 1)) approximately. Beyond it:

    1. distances are taken as -log distance, since P(distance < r) ~ r^d near zero, with d the
       local intrinsic dimension: the excesses over the anchor are then exponential (the
       Hill estimator's model); other scores are taken as they are;
    2. the mean excess over the anchor, a_x, is log-linear in three features of the scores at
       and below it: their spread, the anchor's distance from their mean, and the gap to the
       m next scores (`mean_excess`);
    3. the share of excesses larger than u a_x, H(u), is pooled over all points: it reaches
       1 / (N (m - 1)) of the tail where one point reaches 1 / m.

    For a correct score beyond the anchor, rho_x = H((S_y* - t_x) / a_x) ** b and
    p_x = rho_x (m - 1/2) / (k1 - 1); below the anchor the rank says enough,
    p_x = (J_x + 1/2) / k1, where J_x = k1 - 1 - R_x classes outscore the correct one.
    The exponent b corrects a tail that differs between correct and incorrect scores: given the
    anchor, J_x ~ Binomial(m - 1, rho_x), and J_x was not used to find H((S_y* - t_x) / a_x). It is
    that of the likelihood with the prior log b ~ N(0, 1/4). Where the tail has a reason, of
    distances and on the Gumbel scale, the logarithm is taken times max(0, 1 - 1 / z^2), with z its
    value in standard errors that count each class once.

    m is k1 / 4, but from 3 to 10.

    For distances unchanged by r -> alpha r^beta, for other scores by s -> alpha s + beta.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    exponent_ : float
        b.
    fitted_exponent_ : float
        b by the likelihood and prior alone.
    misfit_ : float
        z^2 of the fitted log b: large where the pooled tail does not suit the correct scores.
    distances_ : bool
        Whether the scores were taken for distances.
    """

    name = "pooled_tail"
    label = "Pooled tail"
    color = "#009E73"
    minimum_classes = 6
    reach = 10

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        return favorability_of_eta(self._eta(sample))

    def _eta(self, sample: ScoreMatrix) -> Float64Array:
        """Estimate log(-log C_x), (N,), and set the fitted attributes."""
        n = sample.n_classes - 1
        m = min(MOST_NEIGHBOURS, max(FEWEST_NEIGHBOURS, sample.n_classes // 4))
        self.distances_ = sample.are_distances
        nearest = nearest_scores(sample, m, self.distances_)
        scale = mean_excess(nearest)
        log_share = log_share_beyond(
            nearest.lead / scale, (nearest.excess / scale[:, None]).ravel()
        )
        losses = n - ranks(sample, self.seed)
        beyond = nearest.lead > 0
        log_exponent, self.misfit_ = _fit_exponent(
            log_share[beyond],
            losses[beyond],
            m - 1,
            sample.weights[beyond] * sample.n_points,
            sample.labels[beyond],
        )
        self.fitted_exponent_ = float(np.exp(log_exponent))
        if self.distances_ or isinstance(sample, GumbelScores):
            log_exponent *= shrinkage(self.misfit_)
        self.exponent_ = float(np.exp(log_exponent))
        log_p = np.where(
            beyond,
            self.exponent_ * log_share + np.log((m - 0.5) / n),
            np.log((losses + 0.5) / (n + 1)),
        )
        return eta_of_log_p(log_p)


def shrinkage(misfit: float) -> float:
    """Positive-part James-Stein factor max(0, 1 - 1 / z^2), in [0, 1), of z^2."""
    return 1.0 - 1.0 / misfit if misfit > 1.0 else 0.0


def _fit_exponent(
    log_share: Float64Array,
    losses: IntArray,
    trials: int,
    weights: Float64Array,
    labels: IntArray,
) -> tuple[float, float]:
    """Log b by the likelihood of J_x ~ Binomial(m - 1, H ** b), and its squared z."""
    if len(log_share) < FEWEST_BEYOND:
        return 0.0, 0.0

    def powers(log_exponent: float) -> Float64Array:
        return np.minimum(np.exp(log_exponent) * log_share, -1e-9)

    def cost(log_exponent: float) -> float:
        power = powers(log_exponent)
        won = (trials - losses) * np.log(-np.expm1(power))
        prior = (log_exponent / LOG_EXPONENT_SD) ** 2 / 2
        return prior - float((weights * (losses * power + won)).sum())

    limit = LOG_EXPONENT_LIMIT
    best = float(minimize_scalar(cost, bounds=(-limit, limit), method="bounded").x)
    power = powers(best)
    odds = np.exp(power) / -np.expm1(power)  # rho / (1 - rho)
    score = weights * power * (losses - (trials - losses) * odds)
    information = float((weights * power**2 * trials * odds).sum())
    # Points of one class share their correct class: count the class, not its points.
    spread = max(float((np.bincount(labels, weights=score) ** 2).sum()), information)
    return best, best**2 * information**2 / spread if spread > 0 else 0.0

"""Tail of the incorrect scores near the correct one, with a shape pooled over all points.

The order statistics of a sample form a Markov chain: given the m-th best incorrect score (the
anchor), the m - 1 better ones are independent draws from the distribution beyond the anchor,
and what lies below it says nothing more about them. So a mean excess predicted from the scores at
and below the anchor can be fitted to the scores beyond it without using anything twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.extrapolators.favorability import eta_of_log_p, favorability_of_eta
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.sample import Index, Placed
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import BoolArray, Float64Array, FloatArray, IntArray, standardised

FEWEST_NEIGHBOURS, MOST_NEIGHBOURS = 3, 10
LOG_EXPONENT_LIMIT = 1.5
LOG_EXPONENT_SD = 0.5
FEWEST_BEYOND = 10
RIDGE = 1.0
STEPS = 50
LARGEST_STEP = 2.0
LARGEST_PAIRS = 50
NO_TAIL = "auto and pooled_tail find no tail to fit"
INSTEAD = (
    "are the scores rounded or constant? Give finer ones, or take a method that needs only their "
    "ranks, such as empirical_bayes"
)


@dataclass(frozen=True, eq=False)
class Scale:
    """An increasing function of the scores of a sample, on which its tail is fitted.

    `of` puts incorrect scores on it; `correct`, (N,), are the correct ones on it, and so many
    classes outscore each (`losses`); `exponential` is whether excesses have a reason to be
    exponential there. `ordered`, if any, puts scores of some rows and columns on it where equal
    ones of a row have an order.
    """

    of: Callable[[FloatArray], Float64Array]
    correct: Float64Array
    losses: IntArray
    exponential: bool = False
    ordered: Placed | None = None


class PooledTail(FavorabilityExtrapolator):
    """Extreme-value tail of the incorrect scores, its shape pooled over the points.

    The m-th best incorrect score of x is its anchor t_x. The probability beyond the anchor is
    known to a relative error of 1 / sqrt(m) without bias in the logarithm,
    E[log P(S > t_x)] = log((m - 1/2) / (k1 - 1)) approximately. Beyond it:

    1. Distances are taken as -log distance. Since P(distance < r) ~ r^d near zero, with d the
       local intrinsic dimension, the excesses over the anchor are then exponential (the
       Hill estimator's model). Other scores are taken as they are.
    2. The mean excess over the anchor, a_x, is log-linear in three features of the scores at
       and below it (`log_mean_excess`). These are their spread, the anchor's distance from
       their mean, and the gap to the m next scores.
    3. The share of excesses larger than u a_x, H(u), is pooled over all points. It reaches
       1 / (N (m - 1)) of the tail where one point reaches 1 / m.

    For a correct score beyond the anchor, rho_x = H((S_y* - t_x) / a_x) ** b and
    p_x = rho_x (m - 1/2) / (k1 - 1). Below the anchor the rank says enough:
    p_x = (J_x + 1/2) / k1, where J_x = k1 - 1 - R_x classes outscore the correct one.
    The exponent b corrects a tail that differs between correct and incorrect scores: given the
    anchor, J_x ~ Binomial(m - 1, rho_x), and J_x was not used to find H((S_y* - t_x) / a_x). It is
    that of the likelihood with the prior log b ~ N(0, 1/4). Where the tail has a reason, of
    distances and on the Gumbel scale, the logarithm is taken times max(0, 1 - 1 / z^2). Here z is
    its value in standard errors that count each class once.

    m is k1 / 4, but from 3 to 10. Of candidate lists it is also at most the 1 % quantile of their
    lengths, less 2; searches with m or fewer candidates are left out. A correct score beyond its
    list has the J_x of all that is listed.

    For distances unchanged by r -> alpha r^beta, for other scores by s -> alpha s + beta.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    exponent_ : float
        b.
    misfit_ : float
        z^2 of the fitted log b: large where the pooled tail does not suit the correct scores.
    """

    name = "pooled_tail"
    label = "Pooled tail"
    color = "#009E73"
    minimum_classes = 6
    reach = 10
    takes_lists = True

    def _fit(self, sample: ScoreMatrix | CandidateLists) -> None:
        longest = min(sample.n_classes // 4, sample.usual_length - 2)
        self._m = min(MOST_NEIGHBOURS, max(FEWEST_NEIGHBOURS, longest))
        super()._fit(sample.longer_than(self._m))

    def _favorability(self, sample: ScoreMatrix | CandidateLists) -> Float64Array:
        tail = self._fit_tail(sample)
        return favorability_of_eta(tail.eta(tail.log_rho))

    def _fit_tail(self, sample: ScoreMatrix | CandidateLists) -> "Tail":
        n, m = sample.n_classes - 1, self._m
        scale = self._scale(sample)
        nearest = nearest_scores(sample, m, scale)
        alone = np.ones(sample.n_points)
        reach = np.exp(log_mean_excess(nearest.features, nearest.excess.mean(axis=1), alone))
        log_share = log_share_beyond(
            nearest.lead / reach, (nearest.excess / reach[:, None]).ravel()
        )
        losses = np.where(sample.censored, sample.lengths, scale.losses)
        beyond = nearest.lead > 0
        log_exponent, self.misfit_ = _fit_exponent(
            log_share[beyond],
            losses[beyond],
            m - 1,
            sample.weights[beyond] * sample.n_points,
            sample.sources[beyond],
        )
        if scale.exponential:
            log_exponent *= shrinkage(self.misfit_)
        self.exponent_ = float(np.exp(log_exponent))
        return Tail(self.exponent_ * log_share, losses, beyond, m, n)

    def _scale(self, sample: ScoreMatrix | CandidateLists) -> Scale:
        """Choose the scale of the scores."""
        return own_scale(sample, self.seed)


class Tail(NamedTuple):
    """The tail of each point: log rho, J, and whether its correct score is beyond its anchor, (N,).

    The anchor is the m-th best of `rivals`, k1 - 1.
    """

    log_rho: Float64Array
    losses: IntArray
    beyond: BoolArray
    m: int
    rivals: int

    def eta(self, log_rho: Float64Array) -> Float64Array:
        """Scale of C of each point, with any rho where it is beyond its anchor, (..., N)."""
        below = np.log((self.losses + 0.5) / (self.rivals + 1))
        log_p = np.where(self.beyond, log_rho + np.log((self.m - 0.5) / self.rivals), below)
        return eta_of_log_p(log_p)


def shrinkage(misfit: float) -> float:
    """Positive-part James-Stein factor max(0, 1 - 1 / z^2), in [0, 1), of z^2."""
    return 1.0 - 1.0 / misfit if misfit > 1.0 else 0.0


def _fit_exponent(
    log_share: Float64Array, losses: IntArray, trials: int, weights: Float64Array, labels: IntArray
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
    best = float(scipy.optimize.minimize_scalar(cost, bounds=(-limit, limit), method="bounded").x)
    power = powers(best)
    odds = np.exp(power) / -np.expm1(power)  # rho / (1 - rho)
    score = weights * power * (losses - (trials - losses) * odds)
    information = float((weights * power**2 * trials * odds).sum())
    # Points of one class share their correct class: count the class, not its points.
    spread = max(float((np.bincount(labels, weights=score) ** 2).sum()), information)
    return best, best**2 * information**2 / spread if spread > 0 else 0.0


@dataclass(frozen=True)
class Nearest:
    """Scores around the anchor, the m-th best incorrect score of each point.

    `lead`, (N,), is the correct score minus the anchor; `excess`, (N, m - 1), the better incorrect
    scores minus the anchor, at least 0; `features`, (N, 4), a one, then standardised features of
    the scores at and below the anchor. Higher scores are better.
    """

    lead: Float64Array
    excess: Float64Array
    features: Float64Array


def nearest_scores(sample: ScoreMatrix | CandidateLists, m: int, scale: Scale) -> Nearest:
    """Find the m best incorrect scores of every point on a scale, 2 <= m <= k1 - 2.

    `FitError` if no score differs from its anchor.
    """
    lead, mean, sd, gap = (np.empty(sample.n_points) for _ in range(4))
    excess = np.empty((sample.n_points, m - 1))

    def keep(rows: Index, lower: FloatArray, best: FloatArray) -> None:
        """Keep what is read of some rows, on the scale."""
        further = best.shape[1]
        anchor = best[:, -m]
        lead[rows] = scale.correct[rows] - anchor
        excess[rows] = best[:, further - m + 1 :] - anchor[:, None]
        mean[rows] = anchor - lower.mean(axis=1)
        sd[rows] = lower.std(axis=1)
        gap[rows] = anchor - best[:, : further - m].mean(axis=1)

    _, tied = sample.outscored_and_tied()
    ties = tied > 0
    for rows, lower, best in sample.nearest(m):
        ties[rows] |= (best[:, 1:] == best[:, :-1]).any(axis=1)
        # A scale keeps the order: only what is read is put on it.
        scores = scale.of(np.concatenate([lower, best], axis=1))
        keep(rows, *np.split(scores, [lower.shape[1]], axis=1))
    if scale.ordered is not None and ties.any():
        for rows, lower, best in sample.nearest(m, scale.ordered, np.flatnonzero(ties)):
            keep(rows, lower, best)
    # Points whose scores are all equal have no tail, in whichever order they are.
    if sample.failed.all() or not excess.any():
        raise FitError(
            f"{NO_TAIL}, as the {m} best incorrect scores of every data point are equal: {INSTEAD}",
            reason="no_tail",
        )
    typical = float(np.median(sd)) or float(excess.mean())
    sd = np.maximum(sd, 1e-6 * typical)
    columns = np.log(sd), mean / sd, np.log(np.maximum(gap, 1e-3 * sd))
    return Nearest(lead, excess, np.column_stack([np.ones(len(sd)), *map(standardised, columns)]))


def log_mean_excess(
    features: Float64Array, total: Float64Array, counts: Float64Array
) -> Float64Array:
    """Fit the log of a mean excess, (N,), to features, (N, p), of which the first is one.

    It is features @ beta, by the likelihood of so many exponential excesses of this sum, (N,) each,
    with a ridge of one pseudo-point on all of beta but the constant.
    """
    ridge = np.full(features.shape[1], RIDGE)
    ridge[0] = 0.0
    beta = np.zeros(features.shape[1])
    beta[0] = np.log(total.sum() / counts.sum())

    def cost(at: Float64Array) -> float:
        eta = (features * at).sum(axis=1)
        return float((total * np.exp(-eta) + counts * eta).sum() + (ridge * at**2).sum() / 2)

    value, squares = cost(beta), features[:, :, None] * features[:, None, :]
    for _ in range(STEPS):
        ratio = total * np.exp(-(features * beta).sum(axis=1))
        gradient = ((counts - ratio)[:, None] * features).sum(axis=0) + ridge * beta
        # Not `@`: the sums of a threaded BLAS depend on the number of cores.
        curvature = (ratio[:, None, None] * squares).sum(axis=0)
        step = np.linalg.solve(curvature + np.diag(ridge + 1e-9 * len(total)), gradient)
        step /= max(1.0, np.abs(step).max() / LARGEST_STEP)
        while (new := cost(beta - step)) > value and np.abs(step).max() > 1e-10:
            step /= 2
        if not new < value:
            break
        done = value - new < 1e-9 * len(total)
        beta, value = beta - step, new
        if done:
            break
    return np.asarray((features * beta).sum(axis=1))


def log_share_beyond(units: Float64Array, pairs: Float64Array) -> Float64Array:
    """Log of the share of incorrect scores beyond the anchor that reach further than a score, (N,).

    From the leads of the correct scores, `units`, (N,), and all excesses of the incorrect ones,
    `pairs`, both in units of a point's mean excess. Empirical over all pairs of a point and one of
    its m - 1 best incorrect classes; past the 2 % furthest pairs (at least 50) it goes on
    exponentially, with their mean excess. Meaningless where the lead is negative.
    """
    ordered = np.sort(pairs)
    total = len(ordered)
    share = np.log((total - np.searchsorted(ordered, units) + 0.5) / (total + 1))
    furthest = max(1, min(max(LARGEST_PAIRS, total // 50), total // 2))
    start = ordered[-furthest]
    slope = (ordered[-furthest:] - start).mean() or ordered.mean()
    beyond = np.log(furthest / total) - (units - start) / slope
    return np.minimum(np.where(units > start, beyond, share), -1e-9)


def own_scale(sample: ScoreMatrix | CandidateLists, seed: int = 0) -> Scale:
    """Take -log of distances, and other scores as they are.

    A distance of zero counts as the smallest other one. `FitError` if every distance is zero.
    """
    losses = sample.n_classes - 1 - ranks(sample, seed)
    if not sample.are_distances:
        correct = sample.correct.astype(np.float64)
        return Scale(lambda scores: scores.astype(np.float64), correct, losses)
    smallest = min(
        float(np.min(-block, where=block < 0, initial=np.inf)) for _, block in sample.blocks()
    )
    if not np.isfinite(smallest):
        raise FitError(f"{NO_TAIL}, as every distance is zero: {INSTEAD}", reason="no_tail")

    def minus_log(scores: FloatArray) -> Float64Array:
        return -np.log(np.maximum(-scores.astype(np.float64), smallest))

    return Scale(minus_log, minus_log(sample.correct), losses, exponential=True)

"""Tail of each search's impostor scores beyond a threshold, with a shape pooled over all."""

import copy
from typing import Self

import numpy as np
from scipy.optimize import minimize
from scipy.special import digamma, gammaln

from accuracy_curves.exceptions import FitError
from accuracy_curves.identification.false_positives import FalsePositives
from accuracy_curves.identification.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray, standardised

# These were chosen on the populations with closed forms of benchmarks/identification.py.
MOST_BEYOND = 20
LARGEST_SHARE = 0.25  # Of the excesses: to these the generalised Pareto tail is fitted.
FEWEST_IN_TAIL = 50
SHAPE_SD = 0.07
LOG_ALPHA = (-5.0, 7.0)
BLOCK_ELEMENTS = 2**18


class ParetoTail(FalsePositives):
    """Regression of the counts and excesses beyond a base, with a generalised Pareto tail.

    The base u (`base_`) is the score that m impostor scores of a search reach on average. Three
    things are fitted, each to scores that the one before did not use:

    1. how many scores of search x reach the base, J_x: negative binomial with mean
       n exp(f_x beta) and shape alpha (`alpha_`), small where searches differ in what no feature
       tells, so that given J_x the chance of a score is
       lambda_x = Gamma(alpha + J_x) / (alpha + n exp(f_x beta)) times exp(f_x beta). The features
       f_x are of the scores below the base: their mean, the log of their spread, and the gap
       between the base and the next m of them;
    2. the mean excess of a score that reaches it, a_x, log-linear in f_x and log lambda_x;
    3. the share H(z) of excesses of at least z a_x, pooled over all searches; past the largest
       quarter it is a generalised Pareto tail whose shape xi (`shape_`) has the prior N(0, 0.07^2)
       (ISO/IEC 5152 takes such a tail for the false match rate).

    Averaged over the gamma distribution,

        FPIR(k, T) = 1 - sum_x w_x (1 + k q_x / (alpha + n exp(f_x beta)))^-(alpha + J_x)
        q_x = exp(f_x beta) H((T - u) / a_x).

    Below the base the counts themselves tell p_x(T), (J_x(T) - 1/2) / n at most.
    """

    label = "Pareto tail"
    color = "#CC3311"
    # Coverage of 90 % intervals from 2 to 1000 k1, 40 draws of seven populations: .89 to .93 from
    # k1 = 50, .93 to .98 from 200, .93 to .97 from 20; beyond, they are too wide to say anything.
    reach = 1000

    base_: float
    alpha_: float
    shape_: float
    shape_sd_: float

    def fit(self, searches: Searches) -> Self:
        """Fit counts, excesses and the tail."""
        super().fit(searches)
        scores, weights = searches.impostor, searches.impostor_weights
        rows, n = scores.shape
        self._scores, self._weights = scores, weights
        scaled = weights * rows
        m = min(MOST_BEYOND, max(3, n // 4), n - 2)
        order = np.argsort(scores, axis=None)
        beyond = np.cumsum(np.repeat(scaled, n)[order][::-1])
        at = int(np.searchsorted(beyond, m * rows))
        self.base_ = float(scores.ravel()[order[::-1][min(at, len(beyond) - 1)]])
        reached = scores >= self.base_
        counts = np.count_nonzero(reached, axis=1)
        features = _features(scores, counts, self.base_, m)
        rate, self.alpha_ = _fit_counts(counts, n, features, scaled)
        self._rate = rate
        self._gamma_shape, self._gamma_rate = self.alpha_ + counts, self.alpha_ + n * rate
        posterior = standardised(np.log(self._gamma_shape / self._gamma_rate))
        excess = scores[reached] - self.base_
        search = np.nonzero(reached)[0]
        if not excess.any():
            raise FitError(
                "the largest impostor scores are all equal, so that there is no tail to fit: are "
                "the scores rounded or constant? Give finer ones"
            )
        total = np.bincount(search, excess, rows).astype(np.float64)
        everything = np.column_stack([features, posterior])
        self._reach = _fit_reach(total, counts, everything, scaled)
        self._fit_tail(excess / self._reach[search], scaled[search])
        return self

    def with_other_shapes(self) -> list[Self]:
        """Make two copies whose tails end one posterior standard deviation lower and higher.

        With n excesses past the largest quarter the variance of the shape is about
        1 / (1 / 0.07^2 + n / (1 + xi)^2): few excesses leave what the prior says, which fits to
        halves share. The copies have the same mean excess past the largest quarter.
        """
        copies = []
        for sign in (-1, 1):
            other = copy.copy(self)
            other.shape_ = self.shape_ + sign * self.shape_sd_
            other._scale = self._scale * (1 - other.shape_) / (1 - self.shape_)
            copies.append(other)
        return copies

    @np.errstate(over="ignore")  # Units of a threshold may be infinite: nobody reaches it.
    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        step = max(1, BLOCK_ELEMENTS // len(self._scores))
        for start in range(0, len(k), step):
            here = slice(start, start + step)
            sizes, thresholds = k[here, None].astype(np.float64), oriented[here, None]
            units = np.maximum(thresholds - self.base_, 0.0) / self._reach
            share = self._rate * self._tail(units)
            log_none = -self._gamma_shape * np.log1p(sizes * share / self._gamma_rate)
            result[here] = 1 - (np.exp(log_none) * self._weights).sum(axis=1)
        for i in np.flatnonzero(oriented < self.base_):
            # No lower than at the base: the rate falls with the threshold.
            result[i] = max(result[i], self._counted(int(k[i]), float(oriented[i])))
        return result.clip(0.0, 1.0)

    def _counted(self, k: int, threshold: float) -> float:
        """Predict the rate at a threshold below the base, from the counts."""
        n = self._scores.shape[1]
        share = np.count_nonzero(self._scores >= threshold, axis=1).clip(max=n - 0.5) / n
        return float(1 - (np.exp(k * np.log1p(-share)) * self._weights).sum())

    def _fit_tail(self, units: Float64Array, weights: Float64Array) -> None:
        """Fit H to the excesses in units of the reach."""
        order = np.argsort(units)
        self._units, ordered = units[order], weights[order]
        above = np.append(np.cumsum(ordered[::-1])[::-1], 0.0)
        self._above = above / above[0]
        largest = min(max(FEWEST_IN_TAIL, int(LARGEST_SHARE * len(units))), len(units))
        self._start = float(self._units[-largest])
        self._start_share = float(self._above[len(units) - largest])
        self.shape_, self._scale = _fit_pareto(
            self._units[-largest:] - self._start, ordered[-largest:]
        )
        self.shape_sd_ = (SHAPE_SD**-2 + largest / (1 + self.shape_) ** 2) ** -0.5

    def _tail(self, units: Float64Array) -> Float64Array:
        """H: share of the excesses of at least so many units."""
        share = self._above[np.searchsorted(self._units, units, side="left")]
        far = np.maximum(units - self._start, 0.0) / self._scale
        beyond = np.exp(_log_survival(far, self.shape_))
        return np.asarray(np.where(units > self._start, self._start_share * beyond, share))


def _features(scores: Float64Array, counts: IntArray, base: float, m: int) -> Float64Array:
    """Find a one, then standardised features of each row's scores below the base, (N, 4)."""
    below = np.maximum(scores.shape[1] - counts, 2)
    position = np.arange(scores.shape[1])
    inside = position < below[:, None]
    mean = np.where(inside, scores, 0.0).sum(axis=1) / below
    spread = np.sqrt(np.where(inside, np.square(scores - mean[:, None]), 0.0).sum(axis=1) / below)
    spread = np.maximum(spread, 1e-6 * (np.median(spread) or 1.0))
    near = inside & (position >= below[:, None] - m)
    gap = base - np.where(near, scores, 0.0).sum(axis=1) / near.sum(axis=1)
    columns = mean, np.log(spread), np.log(np.maximum(gap, 1e-3 * spread))
    return np.column_stack([np.ones(len(scores)), *map(standardised, columns)])


def _fit_counts(
    counts: IntArray, n: int, features: Float64Array, weights: Float64Array
) -> tuple[Float64Array, float]:
    """Chance of a score to reach the base, (N,), and the shape of what the features do not tell."""
    size = features.shape[1]

    def cost(at: Float64Array) -> tuple[float, Float64Array]:
        alpha = np.exp(at[size])
        mean = n * np.exp(np.clip((features * at[:size]).sum(axis=1), -30, 2))
        value = gammaln(alpha + counts) - gammaln(alpha) + alpha * at[size]
        value += counts * np.log(mean) - (alpha + counts) * np.log(alpha + mean)
        of_mean = counts - (alpha + counts) * mean / (alpha + mean)
        of_alpha = digamma(alpha + counts) - digamma(alpha) + at[size] + 1
        of_alpha -= np.log(alpha + mean) + (alpha + counts) / (alpha + mean)
        gradient = np.append(
            -((weights * of_mean)[:, None] * features).sum(axis=0),
            -alpha * (weights * of_alpha).sum(),
        )
        gradient[1:size] += at[1:size]
        ridge = np.square(at[1:size]).sum() / 2
        return float(ridge - (weights * value).sum()), gradient

    start = np.zeros(size + 1)
    start[0] = np.log(counts.mean() / n)
    bounds = [(-30.0, 2.0), *[(-10.0, 10.0)] * (size - 1), LOG_ALPHA]
    found = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    rate = np.exp(np.clip((features * found[:size]).sum(axis=1), -30, 0))
    return rate, float(np.exp(found[size]))


def _fit_reach(
    total: Float64Array, counts: IntArray, features: Float64Array, weights: Float64Array
) -> Float64Array:
    """Mean excess of a score that reaches the base, (N,), by the exponential likelihood."""

    def cost(at: Float64Array) -> tuple[float, Float64Array]:
        eta = np.clip((features * at).sum(axis=1), -700, 700)
        ratio = total * np.exp(-eta)
        gradient = ((weights * (counts - ratio))[:, None] * features).sum(axis=0)
        gradient[1:] += at[1:]
        ridge = np.square(at[1:]).sum() / 2
        return float(ridge + (weights * (counts * eta + ratio)).sum()), gradient

    start = np.zeros(features.shape[1])
    start[0] = np.log(total.sum() / counts.sum())
    found = minimize(cost, start, jac=True, method="L-BFGS-B").x
    return np.asarray(np.exp((features * found).sum(axis=1)))


def _fit_pareto(excess: Float64Array, weights: Float64Array) -> tuple[float, float]:
    """Shape, with its prior, and scale of a generalised Pareto distribution."""
    mean = max(float((excess * weights).sum() / weights.sum()), 1e-9)
    scaled = weights / weights.mean()

    def cost(at: Float64Array) -> float:
        units = excess / (mean * np.exp(at[1]))
        if at[0] < 0 and 1 + at[0] * units.max() <= 1e-6:
            return np.inf
        value = _log_survival(units, at[0]) - np.log1p(at[0] * units) - at[1]
        return float((at[0] / SHAPE_SD) ** 2 / 2 - (scaled * value).sum())

    shape, log_scale = minimize(cost, np.zeros(2), method="Nelder-Mead").x
    return float(shape), mean * float(np.exp(log_scale))


def _log_survival(units: Float64Array, shape: float) -> Float64Array:
    """Log of the generalised Pareto survival, (1 + xi z)^(-1 / xi), exp(-z) at xi = 0."""
    if abs(shape) < 1e-8:
        return -units
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(np.maximum(1 + shape * units, 0.0)) / shape)

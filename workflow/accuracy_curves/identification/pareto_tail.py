"""Tail of each search's impostor scores beyond a threshold, with a shape pooled over all."""

import copy
from collections.abc import Iterator
from typing import Self

import numpy as np
import scipy

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.auto import Auto
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.extrapolators.pooled_tail import log_mean_excess, shrinkage
from accuracy_curves.identification.base import OpenSetMethod, RateGrid
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, blocks, standardised

# Chosen on the populations and sets that the class names.
MOST_BEYOND = 20
LARGEST_SHARE = 0.25  # Of the excesses: to these the generalised Pareto tail is fitted.
FEWEST_IN_TAIL = 50
SHAPE_MEAN, SHAPE_SD = -0.15, 0.1
# Gauss-Hermite rule of three points, for the posterior of the shape.
SHAPE_NODES, SHAPE_WEIGHTS = (-(3**0.5), 0.0, 3**0.5), (1 / 6, 2 / 3, 1 / 6)
MORE_SHAPE_SD = 0.04
LARGEST_SHAPE = 0.9  # At 1 there is no mean excess.
# Unbiased on populations; and as much as was seen on real sets.
MEAN_EXCESS_SD, MORE_MEAN_EXCESS_SD = 0.1, 0.3
LOG_ALPHA = (-5.0, 7.0)
SMALLEST_LOG_SCALE = -20.0  # In mean excesses: where all are equal the likelihood has no maximum.
# Of the sorted scores of a search, so many are kept for thresholds below the base.
KEPT = 64
# Excesses at which their share is kept.
NODES = 1024
LOG_NOTHING = -700.0
# Thresholds of `on_grid`.
NODES_BELOW, NODES_BEYOND = 12, 40


class ParetoTail(OpenSetMethod):
    """Regression of the counts and excesses beyond a base, with a generalised Pareto tail.

    The base u (`base_`) is the score that m impostor scores of a search reach on average. Three
    things are fitted, each to scores that the one before did not use:

    1. how many scores of search x reach the base, J_x: negative binomial with mean
       n exp(f_x beta) and shape alpha (`alpha_`), small where searches differ in what no feature
       shows. Given J_x the chance of a score is on average
       lambda_x = (alpha + J_x) / (alpha + n exp(f_x beta)) exp(f_x beta). The features
       f_x are of the scores below the base: their mean, the log of their spread, and the gap
       between the base and the next m of them. Searches of one gallery differ, and bad ones make
       most false positives: pooled scores predict too many in large galleries;
    2. the mean excess of a score that reaches it, a_x, log-linear in f_x and log lambda_x. Where
       searches hardly differ the regression would follow noise, and far out that decides
       everything. So its part of log a_x is multiplied by 1 - 1 / F, or 0 if F < 1. Here F is the
       deviance that it explains, per feature and in units of the excesses' own;
    3. one tail H(z) for all searches, z in units of a, the geometric mean of a_x over the excesses.
       Searches differ in their exponent of it, theta_x = a / a_x:

           P(excess >= t) = H(t / a)^theta_x,

       as all scores of a matcher end at one point, where differences of units would grow without
       limit. Up to the largest quarter H is Breslow's estimator, with the weights w of the excesses

           log H(z) = - sum over z_i < z of w_i / (sum over z_j >= z_i of w_j theta_j),

       and past it a generalised Pareto tail (as ISO/IEC 5152 for the false match rate). Its
       shape xi (`shape_`) has the prior N(-0.15, 0.1^2). Scores of matchers have an end, as
       cosines do, or fall like a Gaussian. At these depths both look like a shape of -0.1 to
       -0.3. Few excesses show it badly: n of them leave a variance s^2 of about
       1 / (1 / 0.1^2 + n / (1 + xi)^2), and where one shape has an end another has none. So the
       rate is averaged over three shapes, those of a rule for the normal law of variance
       s^2 + 0.04^2. They have the same mean excess past the largest quarter. Near xi = 1, where
       there is none, they have the same scale.

    Given J_x the chance of a search to have a score of at least T is gamma distributed. Its mean is
    lambda_x H_x with H_x = H((T - u) / a)^theta_x, and its relative variance 1 / (alpha + J_x). Up
    to n enrolled, as far as counts were seen,

        FPIR(k, T) = 1 - sum_x w_x exp(-L_x(k)),
        L_x(k) = (alpha + J_x) log(1 + k lambda_x H_x / (alpha + J_x)).

    What the regression misses of log a_x has a standard deviation of about 0.1. It makes searches
    differ more the farther out a threshold is: that of the log of a chance is 0.1 log(1 / H_x).
    This variance is added for galleries that were not seen, so that with

        v_x = 1 / (alpha + J_x) + (0.1 log H_x)^2
        L_x(k) = log(1 + k / n (exp(v_x L_x(n)) - 1)) / v_x,  k > n,

    the rate at n enrolled stays. Far out v_x is large, and the rate grows about linearly in log k,
    as it does where a few bad searches make the false positives. It rises with k and falls with T.
    All linear writings of a score give the same rates.

    Below the base the counts themselves are the chance, J_x(T) / n, (n - 1/2) / n at most.

    The ranks of the mates are from the tail of `accuracy_curves.Auto`.

    The prior, the shrinkage and 0.04 were chosen in view of the sets of the presets
    `identification` and `real`, of other faces and leaves, and of populations
    (benchmarks/studies/identification.py). 0.1 was chosen on the populations alone: with it an FPIR
    of .1 is .1 at 10 and 100 times the gallery.
    """

    name = "pareto_tail"
    label = "Pareto tail"
    color = "#CC3311"
    # Coverage of 90 % intervals on the sets of the preset `identification`, up to 1000 k1: FPIR .88
    # to .99; before exponents, on populations of 10 to 1000 k1 at least .89, but of hard ends .3 to
    # .6, of t(3) .6.
    reach = 1000
    minimum_classes = Auto.minimum_classes
    tail_scale = True

    # What the regression misses of log a_x.
    _mean_excess_sd = MEAN_EXCESS_SD

    def _fit(self, searches: Searches) -> None:
        """Fit counts, excesses and the tail; of the scores a few of each search are kept."""
        scores, weights = searches.impostor, searches.impostor_weights
        rows, n = scores.shape
        self._weights, self._n = weights, n
        scaled = weights * rows
        m = min(MOST_BEYOND, max(3, n // 4), n - 2)
        self.base_, excess, search = _upper(scores, scaled, m)
        counts = np.bincount(search, minlength=rows)
        features = _features(scores, counts, self.base_, m)
        rate, self.alpha_ = _fit_counts(counts, n, features, scaled)
        self._gamma_shape = self.alpha_ + counts
        frailty = self._gamma_shape / (self.alpha_ + n * rate)
        self._log_chance = np.log(rate * frailty)
        if not excess.any():
            raise FitError(
                "the largest impostor scores are all equal, so there is no tail: give finer scores"
            )
        everything = np.column_stack([features, standardised(np.log(frailty))])
        # In units of their mean, as optimisers stop by the size of what they vary.
        of_excess = scaled[search]
        mean = float(np.average(excess, weights=of_excess))
        excess /= mean
        mean_excesses = _fit_mean_excess(excess, search, everything, scaled)
        unit = float(np.exp(np.average(np.log(mean_excesses), weights=scaled * counts)))
        self._exponents, self._unit = unit / mean_excesses, unit * mean
        self._fit_tail(excess / unit, self._exponents[search], of_excess)
        ranks = np.unique(np.geomspace(1, n, KEPT).round().astype(np.int64))
        self._ranks, self._kept = ranks, scores[:, n - ranks].astype(np.float64)

    def _rank_mates(self, searches: Searches) -> Favorabilities | None:
        return Auto(seed=self.seed, two_names="drawn").value_points(searches.mated)

    def with_other_shapes(self) -> list[Self]:
        """Make copies that assume other things, which fits to halves share.

        Two have a shape one posterior standard deviation lower and higher; in the third searches
        differ more beyond the gallery that was seen.
        """
        lower, higher, differing = (copy.copy(self) for _ in range(3))
        lower.shape_ = self.shape_ - self.shape_sd_
        higher.shape_ = self.shape_ + self.shape_sd_
        differing._mean_excess_sd = MORE_MEAN_EXCESS_SD
        return [lower, higher, differing]

    def on_grid(self) -> Self:
        """Copy that reads rates from a grid of thresholds up to the largest score."""
        below = np.linspace(1, 0, NODES_BELOW) ** 2 * (self._low - self.base_)
        beyond = np.linspace(0, 1, NODES_BEYOND) ** 1.5 * (self.largest - self.base_)
        quick = copy.copy(self)
        quick._grid = RateGrid(self.fpir, self.base_ + np.append(below, beyond))
        return quick

    @np.errstate(over="ignore")  # Units of a threshold may be infinite: nobody reaches it.
    def _fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result, at = np.empty(len(k)), np.maximum(oriented, self.base_)
        sizes, thresholds = np.unique(k), np.unique(at)
        if len(sizes) > 1 and len(sizes) * len(thresholds) <= len(k):
            # A grid: what does not depend on the size is found once.
            found = np.empty((len(sizes), len(thresholds)))
            for here in blocks(len(thresholds), len(sizes) * len(self._weights)):
                found[:, here] = self._rates(sizes[:, None, None], thresholds[here, None])
            result = found[np.searchsorted(sizes, k), np.searchsorted(thresholds, at)]
        else:
            for here in blocks(len(k), len(self._weights)):
                result[here] = self._rates(k[here, None], at[here, None])
        for threshold in np.unique(oriented[oriented < self.base_]):
            # No lower than at the base: the rate falls with the threshold.
            here = oriented == threshold
            result[here] = np.maximum(result[here], self._counted(k[here], threshold))
        return result.clip(0.0, 1.0)

    def _rates(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict rates at or beyond the base; the last axis of both is that of the searches."""
        units, sizes = (oriented - self.base_) / self._unit, k.astype(np.float64)
        none = sum(
            weight * np.exp(-self._hazard(sizes, log_tail))
            for weight, log_tail in zip(SHAPE_WEIGHTS, self._log_tails(units), strict=True)
        )
        return np.asarray(1 - (none * self._weights).sum(axis=-1))

    def _hazard(self, k: Float64Array, log_tail: Float64Array) -> Float64Array:
        """Find L_x(k) from log H."""
        log_share = np.maximum(self._exponents * log_tail, LOG_NOTHING)
        # One number where it can be: then all but the last line is found once for all sizes.
        seen = np.minimum(k, self._n) if (k < self._n).any() else float(self._n)
        mean = np.exp(np.maximum(self._log_chance + log_share, LOG_NOTHING))
        lost = np.log1p(seen * mean / self._gamma_shape) * self._gamma_shape
        variance = 1 / self._gamma_shape + np.square(self._mean_excess_sd * log_share)
        return _log1p_scaled(variance * lost, k / seen) / variance

    def _counted(self, k: IntArray, threshold: float) -> Float64Array:
        """Predict the rates at a threshold below the base, from the counts, (n,)."""
        share = self._counts_at(threshold).clip(max=self._n - 0.5) / self._n
        none = np.exp(k[:, None] * np.log1p(-share))
        return np.asarray(1 - (none * self._weights).sum(axis=1))

    def _counts_at(self, threshold: float) -> IntArray:
        """Count the scores of each search at or above a threshold, (N,).

        Exact where it lies between kept scores of consecutive ranks, else interpolated.
        """
        rows, last = np.arange(len(self._kept)), len(self._ranks) - 1
        place = np.count_nonzero(self._kept >= threshold, axis=1)
        above, below = np.maximum(place - 1, 0), np.minimum(place, last)
        high, low = self._kept[rows, above], self._kept[rows, below]
        gap = np.where(high > low, high - low, 1.0)
        between = self._ranks[above] + (high - threshold) / gap * (
            self._ranks[below] - self._ranks[above]
        )
        return np.where(place == 0, 0, np.minimum(between, self._n)).astype(np.int64)

    def _fit_tail(
        self, units: Float64Array, exponents: Float64Array, weights: Float64Array
    ) -> None:
        """Fit H to the excesses in their unit, given the exponents of their searches."""
        order = np.argsort(units)
        units, exponents, weights = units[order], exponents[order], weights[order]
        first = np.searchsorted(units, units)  # Tied excesses are at risk together.
        at_risk = np.cumsum((weights * exponents)[::-1])[::-1][first]
        log_share = np.append(0.0, -np.cumsum(weights / at_risk))
        largest = min(max(FEWEST_IN_TAIL, int(LARGEST_SHARE * len(units))), len(units))
        past = slice(len(units) - largest, None)
        self._start, self._log_start = float(units[past][0]), float(log_share[past][0])
        places = np.linspace(0, len(units) - largest, NODES).round().astype(np.int64)
        self._nodes = np.unique(units[places])
        self._log_shares = log_share[np.searchsorted(units, self._nodes)]
        self.shape_, self._scale = _fit_pareto(
            units[past] - self._start, exponents[past], weights[past]
        )
        self.shape_sd_ = (SHAPE_SD**-2 + largest / (1 + self.shape_) ** 2) ** -0.5
        heavy = self.shape_ + 3 * np.hypot(self.shape_sd_, MORE_SHAPE_SD) >= LARGEST_SHAPE
        self._mean_excess = None if heavy else self._scale / (1 - self.shape_)

    def _log_tails(self, units: Float64Array) -> Iterator[Float64Array]:
        """Log of H, the share of the excesses of at least so many units, at each shape."""
        place = np.searchsorted(self._nodes, units).clip(max=len(self._nodes) - 1)
        near, far = self._log_shares[place], np.maximum(units - self._start, 0.0)
        for off in SHAPE_NODES:
            shape = self.shape_ + off * float(np.hypot(self.shape_sd_, MORE_SHAPE_SD))
            # The mean excess past the largest quarter stays, where there is one.
            scale = self._scale if self._mean_excess is None else self._mean_excess * (1 - shape)
            beyond = self._log_start + _log_survival(far / scale, shape)
            yield np.maximum(np.where(far > 0, beyond, near), LOG_NOTHING)


def _upper(
    scores: FloatArray, weights: Float64Array, m: int
) -> tuple[float, Float64Array, IntArray]:
    """Find the base, which m scores of a search reach on average, and what reaches it.

    Gives the excesses over the base, and their searches, both (J,).
    """
    rows, n = scores.shape
    width = min(n, 4 * m)
    while True:
        upper = scores[:, n - width :]
        order = np.argsort(upper, axis=None)[::-1]
        beyond = np.cumsum(np.repeat(weights, width)[order])
        at = min(int(np.searchsorted(beyond, m * rows)), len(beyond) - 1)
        base = float(upper.ravel()[order[at]])
        if width == n or not (upper[:, 0] >= base).any():
            break
        width = min(n, 2 * width)
    reached = upper >= base
    return base, upper[reached].astype(np.float64) - base, np.nonzero(reached)[0]


def _features(scores: FloatArray, counts: IntArray, base: float, m: int) -> Float64Array:
    """Find a one, then standardised features of each row's scores below the base, (N, 4)."""
    rows, n = scores.shape
    below = np.maximum(n - counts, 2)
    # Up to here all scores of all rows are below the base, and are not looked at one by one.
    first = max(int(below.min()) - m, 0)
    mean, spread, near = np.empty((3, rows))
    for here in blocks(rows, n):
        block, number = scores[here].astype(np.float64), below[here]
        inside = np.arange(first, n) < number[:, None]
        upper = np.where(inside, block[:, first:], 0.0)
        mean[here] = (block[:, :first].sum(axis=1) + upper.sum(axis=1)) / number
        block -= mean[here, None]
        block[:, first:] *= inside
        spread[here] = np.sqrt(np.einsum("ij,ij->i", block, block) / number)
        inside &= np.arange(first, n) >= number[:, None] - m
        near[here] = np.where(inside, upper, 0.0).sum(axis=1) / inside.sum(axis=1)
    spread = np.maximum(spread, 1e-6 * (np.median(spread) or 1.0))
    columns = mean, np.log(spread), np.log(np.maximum(base - near, 1e-3 * spread))
    return np.column_stack([np.ones(rows), *map(standardised, columns)])


def _fit_counts(
    counts: IntArray, n: int, features: Float64Array, weights: Float64Array
) -> tuple[Float64Array, float]:
    """Chance of a score to reach the base, (N,), and the shape of what the features do not show."""
    from scipy.special import digamma, gammaln

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
    found = scipy.optimize.minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    rate = np.exp(np.clip((features * found[:size]).sum(axis=1), -30, 0))
    return rate, float(np.exp(found[size]))


def _fit_mean_excess(
    excess: Float64Array, search: IntArray, features: Float64Array, weights: Float64Array
) -> Float64Array:
    """Mean excess of a score that reaches the base, (N,), by the exponential likelihood."""
    counts = weights * np.bincount(search, minlength=len(weights))
    total = weights * np.bincount(search, excess, len(weights))

    def log_likelihood(eta: Float64Array) -> float:
        return -float((counts * eta + total * np.exp(-eta)).sum())

    eta = log_mean_excess(features, total, counts)
    pooled = np.full(len(counts), np.log(total.sum() / counts.sum()))
    units, of_units = excess / np.exp(eta[search]), weights[search]
    mean = np.average(units, weights=of_units)
    own = np.average(np.square(units / mean - 1), weights=of_units)
    explained = 2 * (log_likelihood(eta) - log_likelihood(pooled)) / (features.shape[1] - 1)
    return np.asarray(np.exp(pooled + shrinkage(explained / max(own, 1e-3)) * (eta - pooled)))


def _fit_pareto(
    excess: Float64Array, exponents: Float64Array, weights: Float64Array
) -> tuple[float, float]:
    """Shape, with its prior, and scale of S, where P(excess >= e) = S(e) ^ exponent."""
    mean = max(float((weights * exponents * excess).sum() / weights.sum()), 1e-9)
    scaled = weights / weights.mean()

    def cost(at: Float64Array) -> float:
        if at[1] < SMALLEST_LOG_SCALE:
            return np.inf
        units = excess / (mean * np.exp(at[1]))
        if at[0] < 0 and 1 + at[0] * units.max() <= 1e-6:
            return np.inf
        value = exponents * _log_survival(units, at[0]) - np.log1p(at[0] * units) - at[1]
        prior = ((at[0] - SHAPE_MEAN) / SHAPE_SD) ** 2 / 2
        return float(prior - (scaled * value).sum())

    shape, log_scale = scipy.optimize.minimize(cost, np.zeros(2), method="Nelder-Mead").x
    return float(shape), mean * float(np.exp(log_scale))


def _log1p_scaled(values: Float64Array, factor: Float64Array) -> Float64Array:
    """Find log(1 + factor (exp(value) - 1)); neither overflows."""
    small = np.minimum(values, 300.0)
    return np.asarray(np.log1p(factor * np.expm1(small)) + (values - small))


def _log_survival(units: Float64Array, shape: float) -> Float64Array:
    """Log of the generalised Pareto survival, (1 + xi z)^(-1 / xi), exp(-z) at xi = 0."""
    if abs(shape) < 1e-8:
        return -units
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(np.maximum(1 + shape * units, 0.0)) / shape)

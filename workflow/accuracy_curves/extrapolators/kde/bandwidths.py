"""R's bandwidth rules nrd0, bcv, ucv and SJ, and mlcv, without R.

The criteria are those of R's stats package (``bw.bcv`` and ``bw.ucv``, of Scott and Terrell 1987,
``bw.SJ``, of Sheather and Jones 1991), on the same counts of pairs, and so are the searches, step
for step: SciPy's bounded search is R's ``optimize``, Brent's (1973) ``fmin``; his ``zeroin``, R's
``uniroot``, is not SciPy's ``brentq`` and stands here. Exponentials round otherwise than in R's C,
so that bandwidths agree to about 1e-10 and not to the bit; where two steps of the search are
equally good to rounding, once in thousands of points with outliers, it may end elsewhere within its
tolerance.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.fft import irfft, rfft
from scipy.optimize import minimize_scalar

from accuracy_curves.utils.arrays import Float64Array, IntArray, blocks
from accuracy_curves.utils.minimisation import minimise_on_grid

BINS = 1000
# Of the distances between bins.
SQUARES = np.square(np.arange(BINS, dtype=np.float64))
# Autocorrelations by the Fourier transform are exact integers up to far beyond this many scores.
MOST_SCORES = 10**6


def pair_counts(scores: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Count the pairs of each row's scores by the distance of their bins.

    This is what the internal ``bw_pair_cnts(x, 1000, )`` of R's stats package gives to its
    selectors ``bw.ucv``, ``bw.bcv`` and ``bw.SJ``, to the bit: the scores s are put into bins
    trunc(s / d), their counts autocorrelated by the Fourier transform and rounded to the integers
    that they are. Gives d = 1.01 range / 1000, (N,), NaN where the bins cannot be numbered, or n is
    above a million; and the pairs of different scores in bins 0..999 apart, (N, 1000), 0 there.
    """
    width, counts = np.empty(len(scores)), np.empty((len(scores), BINS))
    for block in blocks(len(scores), 1, SOME):
        width[block], counts[block] = _of_block(scores[block])
    return width, counts


def _of_block(scores: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Count the pairs of some points."""
    n_points, n = scores.shape
    counts = np.zeros((n_points, BINS))
    with np.errstate(over="ignore", invalid="ignore"):
        width = (scores.max(axis=1) - scores.min(axis=1)) * 1.01 / BINS
        numbers = np.trunc(scores / np.where(width > 0, width, np.nan)[:, None])
    good = (np.abs(numbers).max(axis=1) < 2.0**31) & np.isfinite(width) & (n <= MOST_SCORES)
    width = np.where(good, width, np.nan)
    rows = numbers[good].astype(np.int64)
    # A range of 1 / 1.01 times 1000 bins touches at most 991 of them.
    rows -= rows.min(axis=1, keepdims=True)
    rows += BINS * np.arange(len(rows))[:, None]
    filled = np.bincount(rows.ravel(), minlength=BINS * len(rows)).reshape(-1, BINS)
    spectrum = rfft(filled.astype(np.float64), 2 * BINS, axis=1)
    pairs = irfft(spectrum.real**2 + spectrum.imag**2, 2 * BINS, axis=1)[:, :BINS]
    counts[good] = np.rint(pairs)
    counts[good, 0] = (counts[good, 0] - n) / 2
    return width, counts


# Points whose pairs are kept, and those of them whose bins stay in the second-level cache.
POINTS, SOME = 500, 50
# Terms beyond are left out by R, and are too small to count here.
FURTHEST = 1000.0
# Of SJ: exp(-75) of some distances to the sixth power adds less than rounding does.
FURTHEST_SJ = 150.0
# R gives up after as many longer ranges of SJ, and as many steps to its root.
MOST_RANGES, MOST_STEPS = 100, 1000
# Of the logarithm of a bandwidth by the pseudo-likelihood.
TOLERANCE = 1e-4
CONSTANT, FALLBACK = 1, 2  # as in bandwidths.R
# Bins of range / 990 then are numbered beyond 2^31.
FAR = 2e6
WHY = {"SJ": "its equation has no solution", "mlcv": "every score is tied"}


def numpy_bandwidths(incorrect: Float64Array, rule: str) -> tuple[Float64Array, IntArray, str]:
    """Compute the bandwidth of every point by a rule, as `r_bandwidths`.

    The incorrect scores, (N, K - 1), are ascending.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        constant = incorrect.std(axis=1, ddof=1) == 0
        constant |= incorrect[:, 0] == incorrect[:, -1]
        if rule == "nrd0":
            bandwidth = silverman(incorrect)
        elif rule == "mlcv":
            bandwidth = np.array([_pseudo_likelihood(scores) for scores in incorrect])
        else:
            find = _sheather_jones if rule == "SJ" else partial(_cross_validated, rule=rule)
            some = blocks(len(incorrect), 1, POINTS)
            bandwidth = np.concatenate([find(incorrect[each]) for each in some])
        failed = ~constant & ~(bandwidth > 0)
        if failed.any():
            bandwidth[failed] = silverman(incorrect[failed])
    bandwidth[constant] = 0.0
    message = WHY.get(rule, "the scores cannot be put into bins") if failed.any() else ""
    fate = np.where(constant, CONSTANT, np.where(failed, FALLBACK, 0))
    return bandwidth, fate, message


def near_zero(incorrect: Float64Array) -> Float64Array:
    """Shift points whose scores are far from 0 by the smallest: R numbers bins in an integer."""
    least, most = incorrect.min(axis=1), incorrect.max(axis=1)
    with np.errstate(over="ignore"):
        far = np.maximum(np.abs(least), np.abs(most)) > FAR * (most - least)
    return np.where(far[:, None], incorrect - least[:, None], incorrect) if far.any() else incorrect


def silverman(scores: Float64Array) -> Float64Array:
    """Bandwidths of R's ``bw.nrd0``, Silverman's rule of thumb (1986, Eq. 3.31), of each row."""
    spread = scores.std(axis=1, ddof=1)
    quarters = np.quantile(scores, [0.25, 0.75], axis=1)
    low = np.minimum(spread, (quarters[1] - quarters[0]) / 1.34)
    for other in (spread, np.abs(scores[:, 0]), np.ones(len(scores))):
        low = np.where(low == 0, other, low)
    return 0.9 * low * scores.shape[1] ** -0.2


def _pseudo_likelihood(scores: Float64Array) -> float:
    """Find the h that makes a point's ascending scores most likely, each by the others.

    The leave-one-out pseudo-likelihood of a Gaussian kernel (Cao, Cuevas and Gonzalez Manteiga
    1994): the h that maximises sum_i log f_{-i}(x_i). Where its derivative is 0, h^2 is a weighted
    mean of the squared distances of pairs, at least the mean squared distance to the nearest
    neighbour and at most the squared range: that is the interval. There may be several local
    maxima: steps of a factor 2 find the one to refine. NaN where every score is tied.
    """
    n, gaps = len(scores), np.diff(scores)
    nearest = np.square(np.minimum(np.append(np.inf, gaps), np.append(gaps, np.inf)))
    if not nearest.any():
        return np.nan
    lower, upper = np.log(nearest.mean()) / 2, np.log(scores[-1] - scores[0])
    if upper - lower < TOLERANCE:
        return float(np.exp(upper))
    # Less the nearest distance, so that no sum of exponentials underflows to 0.
    beyond = np.square(scores[:, None] - scores) - nearest[:, None]
    np.fill_diagonal(beyond, np.inf)

    def loss(log_h: float) -> float:
        slope = -0.5 * np.exp(-2.0 * log_h)
        likelihood = np.log(np.exp(slope * beyond).sum(axis=1)).sum() + slope * nearest.sum()
        return float(n * log_h - likelihood)

    grid = np.linspace(lower, upper, 1 + int(np.ceil((upper - lower) / np.log(2))))
    return float(np.exp(minimise_on_grid(loss, grid, TOLERANCE)))


def _cross_validated(scores: Float64Array, rule: str) -> Float64Array:
    """Search for the bandwidths of a block of points; SciPy's bounded search is R's."""
    n = scores.shape[1]
    widths, counts = pair_counts(scores)
    largest = 1.144 * scores.std(axis=1, ddof=1) * n**-0.2
    found = np.full(len(scores), np.nan)
    for row in np.flatnonzero(np.isfinite(widths) & np.isfinite(largest) & (largest > 0)):
        low, high = 0.1 * largest[row], largest[row]
        found[row] = minimize_scalar(
            _criterion,
            bounds=(low, high),
            args=(n, widths[row], counts[row], rule),
            method="bounded",
            options={"xatol": 0.1 * low},
        ).x
    return found


def _criterion(h: float, n: int, width: float, counts: Float64Array, rule: str) -> float:
    """Compute what bcv or ucv minimises, from functions of delta = (distance / h)^2 of pairs."""
    ratio = width / h
    squares = SQUARES[: int(np.sqrt(FURTHEST) / ratio) + 1]
    kernel = np.exp(-0.25 * ratio**2 * squares)
    counted = counts[: len(squares)] * kernel
    # Not `@`: the sums of a threaded BLAS depend on the number of cores.
    first = counted.sum()
    if rule == "ucv":
        sums = first - np.sqrt(8.0) * (counted * kernel).sum()
        return (0.5 + sums / n) / (n * h * np.sqrt(np.pi))
    counted *= squares
    second = counted.sum()
    counted *= squares
    sums = ratio**4 * counted.sum() - 12.0 * ratio**2 * second + 12.0 * first
    return (1.0 + sums / (32.0 * n)) / (2.0 * n * h * np.sqrt(np.pi))


def _sheather_jones(scores: Float64Array) -> Float64Array:
    """Find the bandwidths of a block of points as R's ``bw.SJ`` does; NaN where it finds none."""
    n = scores.shape[1]
    widths, counts = pair_counts(scores)
    low, high = np.quantile(scores, [0.25, 0.75], axis=1)
    scale = np.minimum(scores.std(axis=1, ddof=1), (high - low) / 1.349)
    found = np.full(len(scores), np.nan)
    for row in np.flatnonzero(np.isfinite(widths) & (scale > 0) & np.isfinite(scale)):
        found[row] = _solved(scale[row], n, widths[row], counts[row])
    return found


def _solved(scale: float, n: int, width: float, counts: Float64Array) -> float:
    """Solve the equation of Sheather and Jones (1991) for a point; NaN without a solution."""

    def roughness(h: float, order: int) -> float:
        """Estimate the density's functional of a derivative, R's ``bw_phi4`` or ``bw_phi6``."""
        ratio = width / h
        delta = ratio**2 * SQUARES[: int(np.sqrt(FURTHEST_SJ) / ratio) + 1]
        kernel = counts[: len(delta)] * np.exp(-0.5 * delta)
        # As R writes it: terms of its expanded sum cancel.
        if order == 4:
            kernel *= delta * delta - 6.0 * delta + 3.0
        else:
            kernel *= ((delta - 15.0) * delta + 45.0) * delta - 15.0
        diagonal = 3.0 if order == 4 else -15.0
        total = 2.0 * kernel.sum() + n * diagonal
        return total / (n * (n - 1.0) * h ** (order + 1.0) * np.sqrt(2 * np.pi))

    third = -roughness(1.23 * scale * n ** (-1 / 9), 6)
    if not 0 < third < np.inf:
        return np.nan
    factor = 1.357 * (roughness(1.24 * scale * n ** (-1 / 7), 4) / third) ** (1 / 7)

    def equation(h: float) -> float:
        second = roughness(factor * h ** (5 / 7), 4)
        return (1 / (2 * np.sqrt(np.pi) * n) / second) ** 0.2 - h

    if not np.isfinite(factor):
        return np.nan
    high = 1.144 * scale * n**-0.2
    low = 0.1 * high
    at_low, at_high = equation(low), equation(high)
    for attempt in range(1, MOST_RANGES):
        if not at_low * at_high > 0:
            break
        if attempt % 2:
            high *= 1.2
            at_high = equation(high)
        else:
            low /= 1.2
            at_low = equation(low)
    if not at_low * at_high <= 0:
        return np.nan
    return find_root(equation, low, high, at_low, at_high, 0.1 * low)


def find_root(
    function: Callable[[float], float], a: float, b: float, fa: float, fb: float, tolerance: float
) -> float:
    """Find a root as R's ``uniroot`` does, between a and b, where the function is fa and fb.

    These are of opposite signs, or one is 0.
    """
    if fa == 0:
        return a
    c, fc = a, fa
    for _ in range(MOST_STEPS):
        before = b - a
        if abs(fc) < abs(fb):  # b is the best point, c beyond the root, a the last one or c.
            a, b, c, fa, fb, fc = b, c, b, fb, fc, fb
        least = 2 * np.finfo(np.float64).eps * abs(b) + tolerance / 2
        step = (c - b) / 2
        if abs(step) <= least or fb == 0:
            break
        if abs(before) >= least and abs(fa) > abs(fb):
            # A line through two points, or the inverse of a parabola through three.
            if a == c:
                p, q = (c - b) * fb / fa, 1.0 - fb / fa
            else:
                t1, t2, q = fb / fc, fb / fa, fa / fc
                p = t2 * ((c - b) * q * (q - t1) - (b - a) * (t1 - 1.0))
                q = (q - 1.0) * (t1 - 1.0) * (t2 - 1.0)
            q, p = (-q, p) if p > 0 else (q, -p)
            if p < min(0.75 * (c - b) * q - abs(least * q) / 2, abs(before * q / 2)):
                step = p / q
        if abs(step) < least:
            step = least if step > 0 else -least
        a, fa, b = b, fb, b + step
        fb = function(b)
        if (fb > 0) == (fc > 0):
            c, fc = a, fa
    return b

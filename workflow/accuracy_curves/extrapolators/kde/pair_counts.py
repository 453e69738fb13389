"""Counts of the pairs of a point's scores by their distance in bins, as R's selectors want them."""

import numpy as np
from scipy.fft import irfft, rfft

from accuracy_curves.utils.arrays import Float64Array

BINS = 1000
# Autocorrelations by the Fourier transform are exact integers up to far beyond this many scores.
MOST_SCORES = 10**6
# A block of points whose bins stay in the second-level cache.
POINTS = 50


def pair_counts(scores: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Count the pairs of each row's scores by the distance of their bins.

    This is what the internal ``bw_pair_cnts(x, 1000, )`` of R's stats package gives to its
    selectors ``bw.ucv``, ``bw.bcv`` and ``bw.SJ``, to the bit: the scores s are put into bins
    trunc(s / d), their counts autocorrelated by the Fourier transform and rounded to the integers
    that they are. Gives d = 1.01 range / 1000, (N,), NaN where the bins cannot be numbered, or n is
    above a million; and the pairs of different scores in bins 0..999 apart, (N, 1000), 0 there.
    """
    width, counts = np.empty(len(scores)), np.empty((len(scores), BINS))
    for start in range(0, len(scores), POINTS):
        block = slice(start, start + POINTS)
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

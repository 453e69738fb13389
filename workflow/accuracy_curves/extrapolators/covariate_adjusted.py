"""Regression on binomially distorted U-values."""

import numpy as np
import scipy

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.spline import spline_gaps, spline_moments
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array, IntArray

# The knots of the basis by their distance from 1; u itself has one at 0.
GAPS = np.concatenate([[1.0], spline_gaps(8, "quadratic")])


class CovariateAdjusted(Extrapolator):
    """Regression on binomially distorted U-values (Zheng, Achanta and Benjamini 2016, 3.3).

    The expected risk at k classes is (k - 1) * integral K-bar(u) u^(k - 2) du. Here K-bar(u) is the
    share of points that lose to an incorrect class with favorability u. This is Theorem 3.1 under
    0-1 cost, where k is printed for k - 1. The m-th smallest of the k1 - 1 incorrect classes has a
    favorability with distribution Beta(m, k1 - m), so that with K-bar(u) = sum_l beta_l h_l(u)

        E[C-bar_m] = sum_l beta_l Z_{m,l},  Z_{m,l} = E[h_l(U)],  U ~ Beta(m, k1 - m)

    (the Z of Section 3.4; the density printed in Section 3.3 counts one class more). The functions
    h_l are u and [u - t_l]+ for eight knots t_l, denser near 1 (`spline_gaps`). The
    coefficients are those of the regression of C-bar (`rank_costs`) on Z with weights 1 / v_m,
    v_m = p (1 - p) / r. Here p is C-bar_m, with half an observation added so that none is 0, and r
    the mean number of points of a class. The accuracy is 1 - risk. Its variance grows fast as k
    leaves k1: it may leave [0, 1] and increase.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    coefficients_ : (9,) array of float
        beta_l.
    """

    name = "covariate_adjusted"
    label = "covariate-adjusted"
    color = "#44AA99"
    needs = "ranks"
    minimum_classes = len(GAPS) + 1

    def _fit(self, sample: Sample) -> None:
        costs = rank_costs(sample, self.seed)
        repeats = sample.n_points / len(np.unique(sample.labels))
        share = (sample.n_points * costs + 0.5) / (sample.n_points + 1.0)
        scale = 1.0 / np.sqrt(share * (1.0 - share) / repeats)
        seen = seen_moments(sample.n_classes)
        self.coefficients_ = np.linalg.lstsq(seen * scale[:, None], costs * scale)[0]

    def _predict(self, k: IntArray) -> Float64Array:
        return np.asarray(1.0 - (spline_moments(GAPS, k) * self.coefficients_).sum(axis=1))


def seen_moments(k1: int) -> Float64Array:
    """Compute Z, (k1 - 1, 9): E[h_l(U)] with U ~ Beta(m, k1 - m) for m = 1..k1 - 1."""
    m = np.arange(1, k1, dtype=np.float64)[:, None]
    # The mean of (u - t)+ is m / k1 P(V > t) - t P(U > t) with V one step up in m; as
    # P(U > t) is betainc of 1 - t with the parameters exchanged, no digits are lost near 1.
    above = scipy.special.betainc(k1 - m, m, GAPS)
    return np.asarray(m / k1 * scipy.special.betainc(k1 - m, m + 1, GAPS) - (1.0 - GAPS) * above)


def rank_costs(sample: Sample, seed: int = 0) -> Float64Array:
    """Find C-bar, (K - 1,): the share of points that outscore fewer than m incorrect classes.

    The C-bar_m of Zheng, Achanta and Benjamini (2016, Section 3.3) under 0-1 cost, with the ranks
    taken among the incorrect classes alone: the correct class is no random draw, and with it among
    them the U-values are not binomial.
    """
    share = np.bincount(ranks(sample, seed), sample.weights, minlength=sample.n_classes)
    return np.minimum(np.cumsum(share)[:-1], 1.0)

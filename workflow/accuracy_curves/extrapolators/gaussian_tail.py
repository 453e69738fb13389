"""Tail of a Gaussian fitted to each point's incorrect scores, calibrated on the observed ranks."""

import numpy as np
import scipy

from accuracy_curves.extrapolators import favorability
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.reduced_matrix import ReducedMatrix
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray

PRIOR_SHIFT, PRIOR_LOG_SLOPE = 5.0, 1.0


class GaussianTail(FavorabilityExtrapolator):
    """Gaussian tail probability of the correct score with a two-parameter calibration.

    With m_x and s_x the mean and standard deviation of the incorrect scores of x,

        p_x = 1 - Phi((S_y*(x) - m_x) / s_x)      eta_x = log(-log(1 - p_x))
        C_x = exp(-exp(a + b eta_x)),

    which for small p_x says log p'_x = a + b log p_x. The scores order the points and say how
    far into the tail each one is; the observed ranks set the two numbers that say what the
    Gaussian got wrong. For high-dimensional factorising data the scores are Gaussian (Zheng and
    Benjamini 2016). Unchanged by s -> alpha s + beta, alpha > 0.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    shift_, slope_ : float
        a and b, by the likelihood of R_x ~ Binomial(k1 - 1, C_x).
    """

    name = "gaussian_tail"
    label = "Gaussian tail"
    color = "#56B4E9"
    needs = "moments"

    def _favorability(self, sample: ScoreMatrix | ReducedMatrix) -> Float64Array:
        eta = favorability.eta_of_log_p(_gaussian_log_tail(sample))
        outscored = ranks(sample, self.seed)
        fitted = calibrate_on_ranks(eta, outscored, sample.n_classes - 1, sample.weights)
        self.shift_, self.slope_ = map(float, fitted)
        return favorability.favorability_of_eta(self.shift_ + self.slope_ * eta)


def _gaussian_log_tail(sample: ScoreMatrix | ReducedMatrix) -> Float64Array:
    """Log of p_x under the Gaussian of each point, (N,); a constant row counts as a tie."""
    mean, sd = sample.moments.T
    gap = sample.correct - mean
    spread = sd > 1e-12 * np.abs(mean)
    flat = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    distance = np.where(spread, gap / np.where(spread, sd, 1.0), flat)
    return scipy.special.log_ndtr(-distance)


def calibrate_on_ranks(
    eta: Float64Array, outscored: IntArray, trials: int, weights: Float64Array
) -> Float64Array:
    """Find a and b of eta' = a + b eta by the binomial likelihood of the ranks.

    R_x given C_x is Binomial(n, C_x) (ICLR 2021, Section 5), so up to a constant its logarithm is
    (n - R) log(1 - exp(-exp(eta))) - R exp(eta). `outscored` is R, and `trials` n, the incorrect
    classes. A weak normal prior on a (sd 5) and log b (sd 1), worth less than one point, keeps both
    finite where every point outscores every incorrect class. The weights sum to 1.
    """
    scaled, lost = weights * len(eta), trials - outscored

    def cost(parameters: Float64Array) -> tuple[float, Float64Array]:
        shift, slope = parameters[0], np.exp(parameters[1])
        hazard = favorability.hazard_of_eta(shift + slope * eta)
        value = lost * np.log(-np.expm1(-hazard)) - outscored * hazard
        derivative = scaled * hazard * (lost / np.expm1(hazard) - outscored)
        prior = (parameters / (PRIOR_SHIFT, PRIOR_LOG_SLOPE)) ** 2 / 2
        gradient = -np.array([derivative.sum(), (derivative * eta).sum() * slope])
        gradient += parameters / np.square((PRIOR_SHIFT, PRIOR_LOG_SLOPE))
        return float(prior.sum() - (scaled * value).sum()), gradient

    bounds = [(-20.0, 20.0), (-3.0, 3.0)]
    best = scipy.optimize.minimize(cost, np.zeros(2), jac=True, method="L-BFGS-B", bounds=bounds).x
    return np.array([best[0], np.exp(best[1])])

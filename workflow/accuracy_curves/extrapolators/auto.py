"""The method to take when in doubt: the pooled tail, joined with the Gaussian tail at need."""

import numpy as np

from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.extrapolators.gaussian_tail import GaussianTail
from accuracy_curves.extrapolators.pooled_tail import PooledTail, shrinkage
from accuracy_curves.scores import Float64Array, ScoreMatrix

TINY = 1e-300


class Auto(FavorabilityExtrapolator):
    """Pooled and Gaussian tail, joined by how well the pooled tail suits the correct scores.

    With eta = log(-log C), for each point

        eta_x = (1 - w) eta_x[pooled tail] + w eta_x[Gaussian tail].

    The pooled tail says how incorrect scores behave near the correct one, and is nearly exact
    where correct scores meet the same tail as incorrect ones. Whether they do is seen from
    z^2, the misfit of its exponent: w = max(0, 1 - 1 / z^2) / 2 for distances. Other scores have
    no known law near their best end, so that neither is preferred: w = 1/2.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    gaussian_weight_ : float
        w, from 0 to 1/2.
    """

    name = "auto"
    label = "Auto"
    color = "#D55E00"
    minimum_classes = PooledTail.minimum_classes

    gaussian_weight_: float

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        pooled = PooledTail(seed=self.seed).fit(sample)
        trust = shrinkage(pooled.misfit_) if pooled.distances_ else 1.0
        self.gaussian_weight_ = trust / 2
        if trust == 0.0:
            return pooled.favorability_
        gaussian = GaussianTail(seed=self.seed).fit(sample)
        return joined(pooled.favorability_, gaussian.favorability_, self.gaussian_weight_)


def joined(first: Float64Array, second: Float64Array, weight: float) -> Float64Array:
    """Average two favorabilities on the scale of log(-log C).

    Parameters
    ----------
    first, second : (N,) arrays of float
        C_x in [0, 1].
    weight : float
        Weight of the second, in [0, 1].

    Returns
    -------
    (N,) array of float
        exp(-(-log C_first) ** (1 - weight) (-log C_second) ** weight).
    """
    log_hazards = [np.log(np.maximum(-np.log(np.maximum(c, TINY)), TINY)) for c in (first, second)]
    return np.exp(-np.exp((1 - weight) * log_hazards[0] + weight * log_hazards[1]))

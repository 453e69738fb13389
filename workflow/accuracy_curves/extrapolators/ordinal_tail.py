"""Tail of the incorrect scores near the correct one, from the order of all scores alone."""

from accuracy_curves.extrapolators._gumbel_scores import gumbel_scores
from accuracy_curves.extrapolators.pooled_tail import PooledTail
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import Seed


class OrdinalTail(PooledTail):
    """Pooled tail of the scores on the Gumbel scale: the same for every way of writing them.

    Each score s is replaced by its place among all incorrect scores of the sample,

        v = -log(-log(1 - G(s))),

    where G(s) is the share of them that is better. `PooledTail` is then fitted to v. Two systems
    that order all pairs of a point and a class alike get the same answer: distances and
    similarities, probabilities and their logarithms. On this scale the tail needs no assumption
    about the scores: its excesses are exponential where the points share one law of incorrect
    scores, and for distances near zero.

    What the order cannot tell is how far correct scores lie beyond the best of all incorrect
    scores, as most do where few points err. There the hazard of the correct scores stays what it
    is over the last 2 units of v: few errors of bad points mean few more errors, and the accuracy
    falls about linearly in log k.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    exponent_ : float
        b of `PooledTail`, by its rule "shrunk".
    fitted_exponent_ : float
        b by the likelihood and prior alone.
    misfit_ : float
        z^2 of the fitted log b.
    """

    name = "ordinal_tail"
    label = "Ordinal tail"
    color = "#0B5394"
    reach = 2  # Of its intervals the coverage is not measured yet.

    def __init__(self, *, seed: Seed = 0) -> None:
        super().__init__(exponent="shrunk", seed=seed)

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        return super()._favorability(gumbel_scores(sample))

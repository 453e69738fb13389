"""The method to take when in doubt: a tail of incorrect scores, from the order of all scores."""

from accuracy_curves.extrapolators._gumbel_scores import gumbel_scores
from accuracy_curves.extrapolators.pooled_tail import PooledTail
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import Seed


class Auto(PooledTail):
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

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> from accuracy_curves.datasets.simulation import Simulation
    >>> distances = Simulation(n_classes=100, variance=0.2).score_matrix(seed=0)
    >>> model = ac.Auto().fit(distances)
    >>> bool(model.predict(1000)[0] < model.predict(100)[0])
    True
    >>> similarities = ac.ScoreMatrix(np.exp(-distances.scores), distances.labels)
    >>> bool(np.allclose(ac.Auto().fit(similarities).predict(1000), model.predict(1000)))
    True
    """

    name = "auto"
    label = "Auto"
    color = "#D55E00"
    reach = 10

    def __init__(self, *, seed: Seed = 0) -> None:
        super().__init__(exponent="shrunk", seed=seed)

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        return super()._favorability(gumbel_scores(sample))

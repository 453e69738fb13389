"""Binomial mixture: the ranks are counts, whose chances differ from search to search."""

import numpy as np

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.mple import binomial_likelihood, counted_ranks
from accuracy_curves.identification.base import AtEachThreshold
from accuracy_curves.scores.sample import Sample

NODES = 200
BELOW = 4.0  # The grid of the mixture ends e^4 times below one in all.
STEPS = 2000


class MixtureOfRanks(Extrapolator):
    """Nonparametric maximum likelihood of the mixing distribution of the ranks.

    Of the n incorrect scores of a point, J_x ~ Binomial(n, p_x) are above its correct one, and
    p_x ~ g. g is found on a grid by EM (Tian, Kong and Valiant 2017; Vinayak et al. 2019), and the
    accuracy at k classes is sum_j g_j (1 - p_j)^(k - 1). Where no point errs it is 1.
    """

    needs = "ranks"
    has_tops = True

    def _fit(self, sample: Sample) -> None:
        trials = sample.n_classes - 1
        seen, share = counted_ranks(sample, self.seed, 1)
        self.favorability_ = self.weights_ = np.ones(1)
        if seen[0] == trials:
            return
        lowest = -np.log(trials * sample.n_points) - BELOW
        nodes = np.append(0.0, np.exp(np.linspace(lowest, np.log1p(-0.5 / trials), NODES)))
        self.favorability_ = 1.0 - nodes
        likelihood = binomial_likelihood(seen, trials, self.favorability_)
        chances = np.full(len(nodes), 1 / len(nodes))
        for _ in range(STEPS):
            marginal = (likelihood * chances).sum(axis=1)
            chances = chances * ((share / marginal)[:, None] * likelihood).sum(axis=0)
        self.weights_ = chances / chances.sum()


class BinomialMixture(AtEachThreshold):
    """Each search has a false-match rate of its own, whose distribution is `MixtureOfRanks`."""

    name = "binomial_mixture"
    label = "binomial mixture (NPMLE)"
    color = "#444477"

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(MixtureOfRanks(seed=seed))

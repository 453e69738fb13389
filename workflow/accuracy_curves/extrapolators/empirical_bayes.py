"""Empirical-Bayes estimate of the distribution of C_x from the ranks alone (g-modelling)."""

import numpy as np
import scipy
from numpy.polynomial import legendre

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.mple import binomial_likelihood, counted_ranks, favorability_grid
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array

NODES = 120
# The number of parameters, and c0.
DEGREE, PENALTY = 4, 0.1


class EmpiricalBayes(Extrapolator):
    """Deconvolution of the ranks: R_x ~ Binomial(k1 - 1, C_x), C_x ~ g.

    The density of eta = log(-log C) is a low-degree exponential family on a grid:
    g(eta_j) is proportional to exp(sum_i alpha_i P_i(eta_j)) with Legendre polynomials P_i. alpha
    maximises the penalised marginal likelihood

        sum_r n_r log(sum_j g_j Binomial(r; k1 - 1, C_j)) - c0 ||alpha||

    where n_r counts the points of rank r, scaled to k1 points in all (Efron, Biometrika 2016).
    E_k[A] = sum_j g_j C_j ** (k - 1). The values of the scores are not used, only their order:
    unchanged by any increasing transformation of the scores of each point.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    favorability_, weights_ : (120,) arrays of float
        The grid of C and its probabilities g, not one value a point.
    """

    name = "empirical_bayes"
    label = "Empirical Bayes"
    color = "#882255"
    has_tops = True
    needs = "ranks"
    reach = 4

    def _fit(self, sample: Sample) -> None:
        self.favorability_ = favorability_grid(sample.n_classes, NODES)
        seen, counts = counted_ranks(sample, self.seed, sample.n_classes)
        likelihood = binomial_likelihood(seen, sample.n_classes - 1, self.favorability_)
        self.weights_ = _deconvolve(counts, likelihood)


def _deconvolve(counts: Float64Array, likelihood: Float64Array) -> Float64Array:
    """Penalised maximum of the marginal likelihood: the probabilities of the nodes."""
    x = np.linspace(-1, 1, likelihood.shape[1])
    basis = legendre.legvander(x, DEGREE)[:, 1:]

    def density(alpha: Float64Array) -> Float64Array:
        log_g = (basis * alpha).sum(axis=1)
        g = np.exp(log_g - log_g.max())
        return np.asarray(g / g.sum(), dtype=np.float64)

    def cost(alpha: Float64Array) -> tuple[float, Float64Array]:
        g = density(alpha)
        marginal = np.maximum((likelihood * g).sum(axis=1), 1e-300)
        norm = np.sqrt((alpha**2).sum() + 1e-9)
        posterior = ((counts / marginal)[:, None] * likelihood).sum(axis=0) * g
        gradient = ((counts.sum() * g - posterior)[:, None] * basis).sum(axis=0)
        value = PENALTY * norm - (counts * np.log(marginal)).sum()
        return float(value), gradient + PENALTY * alpha / norm

    bounds = [(-60.0, 60.0)] * DEGREE
    fit = scipy.optimize.minimize(
        cost, np.zeros(DEGREE), jac=True, method="L-BFGS-B", bounds=bounds
    )
    return density(np.asarray(fit.x))

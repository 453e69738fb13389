"""Mixtures: distributions of C_x fitted to the ranks (empirical Bayes, MPLE, p-CONS), or p-EXP.

That one is fitted to the average accuracies.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
from numpy.polynomial import legendre
from scipy.optimize import minimize
from scipy.special import betaincc, gammaln, xlog1py, xlogy

from accuracy_curves.extrapolators._tail_scale import favorability_of_eta
from accuracy_curves.extrapolators.base import (
    CurveExtrapolator,
    Extrapolator,
    Favorabilities,
    FavorabilityExtrapolator,
    Weights,
)
from accuracy_curves.observed.accuracy import average_accuracy, ranks
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array, IntArray, exponential
from accuracy_curves.utils.nnls import nonnegative_least_squares
from accuracy_curves.utils.validation import Number, Whole

BELOW = 6.0  # The grid of C reaches 1 - C = exp(-6) / k1; what is rarer, no rank can tell.
HIGHEST_ETA = 2.5
# Values of C on it: of empirical Bayes, and of MPLE.
NODES, NODES_MPLE = 120, 200
# The log likelihood of `mixture_weights` is the largest, to this share of it.
ROUNDS, LARGEST = 200, 1e-9
# How much an equation weighs beside the likelihood in a step.
EQUATION = 1e4
TINY = 1e-300
# Of p-CONS: the last interval is this share of 1 / k1 long.
STARTS, SHORTEST = 200, 1e-3
LARGEST_RATE = 2.0  # Of p-EXP.


def favorability_grid(n_classes: int, nodes: int) -> Float64Array:
    """Spread values of C, descending, evenly on the scale of log(-log C)."""
    lowest = -np.log(n_classes - 1) - BELOW
    return favorability_of_eta(np.linspace(lowest, HIGHEST_ETA, nodes))


def counted_ranks(sample: Ranked, seed: int, points: int) -> tuple[IntArray, Float64Array]:
    """Find the ranks that occur, and how often, weighted, of so many points in all."""
    counts = np.zeros(sample.n_classes)
    np.add.at(counts, ranks(sample, seed), sample.weights * points)
    seen = np.flatnonzero(counts).astype(np.int64)
    return seen, counts[seen]


def binomial_likelihood(counts: IntArray, trials: int, chances: Float64Array) -> Float64Array:
    """Compute the chance of each count at each chance of a trial, (counts, chances)."""
    r = counts[:, None].astype(np.float64)
    choose = gammaln(trials + 1) - gammaln(r + 1) - gammaln(trials - r + 1)
    return np.exp(choose + xlogy(r, chances) + xlog1py(trials - r, -chances))


@dataclass(kw_only=True, eq=False, repr=False)
class EmpiricalBayes(FavorabilityExtrapolator):
    """Deconvolution of the ranks: R_x ~ Binomial(k1 - 1, C_x), C_x ~ g.

    The density of eta = log(-log C) is a low-degree exponential family on a grid,
    g(eta_j) proportional to exp(sum_i alpha_i P_i(eta_j)) with Legendre polynomials P_i, and
    alpha maximises the penalised marginal likelihood

        sum_r n_r log(sum_j g_j Binomial(r; k1 - 1, C_j)) - c0 ||alpha||

    where n_r counts the points of rank r, scaled to k1 points in all (Efron, Biometrika 2016).
    E_k[A] = sum_j g_j C_j ** (k - 1). The values of the scores are not used, only their order:
    unchanged by any increasing transformation of the scores of each point.

    Parameters
    ----------
    degree : int
        Number of parameters, from 1 to 12.
    penalty : float
        c0, at least 0.
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
    needs = "ranks"
    reach = 4

    degree: Annotated[int, Whole(1, 12)] = 4
    penalty: Annotated[float, Number(0)] = 0.1

    def _favorability(self, sample: Ranked) -> Float64Array:
        return favorability_grid(sample.n_classes, NODES)

    def _fit(self, sample: Ranked) -> None:
        self.favorability_ = self._favorability(sample)
        seen, counts = counted_ranks(sample, self.seed, sample.n_classes)
        likelihood = binomial_likelihood(seen, sample.n_classes - 1, self.favorability_)
        self.weights_ = _deconvolve(counts, likelihood, self.degree, self.penalty)


def _deconvolve(
    counts: Float64Array, likelihood: Float64Array, degree: int, penalty: float
) -> Float64Array:
    """Penalised maximum of the marginal likelihood: the probabilities of the nodes."""
    x = np.linspace(-1, 1, likelihood.shape[1])
    basis = legendre.legvander(x, degree)[:, 1:]

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
        value = penalty * norm - (counts * np.log(marginal)).sum()
        return float(value), gradient + penalty * alpha / norm

    bounds = [(-60.0, 60.0)] * degree
    found = minimize(cost, np.zeros(degree), jac=True, method="L-BFGS-B", bounds=bounds)
    return density(np.asarray(found.x))


def mixture_weights(
    likelihood: Float64Array, counts: Float64Array, moments: Float64Array, values: Float64Array
) -> Float64Array:
    """Maximise sum_r n_r log(sum_j w_j L_rj) over w >= 0 with moments @ w = values.

    Newton steps as of Wang (2007): each minimises the quadratic approximation of the likelihood by
    non-negative least squares, in which the equations have rows of large weight, and is halved
    until the likelihood grows. `likelihood` is (ranks, components), `moments` (m, components).
    """
    equations = EQUATION * np.sqrt(counts.sum())
    weights = nonnegative_least_squares(
        np.vstack([equations * moments, np.eye(len(likelihood[0]))]),
        np.concatenate([equations * values, np.full(len(likelihood[0]), 1 / len(likelihood[0]))]),
    )
    root = np.sqrt(counts)

    def objective(at: Float64Array) -> float:
        return float((counts * np.log(np.maximum((likelihood * at).sum(axis=1), TINY))).sum())

    best = objective(weights)
    for _ in range(ROUNDS):
        mixed = np.maximum((likelihood * weights).sum(axis=1), TINY)
        step = nonnegative_least_squares(
            np.vstack([root[:, None] * likelihood / mixed[:, None], equations * moments]),
            np.concatenate([2.0 * root, equations * values]),
        )
        share = 1.0
        while (now := objective(weights + share * (step - weights))) < best and share > 1e-6:
            share /= 2.0
        if not now > best + LARGEST * abs(best):
            break
        weights, best = weights + share * (step - weights), now
    return weights


class MPLE(FavorabilityExtrapolator):
    """Maximum pseudo-likelihood, MPLE of Zheng, Achanta and Benjamini (draft of 2016, Section 4).

    The correct class outscores R_x of the k1 - 1 incorrect ones, R_x ~ Binomial(k1 - 1, C_x).
    Points are taken as independent, and the distribution eta of C_x maximises

        sum_x log int u^R_x (1 - u)^(k1 - 1 - R_x) d eta(u)

    over all distributions on a grid of u that ends with u = 1. Then E_k[A] = int u^(k - 1) d eta.
    In finite samples the maximum is not unique, and the mass that it puts on u = 1 is a plateau
    of the curve.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    favorability_, weights_ : (m,) arrays of float
        The u with a positive probability, and their probabilities; not one value a point.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="mple")
    >>> bool(curve[0] > curve[1])
    True
    """

    name = "mple"
    label = "MPLE"
    color = "#AA4499"
    needs = "ranks"

    def _favorability(self, sample: Ranked) -> Float64Array:
        return np.append(1.0, favorability_grid(sample.n_classes, NODES_MPLE))

    def _fit(self, sample: Ranked) -> None:
        grid = self._favorability(sample)
        seen, counts = counted_ranks(sample, self.seed, sample.n_points)
        likelihood = binomial_likelihood(seen, sample.n_classes - 1, grid)
        weights = mixture_weights(likelihood, counts, np.ones((1, len(grid))), np.ones(1))
        self.favorability_, self.weights_ = grid[weights > 0], weights[weights > 0]


class PCons(Extrapolator):
    """Constrained pseudo-likelihood, p-CONS of Zheng, Achanta and Benjamini (draft of 2016).

    The density eta of C_x maximises the pseudo-likelihood of `MPLE` among the increasing ones (that
    of a Bayes classifier increases: a theorem of the draft) whose moment at k1 is the observed
    accuracy. An increasing density is a mixture of uniform ones on [s, 1], so that

        E_k[A] = sum_j w_j (1 - s_j^k) / (k (1 - s_j)),  w_j >= 0, sum_j w_j = 1, E_k1[A] = A_k1

    with s_j on a grid from 0 to almost 1.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    starts_ : (m,) array of float
        s_j with a positive weight.
    weights_ : (m,) array of float
        w_j.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="p_cons")
    >>> abs(curve[0] - ac.average_accuracy(matrix, 100)) < 1e-6
    array([ True])
    """

    name = "p_cons"
    label = "p-CONS"
    color = "#6699CC"
    needs = "ranks"

    def _fit(self, sample: Ranked) -> None:
        trials = sample.n_classes - 1
        starts = 1.0 - np.geomspace(1.0, SHORTEST / sample.n_classes, STARTS)
        seen, counts = counted_ranks(sample, self.seed, sample.n_points)
        # Binomial(r; trials, u) is a beta density over trials + 1, averaged over [s, 1].
        above = betaincc(seen[:, None] + 1, trials - seen[:, None] + 1, starts)
        likelihood = above / ((trials + 1) * (1.0 - starts))
        observed = average_accuracy(sample, sample.n_classes, self.seed)
        moments = np.vstack([np.ones(STARTS), _moments(starts, sample.n_classes)])
        # No increasing density has a moment beyond those of the grid.
        wanted = np.clip(observed, moments[1].min(), moments[1].max())
        weights = mixture_weights(likelihood, counts, moments, np.concatenate([[1.0], wanted]))
        self.starts_, self.weights_ = starts[weights > 0], weights[weights > 0]

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        return (_moments(self.starts_, k[:, None]) * self.weights_).sum(axis=1)


def _moments(starts: Float64Array, k: npt.ArrayLike) -> Float64Array:
    """Mean of u^(k - 1) over [s, 1]."""
    with np.errstate(divide="ignore"):
        log_start = np.log(starts)
    classes = np.asarray(k, dtype=np.float64)
    return np.asarray(-np.expm1(classes * log_start) / (classes * (1.0 - starts)))


@dataclass(kw_only=True, eq=False, repr=False)
class PExp(CurveExtrapolator):
    """Mixture of exponentials, p-EXP of Zheng, Achanta and Benjamini (draft of 2016, Section 4).

    The curve is

        E_k[A] = sum_j a_j exp(-k kappa_j),  a_j >= 0

    with kappa_j = 0, step, 2 step... 2. The a_j minimise the squared errors of the average
    accuracies at k = 2..k1. The accuracies at small k do not tell the smallest rates apart, and the
    grid decides between them: from 20 to 400 characters read by a deep network the prediction is
    .995 with a step of .1, .972 with .01 (.973 is printed, without the grid), and .926 with .002.

    Parameters
    ----------
    step : float
        Distance of the rates kappa_j; from 0.001 to 1.
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    rates_ : (m,) array of float
        kappa_j with a positive weight.
    weights_ : (m,) array of float
        Their a_j.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="p_exp")
    >>> bool(curve[0] > curve[1])
    True
    """

    name = "p_exp"
    label = "p-EXP"
    color = "#661100"

    step: Annotated[float, Number(0.001, 1)] = 0.01

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        rates = np.arange(0.0, LARGEST_RATE + self.step / 2, self.step)
        root = np.sqrt(weights * np.ones(len(k)))
        powers = np.exp(-np.outer(k, rates))
        found = nonnegative_least_squares(root[:, None] * powers, root * accuracy)
        self.rates_, self.weights_ = rates[found > 0], found[found > 0]

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        powers = exponential(-np.outer(k.astype(np.float64), self.rates_))
        return (powers * self.weights_).sum(axis=1)

    def _favorabilities(self) -> Favorabilities:
        # a exp(-k kappa) = (a exp(-kappa)) C^(k - 1) with C = exp(-kappa).
        with np.errstate(divide="ignore"):
            log_loss = np.log(-np.expm1(-self.rates_))
        return -self.rates_, log_loss, self.weights_ * np.exp(-self.rates_)

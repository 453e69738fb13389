"""The favorability C of a point: its distribution, and the accuracies that follow from it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np
import scipy

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, blocks, exponential

# Of eta = log(-log C), the scale of tail probabilities: C = exp(-exp(eta)) stays in [0, 1], and
# where p = 1 - C is small, eta is log p. With eta = 4 C is 1e-24: no point is favoured less.
MINIMUM_ETA, MAXIMUM_ETA = -700.0, 4.0
# More values are put into bins of eta of this width, from one below which C is 1.
MOST_VALUES, BIN, LEAST_ETA, LARGEST_ETA = 2**13, 0.004, -40.0, 7.0
# A sum of more terms is a distribution function, which takes as long for any t.
MOST_TERMS = 100
# Sums of what many ranks earn end at so many of them.
FAR_RANKS = 60


@dataclass(frozen=True, eq=False)
class Favorabilities:
    """A distribution of the favorability: values of C, of points or of nodes, and their weights.

    C_x = P_Y'(S_y*(x) > S_y'(x)) is the chance that the correct class outscores a random incorrect
    one. Both logarithms are kept, as no digits are lost then where C is near 1 or 0.

    Parameters
    ----------
    log_c, log_loss : (N,) arrays of float
        log C and log(1 - C).
    weights : (N,) array of float
        Most often they sum to 1. A curve of signed or free coefficients has such weights.
    """

    log_c: Float64Array
    log_loss: Float64Array
    weights: Float64Array

    @classmethod
    def of(cls, c: Float64Array, weights: Float64Array) -> Self:
        """Take the values C as they are."""
        with np.errstate(divide="ignore"):
            return cls(np.log(c), np.log1p(-c), weights)

    @classmethod
    def of_logs(cls, log_c: Float64Array, weights: Float64Array) -> Self:
        """Take the values log C."""
        with np.errstate(divide="ignore"):
            return cls(log_c, np.log(-np.expm1(log_c)), weights)

    @classmethod
    def of_losses(cls, loss: Float64Array, weights: Float64Array) -> Self:
        """Take the values 1 - C."""
        with np.errstate(divide="ignore"):
            return cls(np.log1p(-loss), np.log(loss), weights)

    @cached_property
    def _binned(self) -> "Favorabilities":
        """Many values in narrow bins of eta: no top-1 accuracy moves by 1e-6."""
        weights: Float64Array = self.weights
        if len(weights) <= MOST_VALUES or weights.min() < 0:
            return self
        with np.errstate(divide="ignore"):
            eta = np.log(-self.log_c).clip(LEAST_ETA, LARGEST_ETA)
        place = np.rint((eta - LEAST_ETA) / BIN).astype(np.int64)
        total = np.bincount(place, weights).astype(np.float64)
        sums = np.bincount(place, weights * np.maximum(self.log_c, -np.exp(LARGEST_ETA)))
        there = total > 0
        return Favorabilities.of_logs(sums[there] / total[there], total[there])

    def accuracy(self, k: IntArray, top: int = 1) -> Float64Array:
        """Expect the top-t accuracy at k classes, (n,).

        Binomial(k - 1, 1 - C_x) of k - 1 incorrect classes outscore the correct one, so that

            E_k[A^(t)] = sum_x w_x sum_{j < t} binom(k - 1, j) (1 - C_x)^j C_x^(k - 1 - j)

        which is ICLR 2021, Eq. 12, at t = 1. Every term is positive and formed from logarithms.
        The result is at most the sum of the weights; 1 where t >= k.
        """
        result, law = np.empty(len(k)), self._binned if top == 1 else self
        for here in blocks(len(k), len(law.log_c)):
            # Not `@`: the sums of a threaded BLAS depend on the number of cores.
            result[here] = (law.chances(k[here], top) * law.weights).sum(axis=1)
        result[k <= top] = 1.0
        return result

    def expected(self, k: IntArray, earned: Float64Array) -> Float64Array:
        """Expect what points earn at k classes, (n,): earned[m], (t, N), where m outscore them.

        Ranks beyond the first hundred are taken together, a few at a time.
        """
        result, above = np.zeros(len(k)), scipy.special.betainc
        terms, loss = min(len(earned), MOST_TERMS), np.exp(self.log_loss)
        far = np.unique(np.geomspace(terms, len(earned), FAR_RANKS).astype(np.int64))
        for here in blocks(len(k), len(self.log_c)):
            incorrect = (k[here, None] - 1).astype(np.float64)
            for m, chance in enumerate(_terms(incorrect, self.log_c, self.log_loss, terms)):
                result[here] += (chance * earned[m]).sum(axis=1)
            for first, last in pairwise(far):
                # Chance of so many or more, of the k - 1.
                beyond = [
                    np.where(m <= incorrect, above(m, (incorrect + 1 - m).clip(1), loss), 0.0)
                    for m in (first, last)
                ]
                some = earned[first:last].mean(axis=0)
                result[here] += ((beyond[0] - beyond[1]) * some).sum(axis=1)
        return result

    def chances(self, k: IntArray, top: int = 1) -> FloatArray:
        """Chance of each point to be among the best t of k classes, k > t, (n, N)."""
        incorrect = (k[:, None] - 1).astype(np.float64)
        if top == 1:
            return exponential(incorrect * self.log_c)
        if top <= MOST_TERMS:
            return np.minimum(sum(_terms(incorrect, self.log_c, self.log_loss, top)), 1.0)
        others = np.maximum(incorrect + 1 - top, 1)
        return np.asarray(scipy.special.betaincc(float(top), others, np.exp(self.log_loss)))


def _terms(
    incorrect: Float64Array, log_favorability: Float64Array, log_loss: Float64Array, top: int
) -> Iterator[Float64Array]:
    """Yield the chances of 0, 1, ..., t - 1 classes that outscore the correct one, (n, N) each."""
    log_choose = np.zeros_like(incorrect)
    for outscoring in range(min(top, int(incorrect.max()) + 1)):
        won = incorrect - outscoring
        with np.errstate(invalid="ignore"):
            log_term = log_choose + won * log_favorability
            # 0 log 0 = 0.
            log_term = np.where(won == 0, log_choose, log_term)
            if outscoring:
                log_term = log_term + outscoring * log_loss
        yield exponential(np.where(won >= 0, log_term, -np.inf))
        with np.errstate(divide="ignore"):
            log_choose = log_choose + np.log(np.maximum(won, 0) / (outscoring + 1))


def eta_of_log_p(log_p: Float64Array) -> Float64Array:
    """Transform log p, p = 1 - C, to eta = log(-log C), between -700 and 4."""
    bounded = np.clip(log_p, MINIMUM_ETA, -1e-15)
    small = bounded < -30  # Here -log(1 - p) = p to double precision.
    eta = np.log(-np.log1p(-np.exp(np.where(small, -30.0, bounded))))
    return np.clip(np.where(small, bounded, eta), MINIMUM_ETA, MAXIMUM_ETA)


def favorability_of_eta(eta: Float64Array) -> Float64Array:
    """Transform eta back to C = exp(-exp(eta))."""
    return np.exp(-hazard_of_eta(eta))


def hazard_of_eta(eta: Float64Array) -> Float64Array:
    """Transform eta to -log C."""
    return np.exp(np.clip(eta, MINIMUM_ETA, MAXIMUM_ETA))

"""Classes to come that are unlike the known ones: what today's queries lose as they join.

Scores of today's queries for m newcomers give two estimates of the accuracy with K known classes
and k newcomers, on log odds theta:

- the tail: the method is fitted to the newcomers as drawn rivals, and the known classes are fixed;
- the factor: k newcomers count as phi k known classes, theta_K + theta(K + phi k) - theta(K), with
  theta(.) of the method fitted to the known classes, and theta_K observed.

phi is where the curve of the known classes has the accuracy that is observed against j = m / 2
newcomers alone. log phi is taken times max(0, 1 - 4 / z^2), with z of a test by permutations
whether newcomers win as often as known classes do. Its variance is that of ten groups of newcomers
which are left out in turn. With V the variance of each, both are mixed by weights w in proportion
to 1 / (V + .05^2), 1 / m added to the tail's, whose weight w is taken .7 times: where newcomers
are like the known classes, the factor errs less. The variance of the mean is

    w V_tail + (1 - w) V_factor + .75 w (1 - w) (theta_tail - theta_factor)^2.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit, gammaln

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.fitted import Fitted
from accuracy_curves.intervals.half_fits import DISAGREEMENT, HalfFits, fit_halves
from accuracy_curves.observed.accuracy import attracting_classes, average_accuracy, ranks
from accuracy_curves.observed.measures import Measure, Top
from accuracy_curves.scores.rivals import FixedRivals
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray, log_odds
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import LARGEST_CLASSES

PERMUTATIONS, UNLIKE = 199, 0.01
# Groups of newcomers that are left out, points of the curve on which phi is read, its largest k.
GROUPS, POINTS, FAR = 10, 80, 1000
# Squared error of either estimate that no half shows.
LEAST_VARIANCE = 0.05**2
# The least z, squared, at which phi counts at all; and what the weight of the tail is taken times.
LEAST_Z2, TAIL = 4, 0.7


class Difference(NamedTuple):
    """Whether newcomers win against today's queries as often as known classes do.

    p of the permutations, and how many standard deviations the accuracy differs, on log odds.
    """

    p: float
    z: float


def compare_rivals(sample: ScoreMatrix, seed: int = 0) -> Difference:
    """Test by permuted columns whether newcomers are like the known classes."""
    new = sample.design.newcomers
    assert new is not None
    rng = np.random.default_rng(derive_seed(seed, "newcomers", "permutations"))
    (n, m), known = new.shape, sample.n_classes
    blocks = (block >= sample.correct[rows, None] for rows, block in sample.blocks())
    winning = np.column_stack([np.concatenate([*blocks]), new >= sample.correct[:, None]])
    winning[np.arange(n), sample.labels] = False
    chosen = np.zeros((known + m, PERMUTATIONS + 1))
    chosen[known:, 0] = 1
    for column in chosen.T[1:]:
        column[rng.choice(known + m, m, replace=False)] = 1
    wins = csr_array(winning.astype(np.float64))
    j, theta = max(1, min(known - 1, m) // 2), []
    for side in (chosen, 1 - chosen):
        beaten, rivals = np.rint(wins @ side), np.rint(side.sum(axis=0) - side[sample.labels])
        # The chance that none of j rivals, which are sampled, beats the right class.
        right = np.exp(_log_choose(rivals - beaten, j) - _log_choose(rivals, j))
        accuracy = sample.weights @ right / sample.weights.sum()
        theta.append(log_odds(np.clip(accuracy, 0.5 / n, 1 - 0.5 / n)))
    differ = theta[0] - theta[1]
    z = (differ - differ.mean()) / (differ.std() or np.inf)
    return Difference(float(np.mean(np.abs(z) >= abs(z[0]))), float(z[0]))


def _log_choose(n: Float64Array, j: int) -> Float64Array:
    """Give the log of the number of ordered ways to choose j of n; minus infinity of fewer."""
    return np.where(n < j, -np.inf, gammaln(n + 1) - gammaln(np.maximum(n - j, 0) + 1))


@dataclass(frozen=True, eq=False)
class _Joined(Fitted):
    """What a method expects of today's queries, with known classes and newcomers."""

    fits: JoinedFits

    def expect(self, classes: IntArray, measure: Measure) -> Float64Array:
        """Expect as from the known classes, up to their number and by each component."""
        values = super().expect(classes, measure)
        joined = classes > self.fits.n_classes
        if joined.any():
            theta, _, _ = self.fits.mix(classes[joined], measure)
            at_k1 = self.fits.seen(measure)
            values[0, joined] = self.fits.largest(measure) * np.minimum(expit(theta), at_k1)
        return values


class _TailFits(HalfFits):
    """Fits to newcomers, of the queries that no known class beats: their accuracy is A / A_K.

    Known classes stay: so only the newcomers that errors go to count.
    """

    def __init__(self, tail: HalfFits, known: HalfFits) -> None:
        super().__init__(tail._sample, tail.fitted, tail.part_fits, tail._seed)
        self._known = known

    def _at_k1(self, top: Top) -> Any:
        at_k1, of_known = super()._at_k1(top), self._known.seen(top)
        erring = attracting_classes(self._sample, self._seed, Measure.of(top))
        return at_k1._replace(erring=erring, seen=min(at_k1.seen / of_known, 1.0))

    def _expected(self, k: ArrayLike, top: Top, *known: Any) -> Float64Array:
        largest = 1 - self._least
        accuracy = np.minimum(self.fitted.predict(k, top) / self.largest(top), largest)
        rate = np.minimum(accuracy / self._known.seen(top), largest)
        return np.asarray(
            np.square((1 - rate) / (1 - accuracy)) * super()._expected(k, top, *known)
        )


class JoinedFits(HalfFits):
    """A method fitted to known classes and to newcomers, and to halves of both.

    Numbers of classes count both. `difference` is that of `compare_rivals`, `phi` how many known
    classes a newcomer counts as.
    """

    def __init__(self, sample: ScoreMatrix, known: HalfFits, tail: HalfFits) -> None:
        fitted = copy.copy(known.fitted)
        super().__init__(known._sample, fitted, known.part_fits, known._seed)
        self._known, self._tail = known, _TailFits(tail, known)
        self.n_newcomers = tail.n_classes - 1
        self.difference = compare_rivals(sample, self._seed)
        raw, self._phi_variance = self._find_phi(tail._sample.drawn_rivals())
        z = self.difference.z
        self._log_phi = raw * max(0.0, 1 - LEAST_Z2 / z**2) if z else 0.0
        self.phi = float(np.exp(self._log_phi))
        of_known = known.fitted._what_was_fitted()
        fitted._fitted = _Joined(of_known.design, of_known.places, self)

    def _find_phi(self, alone: Sample) -> tuple[float, float]:
        """Find log phi, without its shrinkage, and its variance."""
        k1, m = self.n_classes, self.n_newcomers
        near = np.unique(np.geomspace(2, k1, POINTS).astype(np.int64))
        far = np.unique(np.geomspace(k1 + 1, FAR * k1, POINTS).astype(np.int64))
        seen = self.log_odds(average_accuracy(self._sample, near, self._seed))
        beyond = self.log_odds(self._known.fitted.predict(np.append(k1, far)))
        curve = np.append(seen, seen[-1] + beyond[1:] - beyond[0])
        curve = np.minimum.accumulate(curve) - 1e-9 * np.arange(len(curve))
        log_k = np.log(np.append(near, far) - 1.0)

        def log_phi(rivals: Sample) -> float:
            j = min(m // 2, rivals.n_classes - 1)
            (theta,) = self.log_odds(average_accuracy(rivals, [j + 1], self._seed))
            return float(np.interp(-theta, -curve, log_k) - np.log(j))

        order = np.random.default_rng(derive_seed(self._seed, "newcomers", "groups")).permutation(m)
        left = [
            log_phi(alone.select_classes(np.setdiff1d(order, group)))
            for group in np.array_split(order, GROUPS)
        ]
        return log_phi(alone), (GROUPS - 1) * float(np.var(left))

    def mix(self, k: IntArray, top: Top) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Mix both estimates at more than K classes: log odds, variance, and of disagreement."""
        new, step = k - self.n_classes, max(0.05, self._phi_variance**0.5)
        tail = self.log_odds(self._tail.fitted.predict(new + 1, top), top)
        (as_known, factor), (_, moved) = (self._by_factor(new, top, by) for by in (0.0, step))
        v_tail = v_factor = np.zeros(len(k))
        if self.halves:
            of_phi = np.square((moved - factor) / step) * self._phi_variance
            v_factor = self._known.variance(as_known, top) + of_phi
            v_tail = self._tail.variance(new + 1, top)
        e_tail = v_tail + LEAST_VARIANCE + 1 / self.n_newcomers
        w = TAIL * (v_factor + LEAST_VARIANCE) / (e_tail + v_factor + LEAST_VARIANCE)
        apart = DISAGREEMENT * w * (1 - w) * np.square(tail - factor)
        return w * tail + (1 - w) * factor, w * v_tail + (1 - w) * v_factor, apart

    def _by_factor(self, new: IntArray, top: Top, step: float) -> tuple[IntArray, Float64Array]:
        """So many known classes count as all, with the newcomers; and the log odds, both (n,)."""
        count = self.n_classes + np.exp(self._log_phi + step) * new
        as_known = np.rint(np.minimum(count, float(LARGEST_CLASSES))).astype(np.int64)
        accuracy = self._known.fitted.predict(np.append(self.n_classes, as_known), top)
        theta = self.log_odds(accuracy, top)
        (at_k1,) = self.log_odds([self.seen(top) * self.largest(top)], top)
        return as_known, at_k1 + theta[1:] - theta[0]

    def effective_classes(self, top: Top = 1) -> float:
        """Count, effectively, the newcomers that errors go to."""
        return self._tail.effective_classes(top)

    def variance(
        self,
        k: ArrayLike,
        top: Top = 1,
        *,
        sample_classes: int | None = None,
    ) -> Float64Array:
        """Estimate the squared error of the log odds, (n,); it falls with the classes sampled."""
        classes = np.asarray(k, dtype=np.int64)
        variance = self._known.variance(classes, top, sample_classes=sample_classes)
        joined = classes > self.n_classes
        if joined.any():
            _, of_both, apart = self.mix(classes[joined], top)
            sampled = sample_classes or self.n_classes
            variance[joined] = self.n_classes / sampled * of_both + apart
        return variance

    def variance_of_difference(self, other: HalfFits, k: ArrayLike, top: Top = 1) -> Float64Array:
        """Estimate the squared error of the difference of two systems' log odds, (n,).

        That of both is less than their sum by as much as it is with the known classes alone.
        """
        theirs = other._known if isinstance(other, JoinedFits) else other
        apart = self._known.variance_of_difference(theirs, k, top)
        of_known = self._known.variance(k, top) + theirs.variance(k, top)
        return (self.variance(k, top) + other.variance(k, top)) * apart / of_known


def fit_joined(
    sample: Any,
    methods: Sequence[Extrapolator],
    splits: Sequence[int],
    seed: int,
    jobs: int,
) -> list[HalfFits]:
    """Fit methods to known classes and newcomers, as `fit_halves`."""
    # No column of newcomers is a class under two names.
    drawn = [copy.copy(method) for method in methods]
    for method in drawn:
        method.two_names = "drawn"
    known = fit_halves(sample.redesigned(newcomers=None), methods, splits, seed, jobs=jobs)
    tails = fit_halves(against_newcomers(sample, seed), drawn, splits, seed, jobs=jobs)
    return [JoinedFits(sample, *fits) for fits in zip(known, tails, strict=True)]


def against_newcomers(sample: ScoreMatrix, seed: int = 0) -> ScoreMatrix:
    """Make newcomers the drawn rivals of today's queries, and the known classes fixed ones.

    Of m newcomers, (N, m + 1): the last column is each query's own score, and stays in every part.
    """
    new = sample.design.newcomers
    assert new is not None
    scores = np.column_stack([new, sample.correct])
    design = replace(
        sample.design,
        newcomers=None,
        weights=sample.weights,
        owners=sample.labels,
        rivals=FixedRivals.of(sample.n_classes - 1 - ranks(sample, seed)),
        row_keys=None,
        column_keys=None,
    )
    return sample.derive(
        scores=scores,
        labels=np.full(len(scores), new.shape[1]),
        higher_is_better=True,
        classes=None,
        design=design,
    )

"""What was fitted, as a value: the measures that it expects at any number of classes."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.observed.measures import Credits, Measure, posterior
from accuracy_curves.scores.design import NO_DESIGN, Design
from accuracy_curves.scores.rivals import FixedRivals
from accuracy_curves.scores.sample import Sample, as_sample, set_aside_failures
from accuracy_curves.utils.arrays import Float64Array, IntArray, log_odds
from accuracy_curves.utils.numerics import one_thread

if TYPE_CHECKING:
    from accuracy_curves.extrapolators.base import Extrapolator

# Right answers of a query that are fitted together begin at these places; so few are not.
FIRST_PLACES, LEAST_PAIRS = (1, 3, 6, 10, 20), 50
# Of log odds at each doubling, of classes that were learned each against the rest
# (benchmarks/studies/trained.py).
TRAINING_LOSS = 0.15


class Prepared(NamedTuple):
    """What a method is fitted to: a sample, and what fits to it and to parts of it share."""

    sample: Any
    shared: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Points:
    """Points that were fitted, some of which fixed rivals beat.

    `beaten_by`, (N,), of all `n_rivals` drawn rivals beat each.
    """

    weights: Float64Array
    fixed: FixedRivals
    beaten_by: IntArray
    n_rivals: int

    @classmethod
    def of(cls, sample: Sample, seed: int) -> Points | None:
        """Keep the points of a sample that has fixed rivals; None of others."""
        if sample.design.rivals is None:
            return None
        n_rivals, fixed = sample.n_classes - 1, replace(sample.design.rivals, counts=None)
        return cls(sample.weights, fixed, n_rivals - ranks(sample, seed), n_rivals)


def credits_of(points: Points | None, measure: Measure) -> Credits:
    """Say what a measure counts of each point; of one point where all have drawn rivals alone."""
    if points is None:
        return Credits.of(measure, np.ones(1))
    return Credits.of(measure, points.weights, points.fixed)


@dataclass(frozen=True, eq=False)
class Component:
    """One of the growths that a method mixes, its weight, and the points that it was fitted to."""

    weight: float
    growth: Extrapolator
    points: Points | None

    def earned(self, k: IntArray, measure: Measure) -> Float64Array:
        """Expect what points earn of a measure, as a share of the best, at k columns, (n,)."""
        growth, points, top = self.growth, self.points, measure.top
        growth.check_top(top)
        if points is None and measure.is_hit:
            return growth._predict(k) if top == 1 else growth.favorabilities.accuracy(k, top)
        of_points = credits_of(points, measure)
        if top == 1 and not growth.sees_fixed:
            unbeaten = of_points.credit[of_points.codes, 0] > 0
            return float(of_points.weights[unbeaten].sum()) * growth._predict(k)
        law = growth.favorabilities
        if points is None:
            return law.expected(k, of_points.credit[0][:, None] * law.weights)
        if growth.sees_fixed:
            # A point may have several values of C, after those of all others.
            several = len(law.weights) // len(points.weights)
            chances = law.weights / np.tile(points.weights, several)
            return law.expected(k, np.tile(of_points.points, several) * chances)
        if law.weights.min() < 0:
            raise InputError(
                f"{growth.name} does not say which points err, as {measure} needs where some "
                "rivals stay: take another method, for instance auto"
            )
        seen, place = np.unique(points.beaten_by, return_inverse=True)
        chance = posterior(seen, points.n_rivals, law.log_c, law.log_loss, law.weights)
        with one_thread():
            return law.expected(k, of_points.spread(place, len(seen)) @ chance)


@dataclass(frozen=True, eq=False)
class PlaceFit:
    """The fit to right answers of some places of their queries.

    `share` is their weight among all points, and `failed` the weight among them of those that
    failed, which no component was fitted to: they are the ties that they are.
    """

    share: float
    failed: float
    points: Points | None
    components: Sequence[Component]

    def earned(self, k: IntArray, measure: Measure) -> Float64Array:
        """Expect what points earn at k columns, as `Fitted.expect`."""
        each = [part.earned(k, measure) for part in self.components]
        weights = [part.weight for part in self.components]
        mixed = sum(weight * earned for weight, earned in zip(weights, each, strict=True))
        values = np.array([mixed, *each])
        if not self.failed:
            return values
        of_ties = np.cumsum(measure.discounts)[np.minimum(k, measure.top) - 1] / k
        return (1 - self.failed) * values + self.failed * of_ties


@dataclass(frozen=True, eq=False)
class Fitted:
    """A method fitted to a sample of this design: a fit for each group of places."""

    design: Design
    places: Sequence[PlaceFit]

    @classmethod
    def of_curve(cls, growth: Extrapolator) -> Fitted:
        """Take what was fitted to a curve, and not to points."""
        return cls(NO_DESIGN, [PlaceFit(1.0, 0.0, None, [Component(1.0, growth, None)])])

    def expect(self, classes: IntArray, measure: Measure) -> Float64Array:
        """Expect a measure at numbers of classes: by all components, then by each, (1 + m, n)."""
        k = self.design.columns_of(classes)
        total, of_all = np.zeros((1 + len(self.places[0].components), len(k))), 0.0
        for place in self.places:
            # A hit at place 10^9 has no table of 10^9 places.
            single = place.points is None and measure.is_hit
            counted = np.ones(2) if single else credits_of(place.points, measure).counted
            of_answers, of_queries = place.share * counted
            of_all += of_queries
            if of_answers:
                total += of_answers * place.earned(k, measure)
        return self._retrained(total / of_all, classes)

    def _retrained(self, accuracy: Float64Array, classes: IntArray) -> Float64Array:
        """Lower what is expected beyond the classes that were learned each against the rest.

        The boundary of each class gets worse with more of the others, which no score shows.
        """
        if self.design.trained != "separately":
            return accuracy
        lost = TRAINING_LOSS * self.design.doublings(classes)
        return np.where(lost > 0, scipy.special.expit(log_odds(accuracy) - lost), accuracy)


def check_sample(method: Extrapolator, sample: Sample) -> None:
    """Raise `InputError` if the method cannot be fitted to such a sample."""
    if not (as_sample(sample).is_complete or method.takes_lists):
        raise InputError(
            f"{method.name} does not take lists of candidates: take another method, for instance "
            "auto"
        )
    if sample.n_classes < method.minimum_classes:
        raise InputError(
            f"{method.name} needs at least k1 = {method.minimum_classes} classes, "
            f"the sample has {sample.n_classes}"
        )
    if method.needs != "ranks" and not sample.has_scores:
        raise InputError(
            f"{method.name} needs the scores, not only the ranks: give it a score matrix"
            + (", which .stored() makes" if hasattr(sample, "stored") else "")
        )


def fit_by_place(method: Extrapolator, prepared: Prepared) -> Fitted:
    """Fit to the right answers of each group of places; to the best ones the method itself."""
    sample, places = prepared.sample, list[PlaceFit]()
    check_sample(method, sample)
    # The copies that are kept know nothing of each other.
    method._fitted = None
    for share, answers in by_place(sample):
        of_place = copy.copy(method) if places else method
        places.append(_fit_place(of_place, Prepared(answers, prepared.shared), share))
    return Fitted(sample.design, places)


def _fit_place(method: Extrapolator, prepared: Prepared, share: float) -> PlaceFit:
    sample, shared = prepared
    # The products are small: threads would only wait for each other.
    try:
        with one_thread():
            others, failed = set_aside_failures(sample)
            method._fit(others if method.sees_fixed else others.unbeaten(), **shared)
            points = Points.of(others, method.seed)
    except MemoryError as error:
        raise FitError(
            f"{method.name} does not fit in the memory of this machine, with {sample.n_points:,} "
            f"points of {sample.n_classes:,} classes: take smaller options, if it has any, or "
            "fewer points"
        ) from error
    components = [
        Component(weight, copy.copy(part), part._points or points) for weight, part in method.parts
    ]
    return PlaceFit(share, failed, points, components)


def by_place(sample: Any) -> list[tuple[float, Any]]:
    """Divide points into groups that are fitted together, by the place of their right answer.

    The best; the 2nd and 3rd; to the 6th; the 10th; the 20th; the others. Gives the weight of
    each group among all points, and its points.
    """
    if sample.design.rivals is None:
        return [(1.0, sample)]
    groups = list[IntArray]()
    group = np.searchsorted(FIRST_PLACES, sample.design.rivals.place, side="right")
    for number in range(len(FIRST_PLACES) + 1):
        rows = np.flatnonzero(group == number)
        # Too few go with the group before.
        if groups and np.count_nonzero(~sample.censored[rows]) < LEAST_PAIRS:
            groups[-1] = np.append(groups[-1], rows)
        else:
            groups.append(rows)
    rows_of_groups = [rows for rows in groups if len(rows)]
    if len(rows_of_groups) == 1:
        return [(1.0, sample)]
    shares = [float(sample.weights[rows].sum()) for rows in rows_of_groups]
    return [*zip(shares, map(sample.select_points, rows_of_groups), strict=True)]

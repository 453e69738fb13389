"""Measures of a rank: what a right answer earns at each place, and how much it counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.rivals import FixedRivals
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Whole, check

# What rank r earns, of those up to t.
DISCOUNTS: dict[str, Callable[[Float64Array], Float64Array]] = {
    "hit": np.ones_like,
    "recall": np.ones_like,
    "precision": np.ones_like,
    "mrr": np.reciprocal,
    "ndcg": lambda rank: 1 / np.log2(1 + rank),
    "map": np.reciprocal,
}


# Those of all right answers of a query, and not of the first.
COUNTED = ("recall", "precision", "ndcg", "map")


@dataclass(frozen=True)
class Measure:
    """A measure of the first t places, as ``ndcg@10`` names it; those of trec_eval.

    A query has R right answers, at the ranks r_1 < ... < r_R; sums are over ranks of
    at most t.

    ============  ==========================================  ==============
    name          value of a query                            `ir_measures`
    ============  ==========================================  ==============
    hit@t         1 where there is one                        Success@t
    recall@t      their number / R                            R@t
    precision@t   their number / t                            P@t
    mrr@t         1 / r_1                                     RR@t
    ndcg@t        sum 1 / log2(1 + r_j), over that of r_j = j  nDCG@t
    map@t         sum (j / r_j) / R                           AP@t
    ============  ==========================================  ==============

    Examples
    --------
    >>> from accuracy_curves.observed.measures import Measure
    >>> str(Measure.of(10)), Measure.of(1, "ndcg@10").top
    ('hit@10', 10)
    """

    name: str = "hit"
    top: int = 1

    @classmethod
    def of(cls, top: Top, measure: str | Measure | None = None) -> Measure:
        """Read a measure as a user writes it; without one it is the top-t accuracy, ``hit@t``."""
        if isinstance(top, str):
            return cls.of(1, top)
        if measure is None:
            if isinstance(top, Measure):
                return top
            check("top", top, Whole(1))
            return cls("hit", int(top))
        if top != 1:
            raise InputError("give a measure or top, not both: top 10 is the measure hit@10")
        name, _, places = str(measure).partition("@")
        if name not in DISCOUNTS or not places.isdecimal() or int(places) < 1:
            known = ", ".join(f"{name}@10" for name in DISCOUNTS)
            raise InputError(f"there is no measure {measure}: there are {known}, of any number")
        return cls(name, int(places))

    def __str__(self) -> str:
        return f"{self.name}@{self.top}"

    @property
    def is_hit(self) -> bool:
        """Whether it is the top-t accuracy."""
        return self.name == "hit"

    @property
    def discounts(self) -> Float64Array:
        """What the ranks 1..t earn, (t,)."""
        return DISCOUNTS[self.name](np.arange(1.0, self.top + 1))

    def shares(self, rivals: FixedRivals) -> Float64Array:
        """Share of each right answer in the best value of its query, (N,)."""
        place, right, t = rivals.place, rivals.right, self.top
        if self.name in ("hit", "mrr"):
            return (place == 0) * 1.0
        if self.name == "ndcg":
            ideal = np.cumsum(self.discounts)[np.minimum(right, t) - 1]
            return np.append(self.discounts, 0.0)[np.minimum(place, t)] / ideal
        return 1 / right if self.name != "precision" else (place < t) / t


# What groups of each point earn is counted for up to so many places.
MOST_EXACT = 20
ACCURACY = Measure()
# The t of the top-t accuracy, or any measure.
Top = int | str | Measure


@dataclass(frozen=True, eq=False)
class Credits:
    """What a measure counts of each point of a sample.

    `weights`, (N,), sum to 1; `credit[code, m]` is what a point earns, from 0 to 1, where m drawn
    rivals beat it, m < t; `codes`, (N,), are the rows of it. `counted` has the sums of what points
    count for and of what their queries do, so that the measure is `largest` times their mean.
    """

    weights: Float64Array
    codes: IntArray
    credit: Float64Array
    counted: Float64Array

    @property
    def largest(self) -> float:
        """Largest value of the measure, below 1 of precision alone."""
        return float(self.counted[0] / self.counted[1])

    @classmethod
    def of(
        cls, measure: Measure, weights: Float64Array, rivals: FixedRivals | None = None
    ) -> Credits:
        """Weigh points for a measure; where groups of each point are counted, each for itself."""
        if rivals is None:
            rivals = FixedRivals.of(np.zeros(len(weights), np.int64))
        shares = weights * measure.shares(rivals)
        # Shares of a query's answers have the sum 1 but for precision.
        counted = np.array([shares.sum(), shares.sum()])
        if measure.name == "precision":
            counted[1] = weights[rivals.place == 0].sum()
        top = measure.top
        beating, place = rivals.beating.clip(max=top), rivals.place.clip(max=top)
        kinds, codes = np.unique(beating * (top + 1) + place, return_inverse=True)
        if rivals.counts is None or top > MOST_EXACT:
            sums = rivals.sums(top)[None]
            beating, place = np.divmod(kinds, top + 1)
        else:
            sums, codes = rivals.sums_of_points(top), np.arange(len(place))
        earned = np.append(measure.discounts, np.zeros(top + 1))
        best = np.maximum(earned, measure.discounts[-1])
        reached = earned[np.arange(top) + beating[:, None]]
        credit = (sums * reached[:, None]).sum(axis=2) / best[place, None]
        return cls(shares / (counted[0] or 1.0), codes, credit, counted)

    @property
    def points(self) -> Float64Array:
        """Weight times credit of each point, (t, N)."""
        return self.credit.T[:, self.codes] * self.weights

    def values(self, above: IntArray) -> Float64Array:
        """Say what each point earns where so many drawn rivals beat it, (N,)."""
        top = self.credit.shape[1]
        return np.where(above < top, self.credit[self.codes, np.minimum(above, top - 1)], 0.0)

    def spread(self, places: IntArray, n: int) -> Float64Array:
        """Weight times credit of those at each of n places, (t, n)."""
        size = len(self.credit)
        weights = np.bincount(self.codes * n + places, self.weights, size * n).reshape(size, n)
        return np.einsum("cm,cn->mn", self.credit, weights)


def credits_of(sample: Sample, measure: Measure) -> Credits:
    """Say what a measure counts of each point of a sample.

    `InputError` where it counts photos, and a column is the best of several.
    """
    if sample.design.several_photos and measure.name in COUNTED:
        raise InputError(
            f"{measure} counts photos, and a column is here the best of several of a person: give "
            "scores of all photos, and as labels the mark of each that is right (queries x photos, "
            "query_ids[:, None] == gallery_ids). hit and mrr need no marks"
        )
    return Credits.of(measure, sample.weights, sample.design.rivals)


def posterior(
    beaten: IntArray, rivals: int, log_c: FloatArray, log_loss: FloatArray, weights: FloatArray
) -> Float64Array:
    """Chance of each value of C where so many of all rivals beat a point, (n, values).

    Of a law with these `weights`; the likelihood is binomial.
    """
    beat = beaten[:, None].astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        lost = np.where(beat == 0, 0.0, beat * log_loss)
        won = np.where(beat == rivals, 0.0, (rivals - beat) * log_c)
        chance = lost + won + np.log(weights)
        # Where no value could give it, all may.
        highest = chance.max(axis=1, keepdims=True)
        chance = np.exp(np.where(np.isfinite(highest), chance - highest, 0.0))
    return chance / chance.sum(axis=1, keepdims=True)

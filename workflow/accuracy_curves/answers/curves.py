"""Accuracies against the number of classes: the answer of `observe`, and what others share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import cycle, product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.answer import WRONG_NAMES, Answer, count, in_cell, interval_in_words
from accuracy_curves.answers.plots import (
    OTHERS_COLOR,
    Style,
    draw_observed,
    draw_predicted,
    dress_accuracy,
)
from accuracy_curves.cautions import listed, share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.intervals.class_intervals import Sizes
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.observed.accuracy import TOLERANCE, accuracy_bounds, first_known_k
from accuracy_curves.observed.cautions import cautions_of_sample
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray
from accuracy_curves.vocabulary import CLASSES, Vocabulary, with_article

# Up to this many classes the observed curve has every k, and a grid above.
EVERY_K_UP_TO = 10_000
GRID = 280
DASHES = "-", "--", ":", "-."
ENDS = ("lower", "upper", "set_lower", "set_upper")
Tops = Sequence[int | str]
# Numbers of classes of the printed table of what was observed.
TABLE_ROWS = 8
# Accuracies above it are given by their errors too; of an end below HALF they say nothing.
HIGH, HALF = 0.9, 0.5


@dataclass(frozen=True, repr=False, kw_only=True)
class CurvesAnswer(Answer):
    """Accuracies that methods predict, the chosen one first in `methods` (key: label), in `color`.

    The question has numbers of `classes`, ascending, and `tops`: the t of top-t accuracies, or
    names of measures such as ``"ndcg@10"``. `observed` and `predicted` have the columns method, k,
    top, accuracy, lower, upper, set_lower, set_upper; without an interval its ends are NaN. `sizes`
    are the numbers of classes at which each method's accuracy, that of the first top, falls below
    the `target`; empty without one.
    """

    tables_written = ("curves.csv", WRONG_NAMES)
    stem = "curves"
    title = "How accurate on more {w.classes}?"
    caption = (
        "The average {w.accuracy} over all subsets of k of the observed {w.classes} (thick, grey), "
        "and what the method predicts, with its interval. Dots are the numbers of {w.classes} of "
        "the question. Other methods are thin and grey; the dotted line is k1."
    )
    classes: list[int]
    tops: Tops
    target: float | None = None
    level: float = LEVEL
    words: Vocabulary = CLASSES
    k1: int
    methods: dict[str, str]
    color: Any
    observed: pd.DataFrame
    predicted: pd.DataFrame
    sizes: dict[str, Sizes] = field(default_factory=dict)

    @property
    def first(self) -> str:
        """The method whose answer it is."""
        return next(iter(self.methods))

    def at(self, method: str, k: int, top: int | str) -> Any:
        """Give what a method predicts at a number of classes of the question: its row."""
        table = self.predicted
        row = table[(table["method"] == method) & (table["k"] == k) & (table["top"] == top)]
        return next(row.itertuples())

    @property
    def table(self) -> pd.DataFrame:
        """The accuracy observed at k1, and those predicted, each with its intervals."""
        seen = self.observed[self.observed["k"] == self.k1]
        answered = self.predicted[self.predicted["k"].isin(self.classes)]
        return self._tidy(seen, answered).reset_index(drop=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        return {"curves.csv": self._tidy(self.observed, self.predicted)}

    def _tidy(self, *parts: pd.DataFrame) -> pd.DataFrame:
        table = pd.concat(parts)
        if self.tops == (1,):
            table = table.drop(columns="top")
        return table.rename(columns={"top": name_of(self.tops)})

    def observed_at_k1(self, top: int | str) -> float:
        """Look up the accuracy of all observed classes."""
        return float(self.observed.loc[self.observed["top"] == top, "accuracy"].iloc[-1])

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes, and where the target is reached."""
        said, w, k = [], self.words, max(self.classes)
        for top in self.tops:
            row, seen, name = self.at(self.first, k, top), self.observed_at_k1(top), w.measure(top)
            interval = interval_in_words(row.lower, row.upper, self.level)
            said.append(
                f"With {k:,} {w.classes} {with_article(name)} of {share(row.accuracy)} "
                f"is expected{interval}; with {self.k1:,}, as tested, {share(seen)}."
            )
            where = f"{'' if top == 1 else f'in the {name} '}at {k:,} {w.classes}"
            # Other measures have no errors.
            said += [] if isinstance(top, str) else errors_in_words(where, row, seen)
        if self.target is not None:
            name, sizes = w.measure(self.tops[0]), self.sizes[self.first]
            falls = f"falls below {share(self.target)} at {_count(sizes.estimate)} {w.classes}"
            if sizes.estimate is None:
                falls = f"is not below {share(self.target)} up to 10^12 {w.classes}"
            interval = interval_in_words(*sizes[1:3], self.level, _count)
            said.append(f"The {name} {falls}{interval}.")
        return said

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: classes, top unless it is 1, one column per method."""
        place, rows = self.others_from() - 1, []
        for k, top in product(self.classes, self.tops):
            cells = [self.at(name, k, top) for name in self.methods]
            numbers = [in_cell(cell.accuracy, cell.lower, cell.upper) for cell in cells]
            rows.append([*[f"{k:,}", str(top)][:place], *numbers])
        if self.target is not None:
            numbers = [in_cell(*self.sizes[name][:3], _count) for name in self.methods]
            rows.append([*[f"below {share(self.target)}", ""][:place], *numbers])
        return [*[self.words.classes, name_of(self.tops)][:place], *self.methods.values()], rows

    def others_from(self) -> int:
        """Give the column of the second method."""
        return 2 + (self.tops != (1,))

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the accuracy curves, one panel per top."""
        return [partial(self._draw, top=top) for top in self.tops]

    def _draw(self, axes: Axes, top: int | str) -> None:
        seen, curves = (table[table["top"] == top] for table in (self.observed, self.predicted))
        draw_observed(axes, seen)
        (answer, label), *others = self.methods.items()
        curve = curves[curves["method"] == answer]
        draw_predicted(axes, curve, Style(label, self.color), self.classes)
        for (name, label), dashes in zip(others, cycle(DASHES), strict=False):
            curve = curves[curves["method"] == name]
            look: Any = {"color": OTHERS_COLOR, "linewidth": 0.8, "linestyle": dashes, "zorder": 2}
            axes.plot(curve["k"], curve["accuracy"], label=label, **look)
        dress_accuracy(axes, self.k1, int(curves["k"].max()), top, self.words)


# Where a target is reached.
_count = partial(count, most="10^12")


def errors_in_words(where: str, row: Any, seen: float) -> list[str]:
    """Say in how many searches one errs, where few do; `seen` is the accuracy at k1."""
    has_interval = row.lower >= HALF
    # A mean of ones may miss 1 by its rounding.
    faultless = 1 - seen < 1e-12
    if row.accuracy <= HIGH or (faultless and not has_interval):
        return []
    if faultless:
        return [
            f"Fewer than 1 search in {_one_in(row.lower)} errs {where}, by the lower end of the "
            "interval, as no error was observed."
        ]
    ends = f" (1 in {_one_in(row.lower)} to 1 in {_one_in(row.upper)})" if has_interval else ""
    return [f"About 1 search in {_one_in(row.accuracy)} errs {where}{ends}."]


def _one_in(accuracy: float) -> str:
    """Write the n of one error in n, of two digits."""
    return f"{int(float(f'{1 / max(1 - accuracy, 1e-9):.2g}') + 0.5):,}"


def name_of(tops: Tops) -> str:
    """Say what they are, as the head of a column."""
    return "measure" if isinstance(tops[0], str) else "top"


def refuse_unused(options: Mapping[str, object], methods: Sequence[object]) -> None:
    """Raise an `InputError` where options are of none of the methods."""
    if unused := sorted({*options} - {*methods}):
        raise InputError(f"options of {unused[0]}, which is none of the methods: leave them out")


def described(sample: Sample, w: Vocabulary = CLASSES) -> str:
    """Describe the scores of a sample."""
    rivals = sample.design.rivals
    queries = sample.n_points if rivals is None else np.count_nonzero(rivals.place == 0)
    better = "higher" if sample.higher_is_better else "lower"
    text = f"{queries:,} {w.points}, {sample.counted_classes:,} {w.classes}, {better} is better"
    # Of lists: below it only bounds are known.
    least = first_known_k(sample)
    return text + f", {w.accuracy} known from {least:,} {w.classes} on" * (least > 2)


def grid(largest: int, classes: ArrayLike) -> IntArray:
    """Spread numbers of classes over 2..largest: some evenly, some by ratio, and `classes`.

    They are ascending and distinct, at most 280 more than these.
    """
    if largest <= GRID:
        spread = np.arange(2, largest + 1)
    else:
        evenly = np.linspace(2, largest, GRID // 2)
        spread = np.concatenate([evenly, np.geomspace(2, largest, GRID // 2)]).astype(np.int64)
    ends = np.array([2, largest, *np.atleast_1d(np.asarray(classes, dtype=np.int64))])
    return np.unique(np.concatenate([np.minimum(spread, largest), ends]))


def observed_curve(sample: Sample, top: int | str, seed: int) -> pd.DataFrame:
    """Average the observed accuracy at every number of classes, unless there are very many.

    Where lists do not show it, its bounds are lower and upper.
    """
    k1 = sample.counted_classes
    k = np.arange(2, k1 + 1) if k1 <= EVERY_K_UP_TO else grid(k1, [])
    lower, upper = accuracy_bounds(sample, k, seed, top=top)
    known = (upper - lower <= TOLERANCE) | (k == sample.n_classes)
    bounds = {"lower": np.where(known, np.nan, lower), "upper": np.where(known, np.nan, upper)}
    return curve_table("observed", k, top, np.where(known, lower, np.nan), **bounds)


def curve_table(
    name: str, k: IntArray, top: int | str, accuracy: Float64Array, **ends: Float64Array
) -> pd.DataFrame:
    """Put one curve into the tidy columns."""
    columns = {"method": name, "k": k, "top": top, "accuracy": accuracy}
    return pd.DataFrame({**columns, **dict.fromkeys(ENDS, np.nan), **ends})


@dataclass(frozen=True, repr=False)
class ObservedAnswer(Answer):
    """The average accuracies of a sample at every number of its classes, for each top."""

    tables_written = ("observed.csv",)
    stem = "observed"
    title = "How accurate on fewer classes?"
    caption = "The average accuracy over all subsets of k of the classes."
    sample: Sample
    tops: tuple[int | str, ...] = (1,)
    seed: int = 0

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the scores, the gravest first."""
        return sort_cautions(cautions_of_sample(self.sample))

    @cached_property
    def table(self) -> pd.DataFrame:
        """The accuracy at each number of classes; its bounds where lists have no more."""
        curves = [observed_curve(self.sample, top, self.seed) for top in self.tops]
        return pd.concat(curves, ignore_index=True)[["k", "top", "accuracy", "lower", "upper"]]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        return {"observed.csv": self.table.rename(columns={"top": name_of(self.tops)})}

    def conclusion(self) -> list[str]:
        """Say the accuracy of all classes and of two, which is the area under the reversed ROC."""
        last = self.table.groupby("top")["accuracy"].last().to_dict()
        name = self.words.measure
        seen = listed([f"the {name(top)} is {share(last[top])}" for top in self.tops])
        of_two = self.table.query("k == 2 and top == 1")["accuracy"].dropna()
        pairs = [f"; with two, {share(value)} (rAUC)" for value in of_two]
        k1 = self.sample.counted_classes
        return [f"With {k1:,} classes, as tested, {seen}{''.join(pairs)}."]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write a few numbers of classes, evenly spaced in their logarithm."""
        curves = self.table.pivot(index="k", columns="top", values="accuracy").dropna()
        few = np.unique(np.geomspace(1, len(curves), TABLE_ROWS).astype(int)) - 1
        rows = [
            [f"{k:,}", *(share(row[top]) for top in self.tops)]
            for k, row in curves.iloc[few].iterrows()
        ]
        return ["classes", *(f"average {self.words.measure(top)}" for top in self.tops)], rows

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the curves, one panel per top."""
        return [partial(self._draw, top=top) for top in self.tops]

    def _draw(self, axes: Axes, top: int | str) -> None:
        k1 = self.sample.counted_classes
        draw_observed(axes, self.table[self.table["top"] == top])
        dress_accuracy(axes, k1, k1, top)

    def data(self) -> list[str]:
        """Describe the sample."""
        return [described(self.sample)]

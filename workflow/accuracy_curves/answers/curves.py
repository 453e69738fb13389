"""Accuracies against the number of classes: what answers with curves share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.accuracy_plots import draw_accuracy
from accuracy_curves.answers.accuracy_wording import (
    errors_sentence,
    expected_sentence,
    sizes_in_words,
    target_sentence,
)
from accuracy_curves.answers.answer import WRONG_NAMES, Answer, Question
from accuracy_curves.answers.style import method_styles
from accuracy_curves.answers.wording import in_cell, span, speaker
from accuracy_curves.cautions import share
from accuracy_curves.intervals.class_intervals import Sizes
from accuracy_curves.intervals.prediction import Prediction
from accuracy_curves.observed.accuracy import TOLERANCE, accuracy_bounds
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array, IntArray

# Up to this many classes the observed curve has every k, and a grid above.
EVERY_K_UP_TO = 10_000
GRID = 280
ENDS = ("lower", "upper", "set_lower", "set_upper")


@dataclass(frozen=True)
class AccuracyQuestion(Question):
    """What is asked of a sample of classes.

    `classes` are the numbers of classes to predict the accuracy at, ascending, and `tops` the t of
    the top-t accuracies, or names of measures such as ``"ndcg@10"``. `target` is an accuracy; the
    number of classes at which it is reached is asked for. `words` is a key of `WORDS`. `splits`
    into halves give the intervals, cut to each method's `splits`; 0 for none.
    """

    classes: list[int]
    tops: tuple[int | str, ...] = (1,)
    target: float | None = None
    words: str = "classes"

    @property
    def of(self) -> str:
        """What `tops` are, as a table's head says."""
        return "measure" if isinstance(self.tops[0], str) else "top"


@dataclass(frozen=True, repr=False, kw_only=True)
class CurvesAnswer(Answer):
    """Accuracies that methods predict, the chosen one first in `methods` (key: label).

    `observed` and `predicted` have the columns method, k, top, accuracy, lower, upper, set_lower,
    set_upper; without an interval its ends are NaN. `sizes` are the numbers of classes at which
    each method's accuracy, that of the first top, falls below the target; empty without a target.
    `left_out` says by its label which method is, and why.
    """

    tables_written = ("curves.csv", WRONG_NAMES)
    stem = "curves"
    title = "How accurate on more classes?"
    question: AccuracyQuestion
    k1: int
    methods: dict[str, str]
    observed: pd.DataFrame
    predicted: pd.DataFrame
    sizes: dict[str, Sizes] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def say(self, text: str) -> str:
        """Put a text into the words of those who ask."""
        return speaker(self.question.words, of_measures=self.question.of == "measure")(text)

    @property
    def first(self) -> str:
        """The method whose answer it is."""
        return next(iter(self.methods))

    def at(self, method: str, k: int, top: int | str) -> Prediction:
        """Give what a method predicts at a number of classes of the question."""
        table = self.predicted
        row = table[(table["method"] == method) & (table["k"] == k) & (table["top"] == top)]
        return Prediction(*row[["accuracy", *ENDS]].to_numpy(dtype=np.float64)[0].tolist())

    @property
    def table(self) -> pd.DataFrame:
        """The accuracy observed at k1, and those predicted, each with its intervals."""
        seen = self.observed[self.observed["k"] == self.k1]
        answered = self.predicted[self.predicted["k"].isin(self.question.classes)]
        return self._tidy(seen, answered).reset_index(drop=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        return {"curves.csv": self._tidy(self.observed, self.predicted)}

    def _tidy(self, *parts: pd.DataFrame) -> pd.DataFrame:
        table = pd.concat(parts)
        if self.question.tops == (1,):
            table = table.drop(columns="top")
        return table.rename(columns={"top": self.question.of})

    def observed_at_k1(self, top: int | str) -> float:
        """Look up the accuracy of all observed classes."""
        return float(self.observed.loc[self.observed["top"] == top, "accuracy"].iloc[-1])

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes, and where the target is reached."""
        k, level, k1 = max(self.question.classes), self.question.level, self.k1
        said = []
        for top in self.question.tops:
            predicted, seen = self.at(self.first, k, top), self.observed_at_k1(top)
            said.append(expected_sentence(k, top, level, predicted, k1, seen))
            said.append(errors_sentence(k, predicted, seen, top))
        if self.question.target is not None:
            top, sizes = self.question.tops[0], self.sizes[self.first]
            said.append(target_sentence(top, self.question.target, sizes, level))
        return [*filter(None, said)]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: classes, top unless it is 1, a column a method."""
        several, left_out = self.question.tops != (1,), list(self.left_out.values())
        rows = [
            [
                f"{k:,}",
                *([str(top)] if several else []),
                *(in_cell(self.at(name, k, top)) for name in self.methods),
                *left_out,
            ]
            for k, top in product(self.question.classes, self.question.tops)
        ]
        if self.question.target is not None:
            sizes = ["\n".join(sizes_in_words(self.sizes[name])) for name in self.methods]
            first = [f"below {share(self.question.target)}", *([""] if several else [])]
            rows.append([*first, *sizes, *left_out])
        heads = [self.question.of] if several else []
        return ["classes", *heads, *self.methods.values(), *self.left_out], rows

    def others_from(self) -> int:
        """Give the column of the second method."""
        return 2 + (self.question.tops != (1,))

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the accuracy curves, a panel a top."""
        return [partial(self._draw, top=top) for top in self.question.tops]

    def _draw(self, axes: Axes, top: int | str) -> None:
        styles = method_styles(self.methods)
        curves, classes = (self.observed, self.predicted), self.question.classes
        draw_accuracy(axes, *curves, styles, self.k1, classes, top)
        axes.set(xlabel=self.say(axes.get_xlabel()), ylabel=self.say(axes.get_ylabel()))

    caption = (
        "The average accuracy over all subsets of k of the observed classes (thick, grey), and "
        "what the method predicts, with its interval. Dots are the numbers of classes of the "
        "question. Other methods are thin and grey; the dotted line is k1."
    )


def facts_of_sample(sample: Sample, seed: int) -> dict[str, str]:
    """Describe a sample of classes."""
    n, points = sample.n_points, np.sort(np.unique(sample.labels, return_counts=True)[1])
    of_class = f"{points[0]:,}"
    if points[0] < points[-1]:
        of_class += f" to {points[-1]:,}, median {np.median(points):,g}"
    (lower,), (upper,) = accuracy_bounds(sample, [2], seed)
    facts = {"data points": f"{n:,}", "classes, k1": f"{sample.counted_classes:,}"}
    rivals = sample.design.rivals
    if rivals is not None and (queries := (rivals.place == 0).sum()) < n:
        facts["data points"] = f"{queries:,}, with {n:,} right answers"
    return facts | {
        "classes with data points": f"{len(points):,} of {sample.n_classes:,}",
        "data points of a class": of_class,
        "scores": "higher is better" if sample.higher_is_better else "lower is better",
        "accuracy at two classes (rAUC)": (
            share(lower) if upper - lower <= TOLERANCE else span(lower, upper)
        ),
    }


def grid(largest: int, asked: npt.ArrayLike) -> IntArray:
    """Spread numbers of classes over 2..largest: some evenly, some by ratio, and those asked.

    They are ascending and distinct, at most 280 more than the asked.
    """
    if largest <= GRID:
        spread = np.arange(2, largest + 1)
    else:
        evenly = np.linspace(2, largest, GRID // 2)
        spread = np.concatenate([evenly, np.geomspace(2, largest, GRID // 2)]).astype(np.int64)
    ends = np.array([2, largest, *np.atleast_1d(np.asarray(asked, dtype=np.int64))])
    return np.unique(np.concatenate([np.minimum(spread, largest), ends]))


def observed_curve(sample: Sample, top: int | str, seed: int) -> pd.DataFrame:
    """Average the observed accuracy at every number of classes, unless there are very many.

    Where lists do not tell it, its bounds are lower and upper.
    """
    k1 = sample.counted_classes
    k = np.arange(2, k1 + 1) if k1 <= EVERY_K_UP_TO else grid(k1, [])
    lower, upper = accuracy_bounds(sample, k, seed, top=top)
    told = (upper - lower <= TOLERANCE) | (k == sample.n_classes)
    ends = {name: np.where(told, np.nan, end) for name, end in (("lower", lower), ("upper", upper))}
    return curve_table("observed", k, top, np.where(told, lower, np.nan), **ends)


def curve_table(
    name: str, k: IntArray, top: int | str, accuracy: Float64Array, **ends: Float64Array
) -> pd.DataFrame:
    """Put one curve into the tidy columns."""
    columns = {"method": name, "k": k, "top": top, "accuracy": accuracy}
    return pd.DataFrame({**columns, **dict.fromkeys(ENDS, np.nan), **ends})

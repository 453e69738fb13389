"""How much more accurate one of two systems will be: the answer of `compare`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.accuracy import AccuracyAnswer, answer_accuracy
from accuracy_curves.answers.accuracy_plots import (
    draw_observed,
    draw_predicted,
    dress_accuracy,
    dress_classes,
)
from accuracy_curves.answers.accuracy_wording import accuracy_name, when_valid
from accuracy_curves.answers.answer import Answer, answering
from accuracy_curves.answers.curves import AccuracyQuestion
from accuracy_curves.answers.style import Style, write_shares
from accuracy_curves.answers.wording import in_cell, percent, signed
from accuracy_curves.cautions import named, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.comparison import compare_fits, with_searches_of
from accuracy_curves.intervals.half_fits import LEAST_SPLITS, LEVEL
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.validation import Whole, check, check_classes

# Of two systems, and of their difference.
COLORS = "#0072B2", "#D55E00", "#4D4D4D"


@dataclass(frozen=True, repr=False)
class ComparisonAnswer(Answer):
    """The accuracies of two systems, whose names are the keys of `systems`, and their difference.

    `curves` are the columns of `table`, at every number of classes of the curves.
    """

    tables_written = ("comparison.csv",)
    stem = "comparison"
    title = "How much more accurate on more classes?"
    systems: dict[str, AccuracyAnswer]
    curves: pd.DataFrame

    @property
    def question(self) -> AccuracyQuestion:
        """The question, which is that of either system."""
        return next(iter(self.systems.values())).question

    @property
    def less(self) -> str:
        """The difference in words."""
        first, second = self.systems
        return f"{second} less {first}"

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt it, those of each system by its name, the gravest first."""
        each = (named(name, system.cautions) for name, system in self.systems.items())
        return sort_cautions(chain.from_iterable(each))

    @property
    def table(self) -> pd.DataFrame:
        """The accuracies and the difference, with its interval, at each number of classes."""
        asked = self.curves["k"].isin(self.question.classes)
        return self.curves[asked].reset_index(drop=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        return {"comparison.csv": self.curves}

    def conclusion(self) -> list[str]:
        """Say what difference is expected at the most classes, and what was observed."""
        row, ((first, a), (second, b)) = self.table.iloc[-1], self.systems.items()
        (top,), k1 = self.question.tops, a.k1
        seen = b.observed_at_k1(top) - a.observed_at_k1(top)
        level, interval = percent(self.question.level), ""
        if not np.isnan(row["lower"]):
            interval = f" ({level} interval {signed(row['lower'])} to {signed(row['upper'])})"
        undecided = row["lower"] <= 0 <= row["upper"]
        return [
            f"With {row['k']:,} classes the {accuracy_name(top)} of {second} less that of {first} "
            f"is expected to be {signed(row['difference'])}{interval}; with {k1:,}, as tested, it "
            f"is {signed(seen)}.",
            *(["The interval contains 0: either may be the better one."] if undecided else []),
        ]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: classes, a column a system, and the difference."""
        rows, (top,) = [], self.question.tops
        columns = self.table[["k", "difference", "lower", "upper"]]
        for k, difference, lower, upper in columns.itertuples(index=False):
            systems = [in_cell(each.at(each.first, k, top)) for each in self.systems.values()]
            ends = "" if np.isnan(lower) else f"{signed(lower)} to {signed(upper)}"
            rows.append([f"{k:,}", f"{signed(difference)}\n{ends}", *systems])
        return ["classes", self.less, *self.systems], rows

    def others_from(self) -> int:
        """Give the column of the first system."""
        return 2

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw both accuracies, and their difference."""
        return [self._draw_accuracies, self._draw_difference]

    def _draw_accuracies(self, axes: Axes) -> None:
        for (name, system), color in zip(self.systems.items(), COLORS, strict=False):
            # The legend names it once.
            draw_observed(axes, system.observed, "observed" if color == COLORS[0] else "")
            draw_predicted(axes, system.predicted, Style(name, color), self.question.classes)
        k1 = system.k1
        dress_accuracy(axes, k1, int(self.curves["k"].max()), self.question.tops[0])

    def _draw_difference(self, axes: Axes) -> None:
        a, b = self.systems.values()
        seen = a.observed.assign(accuracy=b.observed["accuracy"] - a.observed["accuracy"])
        draw_observed(axes, seen[["k", "accuracy"]])
        style = Style(self.less, COLORS[-1])
        draw_predicted(axes, self.curves, style, self.question.classes, "difference")
        axes.axhline(0, color="black", linewidth=0.6, zorder=1)
        axes.set_ylabel(self.less)
        write_shares(axes.yaxis)
        dress_classes(axes, a.k1, int(self.curves["k"].max()))

    caption = (
        "Above: the average accuracy over all subsets of k of the observed classes (thick, grey), "
        "and what is predicted of each system. Below: their difference, with its interval."
    )

    def assumptions(self) -> list[str]:
        """Say when it is valid."""
        system = next(iter(self.systems.values()))
        first = system.first
        said = when_valid(system.methods[first], system.fits[first], system.sample.design)
        return [
            *said,
            "The interval of the difference is narrower than those of both accuracies, as the draw "
            "of the classes moves both in the same direction",
        ]

    def facts(self) -> dict[str, str]:
        """Describe both samples."""
        each = [
            {f"{name}: {what}": value for what, value in system.facts().items()}
            for name, system in self.systems.items()
        ]
        return each[0] | each[1]


@answering
def compare(
    a: Sample,
    b: Sample,
    classes: npt.ArrayLike,
    method: str | Extrapolator = "auto",
    *,
    top: int | str = 1,
    level: float = LEVEL,
    common: bool = False,
    splits: int = 30,
    seed: int = 0,
    jobs: int = 1,
    names: Sequence[str] = ("a", "b"),
    **options: object,
) -> ComparisonAnswer:
    """Predict how much more accurate system b will be than system a.

    Both are fitted to the same halves of the classes. The draw of the classes moves both in the
    same direction, so that their difference is known better than either accuracy.

    Parameters
    ----------
    a, b : ScoreMatrix, or DistanceMatrix where the method needs ranks alone
        Scores of both systems for the same k1 classes: by their names where both have names, else
        in the same order. The points may be other ones, but of each class as many.
    classes : array_like of int
        Numbers of classes, at least 2.
    method : str or Extrapolator
        As of `ClassIntervals`, for both systems.
    top : int or str
        t of the top-t accuracy, or the name of a measure such as ``"ndcg@10"``.
    level : float
        Nominal coverage of the interval, from 0.5 to 0.999.
    common : bool
        Leave out the points of classes that have more in one system than in the other.
    splits : int
        Number of splits into halves, at least 3.
    seed : int
        Seed of the splits and of the method.
    jobs : int
        Number of processes that fit at the same time; the results are the same.
    names : pair of str
        What the systems are called.
    **options
        The method's options.

    Returns
    -------
    ComparisonAnswer
        As what `predict` returns. `table` has a row a number of classes: method, k, top, level,
        accuracy_a and accuracy_b, which are predicted, difference, that of b less that of a, and
        lower and upper, its interval. With m the mean of both log odds, and d an end of the
        interval of their difference, the end in accuracies is
        expit(m + d / 2) - expit(m - d / 2).

    Raises
    ------
    InputError
        If the classes are not the same, or an argument is out of range.
    FitError
        If the method cannot be fitted.

    Warns
    -----
    AccuracyWarning
        Where the answer of either system, which is named first, is useless or doubtful.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> a, b = (ac.simulate(n_classes=60, variance=variance) for variance in (0.3, 0.2))
    >>> table = ac.compare(a, b, 600, splits=5).table
    >>> bool((table.lower < table.difference).all() and (table.difference < table.upper).all())
    True
    """
    if isinstance(method, str):
        method = make_extrapolator(method, seed=seed, **options)
    check("splits", splits, Whole(LEAST_SPLITS))
    k = np.unique(check_classes(classes)).tolist()
    question = AccuracyQuestion(k, (top,), level=level, splits=splits, seed=seed)
    samples = dict(zip(names, with_searches_of(a, b, common=common), strict=True))
    return answer_comparison(samples, method, question, jobs=jobs)


def answer_comparison(
    samples: dict[str, Sample],
    method: Extrapolator,
    question: AccuracyQuestion,
    jobs: int = 1,
) -> ComparisonAnswer:
    """Fit a method to two samples, by their names, and compare."""
    systems = {
        name: answer_accuracy(sample, {method.name: method}, question, jobs=jobs)
        for name, sample in samples.items()
    }
    (top,), (a, b) = question.tops, systems.values()
    fits = a.fits[method.name], b.fits[method.name]
    return ComparisonAnswer(systems, compare_fits(*fits, a.predicted["k"], top, question.level))

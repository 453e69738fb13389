"""How much more accurate one system will be than others: the answer of `compare`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, cycle
from string import ascii_lowercase
from typing import Any
from warnings import catch_warnings

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.accuracy import AccuracyAnswer, predict
from accuracy_curves.answers.accuracy_plots import (
    draw_observed,
    draw_predicted,
    dress_accuracy,
    dress_classes,
)
from accuracy_curves.answers.accuracy_wording import when_valid
from accuracy_curves.answers.answer import Answer, answering
from accuracy_curves.answers.style import Style, write_shares
from accuracy_curves.answers.wording import in_cell, percent, signed
from accuracy_curves.cautions import listed, named, share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.comparison import compare_fits, holm, with_searches_of
from accuracy_curves.intervals.half_fits import LEAST_SPLITS, LEVEL
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.validation import Choice, Whole, check

# Of systems, and of the difference of two.
COLORS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#999933"
DIFFERENCE_COLOR = "#4D4D4D"
REFERENCES = "first", "best"
SYSTEM, DIFFERENCE = ["system", "accuracy"], ["difference", "lower", "upper", "p"]


@dataclass(frozen=True, repr=False)
class ComparisonAnswer(Answer):
    """The accuracies of systems, whose names are the keys of `systems`, and their differences.

    `differences` are those of each other system from the first, by its name: tables of
    `compare_fits`, with the p values of all together (`holm`).
    """

    tables_written = ("comparison.csv",)
    stem = "comparison"
    title = "How much more accurate on more classes?"
    systems: dict[str, AccuracyAnswer]
    differences: dict[str, pd.DataFrame]

    @property
    def first(self) -> AccuracyAnswer:
        """The answer for the first system, whose question is that of all."""
        return next(iter(self.systems.values()))

    @property
    def reference(self) -> str:
        """The system that the others are compared with."""
        return next(iter(self.systems))

    @property
    def less(self) -> dict[str, str]:
        """Each difference in words."""
        return {name: f"{name} less {self.reference}" for name in self.differences}

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt it, those of each system by its name, the gravest first."""
        of_all = (named(name, system.cautions) for name, system in self.systems.items())
        return sort_cautions(chain.from_iterable(of_all))

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The columns of `table`, at every number of classes of the curves."""
        first, *others = self.differences.values()
        if not others:
            return first.drop(columns="p")
        own = first.rename(columns={"accuracy_a": "accuracy"}).assign(system=self.reference)
        tables = [own.drop(columns=["accuracy_b", *DIFFERENCE])]
        for name, of in self.differences.items():
            tables.append(of.rename(columns={"accuracy_b": "accuracy"}).assign(system=name))
        columns = [*first.columns[:4], "system", "accuracy", *DIFFERENCE]
        every = pd.concat(tables)[columns]
        by, ascending = ["k", "accuracy"], [True, False]
        return every.sort_values(by, ascending=ascending, kind="stable", ignore_index=True)

    @property
    def table(self) -> pd.DataFrame:
        """The accuracies and differences, with intervals, at each number of classes."""
        return self.curves[self.curves["k"].isin(self.first.classes)].reset_index(drop=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        return {"comparison.csv": self.curves}

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes, and of two systems what was observed."""
        if len(self.systems) > 2:
            return self._conclusion_of_several()
        row, ((first, a), (second, b)) = self.table.iloc[-1], self.systems.items()
        (top,), k1 = a.tops, a.k1
        seen = b.observed_at_k1(top) - a.observed_at_k1(top)
        level, interval = percent(a.level), ""
        if not np.isnan(row["lower"]):
            interval = f" ({level} interval {signed(row['lower'])} to {signed(row['upper'])})"
        undecided = row["lower"] <= 0 <= row["upper"]
        return [
            f"With {row['k']:,} classes the {self.words.measure(top)} of {second} less that of "
            f"{first} is expected to be {signed(row['difference'])}{interval}; with {k1:,}, as "
            f"tested, it is {signed(seen)}.",
            *(["The interval contains 0: either may be the better one."] if undecided else []),
        ]

    def _conclusion_of_several(self) -> list[str]:
        (top,), level, k = self.first.tops, self.first.level, max(self.first.classes)
        at_k = self.table[self.table["k"] == k]
        order = [f"{name} {share(accuracy)}" for name, accuracy in at_k[SYSTEM].to_numpy()]
        said = [
            f"With {k:,} classes the {self.words.measure(top)} is expected to be: {listed(order)}."
        ]
        decided, gain = at_k["p"] <= 1 - level, at_k["difference"]
        for rows, how in (
            (decided & (gain > 0), "Better than"),
            (decided & (gain < 0), "Worse than"),
            (at_k["p"] > 1 - level, "May be better or worse than"),
        ):
            if names := at_k.loc[rows, "system"].tolist():
                said.append(f"{how} {self.reference}: {listed(names)}.")
        if len(said) > 1:
            said.append(f"This holds with {percent(level)} for all systems together (Holm).")
        return said

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: classes, and accuracies beside differences."""
        (top,), rows = self.first.tops, []
        if len(self.systems) == 2:
            for k, *difference in self.table[["k", *DIFFERENCE[:3]]].itertuples(index=False):
                accuracies = (_accuracy(system, k, top) for system in self.systems.values())
                rows.append([f"{k:,}", _difference(*difference), *accuracies])
            return ["classes", *self.less.values(), *self.systems], rows
        columns = self.table[["k", "system", *DIFFERENCE]]
        for k, name, *difference, p in columns.itertuples(index=False):
            accuracy = _accuracy(self.systems[name], k, top)
            of = ["", ""] if name == self.reference else [_difference(*difference), share(p)]
            rows.append([f"{k:,}", name, accuracy, *of])
        return ["classes", "system", self.words.measure(top), f"less {self.reference}", "p"], rows

    def others_from(self) -> int:
        """Give the column of the first of two systems."""
        return 2 if len(self.systems) == 2 else super().others_from()

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the accuracies, and the differences."""
        return [self._draw_accuracies, self._draw_differences]

    def _draw_accuracies(self, axes: Axes) -> None:
        for (name, system), color in zip(self.systems.items(), cycle(COLORS), strict=False):
            # The legend names it once.
            draw_observed(axes, system.observed, "observed" if name == self.reference else "")
            draw_predicted(axes, system.predicted, Style(name, color), self.first.classes)
        dress_accuracy(axes, system.k1, int(self.curves["k"].max()), self.first.tops[0])

    def _draw_differences(self, axes: Axes) -> None:
        first, *others = self.systems.values()
        several = len(others) > 1
        colors = [*COLORS[1:], COLORS[0]] if several else [DIFFERENCE_COLOR]
        pairs = zip(others, self.less.items(), cycle(colors), strict=False)
        for system, (name, less), color in pairs:
            gain = system.observed["accuracy"] - first.observed["accuracy"]
            draw_observed(axes, first.observed.assign(accuracy=gain)[["k", "accuracy"]])
            curve, style = self.differences[name], Style(less, color)
            draw_predicted(axes, curve, style, first.classes, "difference")
        axes.axhline(0, color="black", linewidth=0.6, zorder=1)
        axes.set_ylabel(f"less {self.reference}" if several else less)
        write_shares(axes.yaxis)
        dress_classes(axes, first.k1, int(self.curves["k"].max()))

    caption = (
        "Above: the average accuracy over all subsets of k of the observed classes (thick, grey), "
        "and what is predicted of each system. Below: the difference, with its interval."
    )

    def assumptions(self) -> list[str]:
        """Say when it is valid."""
        system, first = self.first, self.first.first
        design = system.sample.design
        said = when_valid(self.words, system.methods[first], system.fits[first], design)
        if len(self.systems) > 2:
            said.append(
                "At one number of classes the intervals of all differences hold together, with "
                f"{percent(system.level)}"
            )
        return [
            *said,
            "The interval of the difference is narrower than those of both accuracies, as the draw "
            "of the classes moves both in the same direction",
        ]

    def facts(self) -> dict[str, str]:
        """Describe all samples."""
        return {
            f"{name}: {what}": value
            for name, system in self.systems.items()
            for what, value in system.facts().items()
        }


def _difference(difference: float, lower: float, upper: float) -> str:
    """Write a difference for a table, its interval on a second line."""
    ends = "" if np.isnan(lower) else f"{signed(lower)} to {signed(upper)}"
    return f"{signed(difference)}\n{ends}"


def _accuracy(system: AccuracyAnswer, k: int, top: int | str) -> str:
    """Write an accuracy for a table, its interval on a second line."""
    row = system.at(system.first, k, top)
    return in_cell(row.accuracy, row.lower, row.upper)


@answering
def compare(
    a: Sample | Sequence[Sample],
    b: Sample | npt.ArrayLike | None = None,
    classes: npt.ArrayLike | None = None,
    method: str | Extrapolator = "auto",
    *,
    top: int | str = 1,
    level: float = LEVEL,
    common: bool = False,
    splits: int = 30,
    seed: int = 0,
    jobs: int = 1,
    names: Sequence[str] = ascii_lowercase,
    against: str = "first",
    **options: object,
) -> ComparisonAnswer:
    """Predict how much more accurate system b will be than system a; or each of several.

    ``compare([a, b, c], classes)`` compares each with the first. All are fitted to the same halves
    of the classes. The draw of the classes moves all in the same direction, so that a difference is
    known better than either accuracy.

    Parameters
    ----------
    a, b : ScoreMatrix, or DistanceMatrix where the method needs ranks alone
        Scores of both systems for the same k1 classes: by their names where both have names, else
        in the same order. The points may be other ones, but of each class as many. Of several
        systems `a` is a list, and the numbers of classes come next.
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
    names : sequence of str
        What the systems are called, by default a, b, c, ...
    against : str
        Which system the others are compared with: ``"first"``, or ``"best"``, predicted to
        be best at the most classes.
    **options
        The method's options.

    Returns
    -------
    ComparisonAnswer
        As what `predict` returns. `table` has one row per number of classes: method, k, top,
        level, the predictions accuracy_a and accuracy_b, difference (b less a), and the ends of its
        interval, lower and upper. With m the mean of both log odds, and d an end of the interval
        of their difference, the end in accuracies is expit(m + d / 2) - expit(m - d / 2).

        Of n > 2 systems it has one row per number of classes and system, the best first: system,
        accuracy, and difference, lower and upper, from the system of the comparison. At one
        number of classes the intervals hold together: each of m differences has an interval of
        level 1 - (1 - level) / m (Bonferroni). The value p tests the difference, adjusted for
        all m (Holm 1979). Here m is n - 1. Against the best it is n (n - 1) / 2, as any two might
        have been compared.

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
    check("against", against, Choice(*REFERENCES))
    samples: list[Any] = [a, b]
    k: Any = classes
    if isinstance(a, Sequence):
        if b is not None and classes is not None:
            raise InputError("give several systems as compare([a, b, c], classes, method=...)")
        samples, k = [*a], b if classes is None else classes
    called = [*names][: len(samples)]
    if len(samples) < 2 or len({*called}) < len(samples):
        raise InputError(
            f"there are {len(samples)} systems and {len({*called})} names: give two systems or "
            "more, each with a name of its own"
        )
    question: dict[str, Any] = {"level": level, "splits": splits, "seed": seed, "jobs": jobs}
    pairs = zip(called, with_searches_of(*samples, common=common), strict=True)
    with catch_warnings(action="ignore", category=AccuracyWarning):
        systems = {name: predict(sample, k, method, tops=top, **question) for name, sample in pairs}
    together = len(systems) - 1
    if against == "best":
        at_most = {
            name: system.at(method.name, max(system.classes), top).accuracy
            for name, system in systems.items()
        }
        best = max(at_most, key=at_most.__getitem__)
        systems = {best: systems[best]} | systems
        together = len(systems) * together // 2
    (_, first), *others = systems.items()
    fits = [system.fits[method.name] for system in (first, *(other for _, other in others))]
    at = first.predicted["k"], top, level
    tables = [compare_fits(fits[0], fit, *at, together=together) for fit in fits[1:]]
    p = holm(np.array([table["p"] for table in tables]), together)
    differences = {
        name: table.assign(p=adjusted)
        for (name, _), table, adjusted in zip(others, tables, p, strict=True)
    }
    return ComparisonAnswer(systems, differences)

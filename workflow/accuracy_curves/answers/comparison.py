"""How much more accurate one system will be than others: the answer of `compare`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, cycle
from string import ascii_lowercase
from typing import Any
from warnings import catch_warnings

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.accuracy import AccuracyAnswer, predict
from accuracy_curves.answers.answer import Answer, in_cell, interval_in_words, percent, signed
from accuracy_curves.answers.plots import (
    COLORS,
    Style,
    draw_observed,
    draw_predicted,
    dress_accuracy,
    dress_classes,
    write_shares,
)
from accuracy_curves.cautions import listed, named, share, sort_cautions, warn
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.comparison import compare_fits, holm, with_searches_of
from accuracy_curves.intervals.half_fits import LEAST_SPLITS, LEVEL
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import ArrayLike
from accuracy_curves.utils.validation import Choice, Whole, check

# Of the difference of two systems.
DIFFERENCE_COLOR = "#4D4D4D"
REFERENCES = "first", "best"
DIFFERENCE = ["difference", "lower", "upper", "p"]


@dataclass(frozen=True, repr=False)
class ComparisonAnswer(Answer):
    """The accuracies of systems, whose names are the keys of `systems`, and their differences.

    `differences` are those of each other system from the first, the `reference`, by its name:
    tables of `compare_fits`, with the p values of all together (`holm`).
    """

    tables_written = ("comparison.csv",)
    stem = "comparison"
    assumptions = "comparison.html"
    title = "How much more accurate on more classes?"
    systems: dict[str, AccuracyAnswer]
    differences: dict[str, pd.DataFrame]

    @property
    def reference(self) -> str:
        """The system that the others are compared with."""
        return next(iter(self.systems))

    @property
    def first(self) -> AccuracyAnswer:
        """The answer for the reference, whose question is that of all."""
        return self.systems[self.reference]

    @property
    def several(self) -> bool:
        """Whether there are more than two systems."""
        return len(self.systems) > 2

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt it, those of each system by its name, the gravest first."""
        of_all = (named(name, system.cautions) for name, system in self.systems.items())
        return sort_cautions(chain.from_iterable(of_all))

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The columns of `table`, at every number of classes of the curves."""
        table = next(iter(self.differences.values()))
        if not self.several:
            return table.drop(columns="p")
        none = dict.fromkeys(DIFFERENCE, np.nan)
        tables = [table.assign(system=self.reference, accuracy=table["accuracy_a"], **none)]
        for name, other in self.differences.items():
            tables.append(other.assign(system=name, accuracy=other["accuracy_b"]))
        long = pd.concat(tables)[[*table.columns[:4], "system", "accuracy", *DIFFERENCE]]
        by, ascending = ["k", "accuracy"], [True, False]
        return long.sort_values(by, ascending=ascending, kind="stable", ignore_index=True)

    @property
    def table(self) -> pd.DataFrame:
        """The accuracies and differences, with intervals, at each number of classes."""
        return self.curves[self.curves["k"].isin(self.first.classes)].reset_index(drop=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        return {"comparison.csv": self.curves}

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes, and of two systems what was observed."""
        (top,), level, k = self.first.tops, self.first.level, max(self.first.classes)
        rows: Any = self.table[self.table["k"] == k]
        start, name = f"With {k:,} classes the", self.words.measure(top)
        if not self.several:
            (row,), (first, second) = rows.itertuples(), self.systems
            interval = interval_in_words(row.lower, row.upper, level, signed)
            seen = self.systems[second].observed_at_k1(top) - self.first.observed_at_k1(top)
            undecided = row.lower <= 0 <= row.upper
            return [
                f"{start} {name} of {second} less that of {first} is expected to be "
                f"{signed(row.difference)}{interval}; with {self.first.k1:,}, as tested, it is "
                f"{signed(seen)}.",
                *["The interval contains 0: either may be the better one."] * undecided,
            ]
        order = [f"{row.system} {share(row.accuracy)}" for row in rows.itertuples()]
        said = [f"{start} {name} is expected to be: {listed(order)}."]
        decided, gain = rows["p"] <= 1 - level, rows["difference"]
        for chosen, how in (
            (decided & (gain > 0), "Better than"),
            (decided & (gain < 0), "Worse than"),
            (rows["p"] > 1 - level, "May be better or worse than"),
        ):
            if names := rows.loc[chosen, "system"].tolist():
                said.append(f"{how} {self.reference}: {listed(names)}.")
        if len(said) > 1:
            said.append(f"This holds with {percent(level)} for all systems together (Holm).")
        return said

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: classes, accuracies and differences."""
        table: Any = self.table
        rows = []
        for row in table.itertuples():
            accuracies = {
                name: in_cell(cell.accuracy, cell.lower, cell.upper)
                for name, system in self.systems.items()
                for cell in [system.at(system.first, row.k, system.tops[0])]
            }
            difference = in_cell(row.difference, row.lower, row.upper, signed)
            if not self.several:
                rows.append([f"{row.k:,}", difference, *accuracies.values()])
            else:
                gain = ["", ""] if row.system == self.reference else [difference, share(row.p)]
                rows.append([f"{row.k:,}", row.system, accuracies[row.system], *gain])
        if not self.several:
            return ["classes", *self._less.values(), *self.systems], rows
        name = self.words.measure(self.first.tops[0])
        return ["classes", "system", name, f"less {self.reference}", "p"], rows

    @property
    def _less(self) -> dict[str, str]:
        """Each difference in words."""
        return {name: f"{name} less {self.reference}" for name in self.differences}

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the accuracies, and the differences."""
        return [self._draw_accuracies, self._draw_differences]

    def _draw_accuracies(self, axes: Axes) -> None:
        for (name, system), color in zip(self.systems.items(), cycle(COLORS), strict=False):
            # The legend names it once.
            draw_observed(axes, system.observed, "observed" if name == self.reference else "")
            draw_predicted(axes, system.predicted, Style(name, color), self.first.classes)
        dress_accuracy(axes, self.first.k1, int(self.curves["k"].max()), self.first.tops[0])

    def _draw_differences(self, axes: Axes) -> None:
        colors = [*COLORS[1:], COLORS[0]] if self.several else [DIFFERENCE_COLOR]
        first = self.first.observed
        for (name, less), color in zip(self._less.items(), cycle(colors), strict=False):
            gain = self.systems[name].observed["accuracy"] - first["accuracy"]
            draw_observed(axes, first.assign(accuracy=gain)[["k", "accuracy"]])
            style = Style(less, color)
            draw_predicted(axes, self.differences[name], style, self.first.classes, "difference")
        axes.axhline(0, color="black", linewidth=0.6, zorder=1)
        axes.set_ylabel(f"less {self.reference}" if self.several else less)
        write_shares(axes.yaxis)
        dress_classes(axes, self.first.k1, int(self.curves["k"].max()))

    caption = (
        "Above: the average accuracy over all subsets of k of the observed classes (thick, grey), "
        "and what is predicted of each system. Below: the difference, with its interval."
    )

    def data(self) -> list[str]:
        """Describe all samples."""
        return [f"{of} ({name})" for name, system in self.systems.items() for of in system.data()]


def compare(
    a: Sample | Sequence[Sample],
    b: Sample | ArrayLike | None = None,
    classes: ArrayLike | None = None,
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
        in the same order. The points may differ, but a class has as many. Of several
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
    names = names[: len(samples)]
    if len({*names}) < max(2, len(samples)):
        text = "give two systems or more, each with a name of its own"
        raise InputError(f"the systems are {', '.join(names)}: {text}")
    question: dict[str, Any] = {"level": level, "splits": splits, "seed": seed, "jobs": jobs}
    pairs = zip(names, with_searches_of(*samples, common=common), strict=False)
    with catch_warnings(action="ignore", category=AccuracyWarning):
        systems = {name: predict(sample, k, method, tops=top, **question) for name, sample in pairs}
    together = len(systems) - 1
    if against == "best":
        most = int(np.max(k))
        best = max(systems, key=lambda name: systems[name].at(method.name, most, top).accuracy)
        systems = {best: systems[best]} | systems
        together = len(systems) * together // 2
    first, *others = (system.fits[method.name] for system in systems.values())
    at = next(iter(systems.values())).predicted["k"], top, level
    tables = [compare_fits(first, fit, *at, together=together) for fit in others]
    p = holm(np.array([table["p"] for table in tables]), together)
    adjusted = [table.assign(p=of_all) for table, of_all in zip(tables, p, strict=True)]
    answer = ComparisonAnswer(systems, dict(zip([*systems][1:], adjusted, strict=True)))
    warn(answer.cautions)
    return answer

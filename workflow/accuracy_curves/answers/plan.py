"""How many classes, or people, to collect: the answer of `plan`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy.special import expit, logit

from accuracy_curves.answers.answer import Answer, count, in_cell, percent, span
from accuracy_curves.answers.plots import gradient, legend_above, write_shares
from accuracy_curves.cautions import share, sort_cautions, warn
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.identification.base import Rate
from accuracy_curves.identification.identification import Identification
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import LEAST_SPLITS, LEVEL, fit_halves
from accuracy_curves.intervals.sample_size import Plan, plan_classes, search_plan
from accuracy_curves.observed.measures import Measure
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.arrays import ArrayLike
from accuracy_curves.utils.validation import Whole, check, check_classes


@dataclass(frozen=True, repr=False)
class PlanAnswer(Answer):
    """Plans, one a number of classes of the question, from a pilot of `n` of them.

    With an `fpir` the classes are people in a gallery, and the intervals are of FNIR, where a mate
    below the rank `top` is missed.
    """

    tables_written = ("plan.csv", "widths.csv")
    stem = "plan"
    assumptions = "plan.html"
    title = "How many to collect?"
    caption = (
        "The width to expect, upper less lower end; the dotted line is the width of the question."
    )
    plans: list[Plan]
    n: int
    doubts: list[AccuracyWarning]
    fpir: float | None
    top: int | str
    level: float

    @property
    def unit(self) -> str:
        """What is collected."""
        return "classes" if self.fpir is None else "people"

    @property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt it, the gravest first."""
        of_plans = {str(doubt): doubt for plan in self.plans for doubt in plan.cautions}
        return sort_cautions([*self.doubts, *of_plans.values()])

    @property
    def table(self) -> pd.DataFrame:
        """The plans: k, value, width, width_now, needed, low and high."""
        columns = ["k", "value", "width", "width_now", "needed", "low", "high"]
        table = pd.DataFrame(self.plans)[columns]
        return table.astype(dict.fromkeys(columns[4:], "Int64"))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the plans, and the width to expect of larger samples."""
        rows = [(plan.k, n, width) for plan in self.plans for n, width in plan.widths.items()]
        widths = pd.DataFrame(rows, columns=["k", self.unit, "width"])
        return {"plan.csv": self.table, "widths.csv": widths}

    def conclusion(self) -> list[str]:
        """Say what to collect for the last number of classes."""
        plan, unit, n = self.plans[-1], self.unit, self.n
        of = f"the {self.words.measure(self.top)} at {plan.k:,} classes"
        if self.fpir is not None:
            of = f"FNIR at an FPIR of {share(self.fpir)} with {plan.k:,} enrolled"
        of = f"a {percent(self.level)} interval {share(plan.width)} wide of {of}"
        if plan.needed is None:
            return [
                f"More than 10^9 {unit} are needed for {of}, which is about {share(plan.value)}."
            ]
        if plan.needed <= n:
            return [f"The {n:,} {unit} of the pilot are enough for {of}: {share(plan.width_now)}."]
        return [
            f"Collect {plan.needed:,} {unit}, {plan.needed - n:,} more than the pilot's, for {of}.",
            f"As far as one pilot shows, {span(plan.low, plan.high, _needed)} are needed.",
        ]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the width to expect of each number of classes, and what is needed."""
        rows = [
            [f"{n:,}", *(share(plan.widths[n]) for plan in self.plans)]
            for n in self.plans[0].widths
        ]
        needed = [in_cell(plan.needed, plan.low, plan.high, _needed) for plan in self.plans]
        heads = [f"width at {plan.k:,}" for plan in self.plans]
        return [self.unit, *heads], [*rows, ["needed", *needed]]

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the width against the number that is collected."""
        return [self._draw]

    def _draw(self, axes: Axes) -> None:
        for plan, color in zip(self.plans, gradient(len(self.plans)), strict=True):
            n, widths = [*plan.widths], [*plan.widths.values()]
            axes.plot(n, widths, "o-", markersize=3, color=color, label=f"at {plan.k:,}")
        axes.axhline(self.plans[0].width, color="black", linestyle=":", linewidth=0.8)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set(xlabel=f"{self.unit} collected", ylabel="width of the interval", ylim=(0, None))
        write_shares(axes.yaxis)
        legend_above(axes)


# An end at 0 or 1 has no log odds.
LEAST = 1e-6


def planned_rate_width(rate: Rate, times: float) -> float:
    """Expect the width of an interval once so many times the people and searches are there.

    Its half width in log odds falls like one over the root of their number.
    """
    ends = logit(np.clip([rate.lower[0], rate.upper[0]], LEAST, 1 - LEAST))
    middle, half = ends.mean(), (ends[1] - ends[0]) / 2 / np.sqrt(times)
    return float(expit(middle + half) - expit(middle - half))


def plan_rates(
    found: Identification, k: int, fpir: float, width: float, level: float = LEVEL, rank: int = 1
) -> Plan:
    """Find how many people give an interval of FNIR of that width, above 0 and below 1.

    At the threshold that is set for an FPIR in a gallery of k. `found` is of the pilot; searches by
    each person, and by strangers, grow with the people. `InputError` if it has no interval.
    """
    rate, n = found.fnir_at_fpir_interval(k, fpir, rank, level), found.n_classes
    if np.isnan(rate.lower[0]) or np.isinf(found.threshold(k, fpir)[0]):
        raise InputError(
            f"the pilot gives no interval of FNIR at an FPIR of {fpir:g} with {k:,} enrolled, so "
            "that nothing can be planned: take a pilot of more people, or a higher FPIR"
        )

    def width_of(people: int, by: float = 1.0) -> float:
        return planned_rate_width(rate, people / n / by)

    return search_plan(k, float(rate.value[0]), width, n, width_of)


_needed = partial(count, most="10^9")


def plan(
    pilot: Any,
    classes: ArrayLike,
    width: float,
    method: str = "auto",
    *,
    fpir: float | None = None,
    top: int | str = 1,
    level: float = LEVEL,
    splits: int = 30,
    seed: int = 0,
    jobs: int = 1,
    **options: object,
) -> PlanAnswer:
    """Plan how many classes to collect, or how many people for identification.

    Parameters
    ----------
    pilot : ScoreMatrix, DistanceMatrix, CandidateLists or Searches
        The scores of some classes.
    classes : array_like of int
        Numbers of classes to predict the accuracy at; with an `fpir`, people in a gallery.
    width : float
        Upper minus lower end of the interval, above 0 and below 1.
    method : str
        As of `ClassIntervals`, or of `Identification`.
    fpir : float, optional
        For identification: the interval is of FNIR, at thresholds that are set for this FPIR.
    top : int or str
        t of the top-t accuracy, or the name of a measure; for identification the rank.
    level : float
        Nominal coverage of the interval.
    splits, seed : int
        Splits into halves, at least 3, and their seed.
    jobs : int
        Processes that fit at the same time.
    **options
        The method's options.

    Returns
    -------
    PlanAnswer
        As what `predict` returns. `plans` are of each number of classes: classes or people
        `needed`, their range from `low` to `high`, and the `widths` that more of them would give.

    Raises
    ------
    InputError
        If the pilot has no error, so that nothing can be planned from it.

    Warns
    -----
    AccuracyWarning
        Where the answer is useless or doubtful.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> answer = ac.plan(ac.simulate(n_classes=60, variance=0.3), 600, width=0.1, splits=5)
    >>> answer.plans[0].needed > 60
    True
    """
    what = (2, "a number of classes") if fpir is None else (1, "a gallery size")
    k = np.unique(check_classes(classes, *what)).tolist()
    check("splits", splits, Whole(LEAST_SPLITS))
    if fpir is not None:
        rates = Identification(pilot, method, **{"seed": seed, "splits": splits} | options)  # type: ignore
        rank = Measure.of(top).top
        plans = [plan_rates(rates, at, fpir, width, level, rank) for at in k]
        doubts, n = rates.cautions(k, fpir), rates.n_classes
    else:
        sample: Sample = as_sample(pilot)
        model = make_extrapolator(method, **{"seed": seed} | options)
        (halves,) = fit_halves(sample, [model], [splits], seed, jobs=jobs)
        fit, n = ClassIntervals.of(halves), sample.counted_classes
        plans = [plan_classes(fit, at, width, level, top=top) for at in k]
        doubts = cautions_of_accuracy(Predicted(fit.fitted, n, sample=sample, halves=halves))
    answer = PlanAnswer(plans, n, doubts, fpir, top, level)
    warn(answer.cautions)
    return answer

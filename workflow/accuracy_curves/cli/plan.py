"""The command `accuracy-curves plan`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cli.inputs import load_input
from accuracy_curves.cli.options import Values, one_method_options, option
from accuracy_curves.cli.terminal import (
    chosen_extrapolators,
    print_cautions,
    print_lines,
    print_table,
)
from accuracy_curves.intervals.cautions import cautions_of_accuracy
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.sample_size import Plan, plan, planned_width
from accuracy_curves.scores.score_matrix import ScoreMatrix

# Of the classes of the pilot, in the table of a plan.
LADDER = (1, 2, 4, 8, 16)

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.02
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.05 --level 0.95 --top 5"""


@click.command("plan")
@option(
    "--accuracy-width",
    "W",
    "Wanted width of the interval, its upper end minus its lower one, such as 0.02.",
    click.FloatRange(0, 1, min_open=True, max_open=True),
    required=True,
)
@one_method_options
def plan_command(
    scores: Path,
    classes: list[int],
    accuracy_width: float,
    level: float,
    top: int,
    method: str,
    options: Values,
    splits: int,
    jobs: int,
    seed: int,
    **of_input: Any,
) -> None:
    """Plan how many classes to collect.

    SCORES is a pilot: the scores of some classes. The answer is the number of classes whose
    scores would give an interval of the accuracy at --classes that is --accuracy-width wide.
    """
    (model,) = chosen_extrapolators([method], options, seed).values()
    given = load_input(scores, ScoreMatrix, seed=seed, **of_input)
    pilot = given.matrix
    (intervals,) = ClassIntervals.fit_all(pilot, [model], [splits], seed, jobs=jobs)
    plans = [plan(intervals, k, accuracy_width, level, top=top) for k in classes]
    click.echo(f"pilot: {pilot.n_points:,} points, k1 = {pilot.n_classes:,} classes")
    print_lines(given.origin)
    sizes = [pilot.n_classes * times for times in LADDER]
    rows: list[list[float | str]] = [
        [f"{n:,}", *(planned_width(intervals, k, n, level, top=top) for k in classes)]
        for n in sizes
    ]
    heads = [f"width at {k:,}" for k in classes]
    print_table(["classes collected", *heads], rows)
    for each in plans:
        click.echo(plan_sentence(each, pilot.n_classes, level))
    of_plans = {str(caution): caution for each in plans for caution in each.cautions}
    of_pilot = cautions_of_accuracy(intervals.predicted(pilot), embedded=given.embedded)
    print_cautions([*of_pilot, *of_plans.values()])


def plan_sentence(found: Plan, k1: int, level: float) -> str:
    """Say what to collect."""
    start = (
        f"accuracy at {found.k:,} classes, about {found.accuracy:.3f}: for a {100 * level:g} % "
        f"interval {found.width:g} wide "
    )
    low, high = ("beyond 10^9" if each is None else f"{each:,}" for each in (found.low, found.high))
    if found.classes is None:
        return start + "more than 10^9 classes are needed"
    if found.classes <= k1:
        return start + f"the {k1:,} classes of the pilot are enough ({found.width_now:.3f})"
    return (
        start + f"collect {found.classes:,} classes, {found.classes - k1:,} more than the pilot's "
        f"(as far as one pilot can tell, {low} to {high})"
    )

"""The command `accuracy-curves plan`."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from accuracy_curves.cautions import listed
from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.identification import Identification
from accuracy_curves.identification.rate_plan import plan_rates, planned_rate_width
from accuracy_curves.intervals.cautions import cautions_of_accuracy
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.sample_size import Plan, plan, planned_width
from accuracy_curves.observed.measures import Measure
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches

# Of the classes of the pilot, in the table of a plan.
LADDER = (1, 2, 4, 8, 16)
# FPIR that a pilot may tell.
TARGETS = np.array([0.1, 0.03, 0.01, 0.003, 0.001])

INSIDE = click.FloatRange(0, 1, min_open=True, max_open=True)
WIDTH = "Wanted width, upper minus lower end, of the interval"

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.02
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.05 --level 0.95 --top 5
  accuracy-curves plan pilot.npz --gallery-size 5000 --fpir 0.01 --fnir-width 0.05"""


@click.command("plan")
@options.CLASSES_IF_ANY
@options.option("--accuracy-width", "W", f"{WIDTH} of the accuracy, such as 0.02.", INSIDE)
@options.counts_option("--gallery-size sizes", "Identification: people enrolled", 1, required=False)
@options.option("--fpir", "F", "Identification: the FPIR that thresholds are set for.", INSIDE)
@options.option("--fnir-width", "W", f"{WIDTH} of FNIR, such as 0.05.", INSIDE)
@options.one_method_options
def plan_command(
    scores: Path,
    classes: list[int],
    accuracy_width: float | None,
    sizes: list[int],
    fpir: float | None,
    fnir_width: float | None,
    level: float,
    top: int,
    measures: options.Values,
    method: str,
    method_options: options.Values,
    splits: int,
    jobs: int,
    seed: int,
    **of_input: Any,
) -> None:
    """Plan how many classes to collect, or how many people.

    SCORES is a pilot: the scores of some classes. The answer is the number of classes whose
    scores would give an interval of the accuracy at --classes that is --accuracy-width wide. With
    --gallery-size, --fpir and --fnir-width it is the number of people whose searches would give
    such an interval of FNIR, at thresholds that are set for an FPIR.
    """
    one = options.asked_one(top, measures)
    of = Measure.of(1, one) if isinstance(one, str) else one
    if sizes and fpir and fnir_width and isinstance(one, int) and not (classes or accuracy_width):
        given = load_input(scores, Searches, seed=seed, **of_input)
        chosen = terminal.method_options([method], method_options, seed)[method]
        found = Identification(given.matrix, method, **{"splits": splits, **chosen})
        terminal.print_lines([f"pilot: {', '.join(found.searches.counts())}", *given.origin])
        print_rate_plans(found, sizes, fpir, fnir_width, level, one)
        return
    if not (classes and accuracy_width) or sizes or fpir or fnir_width:
        raise InputError(
            "give --classes and --accuracy-width; or --gallery-size, --fpir and --fnir-width"
        )
    (model,) = terminal.chosen_extrapolators([method], method_options, seed).values()
    given = load_input(scores, ScoreMatrix, seed=seed, **of_input)
    pilot = given.matrix
    (intervals,) = ClassIntervals.fit_all(pilot, [model], [splits], seed, jobs=jobs)
    plans = [plan(intervals, k, accuracy_width, level, top=of) for k in classes]
    click.echo(f"pilot: {pilot.n_points:,} points, k1 = {pilot.counted_classes:,} classes")
    terminal.print_lines(given.origin)
    sizes = [pilot.counted_classes * times for times in LADDER]
    rows: list[list[float | str]] = [
        [f"{n:,}", *(planned_width(intervals, k, n, level, top=of) for k in classes)] for n in sizes
    ]
    heads = [f"width at {k:,}" for k in classes]
    terminal.print_table(["classes collected", *heads], rows)
    for each in plans:
        start = f"{one if measures else 'accuracy'} at {each.k:,} classes"
        click.echo(plan_sentence(each, start, pilot.counted_classes, "classes", level))
    of_plans = {str(caution): caution for each in plans for caution in each.cautions}
    of_pilot = cautions_of_accuracy(intervals.predicted(pilot), embedded=given.embedded)
    terminal.print_cautions([*of_pilot, *of_plans.values()])


def plan_sentence(found: Plan, what: str, n: int, unit: str, level: float) -> str:
    """Say what to collect; the pilot has n of them."""
    start = (
        f"{what}, about {found.value:.3f}: for a {100 * level:g} % interval {found.width:g} wide "
    )
    low, high = ("beyond 10^9" if each is None else f"{each:,}" for each in (found.low, found.high))
    if found.needed is None:
        return start + f"more than 10^9 {unit} are needed"
    if found.needed <= n:
        return start + f"the {n:,} {unit} of the pilot are enough ({found.width_now:.3f})"
    return (
        start + f"collect {found.needed:,} {unit}, {found.needed - n:,} more than the pilot's "
        f"(as far as one pilot can tell, {low} to {high})"
    )


def print_rate_plans(
    found: Identification, sizes: list[int], fpir: float, width: float, level: float, rank: int
) -> None:
    """Print widths of FNIR by the number of people, what to collect, and what the pilot tells."""
    n, searches, doubts = found.n_classes, found.searches, found.cautions(sizes, fpir)
    rates = [found.fnir_at_fpir_interval(k, fpir, rank, level) for k in sizes]
    plans = [plan_rates(found, k, fpir, width, level, rank) for k in sizes]
    rows: list[list[float | str]] = [
        [f"{times * n:,}", *(planned_rate_width(rate, times) for rate in rates)] for times in LADDER
    ]
    terminal.print_table(["people enrolled", *(f"width at {k:,}" for k in sizes)], rows)
    of_all = listed([f"{rate:g}" for rate in TARGETS])
    for each in plans:
        start = f"FNIR at an FPIR of {fpir:g} with {each.k:,} enrolled"
        told = found.fnir_at_fpir_interval(each.k, TARGETS, rank, level)
        narrow = ", ".join(f"{rate:g}" for rate in TARGETS[told.upper - told.lower <= width])
        click.echo(plan_sentence(each, start, n, "people", level))
        click.echo(f"an FPIR that the pilot tells so closely: {narrow or 'none'}, of {of_all}")
        doubts += each.cautions
    mated, others = searches.mated.n_points / n, len(searches.non_mated) / n
    click.echo(f"with {mated:.2g} searches for each person, and {others:.2g} by strangers")
    terminal.print_cautions(doubts)

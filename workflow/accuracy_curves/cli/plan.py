"""The command `accuracy-curves plan`."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from accuracy_curves.cautions import listed, share
from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.identification import Identification
from accuracy_curves.identification.rate_plan import plan_rates
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import fit_halves
from accuracy_curves.intervals.sample_size import Plan, plan
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches

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
@options.counts_option("--classes", options.CLASSES_HELP, 2, required=False)
@options.option("--accuracy-width", "W", f"{WIDTH} of the accuracy, such as 0.02", INSIDE)
@options.counts_option("--gallery-size sizes", "Identification: people enrolled", 1, required=False)
@options.option("--fpir", "F", "Identification: the FPIR that thresholds are set for", INSIDE)
@options.option("--fnir-width", "W", f"{WIDTH} of FNIR, such as 0.05", INSIDE)
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
    if sizes and fpir and fnir_width and isinstance(one, int) and not (classes or accuracy_width):
        given = load_input(scores, Searches, seed=seed, **of_input)
        chosen = terminal.method_options([method], method_options, seed)[method]
        found = Identification(given.matrix, method, **{"splits": splits, **chosen})
        about, n, unit = ", ".join(found.searches.counts()), found.n_classes, "people"
        what = f"FNIR at an FPIR of {fpir:g} with {{:,}} enrolled"
        plans = [plan_rates(found, k, fpir, fnir_width, level, one) for k in sizes]
        told = [told_rates(found, each, level, one) for each in plans]
        doubts = found.cautions(sizes, fpir)
    elif classes and accuracy_width and not (sizes or fpir or fnir_width):
        (model,) = terminal.chosen_extrapolators([method], method_options, seed).values()
        given = load_input(scores, ScoreMatrix, seed=seed, **of_input)
        pilot = given.matrix
        fit = ClassIntervals.of(*fit_halves(pilot, [model], [splits], seed, jobs=jobs))
        n, unit, told = pilot.counted_classes, "classes", []
        about = f"{pilot.n_points:,} points, k1 = {n:,} classes"
        what = f"{one if measures else 'accuracy'} at {{:,}} classes"
        plans = [plan(fit, k, accuracy_width, level, top=one) for k in classes]
        known = (), (1,), pilot, fit.variation, given.wrong_names(pilot)
        doubts = cautions_of_accuracy(Predicted(fit.fitted, n, *known), embedded=given.embedded)
    else:
        raise InputError(
            "give --classes and --accuracy-width; or --gallery-size, --fpir and --fnir-width"
        )
    terminal.print_lines([f"pilot: {about}", *given.origin])
    rows = [[f"{m:,}", *(share(each.widths[m]) for each in plans)] for m in plans[0].widths]
    terminal.print_table([unit, *(f"width at {each.k:,}" for each in plans)], rows)
    said = [plan_sentence(each, what.format(each.k), n, unit, level) for each in plans]
    terminal.print_lines([*said, *told])
    of_plans = {str(caution): caution for each in plans for caution in each.cautions}
    terminal.print_cautions([*doubts, *of_plans.values()])


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


def told_rates(pilot: Identification, planned: Plan, level: float, rank: int) -> str:
    """Say which FPIR a pilot tells as closely as is wanted, and what it holds."""
    told = pilot.fnir_at_fpir_interval(planned.k, TARGETS, rank, level)
    narrow = ", ".join(f"{rate:g}" for rate in TARGETS[told.upper - told.lower <= planned.width])
    searches, n, of_all = pilot.searches, pilot.n_classes, listed([f"{rate:g}" for rate in TARGETS])
    return (
        f"an FPIR that the pilot tells so closely with {planned.k:,} enrolled: {narrow or 'none'}, "
        f"of {of_all}, by {searches.mated.n_points / n:.2g} searches for each person, and "
        f"{len(searches.non_mated) / n:.2g} by strangers"
    )

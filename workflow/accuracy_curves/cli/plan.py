"""The command `accuracy-curves plan`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches

INSIDE = click.FloatRange(0, 1, min_open=True, max_open=True)


@options.command("plan")
@options.option("--classes", text=options.CLASSES_HELP, **options.COUNTS)
@options.option("--gallery-size sizes", text="Identification: people enrolled", **options.COUNTS)
@options.option("--fpir", "F", "Identification: the FPIR that thresholds are set for", INSIDE)
@options.option(
    "--width", "W", "Upper minus lower end of the interval, such as 0.02", INSIDE, required=True
)
@options.out_option
@options.design_options
@options.one_method_options
def plan_command(scores: Path, sizes: tuple[int, ...], **question: Any) -> None:
    """Plan how many classes to collect, or how many people.

    SCORES is a pilot: the scores of some classes. The answer is the number of classes whose
    scores would give an interval of the accuracy at --classes that is --width wide. With
    --gallery-size and --fpir it is the number of people whose searches would give such an interval
    of FNIR, at thresholds that are set for an FPIR.

    Writes plan.csv, widths.csv, plan.png and plan.pdf, and the answer as report.html and
    report.json.

    \b
    Examples:
      accuracy-curves plan pilot.npz --classes 1000 --width 0.02
      accuracy-curves plan pilot.npz --classes 1000 --width 0.05 --level 0.95 --top 5
      accuracy-curves plan pilot.npz --gallery-size 5000 --fpir 0.01 --width 0.05
    """
    classes, fpir, measures = (question[name] for name in ("classes", "fpir", "measures"))
    if bool(classes) == bool(sizes) or bool(sizes) != bool(fpir) or (sizes and measures):
        raise InputError("give --classes; or --gallery-size and --fpir, without --measure")
    question = options.of_one_method(question) | {"classes": classes or sizes}
    of_input = options.of_input(question)
    loaded = load_input(scores, Searches if sizes else ScoreMatrix, **of_input)
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.plan import PlanAnswer, plan

    terminal.answered(scores, PlanAnswer, lambda: plan(loaded.matrix, **question), loaded)

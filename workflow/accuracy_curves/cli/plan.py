"""The command `accuracy-curves plan`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input, of_design
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches

INSIDE = click.FloatRange(0, 1, min_open=True, max_open=True)

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves plan pilot.npz --classes 1000 --width 0.02
  accuracy-curves plan pilot.npz --classes 1000 --width 0.05 --level 0.95 --top 5
  accuracy-curves plan pilot.npz --gallery-size 5000 --fpir 0.01 --width 0.05"""


@options.command("plan")
@options.counts_option("--classes", options.CLASSES_HELP, 2, required=False)
@options.counts_option("--gallery-size sizes", "Identification: people enrolled", 1, required=False)
@options.option("--fpir", "F", "Identification: the FPIR that thresholds are set for", INSIDE)
@options.option(
    "--width", "W", "Upper minus lower end of the interval, such as 0.02", INSIDE, required=True
)
@options.out_option
@options.design_options
@options.one_method_options
def plan_command(
    scores: Path,
    classes: list[int],
    sizes: list[int],
    fpir: float | None,
    top: int,
    measures: options.Values,
    method: str,
    method_options: options.Values,
    jobs: int,
    seed: int,
    newcomers: Path | None,
    trained: str | None,
    **asked: Any,
) -> None:
    """Plan how many classes to collect, or how many people.

    SCORES is a pilot: the scores of some classes. The answer is the number of classes whose
    scores would give an interval of the accuracy at --classes that is --width wide. With
    --gallery-size and --fpir it is the number of people whose searches would give such an interval
    of FNIR, at thresholds that are set for an FPIR.

    Writes plan.csv, widths.csv, plan.png and plan.pdf, and the answer as report.html and
    report.json.
    """
    if bool(classes) == bool(sizes) or bool(sizes) != bool(fpir) or (sizes and measures):
        raise InputError("give --classes; or --gallery-size and --fpir, without --measure")
    question: dict[str, Any] = {name: asked.pop(name) for name in ("width", "level", "splits")}
    question |= {"fpir": fpir, "top": options.asked_one(top, measures), "seed": seed}
    chosen = terminal.method_options([method], method_options, seed)[method]
    given = load_input(scores, Searches if sizes else ScoreMatrix, seed=seed, **asked)
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.plan import PlanAnswer, PlanQuestion, answer_plan

    sample = given.matrix if sizes else of_design(given.matrix, newcomers, trained)
    planned = PlanQuestion(classes=classes or sizes, **question)
    terminal.answered(
        scores,
        PlanAnswer,
        lambda: answer_plan(sample, planned, method, jobs=jobs, **chosen),
        given.origin,
        given.left_out,
    )

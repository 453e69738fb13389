"""The command `accuracy-curves predict`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input, of_design
from accuracy_curves.scores.score_matrix import ScoreMatrix

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves predict scores.npz --classes 400 --classes 1000 --out results
  accuracy-curves predict scores.csv --classes 1e6 --top 1 --top 5 --target 0.9 --lower-is-better
  accuracy-curves predict run.trec --qrels qrels.txt --searched 100000 --classes 1e6 --top 10
  accuracy-curves predict scores.npz --newcomers new.npz --classes 2000
  accuracy-curves predict faces.npz --classes 9999 --gallery centroid --metric cosine
  accuracy-curves predict scores.npz --classes 400 --method cleanex --option cleanex.steps=2000"""


@options.command("predict")
@options.CLASSES
@options.option(
    "--method methods",
    "METHOD",
    "See `accuracy-curves methods`",
    told="auto and three quick ones",
    multiple=True,
)
@options.option("--top tops", "T", options.TOP_HELP, options.FROM_ONE, told="1", multiple=True)
@options.MEASURE
@options.option(
    "--target",
    "A",
    "At how many classes the accuracy falls below A",
    click.FloatRange(0, 1, min_open=True),
)
@options.option(
    "--words",
    None,
    "What classes are called",
    click.Choice(["classes", "people", "documents", "items"]),
    told="by the input",
)
@options.OPTION
@options.LEVEL
@options.weigh_option("classes")
@options.splits_option(0)
@options.JOBS
@options.out_option
@options.design_options
@options.sample_options
def predict_command(
    scores: Path,
    classes: list[int],
    methods: options.Values,
    method_options: options.Values,
    tops: tuple[int, ...],
    measures: options.Values,
    target: float | None,
    words: str | None,
    level: float,
    weigh: str,
    splits: int,
    jobs: int,
    seed: int,
    newcomers: Path | None,
    trained: str | None,
    **of_input: Any,
) -> None:
    """Predict the accuracy at other numbers of classes from the scores of a sample of classes.

    Writes the answer as report.html and report.json, curves.png, curves.pdf and curves.csv. An
    interval contains the expected accuracy, whichever classes happened to be observed; set_lower
    and set_upper are of one new set of classes. kde uses at most 10 splits and cleanex 5.
    """
    # Deferred, so that --help is quick.
    from accuracy_curves.answers import accuracy
    from accuracy_curves.answers.curves import AccuracyQuestion

    given = load_input(scores, ScoreMatrix, seed=seed, **of_input)
    sample = of_design(given.matrix, newcomers, trained)
    chosen = methods or accuracy.default_methods(sample)
    extrapolators = terminal.chosen_extrapolators(chosen, method_options, seed)
    called = "documents" if sample.is_listed and scores.suffix != ".npz" else "classes"
    asked = options.asked_of(tops, measures), target, words or called
    question = AccuracyQuestion(classes, *asked, level=level, splits=splits, seed=seed)
    weighed = sample.weighing_points(weigh == "points" or bool(sample.points_alike))
    how: dict[str, Any] = {"leave_out": not methods, "jobs": jobs}
    terminal.answered(
        scores,
        accuracy.AccuracyAnswer,
        lambda: accuracy.answer_accuracy(weighed, extrapolators, question, **how),
        given.origin,
        given.left_out,
    )

"""The command `accuracy-curves predict`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.scores.score_matrix import ScoreMatrix


@options.command("predict")
@options.CLASSES
@options.option(
    "--method methods",
    "METHOD",
    "See `accuracy-curves methods`",
    usual="auto and three quick ones",
    multiple=True,
)
@options.option("--top tops", "T", options.TOP_HELP, options.FROM_ONE, usual="1", multiple=True)
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
    usual="by the input",
)
@options.OPTION
@options.LEVEL
@options.weigh_option("classes")
@options.SPLITS
@options.JOBS
@options.out_option
@options.design_options
@options.sample_options
def predict_command(scores: Path, measures: options.Values, weigh: str, **question: Any) -> None:
    """Predict the accuracy at other numbers of classes from the scores of a sample of classes.

    Writes the answer as report.html and report.json, curves.png, curves.pdf and curves.csv. An
    interval (none with --splits 0) contains the expected accuracy, whichever classes happened to be
    observed; set_lower and set_upper are of one new set of classes. kde uses at most 10 splits and
    cleanex 5.

    \b
    Examples:
      accuracy-curves predict scores.npz --classes 400 --classes 1000 --out results
      accuracy-curves predict scores.csv --classes 1e6 --top 5 --target 0.9 --lower-is-better
      accuracy-curves predict run.trec --qrels qrels.txt --searched 100000 --classes 1e6 --top 10
      accuracy-curves predict scores.npz --newcomers new.npz --classes 2000
      accuracy-curves predict faces.npz --classes 9999 --gallery centroid --metric cosine
      accuracy-curves predict scores.npz --classes 400 --method cleanex --option cleanex.steps=2000
    """
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.accuracy import AccuracyAnswer, predict

    loaded = load_input(scores, ScoreMatrix, **options.of_input(question))
    sample = loaded.matrix
    listed = "documents" if sample.is_listed and scores.suffix != ".npz" else "classes"
    question["words"] = question["words"] or listed
    question["tops"] = options.several_of(question["tops"], measures)
    weighed = sample.weighing_points(weigh == "points" or bool(sample.design.weigh_points))
    terminal.answered(scores, AccuracyAnswer, lambda: predict(weighed, **question), loaded)

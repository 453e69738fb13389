"""The command `accuracy-curves predict`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.scores.score_matrix import ScoreMatrix

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves predict scores.npz --classes 400 --classes 1000 --out results
  accuracy-curves predict scores.npz --classes 1000000 --top 1 --top 5 --target 0.9
  accuracy-curves predict run.trec --qrels qrels.txt --searched 100000 --classes 1e6 --top 10
  accuracy-curves predict scores.csv --classes 5000 --lower-is-better --method kde
  accuracy-curves predict faces.npz --classes 9999 --gallery centroid --metric cosine
  accuracy-curves predict scores.npz --classes 400 --method cleanex \\
      --option cleanex.steps=2000 --option cleanex.hidden=[256,64]"""


@click.command("predict")
@options.CLASSES
@options.option(
    "--method methods",
    "METHOD",
    f"One of {', '.join(EXTRAPOLATORS)}",
    told="auto, gaussian_tail, empirical_bayes, regression",
    multiple=True,
)
@options.option("--top tops", "T", options.TOP_HELP, options.FROM_ONE, told="1", multiple=True)
@options.MEASURE
@options.option(
    "--target",
    "A",
    "Also say at how many classes the accuracy, that of the first --top, falls below A",
    click.FloatRange(0, 1, min_open=True),
)
@options.option(
    "--words",
    None,
    "What classes are called",
    click.Choice(["classes", "people", "documents", "items"]),
    told="documents where a search engine lists them, else classes",
)
@options.OPTION
@options.LEVEL
@options.weigh_option("classes", "classes, whatever number of points they have, or points")
@options.splits_option(0)
@options.JOBS
@options.out_option
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
    **of_input: Any,
) -> None:
    """Predict the accuracy at other numbers of classes from the scores of a sample of classes.

    Writes report.html, a page with the answer and how far to trust it, and report.json, the same
    for programs; curves.png and curves.pdf; and curves.csv. Its columns are method, k, top or
    measure (if given), accuracy, lower and upper, then set_lower and set_upper, for the accuracy on
    one new set of classes. The method "observed" is the average accuracy over all subsets of k
    classes of the sample. A file
    wrong_names.csv is written if points and classes look like one class under two names.

    An interval contains the expected accuracy, whichever classes happened to be observed. kde uses
    at most 10 splits and cleanex 5.
    """
    # Deferred, so that --help is quick.
    from accuracy_curves.answers import accuracy
    from accuracy_curves.answers.curves import AccuracyQuestion

    given = load_input(scores, ScoreMatrix, seed=seed, **of_input)
    sample = given.matrix
    chosen = methods or accuracy.default_methods(sample)
    extrapolators = terminal.chosen_extrapolators(chosen, method_options, seed)
    called = "documents" if sample.is_listed and scores.suffix != ".npz" else "classes"
    asked = options.asked_of(tops, measures), target, words or called
    question = AccuracyQuestion(classes, *asked, level=level, splits=splits, seed=seed)
    weighed = sample.weighing_points(weigh == "points" or bool(sample.points_alike))
    how = {**given.known, "leave_out": not methods, "jobs": jobs}
    terminal.answered(
        scores,
        accuracy.AccuracyAnswer,
        lambda: accuracy.answer_accuracy(weighed, extrapolators, question, **how),
        given.origin,
    )

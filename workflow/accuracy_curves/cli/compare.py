"""The command `accuracy-curves compare`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cautions import named
from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.intervals.comparison import compare_fits, with_searches_of
from accuracy_curves.scores.score_matrix import ScoreMatrix

WRITTEN = ("comparison.csv", "comparison.pdf", "comparison.png")
EXAMPLES = """\b
Example:
  accuracy-curves compare old.npz new.npz --classes 10000 --out answer"""


@click.command("compare")
@options.out_option
@options.CLASSES
@options.one_method_options
@click.option(
    "--common", is_flag=True, help="Leave out searches for classes that one system has more of."
)
@click.argument("other", type=options.FILE)
def compare_command(
    scores: Path,
    other: Path,
    classes: list[int],
    top: int,
    measures: options.Values,
    level: float,
    method: str,
    method_options: options.Values,
    splits: int,
    jobs: int,
    seed: int,
    common: bool,
    **of_input: Any,
) -> None:
    """Predict how much more accurate a system will be than another one, at more classes.

    SCORES are of the first system and OTHER of the second, for the same classes: by their names
    where both files have them, else in the same order; both must have the same searches. The answer
    is the accuracy of the second less that of the first, with its interval. It is narrower than
    those of both accuracies, as the draw of the classes moves both in the same direction.

    Writes comparison.csv (method, k, top, level, accuracy_a, accuracy_b, difference, lower, upper),
    comparison.png and comparison.pdf.
    """
    asked = options.asked_one(top, measures)
    paths = scores, other
    names = [str(path) if scores.name == other.name else path.name for path in paths]
    models = terminal.chosen_extrapolators([method], method_options, seed)
    inputs = [load_input(path, ScoreMatrix, seed=seed, **of_input) for path in paths]
    samples = with_searches_of(inputs[0].matrix, inputs[1].matrix, common=common)
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.accuracy import AccuracyQuestion, answer_accuracy
    from accuracy_curves.answers.accuracy_plots import compared_curves_figure
    from accuracy_curves.answers.answer import write_files
    from accuracy_curves.answers.wording import percent

    question = AccuracyQuestion(classes, (asked,), level=level, splits=splits, seed=seed)
    with terminal.written_answer(scores, WRITTEN) as staged:
        a, b = (
            answer_accuracy(sample, models, question, **each.known, jobs=jobs)
            for sample, each in zip(samples, inputs, strict=True)
        )
        fits = a.fits[method], b.fits[method]
        curves = compare_fits(*fits, a.predicted["k"], asked, level)
        seen = a.observed.assign(accuracy=b.observed["accuracy"] - a.observed["accuracy"])
        drawn = a.predicted, b.predicted, curves.assign(accuracy=curves["difference"], top=asked)
        observed, k1 = (a.observed, b.observed, seen), samples[0].counted_classes
        figure = compared_curves_figure(names, observed, drawn, k1, classes, asked)
        write_files(staged, {WRITTEN[0]: curves}, figure, "comparison")
    for name, answer, each in zip(names, (a, b), inputs, strict=True):
        terminal.print_lines([f"{name}: {line}" for line in (answer.about(), *each.origin)])
    columns = ["k", "accuracy_a", "accuracy_b", "difference", "lower", "upper"]
    answered = curves.loc[curves["k"].isin(classes), columns]
    rows = [
        [f"{k:,}", first, second, *map("{:+.3f}".format, difference)]
        for k, first, second, *difference in answered.itertuples(index=False)
    ]
    terminal.print_table(["classes", *names, "difference", "lower", "upper"], rows)
    less = f"difference: {names[1]} less {names[0]}, and its {percent(level)} interval"
    terminal.print_lines([f"{less}; where this holds 0, it cannot be told which one is better"])
    for name, answer in zip(names, (a, b), strict=True):
        terminal.print_cautions(named(name, answer.cautions))

"""The command `accuracy-curves compare`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cautions import named
from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.exceptions import InputError
from accuracy_curves.intervals.comparison import with_searches_of
from accuracy_curves.scores.score_matrix import ScoreMatrix

EXAMPLES = """\b
Example:
  accuracy-curves compare old.npz new.npz --classes 10000 --out answer"""


@options.command("compare")
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
    comparison.png and comparison.pdf, and the answer as report.html and report.json.
    """
    asked = options.asked_one(top, measures)
    paths = scores, other
    names = [str(path) if scores.name == other.name else path.name for path in paths]
    (model,) = terminal.chosen_extrapolators([method], method_options, seed).values()
    inputs = [load_input(path, ScoreMatrix, seed=seed, **of_input) for path in paths]
    if len({*names}) < 2:
        raise InputError(f"both systems are {other}: give the scores of two")
    samples = with_searches_of(inputs[0].matrix, inputs[1].matrix, common=common)
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.comparison import ComparisonAnswer, answer_comparison
    from accuracy_curves.answers.curves import AccuracyQuestion

    question = AccuracyQuestion(classes, (asked,), level=level, splits=splits, seed=seed)
    systems = dict(zip(names, samples, strict=True))
    origin = [
        f"{name}: {line}" for name, of in zip(names, inputs, strict=True) for line in of.origin
    ]
    both = zip(names, inputs, strict=True)
    left_out = [note for name, each in both for note in named(name, each.left_out)]
    terminal.answered(
        scores,
        ComparisonAnswer,
        lambda: answer_comparison(systems, model, question, jobs),
        origin,
        left_out,
    )

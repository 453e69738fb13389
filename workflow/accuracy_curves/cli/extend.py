"""The command `accuracy-curves extend`."""

from pathlib import Path
from typing import Any, cast

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import Input
from accuracy_curves.exceptions import located
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.scores.files import read_file
from accuracy_curves.scores.formats.base import Curve, Source

DEFAULT_METHODS = "two_parameter", "pitman_yor"


@options.command("extend")
@options.CLASSES
@options.option(
    "--method methods",
    "METHOD",
    "See `accuracy-curves methods`",
    usual=", ".join(DEFAULT_METHODS),
    multiple=True,
)
@options.option(
    "--top", "T", "CURVE and predictions are of top-T accuracies", options.FROM_ONE, default=1
)
@options.LEVEL
@options.SEARCHED
@options.OPTION
@options.out_option
@click.argument("curve", type=options.FILE)
def extend_command(
    curve: Path,
    classes: tuple[int, ...],
    methods: options.Values,
    top: int,
    searched: int | None,
    **question: Any,
) -> None:
    """Predict the accuracy at more classes from a curve alone, without scores.

    CURVE is a .csv file whose first line names its columns: k, a number of classes; accuracy, from
    0 to 1; and, if known, counts, how many trials are behind it. It has three k or more; lines of
    one k are pooled. A rate of misses or of false positives is 1 minus such an accuracy. Or it has
    ranks of right answers, rank and candidates, or a CMC, rank and cmc, with --searched.

    Writes curves.csv, curves.png and curves.pdf, and the answer as
    report.html and report.json. There is an interval
    where several lines of one k are runs of their own. If you have the scores, `predict` makes more
    of them.

    \b
    Examples:
      accuracy-curves extend curve.csv --classes 1000
      accuracy-curves extend curve.csv --classes 1000 --classes 10000 --method two_parameter
    """
    with Source(curve, searched=searched, top=top) as source:
        read = read_file(source, "curve")
    observed = cast(Curve, read.curve)
    chosen = list(dict.fromkeys(methods)) or list(DEFAULT_METHODS[: None if top == 1 else 1])
    notes = list(read.how)
    if top > 1 and not methods:
        label = EXTRAPOLATORS[DEFAULT_METHODS[1]].label
        notes.append(f"{label} is left out, as it predicts the top-1 accuracy alone")
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.extension import ExtensionAnswer, extend

    terminal.answered(
        curve,
        ExtensionAnswer,
        located(curve)(lambda: extend(observed, classes, chosen, top, **question)),
        Input(None, notes),
    )

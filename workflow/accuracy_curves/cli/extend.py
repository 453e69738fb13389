"""The command `accuracy-curves extend`."""

from pathlib import Path

import click
import numpy as np

from accuracy_curves.cautions import sort_cautions
from accuracy_curves.cli import options, terminal
from accuracy_curves.exceptions import located
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.extrapolators.bare_curves import fit_curve
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.intervals import cautions
from accuracy_curves.scores.files import read_curve

METHODS = tuple(name for name, kind in EXTRAPOLATORS.items() if issubclass(kind, CurveExtrapolator))
DEFAULT_METHODS = ("two_parameter", "pitman_yor")
WRITTEN = ("curves.csv", "curves.pdf", "curves.png")
EXAMPLES = """\b
Examples:
  accuracy-curves extend curve.csv --classes 1000
  accuracy-curves extend curve.csv --classes 1000 --classes 10000 --method two_parameter"""


@click.command("extend")
@options.CLASSES
@options.option(
    "--method methods",
    "METHOD",
    f"One of {', '.join(METHODS)}",
    click.Choice(METHODS),
    told=", ".join(DEFAULT_METHODS),
    multiple=True,
)
@options.option(
    "--top", "T", "CURVE and predictions are of top-T accuracies", options.FROM_ONE, default=1
)
@options.OPTION
@options.out_option
@click.argument("curve", type=options.FILE)
def extend_command(
    curve: Path,
    classes: list[int],
    methods: options.Values,
    top: int,
    method_options: options.Values,
) -> None:
    """Predict the accuracy at more classes from a curve alone, without scores.

    CURVE is a .csv file whose first line names its columns: k, a number of classes; accuracy, from
    0 to 1; and, if known, counts, how many trials are behind it. It has three k or more; lines of
    one k are pooled. A rate of misses or of false positives is 1 minus such an accuracy.

    Writes curves.csv (method, k, top, accuracy), curves.png and curves.pdf. There is no interval,
    as a curve does not tell how its points vary. If you have the scores, `predict` makes more of
    them.
    """
    given = read_curve(curve)
    chosen = list(dict.fromkeys(methods)) or list(DEFAULT_METHODS[: None if top == 1 else 1])
    values = terminal.method_options(chosen, method_options, 0)
    with located(curve):
        models = {
            name: fit_curve(*given[:2], name, counts=given.counts, top=top, **values[name])
            for name in chosen
        }
    k1, seen = int(given.k.max()), float(given.accuracy[given.k.argmax()])
    with terminal.written_answer(curve, WRITTEN) as staged:
        # Deferred, so that --help is quick.
        import pandas as pd

        from accuracy_curves.answers.accuracy import curve_table, grid
        from accuracy_curves.answers.accuracy_plots import predicted_curves_figure
        from accuracy_curves.answers.answer import write_files
        from accuracy_curves.answers.style import method_styles

        observed = curve_table("observed", given.k, top, given.accuracy).sort_values("k")
        at = grid(max(k1, *classes), [k1, *classes])
        curves = [
            curve_table(name, at, top, each.predict(at, top)) for name, each in models.items()
        ]
        predicted, styles = pd.concat(curves, ignore_index=True), method_styles(models)
        figure = predicted_curves_figure(observed, predicted, styles, k1, classes=classes)
        table = pd.concat([observed, predicted], ignore_index=True)
        tables = {"curves.csv": table.dropna(axis="columns", how="all")}
        write_files(staged, tables, figure, "curves")
    about = f"{len(given.k):,} accuracies at {given.k.min():,} to {k1:,} classes"
    terminal.print_lines([f"{about}; no interval, as there are no scores"])
    rows = np.column_stack([models[name].predict(classes, top) for name in chosen]).tolist()
    terminal.print_table(
        ["classes", *(EXTRAPOLATORS[name].label for name in chosen)],
        [[f"{k:,}", *row] for k, row in zip(classes, rows, strict=True)],
    )
    first, *others = (
        cautions.Predicted(each, k1, classes, (top,), observed=seen) for each in models.values()
    )
    doubts = sort_cautions(cautions.cautions_of_accuracy(first))
    terminal.print_cautions([*doubts, *cautions.cautions_of_others(others)])

"""The command `accuracy-curves extend`."""

from pathlib import Path

import click
import numpy as np

from accuracy_curves.answers.accuracy_cautions import cautions_of_rise
from accuracy_curves.cautions import sort_cautions
from accuracy_curves.cli.options import CLASSES, OPTION, Values, out_option
from accuracy_curves.cli.terminal import (
    method_options,
    output_folder,
    print_cautions,
    print_lines,
    print_table,
)
from accuracy_curves.exceptions import AccuracyWarning, located
from accuracy_curves.extrapolators import EXTRAPOLATORS, cautions_of_reach
from accuracy_curves.extrapolators.bare_curves import fit_curve
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.scores.files import read_curve
from accuracy_curves.scores.formats.curve import Curve

METHODS = tuple(name for name, kind in EXTRAPOLATORS.items() if issubclass(kind, CurveExtrapolator))
DEFAULT_METHODS = ("two_parameter", "pitman_yor")
WRITTEN = ("curves.csv", "curves.pdf", "curves.png")
EXAMPLES = """\b
Examples:
  accuracy-curves extend curve.csv --classes 1000
  accuracy-curves extend curve.csv --classes 1000 --classes 10000 --method two_parameter"""


@click.command("extend", epilog=EXAMPLES)
@CLASSES
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(METHODS),
    metavar="METHOD",
    help=f"One of {', '.join(METHODS)}; may be given several times.  "
    f"[default: {', '.join(DEFAULT_METHODS)}]",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="T",
    default=1,
    show_default=True,
    help="CURVE is of top-T accuracies, such as hit rates at T; so are the predictions.",
)
@OPTION
@out_option
@click.argument("curve", type=click.Path(path_type=Path))
def extend_command(
    curve: Path,
    classes: list[int],
    methods: Values,
    top: int,
    options: Values,
    out: Path | None,
    overwrite: bool,
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
    values = method_options(chosen, options, 0)
    with located(curve):
        models = {
            name: fit_curve(*given[:2], name, counts=given.counts, top=top, **values[name])
            for name in chosen
        }
    with output_folder(curve, "extend", out, WRITTEN, overwrite=overwrite) as folder:
        written = _write(given, models, classes, top, folder)
    click.echo(
        f"{len(given.k):,} accuracies at {given.k.min():,} to {given.k.max():,} classes; no "
        "interval, as there are no scores"
    )
    rows = np.column_stack([models[name].predict(classes, top) for name in chosen]).tolist()
    print_table(
        ["classes", *(EXTRAPOLATORS[name].label for name in chosen)],
        [[f"{k:,}", *row] for k, row in zip(classes, rows, strict=True)],
    )
    print_cautions(_cautions(given, models, classes, top))
    print_lines([f"wrote {path}" for path in written])


def _cautions(
    given: Curve, models: dict[str, CurveExtrapolator], classes: list[int], top: int
) -> list[AccuracyWarning]:
    """Say which predictions rise above the last accuracy, or are beyond what was validated."""
    last = int(np.argmax(given.k))
    k1, seen = int(given.k[last]), float(given.accuracy[last])
    found = cautions_of_reach(models.values(), classes, k1)
    for model in models.values():
        highest, k = max(zip(model.predict(classes, top).tolist(), classes, strict=True))
        found += cautions_of_rise(k, highest, k1, seen, model.label)
    return sort_cautions(found)


def _write(
    given: Curve,
    models: dict[str, CurveExtrapolator],
    classes: list[int],
    top: int,
    folder: Path,
) -> list[Path]:
    """Write the table and the figure."""
    # Deferred, so that --help is quick.
    import pandas as pd

    from accuracy_curves.answers.accuracy import curve_table, grid
    from accuracy_curves.answers.accuracy_plots import predicted_curves_figure
    from accuracy_curves.answers.answer import write_files
    from accuracy_curves.answers.style import method_styles

    order = np.argsort(given.k)
    observed = curve_table("observed", given.k[order], top, given.accuracy[order])
    largest = int(given.k.max())
    at = grid(max(largest, *classes), [largest, *classes])
    predicted = pd.concat(
        [curve_table(name, at, top, model.predict(at, top)) for name, model in models.items()],
        ignore_index=True,
    )
    figure = predicted_curves_figure(
        observed,
        predicted,
        method_styles(models),
        largest,
        classes=classes,
    )
    table = pd.concat([observed, predicted], ignore_index=True)
    tables = {"curves.csv": table.dropna(axis="columns", how="all")}
    return write_files(folder, tables, figure, "curves")

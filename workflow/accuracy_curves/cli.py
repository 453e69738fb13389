"""The command line: `accuracy-curves predict` and `accuracy-curves observe`."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import click
import numpy as np

from accuracy_curves.accuracy import (
    average_accuracy,
    average_accuracy_of_ranks,
    outscored_and_tied,
    ranks,
)
from accuracy_curves.errors import AccuracyCurvesError, InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.score_files import load_scores
from accuracy_curves.terminal import (
    busy,
    chosen_extrapolators,
    grid,
    has_progress_bar,
    observed_grid,
    output_folder,
    print_table,
    print_written,
    tidy,
)

DEFAULT_METHODS = ("kde", "regression", "cleanex")
TABLE_ROWS = 8
INTERRUPTED = 130
LARGEST_CLASSES = 10**18

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves observe scores.npz
  accuracy-curves predict scores.npz --classes 400 --classes 1000"""
PREDICT_EXAMPLES = """\b
Examples:
  accuracy-curves predict scores.npz --classes 400 --classes 1000 --out results
  accuracy-curves predict scores.csv --classes 5000 --lower-is-better --method kde
  accuracy-curves predict scores.npz --classes 400 --method cleanex \\
      --option cleanex.steps=2000 --option cleanex.hidden=[256,64]"""
OBSERVE_EXAMPLES = """\b
Example:
  accuracy-curves observe scores.npz --out results"""

Values = tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0, 2 with one sentence on bad input, 130 if interrupted.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments; those of the process by default.
    """
    try:
        commands.main(arguments, prog_name="accuracy-curves", standalone_mode=False)
    except click.ClickException as error:
        _exit_with(error.format_message())
    except AccuracyCurvesError as error:
        _exit_with(str(error))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    sys.exit(0)


def _exit_with(message: str) -> NoReturn:
    """Say what is wrong in one line and exit with status 2."""
    click.echo(f"Error: {' '.join(message.split())}", err=True)
    sys.exit(2)


def _whole_classes(_context: click.Context, _option: click.Parameter, values: Values) -> list[int]:
    """Convert the numbers of classes; ascending, each once."""
    classes = set()
    for value in values:
        try:
            number = int(value)
        except ValueError:
            number = 0
        if not 2 <= number <= LARGEST_CLASSES:
            raise InputError(
                f"--classes {value}: a number of classes is a whole number from 2 to 10^18"
            )
        classes.add(number)
    return sorted(classes)


def _shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the argument and options that both commands have."""
    for decorate in (
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            metavar="N",
            default=0,
            show_default=True,
            help="Seed of every random draw.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            metavar="FOLDER",
            help="Where to write.  [default: <name of SCORES>_curves in this folder]",
        ),
        click.option(
            "--higher-is-better/--lower-is-better",
            default=None,
            help="Similarities or distances.  [default: what SCORES says]",
        ),
        click.argument("scores", type=click.Path(path_type=Path)),
    ):
        command = decorate(command)
    return command


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXAMPLES,
)
@click.version_option(package_name="accuracy-curves")
@click.pass_context
def commands(context: click.Context) -> None:
    """Predict how accurate a classifier is on more classes than it was tested on.

    SCORES is an .npz file with the arrays scores (points x classes), labels (the column of each
    point's correct class) and higher_is_better; or a folder with scores.npy, labels.npy and
    meta.json; or a .csv file whose first line is label,<class name>,<class name>,...
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command(short_help="Predict the accuracy at more classes.", epilog=PREDICT_EXAMPLES)
@click.option(
    "--classes",
    multiple=True,
    required=True,
    metavar="K",
    callback=_whole_classes,
    help="Number of classes to predict the accuracy at; may be given several times.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="METHOD",
    help=f"One of {', '.join(EXTRAPOLATORS)}; may be given several times.  "
    f"[default: {', '.join(DEFAULT_METHODS)}]",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="METHOD.NAME=VALUE",
    help="An option of a method; may be given several times.",
)
@_shared_options
def predict(
    scores: Path,
    classes: list[int],
    methods: Values,
    options: Values,
    seed: int,
    out: Path | None,
    higher_is_better: bool | None,
) -> None:
    """Predict the accuracy at other numbers of classes from the scores of a sample of classes.

    Writes curves.csv (method, k, accuracy, lower, upper; the method "observed" is the average
    accuracy over all subsets of k classes of the sample), curves.png and curves.pdf.
    """
    chosen = list(dict.fromkeys(methods)) or [m for m in DEFAULT_METHODS if m in EXTRAPOLATORS]
    extrapolators = chosen_extrapolators(chosen, options, seed)
    sample = load_scores(scores, higher_is_better)
    k1 = sample.n_classes
    with output_folder(scores, out) as folder:
        # Deferred, so that --help is quick.
        import pandas as pd

        from accuracy_curves.figures.prediction import predicted_curves_figure
        from accuracy_curves.figures.style import method_styles, save_figure
        from accuracy_curves.tables import write_csv

        seen_k = observed_grid(k1)
        seen = average_accuracy(sample, seen_k, seed)
        k = grid(max(k1, *classes), [k1, *classes])
        found = {}
        # The quick methods first: what is missing for them is known before the wait.
        for name in sorted(chosen, key=has_progress_bar):
            with busy(name):
                found[name] = extrapolators[name].fit(sample).predict(k)
        observed = tidy({"observed": seen}, seen_k)
        predicted = tidy({name: found[name] for name in chosen}, k)
        styles = method_styles({name: name for name in chosen})
        figure = predicted_curves_figure(observed, predicted, styles, k1, classes=classes)
        write_csv(pd.concat([observed, predicted]), folder / "curves.csv")
        written = [folder / "curves.csv", *save_figure(figure, folder / "curves")]
    click.echo(f"{sample.n_points} points, k1 = {k1} classes: observed accuracy {seen[-1]:.4f}")
    heads = ["classes", *(EXTRAPOLATORS[name].label for name in chosen)]
    at = {int(each): position for position, each in enumerate(k)}
    print_table(heads, [[each, *(found[name][at[each]] for name in chosen)] for each in classes])
    print_written(written)


@commands.command(short_help="Average the observed accuracies.", epilog=OBSERVE_EXAMPLES)
@_shared_options
def observe(scores: Path, seed: int, out: Path | None, higher_is_better: bool | None) -> None:
    """Average the accuracy over all subsets of k of the classes, for each k.

    Prints also the area under the reversed ROC (rAUC), which is the average accuracy of two
    classes. Writes observed.csv, reversed_roc.png and reversed_roc.pdf.
    """
    sample = load_scores(scores, higher_is_better)
    with output_folder(scores, out) as folder:
        # Deferred, so that --help is quick.
        from accuracy_curves.figures.reversed_roc import reversed_roc_figure
        from accuracy_curves.figures.style import save_figure
        from accuracy_curves.tables import write_csv

        k = observed_grid(sample.n_classes)
        outscored, tied = ranks(sample, seed), outscored_and_tied(sample)[1]
        seen = average_accuracy_of_ranks(outscored, sample.n_classes, k, sample.weights)
        figure = reversed_roc_figure(sample, seed=seed)
        write_csv(tidy({"observed": seen}, k), folder / "observed.csv")
        written = [folder / "observed.csv", *save_figure(figure, folder / "reversed_roc")]
    click.echo(
        f"{sample.n_points} points, {sample.n_classes} classes; "
        f"points that tie with an incorrect class: {np.count_nonzero(tied)}"
    )
    click.echo(f"rAUC = {seen[0]:.4f}")
    few = np.unique(np.geomspace(1, len(k), TABLE_ROWS).astype(int)) - 1
    print_table(["classes", "average accuracy"], [[int(k[i]), seen[i]] for i in few])
    print_written(written)

"""What the commands share: options of methods, grids of k, the output folder, tables."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.utils.arrays import Float64Array, IntArray

if TYPE_CHECKING:
    import pandas as pd


def chosen_extrapolators(
    methods: Sequence[str], options: Sequence[str], seed: int
) -> dict[str, Extrapolator]:
    """Construct the chosen methods with their options.

    Parameters
    ----------
    methods : sequence of str
        Keys of `EXTRAPOLATORS`.
    options : sequence of str
        ``METHOD.NAME=VALUE``; the value is JSON, or a text where it is not.
    seed : int
        Seed of every method without a seed among its options.

    Returns
    -------
    dict of str to Extrapolator
        In the order of the methods; slow ones show a progress bar on a terminal.

    Raises
    ------
    InputError
        If a method or an option does not exist, or an option is out of range.
    """
    values = method_options(methods, options, seed)
    return {method: make_extrapolator(method, **values[method]) for method in methods}


def method_options(
    methods: Sequence[str], options: Sequence[str], seed: int
) -> dict[str, dict[str, Any]]:
    """Read the options of each method, see `chosen_extrapolators`."""
    values: dict[str, dict[str, Any]] = {method: {"seed": seed} for method in methods}
    for method in methods:
        if method in EXTRAPOLATORS and EXTRAPOLATORS[method].slow:
            values[method]["progress"] = sys.stderr.isatty()
    for option in options:
        left, equals, value = option.partition("=")
        method, _, name = left.partition(".")
        if not (equals and name):
            raise InputError(
                f"--option {option} is not METHOD.NAME=VALUE: for instance cleanex.steps=2000"
            )
        if method not in values:
            raise InputError(
                f"--option {option} is of a method that was not chosen: "
                f"the methods are {', '.join(methods)}"
            )
        values[method][name] = _json_or_text(value)
    return values


def tidy(curves: Mapping[str, Float64Array], k: IntArray) -> "pd.DataFrame":
    """Stack curves into a table.

    Parameters
    ----------
    curves : mapping of str to (n,) array
        Method -> accuracies.
    k : (n,) array of int
        Numbers of classes.

    Returns
    -------
    DataFrame
        Columns method, k, accuracy, lower, upper; the last two are empty.
    """
    import pandas as pd

    tables = [pd.DataFrame({"method": name, "k": k, "accuracy": a}) for name, a in curves.items()]
    return pd.concat(tables, ignore_index=True).assign(lower=np.nan, upper=np.nan)


@contextmanager
def output_folder(scores: Path, out: Path | None) -> Iterator[Path]:
    """Make the folder to write to and try it, before the long computation.

    Parameters
    ----------
    scores : Path
        The input, after which the folder is named by default: ``<name>_curves`` in the current
        folder.
    out : Path, optional
        The folder that was asked for.

    Yields
    ------
    Path
        The folder; where an error follows, the folders that were made are removed if empty.

    Raises
    ------
    InputError
        If it cannot be made or written to.
    """
    folder = Path(f"{scores.resolve().stem}_curves") if out is None else out
    made: list[Path] = []
    try:
        try:
            made = [each for each in (folder, *folder.parents) if not each.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise InputError(
                f"cannot write to the folder {folder}: {error.strerror or error}; "
                "choose another one with --out"
            ) from error
        yield folder
    except BaseException:
        for each in made:
            if each.is_dir() and not any(each.iterdir()):
                os.rmdir(each)
        raise


@contextmanager
def busy(method: str) -> Iterator[None]:
    """Show on a terminal which method runs, unless it has a progress bar of its own."""
    if EXTRAPOLATORS[method].slow or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{EXTRAPOLATORS[method].label} ..."):
        yield


def print_table(heads: Sequence[str], rows: Sequence[Sequence[float | str]]) -> None:
    """Print a table: whole numbers of classes first, then accuracies or texts."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for head in heads:
        table.add_column(head, justify="right")
    for first, *rest in rows:
        table.add_row(
            str(first), *(each if isinstance(each, str) else f"{each:.4f}" for each in rest)
        )
    Console().print(table)


def print_lines(lines: Sequence[str]) -> None:
    """Print a sentence a line."""
    for line in lines:
        click.echo(line)


def print_written(paths: Sequence[Path]) -> None:
    """Name the files that were written."""
    for path in paths:
        click.echo(f"wrote {path}")


def _json_or_text(value: str) -> object:
    """Read a value as JSON, which has 1e-4, [512, 128], true; else it is a word."""
    try:
        return json.loads(value)
    except ValueError:
        return value

"""What the commands share: options of methods, grids of k, the output folder, tables."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from accuracy_curves.cautions import share
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator

if TYPE_CHECKING:
    from accuracy_curves.answers.answer import Answer


def chosen_extrapolators(
    methods: Sequence[str], options: Sequence[str], seed: int
) -> dict[str, Extrapolator]:
    """Construct the chosen methods with their options, see `method_options`."""
    values = method_options(methods, options, seed)
    return {method: make_extrapolator(method, **values[method]) for method in methods}


def method_options(
    methods: Sequence[str], options: Sequence[str], seed: int
) -> dict[str, dict[str, Any]]:
    """Read the options of each method, ``METHOD.NAME=VALUE``; the value is JSON, or else a text.

    The seed is of every method without one among its options.
    """
    values: dict[str, dict[str, Any]] = {method: {"seed": seed} for method in methods}
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


@contextmanager
def output_folder(
    source: Path, command: str, out: Path | None, names: Sequence[str], *, overwrite: bool = False
) -> Iterator[Path]:
    """Make the folder to write to and try it, before the long computation.

    By default it is ``<name of the source>_<command>`` in the current folder. It must be empty,
    unless files of the given names may be overwritten; the input never is. A folder that is empty
    after an error is removed.
    """
    folder = Path(f"{source.resolve().stem}_{command}") if out is None else out
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"cannot write to the folder {folder}: {error.strerror or error}; choose another one "
            "with --out"
        ) from error
    if any(folder.iterdir()) and not overwrite:
        raise InputError(
            f"the folder {folder} is not empty: choose another one with --out, or write over the "
            "answer in it with --overwrite"
        )
    for path in (folder / name for name in names):
        if path.exists() and source.exists() and path.samefile(source):
            raise InputError(f"{path} is the input and would be lost: rename it")
    try:
        yield folder
    finally:
        if not any(folder.iterdir()):
            folder.rmdir()


def typed() -> str:
    """Find the command as it was typed."""
    return str(click.get_current_context().obj or "")


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
            str(first), *(each if isinstance(each, str) else share(each) for each in rest)
        )
    Console().print(table)


def print_answer(answer: "Answer", origin: Sequence[str], written: Sequence[Path]) -> None:
    """Print an answer; how embeddings became scores, and which files were written."""
    left_out = [each for each in answer.cautions if each.reason == "left_out"]
    print_lines([answer.about(), *origin])
    print_cautions(left_out)
    print_table(*answer.printed())
    print_lines(answer.legends())
    others = [each for each in answer.cautions if each not in left_out]
    print_cautions([*others, *answer.other_cautions])
    print_lines([f"wrote {path}" for path in written])


def print_lines(lines: Sequence[str]) -> None:
    """Print a sentence a line."""
    for line in lines:
        click.echo(line)


def print_cautions(found: Sequence[AccuracyWarning]) -> None:
    """Print what speaks against an answer, with the option that mends it."""
    print_lines([f"Note: {advised(str(each), each.reason)}" for each in found])


# What mends a caution or an error of the library, by its reason.
ADVICE = {
    "wrong_direction": "; try --lower-is-better or --higher-is-better",
    "no_points": ", and are not needed with --splits 0",
    "rising": " (--lower-is-better or --higher-is-better)",
    "no_tail": " (--method empirical_bayes)",
    "photos": ", or give --gallery first, random, centroid or nearest",
}


def advised(message: str, reason: str) -> str:
    """Add the option that mends what a message of the library says."""
    return message + ADVICE.get(reason, "")


def _json_or_text(value: str) -> object:
    """Read a value as JSON, which has 1e-4, [512, 128], true; else it is a word."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value

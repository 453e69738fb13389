"""What the commands share: options of methods, grids of k, the output folder, tables."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from accuracy_curves.cautions import share
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.utils.folders import written_together

if TYPE_CHECKING:
    from accuracy_curves.answers.answer import Answer

# Wider than any table.
ENDLESS = 10**5


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
            raise InputError(f"--option {option} is not METHOD.NAME=VALUE, as cleanex.steps=2000")
        if method not in values:
            raise InputError(
                f"--option {option}: {method} was not chosen, but {', '.join(methods)}"
            )
        values[method][name] = value  # A word, unless it is JSON: 1e-4, [512, 128], true.
        with suppress(ValueError, RecursionError):
            values[method][name] = json.loads(value)
    return values


@contextmanager
def written_answer(source: Path, names: Sequence[str]) -> Iterator[Path]:
    """Write files to the folder of --out, by default ``<name of the source>_<command>``, here.

    Yields the empty folder whose files are put into it, see `written_together`. The last lines that
    the command prints say which they are.
    """
    context = click.get_current_context()
    out, overwrite = context.meta["out"], context.meta["overwrite"]
    folder = out or Path(f"{source.resolve().stem}_{context.info_name}")
    with written_together(folder, names, given_files(), overwrite=overwrite) as staged:
        yield staged
        written = [folder / name for name in names if (staged / name).exists()]
    context.call_on_close(lambda: print_lines(f"wrote {path}" for path in written))


def given_files() -> list[Path]:
    """Find all files that the command was given to read."""
    given = click.get_current_context().params.values()
    return [each for each in given if isinstance(each, Path)]


def typed() -> str:
    """Find the command as it was typed."""
    return str(click.get_current_context().obj or "")


def print_table(heads: Sequence[str], rows: Sequence[Sequence[float | str]]) -> None:
    """Print a table: whole numbers of classes first, then accuracies or texts.

    Where it is wider than the terminal each row is a table of its own, a line a head: no number is
    cut.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, emoji=False, highlight=False)

    def table(lines: Sequence[Sequence[str]]) -> Table:
        made = Table(box=box.SIMPLE_HEAD)
        for head in lines[0]:
            made.add_column(head, justify="right", overflow="fold")
        for line in lines[1:]:
            made.add_row(*line)
        return made

    cells = [[each if isinstance(each, str) else share(each) for each in row] for row in rows]
    whole, endless = table([heads, *cells]), console.options.update(max_width=ENDLESS)
    if whole.__rich_measure__(console, endless).minimum <= console.width:
        console.print(whole)
        return
    for row in cells:
        console.print(table([*zip(heads, row, strict=True)]))


def print_answer(answer: "Answer", origin: Sequence[str]) -> None:
    """Print an answer, and how embeddings became scores."""
    print_lines([answer.say(answer.about()), *origin])
    # The answer is then another method's.
    left_out = [each for each in answer.cautions if each.reason == "left_out"]
    print_cautions(left_out, answer.say)
    heads, rows = answer.printed()
    print_table([answer.say(head) for head in heads], rows)
    print_lines(map(answer.say, answer.legends()))
    others = [each for each in answer.cautions if each not in left_out]
    print_cautions([*others, *answer.other_cautions], answer.say)


def print_lines(lines: Iterable[str]) -> None:
    """Print a sentence a line."""
    for line in lines:
        click.echo(line)


def print_cautions(found: Sequence[AccuracyWarning], say: Callable[[str], str] = str) -> None:
    """Print what speaks against an answer, with the option that mends it, and its code."""
    notes = [(say(advised(str(each), each.reason)), each.reason) for each in found]
    print_lines([f"Note: {said} [{reason}]" for said, reason in notes])


# What mends a caution or an error of the library, by its reason.
ADVICE = {
    "wrong_direction": "; try --lower-is-better or --higher-is-better",
    "no_points": ", and are not needed with --splits 0",
    "folder": " with --out",
    "not_empty": " (--out or --overwrite)",
    "rising": " (--lower-is-better or --higher-is-better)",
    "no_tail": " (--method empirical_bayes)",
    "other_searches": ", or those of classes that have as many (--common)",
    "photos": "; or give it to predict, observe, plan or identify with --gallery first",
}


def advised(message: str, reason: str) -> str:
    """Add the option that mends what a message of the library says."""
    return message + ADVICE.get(reason, "")

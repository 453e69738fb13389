"""The command `accuracy-curves convert`."""

from pathlib import Path
from typing import cast

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.files import read_file
from accuracy_curves.scores.formats.base import Source
from accuracy_curves.scores.formats.registry import taken_by
from accuracy_curves.scores.formats.scores import save_scores
from accuracy_curves.scores.searches import Searches


@options.command("convert")
@options.option(
    "--name names", "WHAT=NAME", "What a column or an array is called in INPUT", multiple=True
)
@options.DIRECTION
@click.option("--overwrite", is_flag=True, help="Replace OUTPUT if it exists.")
@click.argument("source", type=options.FILE, metavar="INPUT")
@click.argument("output", type=options.FILE)
def convert_command(
    names: tuple[str, ...],
    higher_is_better: bool | None,
    overwrite: bool,
    source: Path,
    output: Path,
) -> None:
    """Write the scores of another tool as an .npz file that the other commands read.

    Every probe must have a score for every identity. A probe without a mate gets the label -1,
    which `identify` takes.

    \b
    Examples:
      accuracy-curves convert scores.csv scores.npz --name probe=query
      accuracy-curves convert reid.npz scores.npz
    """
    pairs = [name.partition("=") for name in names]
    for what, _, name in pairs:
        if not (what and name):
            raise InputError(f"--name {what}: give WHAT=NAME, such as probe=query")
    called = {what: name for what, _, name in pairs}
    _check_output(output, overwrite)
    with Source(source, higher_is_better, called) as opened:
        content = read_file(opened, *taken_by("convert"))
    with located(source):
        searches = Searches(*content.scores) if content.scores else content.searches
    if searches and searches.are_trials:
        raise InputError(f"{source} is a list of trials, which `identify` reads as it is")
    sample = cast(Searches, searches)
    save_scores(sample, output, f"accuracy-curves convert of {source.name}")
    click.echo("\n".join([", ".join(sample._facts()), *content.said, f"wrote {output}"]))


def _check_output(output: Path, overwrite: bool) -> None:
    """Raise unless the file may be written."""
    if output.suffix.lower() != ".npz":
        raise InputError(f"{output} must end in .npz")
    read = [path for path in terminal.input_files() if path is not output and path.exists()]
    if output.exists() and any(map(output.samefile, read)):
        raise InputError(f"{output} is the input and would be lost: choose another name")
    if output.exists() and not overwrite:
        raise InputError(f"{output} exists: choose another name, or give --overwrite")

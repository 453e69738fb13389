"""What the commands share: how an answer is written and printed."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import catch_warnings

import click

from accuracy_curves.cautions import gravest
from accuracy_curves.cli.inputs import Input
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.utils.files import written_together

if TYPE_CHECKING:
    from accuracy_curves.answers.answer import Answer


def answered(
    source: Path, kind: "type[Answer]", ask: Callable[[], "Answer"], loaded: Input
) -> None:
    """Answer, write the files to the folder of --out, and print what is printed of every answer.

    The folder is by default ``<name of the source>_<command>``, here. It is checked before the
    fits, and an answer is there whole or not at all.
    """
    from accuracy_curves.answers.answer import Provenance

    context = click.get_current_context()
    out, overwrite = context.meta["out"], context.meta["overwrite"]
    folder = out or Path(f"{source.resolve().stem}_{context.info_name}")
    provenance = Provenance(source.name, str(context.obj or ""), loaded.origin, loaded.left_out)
    with written_together(folder, kind.files(), input_files(), overwrite=overwrite) as staged:
        # They stand in the answer.
        with catch_warnings(action="ignore", category=AccuracyWarning):
            answer = ask()
        answer.write(staged, provenance)
        names = [name for name in kind.files() if (staged / name).exists()]
    first, _, rest = answer.text(provenance, "report.html").partition("\n")
    click.echo(f"{click.style(first, bold=gravest(answer.cautions) is not None)}\n{rest}\n")
    for line in [*loaded.origin, ""] if loaded.origin else []:
        click.echo(line)
    click.echo(f"Files in {folder}: {', '.join(names)}")


def input_files() -> list[Path]:
    """Find all files that the command reads."""
    values = click.get_current_context().params.values()
    several = (value if isinstance(value, tuple) else (value,) for value in values)
    return [path for path in chain.from_iterable(several) if isinstance(path, Path)]

"""The command `accuracy-curves formats`."""

import textwrap

import click

from accuracy_curves.scores.formats.registry import FORMATS, KINDS, description


@click.command("formats")
def formats_command() -> None:
    """List the files that the commands read, and what each holds."""
    for name, kind in FORMATS.items():
        have, holds = description(name)
        click.echo(f"{have} ({', '.join(KINDS[kind][0])})")
        click.echo(textwrap.indent(textwrap.fill(holds.replace("`", ""), 76), " " * 4))

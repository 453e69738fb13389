"""The command `accuracy-curves methods`."""

import click

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.identification import OPEN_SET_METHODS


@click.command("methods")
def methods_command() -> None:
    """List the methods of --method, a line each."""
    others = {
        name: OPEN_SET_METHODS[name] for name in OPEN_SET_METHODS if name not in EXTRAPOLATORS
    }
    for heading, kinds in (("Of all commands:", EXTRAPOLATORS), ("Of identify alone:", others)):
        lines = {name: (kind.__doc__ or "").splitlines()[0] for name, kind in kinds.items()}
        click.echo("\n".join([heading, *(f"  {name:20}{line}" for name, line in lines.items())]))

"""The commands: all that knows a flag or a terminal."""

from accuracy_curves.cli.main import main

__all__ = ["main"]

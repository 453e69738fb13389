"""The commands: all that knows a flag or a terminal."""

import sys

try:
    from accuracy_curves.cli.main import main
except KeyboardInterrupt:  # Ctrl-C before there is anything that could catch it.
    sys.exit(130)

__all__ = ["main"]

"""The command line: how it begins and ends, and what goes wrong in one line."""

import atexit
import gc
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from accuracy_curves.exceptions import AccuracyCurvesError

INTERRUPTED, TERMINATED = 130, 143
# New objects before Python looks for cycles among them.
COLLECTED_AFTER = 100_000
# What mends an error of the library, by its reason.
ADVICE = {
    "no_points": ", and are not needed with --splits 0",
    "folder": " with --out",
    "not_empty": " (--out or --overwrite)",
    "rising": " (--lower-is-better or --higher-is-better)",
    "no_tail": " (--method empirical_bayes)",
    "other_searches": ", or those of classes that have as many (--common)",
}


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0, 2 with one sentence on bad input, 130 if interrupted.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments; those of the process by default.
    """
    # Imports make many objects that stay: to look for cycles among them takes half a second, and
    # as much once more when the process ends.
    gc.set_threshold(COLLECTED_AFTER)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    atexit.register(gc.freeze)
    # No window is opened, whatever the user's settings say.
    os.environ["MPLBACKEND"] = "agg"
    try:
        from accuracy_curves.cli.commands import commands

        words = list(sys.argv[1:] if arguments is None else arguments)
        typed = shlex.join(["accuracy-curves", *words])
        commands.main(words, prog_name="accuracy-curves", standalone_mode=False, obj=typed)
    except click.ClickException as error:
        message = error.format_message()
        # As in --classes 100 500.
        more = ": an option takes one value, so repeat its name, as --classes 100 --classes 500"
        _exit_with(message + (more if "extra argument" in message else ""))
    except AccuracyCurvesError as error:
        _exit_with(str(error) + ADVICE.get(error.reason, ""))
    except MemoryError:
        _exit_with("the memory of this machine does not suffice: close other programs")
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:  # Such as a full disk that the output goes to.
        _exit_with(f"the operating system reports: {error.strerror or error}")
    sys.exit(0)


def _exit_with(message: str) -> NoReturn:
    """Say what is wrong in one line and exit with status 2."""
    click.echo(f"Error: {' '.join(message.split())}", err=True)
    sys.exit(2)

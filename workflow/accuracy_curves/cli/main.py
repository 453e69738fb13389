"""The command line: how it begins and ends, and what goes wrong in one line."""

import atexit
import gc
import importlib
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
# The command NAME is `NAME_command` of the module `commands`.
COMMANDS = {
    "compare": "Predict how much more accurate one of two systems will be.",
    "convert": "Write the scores of another tool as .npz.",
    "extend": "Predict the accuracy at more classes from a curve alone.",
    "formats": "List the files that the commands read.",
    "identify": "Predict how often strangers are accepted and mates missed.",
    "methods": "List the methods, a line each.",
    "observe": "Average the observed accuracy at every number of classes.",
    "plan": "Plan how many classes to collect.",
    "predict": "Predict the accuracy at more classes.",
}


class Commands(click.Group):
    """Commands that are imported when one is called, so that --help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the commands, and give one."""
        if cmd_name not in COMMANDS:
            return None
        return getattr(
            importlib.import_module("accuracy_curves.cli.commands"), f"{cmd_name}_command"
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


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


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="accuracy-curves")
@click.pass_context
def commands(context: click.Context) -> None:
    """Predict how accurate a classifier is on more classes than it was tested on.

    SCORES are scores of data points for classes, embeddings of photos, or lists of the best
    candidates of each search: the --help of each command says which files it takes.

    Give probabilities as logarithms, or better give the scores before the softmax. Of a classifier
    that was trained on these classes together, say how: --trained.

    \b
    Examples:
      accuracy-curves observe scores.npz
      accuracy-curves predict scores.npz --classes 400 --classes 1000
      accuracy-curves plan pilot.npz --classes 1000 --width 0.02
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())

"""Options and arguments of the commands."""

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click

from accuracy_curves.exceptions import InputError
from accuracy_curves.intervals import half_fits
from accuracy_curves.scores.distance_ranks import METRICS
from accuracy_curves.scores.embeddings import GALLERIES
from accuracy_curves.utils.validation import LARGEST_CLASSES

THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")

Values = tuple[str, ...]
Command = Callable[..., None]
Option = Callable[[Command], Command]


def whole_numbers(least: int, what: str) -> Callable[..., list[int]]:
    """Make the reader of an option's whole numbers, such as 1000, 1,000 or 1e3.

    They are ascending, each once.
    """

    def read(_context: click.Context, option: click.Parameter, values: Values) -> list[int]:
        found = set()
        for value in values:
            written = value.replace(",", "") if THOUSANDS.fullmatch(value) else value
            try:
                number = Decimal(written)
            except InvalidOperation:
                number = Decimal("NaN")
            if not (number.is_finite() and least <= number <= LARGEST_CLASSES and number % 1 == 0):
                raise InputError(
                    f"{option.opts[0]} {value}: {what} is a whole number from {least} to 10^18"
                )
            found.add(int(number))
        return sorted(found)

    return read


def together(*options: Option) -> Option:
    """Add several options at once; the first of them stands last in the help."""

    def add(command: Command) -> Command:
        for option in options:
            command = option(command)
        return command

    return add


def splits_option(least: int, help_text: str) -> Option:
    """Make the option of the splits: a plan has no answer without them."""
    return click.option(
        "--splits",
        type=click.IntRange(min=least),
        metavar="N",
        default=30,
        show_default=True,
        help=help_text,
    )


def weigh_option(default: str, help_text: str) -> Option:
    """Make the option of what weighs the same: it matters where classes differ in their points."""
    return click.option(
        "--weigh",
        type=click.Choice(["points", "classes"]),
        default=default,
        show_default=True,
        help=f"What weighs the same: {help_text}.",
    )


SPLITS_HELP = "Random splits of the classes into halves, which give the intervals: 3 or more"
JOBS = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    default=1,
    show_default=True,
    help="Processes that fit at the same time; the answer is the same.",
)
LEVEL = click.option(
    "--level",
    type=click.FloatRange(0.5, 0.999),
    metavar="P",
    default=half_fits.LEVEL,
    show_default=True,
    help="Nominal coverage of the intervals.",
)
METHOD = click.option(
    "--method", metavar="METHOD", default="auto", show_default=True, help="Method that predicts."
)
TOP = click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="T",
    default=1,
    show_default=True,
    help="Predict the top-T accuracy: the correct class is among the T best.",
)
OPTION = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="METHOD.NAME=VALUE",
    help="An option of a method; may be given several times.",
)
CLASSES = click.option(
    "--classes",
    multiple=True,
    required=True,
    metavar="K",
    callback=whole_numbers(2, "a number of classes"),
    help="Number of classes to predict the accuracy at; may be given several times.",
)


# The options of the commands that write files.
out_option = together(
    click.option("--overwrite", is_flag=True, help="Write over the answer in the folder."),
    click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Where to write.  [default: a folder here, named by the input and the command]",
    ),
)


# The options of lists of candidates.
list_options = together(
    click.option(
        "--searched",
        type=click.IntRange(min=3),
        metavar="N",
        help="Lists of candidates: how many classes or documents were searched.",
    ),
    click.option(
        "--qrels",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Relevance judgements of a TREC run: SCORES is then a run, whatever its name.",
    ),
)


# The argument and options that all commands have.
input_options = together(
    click.option(
        "--labels-key", metavar="NAME", help="Name of the array of their labels.  [default: labels]"
    ),
    click.option(
        "--embeddings-key",
        metavar="NAME",
        help="Name of the array of embeddings.  [default: embeddings]",
    ),
    click.option(
        "--pca", type=int, metavar="N", help="Reduce embeddings to N principal components first."
    ),
    click.option(
        "--points-per-class",
        type=int,
        metavar="N",
        help="Photos of a class to test, of those outside the gallery.  [default: all]",
    ),
    click.option(
        "--gallery-photos",
        "gallery_size",
        type=float,
        metavar="N",
        help="Photos of a class in the gallery, for --gallery centroid and nearest: a number, "
        "or a share below 1.  [default: 0.5]",
    ),
    click.option(
        "--metric",
        metavar="NAME",
        help=f"Distance of embeddings: {', '.join(METRICS)}.  [default: euclidean]",
    ),
    click.option(
        "--gallery",
        metavar="RULE",
        help=f"What embeddings are compared with: {', '.join(GALLERIES)} of a class.  "
        "[default: random]",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        default=0,
        show_default=True,
        help="Seed of every random draw.",
    ),
    click.option(
        "--higher-is-better/--lower-is-better",
        default=None,
        help="Whether scores are similarities or distances.  [default: as SCORES states]",
    ),
    click.argument("scores", type=click.Path(path_type=Path)),
)

# The argument and options of the commands that have the intervals of one method.
one_method_options = together(
    input_options,
    list_options,
    JOBS,
    splits_option(half_fits.LEAST_SPLITS, f"{SPLITS_HELP}."),
    OPTION,
    METHOD,
    TOP,
    LEVEL,
    CLASSES,
)

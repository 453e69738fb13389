"""Options and arguments of the commands."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.distances import METRICS
from accuracy_curves.scores.gallery import GALLERIES

LARGEST_CLASSES = 10**18
# Fields of `Embeddings` that are options of the commands.
EMBEDDING = (
    "gallery",
    "metric",
    "gallery_size",
    "points_per_class",
    "pca",
    "embeddings_key",
    "labels_key",
)

Values = tuple[str, ...]
Command = Callable[..., None]


def whole_classes(_context: click.Context, _option: click.Parameter, values: Values) -> list[int]:
    """Convert the numbers of classes; ascending, each once."""
    classes = set()
    for value in values:
        try:
            number = int(value)
        except ValueError:
            number = 0
        if not 2 <= number <= LARGEST_CLASSES:
            raise InputError(
                f"--classes {value}: a number of classes is a whole number from 2 to 10^18"
            )
        classes.add(number)
    return sorted(classes)


def splits_option(least: int, help_text: str) -> Callable[[Command], Command]:
    """Make the option of the splits: a plan has no answer without them."""
    return click.option(
        "--splits",
        type=click.IntRange(min=least),
        metavar="N",
        default=30,
        show_default=True,
        help=help_text,
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
    default=0.9,
    show_default=True,
    help="Nominal coverage of the intervals.",
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
    callback=whole_classes,
    help="Number of classes to predict the accuracy at; may be given several times.",
)


def embedding_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Take the options of embeddings that were given out of the parameters of a command."""
    return {name: given[name] for name in EMBEDDING if given.get(name) is not None}


def out_option(command: Command) -> Command:
    """Add the option of the commands that write files."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Where to write.  [default: <name of SCORES>_curves in this folder]",
    )(command)


def input_options(command: Command) -> Command:
    """Add the argument and options that all commands have."""
    for decorate in (
        click.option(
            "--labels-key",
            metavar="NAME",
            help="Name of the array of their labels.  [default: labels]",
        ),
        click.option(
            "--embeddings-key",
            metavar="NAME",
            help="Name of the array of embeddings.  [default: embeddings]",
        ),
        click.option(
            "--pca",
            type=int,
            metavar="N",
            help="Reduce embeddings to N principal components first.",
        ),
        click.option(
            "--points-per-class",
            type=int,
            metavar="N",
            help="Photos of a class to test, of those outside the gallery.  [default: all]",
        ),
        click.option(
            "--gallery-size",
            type=float,
            metavar="N",
            help="Photos of a class in the gallery, for centroid and nearest: a number, or a share "
            "below 1.  "
            "[default: 0.5]",
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
    ):
        command = decorate(command)
    return command

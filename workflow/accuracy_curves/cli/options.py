"""Options and arguments of the commands."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import reduce
from pathlib import Path
from typing import Any

import click

from accuracy_curves.exceptions import InputError
from accuracy_curves.intervals import half_fits
from accuracy_curves.observed.measures import DISCOUNTS, Measure
from accuracy_curves.scores.design import TRAININGS
from accuracy_curves.scores.distance_matrix import METRICS
from accuracy_curves.scores.embeddings import GALLERIES
from accuracy_curves.utils.validation import GROUPED, THOUSANDS

Values = tuple[str, ...]
Command = Callable[..., None]
Option = Callable[[Command], Command]


def option(
    name: str,
    metavar: str | None,
    text: str,
    kind: Any = None,
    usual: str = "",
    **others: Any,
) -> Option:
    """Make an option that takes a value; its help is a text without a full stop.

    `name` are its names, such as ``--gallery-size sizes``, and `usual` is a default in words.
    """
    several = " (repeatable)" if others.get("multiple") else ""
    default = f"  [default: {usual}]" if usual else ""
    shown: dict[str, Any] = {"help": f"{text}{several}.{default}", "show_default": True}
    return click.option(*name.split(), metavar=metavar, type=kind, **shown, **others)


# What most use first stands above these; names are those of parameters.
HEADINGS = {
    "Method": ["method", "methods", "options", "weigh", "level", "splits", "jobs", "seed"],
    "Input": [
        *("higher_is_better", "qrels", "searched", "groups", "fixed", "own_candidates"),
        *("gallery", "metric", "trained"),
        *("gallery_photos", "points_per_class", "pca", "embeddings_key", "labels_key", "common"),
    ],
    "Output": ["out", "overwrite", "words"],
}


class Sectioned(click.Command):
    """A command whose options stand under headings in its help."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the question, then those under each heading."""
        of = {name: heading for heading, names in HEADINGS.items() for name in names}
        sections: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Question", *HEADINGS)}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)):
                heading = "Output" if param.is_eager else of.get(str(param.name), "Question")
                sections[heading].append(record)
        for heading, records in filter(lambda section: section[1], sections.items()):
            with formatter.section(heading):
                formatter.write_dl(records, col_max=26)


# A line of \b in a docstring keeps click from filling the lines below it.
FILES = "SCORES is a file of a kind that `accuracy-curves formats` lists."


def whole_number(text: str) -> int:
    """Read a whole number as people write it: 2000, 2,000 or 2e3.

    2.000 is refused: it is two in one country and two thousand in another.
    """
    plain = re.sub("[,.]", "", text) if THOUSANDS.fullmatch(text) else text
    with suppress(InvalidOperation, ValueError, OverflowError):
        number = Decimal(plain)
        if number == int(number) and not GROUPED.fullmatch(text):
            return int(number)
    raise click.BadParameter(
        f"write {text} as a whole number, such as 2000, 2,000 or 2e3; for several repeat the option"
    )


def of_input(values: dict[str, Any]) -> dict[str, Any]:
    """Take the options of `load_input` out of those of a command; the seed stays, too."""
    names = {*HEADINGS["Input"], "newcomers"} - {"common"}
    taken = {name: values.pop(name) for name in names & values.keys()}
    return taken | {"seed": values["seed"]}


def together(*options: Option) -> Option:
    """Add several options at once; the first of them stands last in the help."""
    return lambda command: reduce(lambda done, option: option(done), options, command)


def by_method(_: click.Context, __: click.Parameter, options: Values) -> dict[str, Any]:
    """Read options of methods, ``METHOD.NAME=VALUE``: of each method its values by their names."""
    values = dict[str, Any]()
    for option in options:
        left, equals, value = option.partition("=")
        method, _dot, name = left.partition(".")
        if not (equals and name):
            raise InputError(f"--option {option} is not METHOD.NAME=VALUE, as cleanex.steps=2000")
        of_method = values.setdefault(method, {})
        of_method[name] = value  # A word, unless it is JSON: 1e-4, [512, 128], true.
        with suppress(ValueError, RecursionError):
            of_method[name] = json.loads(value)
    return values


def of_one_method(question: dict[str, Any]) -> dict[str, Any]:
    """Give the question of a command with one method: its measure, and the method's options."""
    question, method = dict(question), question["method"]
    options = question.pop("options")
    if other := {*options} - {method}:
        raise InputError(f"--option {min(other)}: the method is {method}")
    if "measures" in question:
        top, *more = several_of((question["top"],), question.pop("measures"))
        if more:
            raise InputError("this command takes one --measure: run it for each")
        question["top"] = top
    return question | options.get(method, {})


def several_of(tops: tuple[int, ...], measures: Values) -> tuple[int | str, ...]:
    """Take measures, or tops in their order; `InputError` if both are given."""
    for measure in measures:
        Measure.of(max(tops, default=1), measure)
    return tuple(dict.fromkeys(measures)) or tuple(sorted(set(tops))) or (1,)


def weigh_option(default: str) -> Option:
    """Make the option of what weighs the same: it matters where classes differ in their points."""
    kind = click.Choice(["points", "classes"])
    return option("--weigh", None, "What weighs the same", kind, default=default)


CLASSES_HELP = "Number of classes to predict at"
FILE, FROM_ONE = click.Path(path_type=Path), click.IntRange(min=1)
INSIDE = click.FloatRange(0, 1, min_open=True, max_open=True)
COVERAGE, TOP_HELP = click.FloatRange(0.5, 0.999), "The right class is among the T best"
MEASURES = f"{', '.join(DISCOUNTS)} @T, such as ndcg@10"
JOBS = option("--jobs", "N", "Processes", FROM_ONE, default=1)
LEVEL = option("--level", "P", "Coverage of intervals", COVERAGE, default=half_fits.LEVEL)
METHOD = option("--method", "METHOD", "Method that predicts", default="auto")
SPLITS = option("--splits", "N", "Splits into halves for intervals, 3 or more", int, default=30)
SEARCHED = option("--searched", "N", "Lists and ranks: among how many", whole_number)
TOP = option("--top", "T", TOP_HELP, FROM_ONE, default=1)
MEASURE = option("--measure measures", "NAME", MEASURES, multiple=True)
OPTION = option(
    "--option options",
    "METHOD.NAME=VALUE",
    "An option of a method",
    multiple=True,
    callback=by_method,
)
COUNTS: Any = {"metavar": "K", "kind": whole_number, "multiple": True}
CLASSES = option("--classes", text=CLASSES_HELP, required=True, **COUNTS)
DIRECTION = click.option(
    "--higher-is-better/--lower-is-better",
    default=None,
    help="Similarities or distances.  [default: as the file says]",
)


def for_the_answer(context: click.Context, option: click.Parameter, value: Any) -> None:
    """Keep where to write for `terminal.answered`, so that commands do not carry it."""
    context.meta[str(option.name)] = value


# The options of the commands that write files.
kept: Any = {"callback": for_the_answer, "expose_value": False}
out_option = together(
    click.option("--overwrite", is_flag=True, help="Replace the answer in the folder.", **kept),
    option("--out", "FOLDER", "Where to write", FILE, usual="by input and command", **kept),
)

# The argument and options that all commands have.
RULES = f"Photos of a class: {', '.join(GALLERIES)}"
input_options = together(
    option("--labels-key", "NAME", "Array of their labels", usual="labels"),
    option("--embeddings-key", "NAME", "Array of embeddings", usual="embeddings"),
    option("--pca", "N", "Principal components of embeddings", int),
    option("--points-per-class", "N", "Tested photos of a class", int, usual="all"),
    option("--gallery-photos", "N", "Gallery photos, or a share", float, usual="0.5"),
    option("--metric", "NAME", f"{', '.join(METRICS)}; of two sets also inner", usual="euclidean"),
    option("--gallery", "RULE", RULES, usual="random"),
    option("--seed", "N", "Seed of random draws", click.IntRange(min=0), default=0),
    DIRECTION,
    click.argument("scores", type=FILE),
)

# The argument and options of the commands that take all kinds of samples.
sample_options = together(
    input_options,
    SEARCHED,
    option("--qrels", "FILE", "Right answers: SCORES is a run", FILE),
    option("--groups", "FILE", "Table of class and group, which come whole", FILE),
    click.option("--own-candidates", is_flag=True, help="Each search has candidates of its own."),
    option("--fixed", "NAME", "Class that stays at every size", multiple=True),
)

# What is known of the classes of a sample, and of the classes to come.
design_options = together(
    option("--newcomers", "FILE", "Scores of the same points for newcomers, (N, m)", FILE),
    option(
        "--trained",
        None,
        "The classifier learned these classes: jointly (softmax), or each against the rest",
        click.Choice(TRAININGS),
    ),
)

# Those of the commands that have the intervals of one method.
one_method_options = together(sample_options, JOBS, SPLITS, OPTION, METHOD, MEASURE, TOP, LEVEL)

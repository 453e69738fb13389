"""Options and arguments of the commands."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.intervals import half_fits
from accuracy_curves.observed.measures import DISCOUNTS, Measure
from accuracy_curves.scores.design import TRAININGS
from accuracy_curves.scores.distances import METRICS
from accuracy_curves.scores.embeddings import GALLERIES
from accuracy_curves.utils.validation import LARGEST_CLASSES, whole_number

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
    "Method": ["method", "methods", "method_options", "weigh", "level", "splits", "jobs", "seed"],
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
command = partial(click.command, cls=Sectioned, epilog=FILES)


class Count(click.ParamType):  # type: ignore[type-arg]
    """Whole numbers from `least` on, such as 1000, 1,000 or 1e3, of `what` they are."""

    def __init__(self, least: int, what: str) -> None:
        self.least, self.name = least, what

    def convert(self, value: Any, param: click.Parameter | None, _: click.Context | None) -> int:
        """Read a number; the `InputError` names the option."""
        name = param.opts[0] if param else ""
        with located(name):
            number = whole_number(value)
        if number is None or not self.least <= number <= LARGEST_CLASSES:
            several = f"; for several repeat the option, {name} A {name} B"
            raise InputError(
                f"{name} {value}: {self.name} is a whole number, {self.least} to 10^18"
                + several * ("," in str(value))
            )
        return number


def of_input(values: dict[str, Any]) -> dict[str, Any]:
    """Take the options of `load_input` out of those of a command; the seed stays, too."""
    names = {*HEADINGS["Input"], "newcomers"} - {"common"}
    taken = {name: values.pop(name) for name in names & values.keys()}
    return taken | {"seed": values["seed"]}


def together(*options: Option) -> Option:
    """Add several options at once; the first of them stands last in the help."""

    def add(command: Command) -> Command:
        for option in options:
            command = option(command)
        return command

    return add


def splits_option(least: int) -> Option:
    """Make the option of the splits: a plan has no answer without them."""
    none = "" if least else "; 0 for none"
    text = f"Splits into halves for intervals, 3 or more{none}"
    return option("--splits", "N", text, click.IntRange(min=least), default=30)


def method_options(methods: Sequence[str], options: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Read the options of each method, ``METHOD.NAME=VALUE``; the value is JSON, or else a text."""
    values: dict[str, dict[str, Any]] = {method: {} for method in methods}
    for option in options:
        left, equals, value = option.partition("=")
        method, _, name = left.partition(".")
        if not (equals and name):
            raise InputError(f"--option {option} is not METHOD.NAME=VALUE, as cleanex.steps=2000")
        if method not in values:
            raise InputError(
                f"--option {option}: {method} was not chosen, but {', '.join(methods)}"
            )
        values[method][name] = value  # A word, unless it is JSON: 1e-4, [512, 128], true.
        with suppress(ValueError, RecursionError):
            values[method][name] = json.loads(value)
    return values


def of_one_method(question: dict[str, Any]) -> dict[str, Any]:
    """Give the question of a command with one method: its measure, and the method's options."""
    question, method = dict(question), question["method"]
    values = method_options([method], question.pop("method_options"))[method]
    if "measures" in question:
        top, *more = several_of((question["top"],), question.pop("measures"))
        if more:
            raise InputError("this command takes one --measure: run it for each")
        question["top"] = top
    return question | values


def several_of(tops: tuple[int, ...], measures: Values) -> tuple[int | str, ...]:
    """Take measures, or tops in their order; `InputError` if both are given."""
    for measure in measures:
        Measure.of(max(tops, default=1), measure)
    return tuple(dict.fromkeys(measures)) or tuple(sorted(set(tops))) or (1,)


def weigh_option(default: str) -> Option:
    """Make the option of what weighs the same: it matters where classes differ in their points."""
    kind = click.Choice(["points", "classes"])
    return option("--weigh", None, "What weighs the same", kind, default=default)


def counts_option(names: str, text: str, least: int, *, required: bool = True) -> Option:
    """Make the option of numbers of classes, or of people, of a question."""
    kind = Count(least, "a number of classes" if least > 1 else "a number of people")
    return option(names, "K", text, kind, multiple=True, required=required)


CLASSES_HELP = "Number of classes to predict at"
FILE, FROM_ONE = click.Path(path_type=Path), click.IntRange(min=1)
DOCUMENTS = Count(3, "a number of documents")
COVERAGE, TOP_HELP = click.FloatRange(0.5, 0.999), "The right class is among the T best"
MEASURES = f"{', '.join(DISCOUNTS)} @T, such as ndcg@10"
JOBS = option("--jobs", "N", "Processes", FROM_ONE, default=1)
LEVEL = option("--level", "P", "Coverage of intervals", COVERAGE, default=half_fits.LEVEL)
METHOD = option("--method", "METHOD", "Method that predicts", default="auto")
TOP = option("--top", "T", TOP_HELP, FROM_ONE, default=1)
MEASURE = option("--measure measures", "NAME", MEASURES, multiple=True)
OPTION = option(
    "--option method_options", "METHOD.NAME=VALUE", "An option of a method", multiple=True
)
CLASSES = counts_option("--classes", CLASSES_HELP, 2)
DIRECTION = click.option(
    "--higher-is-better/--lower-is-better",
    default=None,
    help="Similarities or distances.  [default: as the file says]",
)


def for_the_answer(context: click.Context, option: click.Parameter, value: Any) -> None:
    """Keep where to write for `terminal.written_answer`, so that commands do not carry it."""
    context.meta[str(option.name)] = value


# The options of the commands that write files.
kept: Any = {"callback": for_the_answer, "expose_value": False}
out_option = together(
    click.option("--overwrite", is_flag=True, help="Replace the answer in the folder.", **kept),
    option("--out", "FOLDER", "Where to write", FILE, usual="by input and command", **kept),
)

# The options of lists of candidates.
SEARCHED = option("--searched", "N", "Lists and ranks: among how many", DOCUMENTS)
list_options = together(
    SEARCHED,
    option("--qrels", "FILE", "Right answers: SCORES is a run", FILE),
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
    list_options,
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
one_method_options = together(
    sample_options, JOBS, splits_option(half_fits.LEAST_SPLITS), OPTION, METHOD, MEASURE, TOP, LEVEL
)

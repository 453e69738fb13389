"""The commands, a function each: they read, ask the library once, print and write."""

import textwrap
from functools import partial
from pathlib import Path
from typing import Any, cast

import click

from accuracy_curves.cautions import named
from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import Input, load_input
from accuracy_curves.exceptions import InputError, located
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.scores.files import read_file
from accuracy_curves.scores.formats.base import Curve, Source
from accuracy_curves.scores.formats.registry import FORMATS, KINDS, description, taken_by
from accuracy_curves.scores.formats.scores import save_scores
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches

# The methods of `extend`. Answers, which need Matplotlib, are imported in the functions.
OF_CURVES = "two_parameter", "pitman_yor"


# A line of \b in a docstring keeps click from filling the lines below it.
command = partial(click.command, cls=options.Sectioned, epilog=options.FILES)


@command("compare")
@options.out_option
@options.CLASSES
@options.one_method_options
@click.option(
    "--common", is_flag=True, help="Leave out searches for classes that one system has more of."
)
@options.option(
    "--against",
    None,
    "Which of three systems or more the others are compared with",
    click.Choice(["first", "best"]),
    default="first",
)
@click.argument("others", type=options.FILE, metavar="OTHER...", nargs=-1, required=True)
def compare_command(scores: Path, others: tuple[Path, ...], **question: Any) -> None:
    """Predict how much more accurate a system will be than another one, at more classes.

    SCORES are of the first system and OTHER of others, for the same classes: by their names
    where all files have them, else in the same order; all must have the same searches. The answer
    is the accuracy of the second less that of the first, with its interval. It is narrower than
    those of both accuracies, as the draw of the classes moves both in the same direction. Of three
    systems or more each is compared with the first, and the intervals hold together.

    Writes comparison.csv (method, k, top, level, accuracy_a, accuracy_b, difference, lower, upper;
    of three systems or more system and accuracy, and p), comparison.png and comparison.pdf, and the
    answer as report.html and report.json.

    \b
    Examples:
      accuracy-curves compare old.npz new.npz --classes 10000 --out answer
      accuracy-curves compare a.npz b.npz c.npz --classes 10000 --against best
    """
    question = options.of_one_method(question)
    paths = scores, *others
    repeated = len({path.name for path in paths}) < len(paths)
    names = [str(path) if repeated else path.name for path in paths]
    of_input = options.of_input(question)
    systems = [load_input(path, ScoreMatrix, **of_input) for path in paths]
    pairs = [*zip(names, systems, strict=True)]
    origin = [f"{line} ({name})" for name, system in pairs for line in system.origin]
    left_out = [note for name, system in pairs for note in named(name, system.left_out)]
    matrices = [system.matrix for system in systems]
    from accuracy_curves.answers.comparison import ComparisonAnswer, compare

    terminal.answered(
        scores,
        ComparisonAnswer,
        lambda: compare(matrices, names=names, **question),
        Input(None, origin, left_out),
    )


@command("convert")
@options.DIRECTION
@click.option("--overwrite", is_flag=True, help="Replace OUTPUT if it exists.")
@click.argument("source", type=options.FILE, metavar="INPUT")
@click.argument("output", type=options.FILE)
def convert_command(
    higher_is_better: bool | None,
    overwrite: bool,
    source: Path,
    output: Path,
) -> None:
    """Write the scores of another tool as an .npz file that the other commands read.

    Every probe must have a score for every identity. A probe without a mate gets the label -1,
    which `identify` takes.

    \b
    Examples:
      accuracy-curves convert reid.npz scores.npz
    """
    if output.exists() and output.samefile(source):
        raise InputError(f"{output} is the input and would be lost: choose another name")
    if output.exists() and not overwrite:
        raise InputError(f"{output} exists: choose another name, or give --overwrite")
    with Source(source, higher_is_better) as opened:
        content = read_file(opened, *taken_by("convert"))
    with located(source):
        searches = Searches(*content.scores) if content.scores else content.searches
    sample = cast(Searches, searches)
    save_scores(sample, output, f"accuracy-curves convert of {source.name}")
    click.echo("\n".join([", ".join(sample._facts()), *content.said, f"wrote {output}"]))


@command("extend")
@options.CLASSES
@options.option(
    "--method methods",
    "METHOD",
    "See `accuracy-curves methods`",
    usual=", ".join(OF_CURVES),
    multiple=True,
)
@options.option(
    "--top", "T", "CURVE and predictions are of top-T accuracies", options.FROM_ONE, default=1
)
@options.LEVEL
@options.SEARCHED
@options.OPTION
@options.out_option
@click.argument("curve", type=options.FILE)
def extend_command(
    curve: Path,
    classes: tuple[int, ...],
    methods: options.Values,
    top: int,
    searched: int | None,
    **question: Any,
) -> None:
    """Predict the accuracy at more classes from a curve alone, without scores.

    CURVE is a .csv file whose first line names its columns: k, a number of classes; accuracy, from
    0 to 1; and, if known, counts, how many trials are behind it. It has three k or more; lines of
    one k are pooled. A rate of misses or of false positives is 1 minus such an accuracy. Or it has
    ranks of right answers, rank and candidates, or a CMC, rank and cmc, with --searched.

    Writes curves.csv, curves.png and curves.pdf, and the answer as
    report.html and report.json. There is an interval
    where several lines of one k are runs of their own. If you have the scores, `predict` makes more
    of them.

    \b
    Examples:
      accuracy-curves extend curve.csv --classes 1000
      accuracy-curves extend curve.csv --classes 1000 --classes 10000 --method two_parameter
    """
    with Source(curve, searched=searched, top=top) as source:
        read = read_file(source, "curve")
    observed = cast(Curve, read.curve)
    chosen = list(dict.fromkeys(methods)) or list(OF_CURVES[: None if top == 1 else 1])
    notes = list(read.how)
    if top > 1 and not methods:
        label = EXTRAPOLATORS[OF_CURVES[1]].label
        notes.append(f"{label} is left out, as it predicts the top-1 accuracy alone")
    from accuracy_curves.answers.extension import ExtensionAnswer, extend

    terminal.answered(
        curve,
        ExtensionAnswer,
        located(curve)(lambda: extend(observed, classes, chosen, top, **question)),
        Input(None, notes),
    )


@click.command("formats")
def formats_command() -> None:
    """List the files that the commands read, and what each holds."""
    for name, kind in FORMATS.items():
        have, holds = description(name)
        click.echo(f"{have} ({', '.join(KINDS[kind][0])})")
        click.echo(textwrap.indent(textwrap.fill(holds.replace("`", ""), 76), " " * 4))


@command("identify")
@options.option("--gallery-size sizes", text="People enrolled", required=True, **options.COUNTS)
@options.option(
    "--fpir",
    "F",
    "Set the threshold for this FPIR",
    options.INSIDE,
    usual="0.01, unless --threshold is given",
    multiple=True,
)
@options.option(
    "--threshold thresholds", "T", "Accept scores from T, distances up to T", float, multiple=True
)
@options.option("--rank", "R", "A mate below rank R is missed", options.FROM_ONE, default=1)
@options.METHOD
@options.OPTION
@options.LEVEL
@options.weigh_option("points")
@options.SPLITS
@options.out_option
@options.input_options
def identify_command(scores: Path, weigh: str, **question: Any) -> None:
    """Predict how often a stranger is accepted, and an enrolled person is missed.

    FPIR is the share of strangers' searches in which somebody is accepted. FNIR is the share of
    enrolled people's searches in which their own score is not accepted, or is below rank R. Rows
    of SCORES with the label -1 are strangers. Without such rows the incorrect scores of the
    enrolled people are used. SCORES may also be a table with the columns probe, identity, score and
    mate, or a list of verification trials, score and mate. A list of trials allows only the formula
    FPIR = 1 - (1 - FMR)^k. Writes identification.csv (the answers), det.csv and fnir_by_size.csv
    (the curves), identification.png and .pdf, and the answer as a page, report.html, and for
    programs, report.json. A file wrong_names.csv is written if searches and people look like one
    person under two names.

    \b
    Examples:
      accuracy-curves identify scores.npz --gallery-size 1000000 --fpir 0.01 --fpir 0.003
      accuracy-curves identify faces.npz --metric cosine --gallery-size 100000 --fpir 0.01
      accuracy-curves identify scores.npz --gallery-size 5000 --threshold 0.62 --rank 5
    """
    question = options.of_one_method(question)
    loaded = load_input(scores, Searches, **options.of_input(question))
    searches = loaded.matrix.weighing_points(weigh == "points")
    from accuracy_curves.answers.rates import RatesAnswer, identify

    question["fpir"] = sorted(set(question["fpir"]), reverse=True)
    terminal.answered(scores, RatesAnswer, lambda: identify(searches, **question), loaded)


@click.command("methods")
def methods_command() -> None:
    """List the methods of --method, a line each."""
    others = {
        name: OPEN_SET_METHODS[name] for name in OPEN_SET_METHODS if name not in EXTRAPOLATORS
    }
    for heading, kinds in (("Of all commands:", EXTRAPOLATORS), ("Of identify alone:", others)):
        lines = {name: (kind.__doc__ or "").splitlines()[0] for name, kind in kinds.items()}
        click.echo("\n".join([heading, *(f"  {name:20}{line}" for name, line in lines.items())]))


@command("observe")
@options.option("--top tops", "T", "Also the top-T accuracies", options.FROM_ONE, multiple=True)
@options.MEASURE
@options.out_option
@options.sample_options
def observe_command(
    scores: Path, tops: tuple[int, ...], measures: options.Values, seed: int, **of_input: Any
) -> None:
    """Average the accuracy over all subsets of k of the classes, for each k.

    The accuracy of two classes is the area under the reversed ROC (rAUC). Writes observed.csv,
    observed.png and observed.pdf, and the answer as report.html and report.json. Of lists of
    candidates there are bounds of the accuracy at few classes.

    \b
    Example:
      accuracy-curves observe scores.npz --out results
    """
    loaded = load_input(scores, ScoreMatrix, seed=seed, **of_input)
    from accuracy_curves.answers.curves import ObservedAnswer

    answer = ObservedAnswer(loaded.matrix, options.several_of(tops, measures), seed)
    terminal.answered(scores, ObservedAnswer, lambda: answer, loaded)


@command("plan")
@options.option("--classes", text=options.CLASSES_HELP, **options.COUNTS)
@options.option("--gallery-size sizes", text="Identification: people enrolled", **options.COUNTS)
@options.option("--fpir", "F", "Identification: the FPIR to set thresholds for", options.INSIDE)
@options.option(
    "--width", "W", "Upper minus lower end of an interval, as 0.02", options.INSIDE, required=True
)
@options.out_option
@options.design_options
@options.one_method_options
def plan_command(scores: Path, sizes: tuple[int, ...], **question: Any) -> None:
    """Plan how many classes to collect, or how many people.

    SCORES is a pilot: the scores of some classes. The answer is the number of classes whose
    scores would give an interval of the accuracy at --classes that is --width wide. With
    --gallery-size and --fpir it is the number of people whose searches would give such an interval
    of FNIR, at thresholds that are set for an FPIR.

    Writes plan.csv, widths.csv, plan.png and plan.pdf, and the answer as report.html and
    report.json.

    \b
    Examples:
      accuracy-curves plan pilot.npz --classes 1000 --width 0.02
      accuracy-curves plan pilot.npz --classes 1000 --width 0.05 --level 0.95 --top 5
      accuracy-curves plan pilot.npz --gallery-size 5000 --fpir 0.01 --width 0.05
    """
    classes, fpir, measures = (question[name] for name in ("classes", "fpir", "measures"))
    if bool(classes) == bool(sizes) or bool(sizes) != bool(fpir) or (sizes and measures):
        raise InputError("give --classes; or --gallery-size and --fpir, without --measure")
    question = options.of_one_method(question) | {"classes": classes or sizes}
    of_input = options.of_input(question)
    loaded = load_input(scores, Searches if sizes else ScoreMatrix, **of_input)
    from accuracy_curves.answers.plan import PlanAnswer, plan

    terminal.answered(scores, PlanAnswer, lambda: plan(loaded.matrix, **question), loaded)


@command("predict")
@options.CLASSES
@options.option(
    "--method methods",
    "METHOD",
    "See `accuracy-curves methods`",
    usual="auto and three quick ones",
    multiple=True,
)
@options.option("--top tops", "T", options.TOP_HELP, options.FROM_ONE, usual="1", multiple=True)
@options.MEASURE
@options.option(
    "--target",
    "A",
    "At how many classes the accuracy falls below A",
    click.FloatRange(0, 1, min_open=True),
)
@options.option(
    "--words",
    None,
    "What classes are called",
    click.Choice(["classes", "people", "documents", "items"]),
    usual="by the input",
)
@options.OPTION
@options.LEVEL
@options.weigh_option("classes")
@options.SPLITS
@options.JOBS
@options.out_option
@options.design_options
@options.sample_options
def predict_command(scores: Path, measures: options.Values, weigh: str, **question: Any) -> None:
    """Predict the accuracy at other numbers of classes from the scores of a sample of classes.

    Writes the answer as report.html and report.json, curves.png, curves.pdf and curves.csv. An
    interval (none with --splits 0) contains the expected accuracy, whichever classes happened to be
    observed; set_lower and set_upper are of one new set of classes. kde uses at most 10 splits and
    cleanex 5.

    \b
    Examples:
      accuracy-curves predict scores.npz --classes 400 --classes 1000 --out results
      accuracy-curves predict scores.csv --classes 1e6 --top 5 --target 0.9 --lower-is-better
      accuracy-curves predict run.trec --qrels qrels.txt --searched 100000 --classes 1e6 --top 10
      accuracy-curves predict scores.npz --newcomers new.npz --classes 2000
      accuracy-curves predict faces.npz --classes 9999 --gallery centroid --metric cosine
      accuracy-curves predict scores.npz --classes 400 --method cleanex --option cleanex.steps=2000
    """
    from accuracy_curves.answers.accuracy import AccuracyAnswer, predict

    loaded = load_input(scores, ScoreMatrix, **options.of_input(question))
    sample = loaded.matrix
    listed = "documents" if sample.is_listed and scores.suffix != ".npz" else "classes"
    question["words"] = question["words"] or listed
    question["tops"] = options.several_of(question["tops"], measures)
    weighed = sample.weighing_points(weigh == "points" or bool(sample.design.weigh_points))
    terminal.answered(scores, AccuracyAnswer, lambda: predict(weighed, **question), loaded)

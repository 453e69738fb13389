"""The command line: `accuracy-curves predict`, `observe` and `plan`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click
import numpy as np

from accuracy_curves.cli.inputs import load_input
from accuracy_curves.cli.options import (
    DEFAULT_METHODS,
    Values,
    embedding_options,
    input_options,
    out_option,
    plan_options,
    predict_options,
)
from accuracy_curves.cli.terminal import (
    advised,
    busy,
    chosen_extrapolators,
    output_folder,
    print_lines,
    print_notes,
    print_table,
    tidy,
)
from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.sample_size import Plan, plan, planned_width
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.observed.sample_warnings import warn_of_direction, warn_of_sample
from accuracy_curves.prediction.predict import Question, answer_question, observed_grid
from accuracy_curves.prediction.wording import (
    interval_legend,
    listed,
    observed_sentence,
    printable,
    printed_rows,
    target_sentences,
)

TABLE_ROWS = 8
# Of the classes of the pilot, in the table of a plan.
LADDER = (1, 2, 4, 8, 16)
INTERRUPTED = 130

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves observe scores.npz
  accuracy-curves predict scores.npz --classes 400 --classes 1000
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.02"""
PREDICT_EXAMPLES = """\b
Examples:
  accuracy-curves predict scores.npz --classes 400 --classes 1000 --out results
  accuracy-curves predict scores.npz --classes 1000000 --top 1 --top 5 --target 0.9
  accuracy-curves predict scores.csv --classes 5000 --lower-is-better --method kde
  accuracy-curves predict faces.npz --classes 9999 --gallery centroid --metric cosine
  accuracy-curves predict scores.npz --classes 400 --method cleanex \\
      --option cleanex.steps=2000 --option cleanex.hidden=[256,64]"""
PREDICTED = ("curves.csv", "curves.pdf", "curves.png", "report.html")
OBSERVED = ("observed.csv", "reversed_roc.pdf", "reversed_roc.png")
OBSERVE_EXAMPLES = """\b
Example:
  accuracy-curves observe scores.npz --out results"""


PLAN_EXAMPLES = """\b
Examples:
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.02
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.05 --level 0.95 --top 5"""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0, 2 with one sentence on bad input, 130 if interrupted.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments; those of the process by default.
    """
    try:
        commands.main(arguments, prog_name="accuracy-curves", standalone_mode=False)
    except click.ClickException as error:
        _exit_with(error.format_message())
    except AccuracyCurvesError as error:
        _exit_with(advised(str(error), error.reason))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    sys.exit(0)


def _exit_with(message: str) -> NoReturn:
    """Say what is wrong in one line and exit with status 2."""
    click.echo(f"Error: {printable(' '.join(message.split()), most=4000)}", err=True)
    sys.exit(2)


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXAMPLES,
)
@click.version_option(package_name="accuracy-curves")
@click.pass_context
def commands(context: click.Context) -> None:
    """Predict how accurate a classifier is on more classes than it was tested on.

    SCORES is an .npz file with the arrays scores (points x classes), labels (the column of each
    point's correct class) and higher_is_better; or a folder with scores.npy, labels.npy and
    meta.json; or a .csv file whose first line is label,<class name>,<class name>,...; or an .npz
    file with the arrays embeddings (photos x dimensions) and labels, from which --gallery and
    --metric make scores. Of probabilities give the logarithms, or the scores before the softmax.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command(short_help="Predict the accuracy at more classes.", epilog=PREDICT_EXAMPLES)
@predict_options
@out_option
@input_options
def predict(
    scores: Path,
    classes: list[int],
    methods: Values,
    options: Values,
    tops: tuple[int, ...],
    target: float | None,
    level: float,
    splits: int,
    groups: Path | None,
    seed: int,
    out: Path | None,
    higher_is_better: bool | None,
    **embedding: object,
) -> None:
    """Predict the accuracy at other numbers of classes from the scores of a sample of classes.

    Writes curves.csv (method, k, accuracy, lower, upper, and top after k if --top is given; the
    method "observed" is the average accuracy over all subsets of k classes of the sample),
    curves.png and curves.pdf. Intervals are of the expected accuracy, for the draw of classes;
    those of slow methods come from fewer splits, 10 of kde and 5 of cleanex, and are wider for it.
    """
    chosen = list(dict.fromkeys(methods)) or list(DEFAULT_METHODS)
    extrapolators = chosen_extrapolators(chosen, options, seed)
    given = load_input(
        scores,
        higher_is_better=higher_is_better,
        embedding=embedding_options(embedding),
        groups=groups,
        seed=seed,
    )
    question = Question(classes, tuple(sorted(set(tops))), level, target, splits, seed)
    with output_folder(scores, out, PREDICTED, groups) as folder:
        # Deferred, so that --help is quick.
        from accuracy_curves.prediction.report.page import write_answer

        answer = answer_question(
            given.matrix,
            extrapolators,
            question,
            groups=given.groups,
            embedded=given.embedded,
            leave_out=not methods,
            busy=busy,
        )
        written = write_answer(answer, folder, scores.name, given.said)
    click.echo(observed_sentence(answer))
    print_lines(given.said)
    heads = ["classes", *(["top"] if question.tops != (1,) else [])]
    print_table([*heads, *answer.methods.values()], printed_rows(answer))
    legend = interval_legend(answer)
    for line in [*([legend] if legend else []), *target_sentences(answer)]:
        click.echo(line)
    if answer.compared is not None:
        names = listed([printable(name) for name in answer.compared.groups])
        click.echo(f"groups {names}: exchangeable? permutation p = {answer.compared.p_value:.3g}")
    print_notes(answer.warnings)
    print_lines([f"wrote {path}" for path in written])


@commands.command(short_help="Average the observed accuracies.", epilog=OBSERVE_EXAMPLES)
@out_option
@input_options
def observe(
    scores: Path,
    seed: int,
    out: Path | None,
    higher_is_better: bool | None,
    **embedding: object,
) -> None:
    """Average the accuracy over all subsets of k of the classes, for each k.

    Prints also the area under the reversed ROC (rAUC), which is the average accuracy of two
    classes. Writes observed.csv, reversed_roc.png and reversed_roc.pdf.
    """
    given = load_input(
        scores,
        higher_is_better=higher_is_better,
        embedding=embedding_options(embedding),
        seed=seed,
    )
    sample = given.matrix
    with output_folder(scores, out, OBSERVED) as folder:
        # Deferred, so that --help is quick.
        from accuracy_curves.figures.reversed_roc import reversed_roc_figure
        from accuracy_curves.figures.style import save_figure
        from accuracy_curves.utils.tables import write_csv

        k = observed_grid(sample.n_classes)
        seen, tied = average_accuracy(sample, k, seed), sample.outscored_and_tied()[1]
        figure = reversed_roc_figure(sample, seed=seed)
        write_csv(tidy({"observed": seen}, k), folder / "observed.csv")
        save_figure(figure, folder / "reversed_roc")
        written = [folder / name for name in OBSERVED]
    click.echo(
        f"{sample.n_points:,} points, {sample.n_classes:,} classes; "
        f"points that tie with an incorrect class: {np.count_nonzero(tied)}"
    )
    print_lines(given.said)
    click.echo(f"rAUC = {seen[0]:.4f}")
    few = np.unique(np.geomspace(1, len(k), TABLE_ROWS).astype(int)) - 1
    print_table(["classes", "average accuracy"], [[f"{k[i]:,}", seen[i]] for i in few])
    # What else is doubtful is of predictions; ties are counted above.
    print_notes(warn_of_direction(sample, seed, embedded=given.embedded))
    print_lines([f"wrote {path}" for path in written])


@commands.command("plan", short_help="How many classes to collect.", epilog=PLAN_EXAMPLES)
@plan_options
@input_options
def plan_command(
    scores: Path,
    classes: list[int],
    accuracy_width: float,
    level: float,
    top: int,
    method: str,
    options: Values,
    splits: int,
    seed: int,
    higher_is_better: bool | None,
    **embedding: object,
) -> None:
    """Say from a pilot how many classes to collect.

    SCORES is a pilot: the scores of some classes. The answer is the number of classes whose
    scores would give an interval of the accuracy at --classes that is --accuracy-width wide.
    """
    (model,) = chosen_extrapolators([method], options, seed).values()
    given = load_input(
        scores,
        higher_is_better=higher_is_better,
        embedding=embedding_options(embedding),
        seed=seed,
    )
    pilot = given.matrix
    with busy([model]):
        (intervals,) = ClassIntervals.fit_all(pilot, [model], [splits], seed)
        plans = [plan(intervals, k, accuracy_width, level, top=top) for k in classes]
    click.echo(f"pilot: {pilot.n_points:,} points, k1 = {pilot.n_classes:,} classes")
    print_lines(given.said)
    sizes = [pilot.n_classes * times for times in LADDER]
    rows: list[list[float | str]] = [
        [f"{n:,}", *(planned_width(intervals, k, n, level, top=top) for k in classes)]
        for n in sizes
    ]
    heads = [f"width at {k:,}" for k in classes]
    print_table(["classes collected", *heads], rows)
    for each in plans:
        click.echo(plan_sentence(each, pilot.n_classes, level))
    print_notes(
        [
            *warn_of_sample(pilot, seed, embedded=given.embedded),
            *intervals.cautions(),
            *dict.fromkeys(said for each in plans for said in each.cautions),
        ]
    )


def plan_sentence(found: Plan, k1: int, level: float) -> str:
    """Say what to collect."""
    start = (
        f"accuracy at {found.k:,} classes, about {found.accuracy:.3f}: for a {100 * level:g} % "
        f"interval {found.width:g} wide "
    )
    low, high = ("beyond 10^9" if each is None else f"{each:,}" for each in (found.low, found.high))
    if found.classes is None:
        return start + "more than 10^9 classes are needed"
    if found.classes <= k1:
        return start + f"the {k1:,} classes of the pilot are enough ({found.width_now:.3f})"
    return (
        start + f"collect {found.classes:,} classes, {found.classes - k1:,} more than the pilot's "
        f"(as far as one pilot can tell, {low} to {high})"
    )

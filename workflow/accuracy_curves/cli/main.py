"""The command line: `accuracy-curves predict`, `observe`, `plan` and `identify`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click
import numpy as np

from accuracy_curves.cli.identify import identify_command
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.cli.options import (
    DEFAULT_METHODS,
    Values,
    embedding_options,
    input_options,
    out_option,
    predict_options,
)
from accuracy_curves.cli.plan import plan_command
from accuracy_curves.cli.terminal import (
    busy,
    chosen_extrapolators,
    output_folder,
    print_lines,
    print_table,
    print_written,
    tidy,
)
from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, outscored_and_tied, ranks
from accuracy_curves.prediction.predict import answered, leave_out_too_few, observed_grid
from accuracy_curves.prediction.question_answer import Question
from accuracy_curves.prediction.sample_warnings import wrong_direction
from accuracy_curves.prediction.wording import (
    interval_legend,
    observed_sentence,
    printed_rows,
    target_sentences,
)

TABLE_ROWS = 8
INTERRUPTED = 130

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Examples:
  accuracy-curves observe scores.npz
  accuracy-curves predict scores.npz --classes 400 --classes 1000
  accuracy-curves plan pilot.npz --classes 1000 --accuracy-width 0.02
  accuracy-curves identify scores.npz --gallery-size 1000000 --fpir 0.01"""
PREDICT_EXAMPLES = """\b
Examples:
  accuracy-curves predict scores.npz --classes 400 --classes 1000 --out results
  accuracy-curves predict scores.npz --classes 1000000 --top 1 --top 5 --target 0.9
  accuracy-curves predict scores.csv --classes 5000 --lower-is-better --method kde
  accuracy-curves predict faces.npz --classes 9999 --gallery centroid --metric cosine
  accuracy-curves predict scores.npz --classes 400 --method cleanex \\
      --option cleanex.steps=2000 --option cleanex.hidden=[256,64]"""
OBSERVE_EXAMPLES = """\b
Example:
  accuracy-curves observe scores.npz --out results"""


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
        _exit_with(str(error))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    sys.exit(0)


def _exit_with(message: str) -> NoReturn:
    """Say what is wrong in one line and exit with status 2."""
    click.echo(f"Error: {' '.join(message.split())}", err=True)
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
    sample = given.matrix
    question = Question(classes, tuple(sorted(set(tops))), level, target, splits, seed)
    with output_folder(scores, out) as folder:
        # Deferred, so that --help is quick.
        from accuracy_curves.prediction.report.page import write_answer

        left_out = [] if methods else leave_out_too_few(extrapolators, sample.n_classes)
        answer = answered(
            sample, extrapolators, question, busy, given.groups, embedded=given.embedded
        )
        answer = replace(answer, doubts=[*left_out, *answer.doubts])
        written = write_answer(answer, folder, scores.name, given.said)
    click.echo(observed_sentence(answer))
    print_lines(given.said)
    heads = ["classes", *(["top"] if question.tops != (1,) else [])]
    print_table([*heads, *answer.methods.values()], printed_rows(answer))
    legend = interval_legend(answer)
    for line in [*([legend] if legend else []), *target_sentences(answer)]:
        click.echo(line)
    if answer.compared is not None:
        names = ", ".join(answer.compared.groups)
        click.echo(f"groups {names}: exchangeable? permutation p = {answer.compared.p_value:.3g}")
    for sentence in answer.doubts:
        click.echo(f"Note: {sentence}")
    print_written(written)


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
    with output_folder(scores, out) as folder:
        # Deferred, so that --help is quick.
        from accuracy_curves.figures.reversed_roc import reversed_roc_figure
        from accuracy_curves.figures.style import save_figure
        from accuracy_curves.utils.tables import write_csv

        k = observed_grid(sample.n_classes)
        outscored, tied = ranks(sample, seed), outscored_and_tied(sample)[1]
        seen = average_accuracy_of_ranks(outscored, sample.n_classes, k, sample.weights)
        figure = reversed_roc_figure(sample, seed=seed)
        write_csv(tidy({"observed": seen}, k), folder / "observed.csv")
        written = [folder / "observed.csv", *save_figure(figure, folder / "reversed_roc")]
    click.echo(
        f"{sample.n_points:,} points, {sample.n_classes:,} classes; "
        f"points that tie with an incorrect class: {np.count_nonzero(tied)}"
    )
    print_lines(given.said)
    click.echo(f"rAUC = {seen[0]:.4f}")
    few = np.unique(np.geomspace(1, len(k), TABLE_ROWS).astype(int)) - 1
    print_table(["classes", "average accuracy"], [[f"{k[i]:,}", seen[i]] for i in few])
    # What else is doubtful is of predictions; ties are counted above.
    for sentence in wrong_direction(sample, outscored, embedded=given.embedded):
        click.echo(f"Note: {sentence}")
    print_written(written)


commands.add_command(plan_command)
commands.add_command(identify_command)

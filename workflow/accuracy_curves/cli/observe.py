"""The command `accuracy-curves observe`."""

from pathlib import Path
from typing import Any

import click
import numpy as np

from accuracy_curves.cautions import share
from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.observed.sample_cautions import cautions_of_sample
from accuracy_curves.scores.score_matrix import ScoreMatrix

OBSERVED = ("observed.csv", "observed.pdf", "observed.png")
TABLE_ROWS = 8

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Example:
  accuracy-curves observe scores.npz --out results"""


@click.command("observe")
@options.option("--top tops", "T", "Also the top-T accuracies", options.FROM_ONE, multiple=True)
@options.MEASURE
@options.out_option
@options.sample_options
def observe_command(
    scores: Path, tops: tuple[int, ...], measures: options.Values, seed: int, **of_input: Any
) -> None:
    """Average the accuracy over all subsets of k of the classes, for each k.

    Also prints the area under the reversed ROC (rAUC), which is the average accuracy of two
    classes. Writes observed.csv, and observed.png and observed.pdf, which show both. Of lists of
    candidates there is no ROC, and bounds of the accuracy at few classes.
    """
    given = load_input(scores, ScoreMatrix, seed=seed, **of_input)
    sample = given.matrix
    with terminal.written_answer(scores, OBSERVED) as staged:
        # Deferred, so that --help is quick.
        import pandas as pd

        from accuracy_curves.answers.accuracy import observed_curve
        from accuracy_curves.answers.accuracy_plots import observed_figure
        from accuracy_curves.answers.accuracy_wording import accuracy_name
        from accuracy_curves.answers.answer import write_files

        asked = options.asked_of(tops, measures)
        curves = {top: observed_curve(sample, top, seed) for top in asked}
        of = "measure" if measures else "top"
        table = pd.concat(curves.values()).rename(columns={"top": of})
        columns = ["method", "k", *([of] if asked != (1,) else []), "accuracy", "lower", "upper"]
        of_all = observed_curve(sample, 1, seed) if 1 not in curves else curves[1]
        k, seen = of_all[["k", "accuracy"]].dropna().to_numpy().T
        drawn = observed_figure(sample, k, seen, seed)
        write_files(staged, {"observed.csv": table[columns]}, drawn, "observed")
    about = f"{sample.n_points:,} points, {sample.counted_classes:,} classes; points that tie with"
    ties = f"an incorrect class: {np.count_nonzero(sample.outscored_and_tied()[1])}"
    terminal.print_lines([f"{about} {ties}", *given.origin])
    if k[0] == 2:
        click.echo(f"rAUC = {share(seen[0])}")
    told = pd.DataFrame({top: each.set_index("k")["accuracy"] for top, each in curves.items()})
    told = told.dropna()
    few = np.unique(np.geomspace(1, len(told), TABLE_ROWS).astype(int)) - 1
    rows = [[f"{n:,}", *values] for n, *values in told.iloc[few].itertuples()]
    terminal.print_table(["classes", *(f"average {accuracy_name(top)}" for top in asked)], rows)
    terminal.print_cautions(cautions_of_sample(sample, seed, embedded=given.embedded))

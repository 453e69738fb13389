"""The command `accuracy-curves observe`."""

from pathlib import Path

import click
import numpy as np

from accuracy_curves.cautions import share
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.cli.options import embedding_options, input_options, out_option
from accuracy_curves.cli.terminal import output_folder, print_cautions, print_lines, print_table
from accuracy_curves.observed.accuracy import expected_accuracy
from accuracy_curves.observed.sample_cautions import cautions_of_sample
from accuracy_curves.scores.score_matrix import ScoreMatrix

OBSERVED = ("observed.csv", "observed.pdf", "observed.png")
TABLE_ROWS = 8

# A line of \b keeps click from filling the lines below it.
EXAMPLES = """\b
Example:
  accuracy-curves observe scores.npz --out results"""


@click.command("observe", epilog=EXAMPLES)
@out_option
@input_options
def observe_command(
    scores: Path,
    seed: int,
    out: Path | None,
    overwrite: bool,
    higher_is_better: bool | None,
    **embedding: object,
) -> None:
    """Average the accuracy over all subsets of k of the classes, for each k.

    Also prints the area under the reversed ROC (rAUC), which is the average accuracy of two
    classes. Writes observed.csv, and observed.png and observed.pdf, which show both.
    """
    given = load_input(
        scores,
        ScoreMatrix,
        higher_is_better=higher_is_better,
        embedding=embedding_options(embedding),
        seed=seed,
    )
    sample = given.matrix
    with output_folder(scores, "observe", out, OBSERVED, overwrite=overwrite) as folder:
        # Deferred, so that --help is quick.
        import pandas as pd

        from accuracy_curves.answers.accuracy import observed_grid
        from accuracy_curves.answers.answer import write_files
        from accuracy_curves.answers.observed_plots import observed_figure

        k = observed_grid(sample.n_classes)
        seen, tied = expected_accuracy(sample, k), sample.outscored_and_tied()[1]
        table = pd.DataFrame({"method": "observed", "k": k, "accuracy": seen})
        tables = {"observed.csv": table.assign(lower=np.nan, upper=np.nan)}
        written = write_files(folder, tables, observed_figure(sample, k, seen, seed), "observed")
    click.echo(
        f"{sample.n_points:,} points, {sample.n_classes:,} classes; "
        f"points that tie with an incorrect class: {np.count_nonzero(tied)}"
    )
    print_lines(given.origin)
    click.echo(f"rAUC = {share(seen[0])}")
    few = np.unique(np.geomspace(1, len(k), TABLE_ROWS).astype(int)) - 1
    print_table(["classes", "average accuracy"], [[f"{k[i]:,}", seen[i]] for i in few])
    print_cautions(cautions_of_sample(sample, seed, embedded=given.embedded))
    print_lines([f"wrote {path}" for path in written])

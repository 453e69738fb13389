"""The command `accuracy-curves observe`."""

from pathlib import Path

import click
import numpy as np

from accuracy_curves.cli.inputs import load_input
from accuracy_curves.cli.options import (
    embedding_options,
    input_options,
    out_option,
)
from accuracy_curves.cli.terminal import (
    output_folder,
    print_lines,
    print_table,
    print_written,
    tidy,
)
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, outscored_and_tied, ranks
from accuracy_curves.prediction.predict import observed_grid
from accuracy_curves.prediction.sample_warnings import wrong_direction

TABLE_ROWS = 8

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

"""The command `accuracy-curves observe`."""

from pathlib import Path
from typing import Any

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.scores.score_matrix import ScoreMatrix


@options.command("observe")
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
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.curves import ObservedAnswer

    answer = ObservedAnswer(loaded.matrix, options.several_of(tops, measures), seed)
    terminal.answered(scores, ObservedAnswer, lambda: answer, loaded)

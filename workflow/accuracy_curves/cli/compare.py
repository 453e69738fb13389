"""The command `accuracy-curves compare`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cautions import named
from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import Input, load_input
from accuracy_curves.scores.score_matrix import ScoreMatrix


@options.command("compare")
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
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.comparison import ComparisonAnswer, compare

    terminal.answered(
        scores,
        ComparisonAnswer,
        lambda: compare(matrices, names=names, **question),
        Input(None, origin, left_out),
    )

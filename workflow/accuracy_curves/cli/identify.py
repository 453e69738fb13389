"""The command `accuracy-curves identify`."""

from pathlib import Path
from typing import Any

import click

from accuracy_curves.cli import options, terminal
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.identification.identification import DEFAULT
from accuracy_curves.scores.searches import Searches


@options.command("identify")
@options.option("--gallery-size sizes", text="People enrolled", required=True, **options.COUNTS)
@options.option(
    "--fpir",
    "F",
    "Set the threshold for this FPIR",
    click.FloatRange(0, 1, min_open=True, max_open=True),
    usual="0.01, unless --threshold is given",
    multiple=True,
)
@options.option(
    "--threshold thresholds", "T", "Accept scores from T, distances up to T", float, multiple=True
)
@options.option("--rank", "R", "A mate below rank R is missed", options.FROM_ONE, default=1)
@options.option("--method", "METHOD", "See `accuracy-curves methods`", default=DEFAULT)
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
    # Deferred, so that --help is quick.
    from accuracy_curves.answers.rates import RatesAnswer, identify

    question["fpir"] = sorted(set(question["fpir"]), reverse=True)
    terminal.answered(scores, RatesAnswer, lambda: identify(searches, **question), loaded)

"""The command `accuracy-curves pool`."""

from pathlib import Path

import click

from accuracy_curves.cli.identify import asked_rates, question_options
from accuracy_curves.cli.options import out_option
from accuracy_curves.cli.terminal import output_folder, print_lines, print_table
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.formats.trials import LAYOUTS, Trials, read_score_lists, read_trials

WRITTEN = (
    "identification.csv",
    "det.csv",
    "fnir_by_size.csv",
    "identification.pdf",
    "identification.png",
)
RATES = ("threshold", "fpir", "fnir")
EXAMPLES = """\b
Examples:
  accuracy-curves pool genuine.txt impostor.txt --gallery-size 100000 --fpir 0.01
  accuracy-curves pool scores-dev --format bob --gallery-size 100000 --threshold 0.62
  accuracy-curves pool scores --format kaldi --targets trials --gallery-size 100000"""


@click.command("pool", short_help="The same from lists of scores.", epilog=EXAMPLES)
@question_options
@click.option(
    "--format",
    "layout",
    type=click.Choice(LAYOUTS),
    help="Of one file of trials.",
)
@click.option(
    "--targets",
    "targets_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Of kaldi: the trials, enrol test target|nontarget.  [default: they stand in FILES]",
)
@click.option(
    "--higher-is-better/--lower-is-better",
    default=True,
    show_default=True,
    help="Whether scores are similarities or distances.",
)
@out_option
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def pool_command(
    files: tuple[Path, ...],
    sizes: list[int],
    targets: tuple[float, ...],
    thresholds: tuple[float, ...],
    rank: int,
    layout: str | None,
    targets_file: Path | None,
    higher_is_better: bool,
    out: Path | None,
) -> None:
    """Predict rates in a gallery from genuine and impostor scores alone.

    FILES are two files with a score a line, first those of the same person, then those of different
    people; or, with --format, one list of verification trials. They allow only methods that pool
    all scores: FPIR = 1 - (1 - FMR)^k, and the CMC from the ROC. Searches differ, so that false
    positives are mostly predicted too often in a large gallery, and there is no interval. Where
    every probe has a score for every identity, `convert` and `identify` make more of them.

    Writes identification.csv (the answers), det.csv and fnir_by_size.csv (the curves),
    identification.png and .pdf.
    """
    trials = _read(files, layout, targets_file, higher_is_better)
    with output_folder(files[0], out, WRITTEN, *files[1:], targets_file) as folder:
        # Deferred, so that --help is quick.
        from accuracy_curves.prediction.identify import answer_pooled, write_pooled

        asked = asked_rates(targets, thresholds)
        answer = answer_pooled(trials, higher_is_better, sizes, asked, thresholds, rank)
        written = write_pooled(answer, folder)
    click.echo(f"{len(trials.genuine):,} genuine scores, {len(trials.impostor):,} impostor scores")
    print_table(
        ["gallery", "threshold", "FPIR", "FNIR"],
        [
            [f"{row['gallery_size']:,}", *(_printed(row[name]) for name in RATES)]
            for row in answer.rates.to_dict("records")
        ],
    )
    print_lines([f"Note: {warning}" for warning in answer.warnings])
    if trials.full is not None:
        click.echo(
            "Note: every probe has a score for every identity: write them with `convert`, and "
            "`identify` makes more of them"
        )
    print_lines([f"wrote {path}" for path in written])


def _read(
    files: tuple[Path, ...], layout: str | None, targets: Path | None, higher_is_better: bool
) -> Trials:
    """Read two lists, or one of trials."""
    wanted = 2 if layout is None else 1
    if len(files) != wanted:
        raise InputError(
            "give two files, of genuine and of impostor scores, or one and its --format: "
            f"{len(files)} found"
        )
    if targets is not None and layout != "kaldi":
        raise InputError("--targets belongs to --format kaldi")
    if layout is None:
        return read_score_lists(*files, higher_is_better=higher_is_better)
    return read_trials(files[0], layout, targets=targets, higher_is_better=higher_is_better)


def _printed(value: float) -> str:
    """Write a number of the terminal's table; a dash where the lists do not tell it."""
    return "-" if value != value else f"{value:.5g}"

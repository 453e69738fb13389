"""The command `accuracy-curves identify`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from accuracy_curves.cli.inputs import arrays_of, load_input
from accuracy_curves.cli.options import (
    LEVEL,
    OPTION,
    Command,
    Values,
    embedding_options,
    input_options,
    out_option,
    splits_option,
)
from accuracy_curves.cli.terminal import method_options, output_folder, print_lines, print_table
from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.comparability import comparability_warnings
from accuracy_curves.identification.identification import (
    LARGEST_GALLERY,
    METHODS,
    Identification,
    Rate,
)
from accuracy_curves.identification.rate_curves import det_curves, fnir_by_size
from accuracy_curves.identification.searches import Searches, load_searches
from accuracy_curves.intervals.half_fits import LEAST_SPLITS
from accuracy_curves.utils.arrays import IntArray

if TYPE_CHECKING:
    import pandas as pd

WRITTEN = (
    "identification.csv",
    "det.csv",
    "fnir_by_size.csv",
    "identification.pdf",
    "identification.png",
)
EXAMPLES = """\b
Examples:
  accuracy-curves identify scores.npz --gallery-size 1000000 --fpir 0.01 --fpir 0.003
  accuracy-curves identify faces.npz --metric cosine --gallery-size 100000 --fpir 0.01
  accuracy-curves identify scores.npz --gallery-size 5000 --threshold 0.62 --rank 5"""


def _sizes(_context: click.Context, _option: click.Parameter, values: Values) -> list[int]:
    """Convert the gallery sizes; ascending, each once."""
    sizes = set()
    for value in values:
        if not (value.isdecimal() and 1 <= int(value) <= LARGEST_GALLERY):
            raise InputError(
                f"--gallery-size {value}: a gallery has a whole number of people, from 1 to 10^18"
            )
        sizes.add(int(value))
    return sorted(sizes)


def _input_options(command: Command) -> Command:
    """Add the options of the input but that of photos in a gallery, whose name is taken here."""
    command = input_options(command)
    parameters: list[click.Parameter] = vars(command)["__click_params__"]
    parameters[:] = [each for each in parameters if each.name != "gallery_size"]
    return command


@click.command("identify", short_help="False alarms and misses in a gallery.", epilog=EXAMPLES)
@click.option(
    "--gallery-size",
    "sizes",
    multiple=True,
    required=True,
    metavar="K",
    callback=_sizes,
    help="People enrolled; may be given several times.",
)
@click.option(
    "--fpir",
    "targets",
    multiple=True,
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="F",
    help="Set the threshold for this FPIR; may be given several times.  "
    "[default: 0.01, unless --threshold is given]",
)
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    type=float,
    metavar="T",
    help="A score from which on somebody is accepted (a distance up to which); several times.",
)
@click.option(
    "--rank",
    type=click.IntRange(min=1),
    metavar="R",
    default=1,
    show_default=True,
    help="A mate below rank R is missed.",
)
@click.option(
    "--method",
    metavar="METHOD",
    default="auto",
    show_default=True,
    help=f"One of {', '.join(METHODS)}.",
)
@OPTION
@LEVEL
@splits_option(LEAST_SPLITS, "Splits into halves that give the intervals, 3 or more.")
@out_option
@_input_options
def identify_command(
    scores: Path,
    sizes: list[int],
    targets: tuple[float, ...],
    thresholds: tuple[float, ...],
    rank: int,
    method: str,
    options: Values,
    level: float,
    splits: int,
    seed: int,
    out: Path | None,
    higher_is_better: bool | None,
    **embedding: object,
) -> None:
    """Predict how often a stranger is taken for somebody, and an enrolled person is missed.

    FPIR is the share of strangers' searches in which somebody is accepted. FNIR is the share of
    enrolled people's searches in which their own score is not accepted, or is below rank R. Rows
    of SCORES with the label -1 are strangers. Without such rows the incorrect scores of the
    enrolled people are used. Writes identification.csv
    (the answers), det.csv and fnir_by_size.csv (the curves) and identification.png and .pdf.
    """
    given, said = _load(scores, higher_is_better, embedding_options(embedding), seed)
    chosen = method_options([method], options, seed)[method]
    chosen.pop("seed", None)
    rates = sorted(set(targets), reverse=True) or ([] if thresholds else [0.01])
    with output_folder(scores, out, WRITTEN) as folder:
        # Deferred, so that --help is quick.
        from accuracy_curves.figures.identification import identification_figure
        from accuracy_curves.figures.style import save_figure
        from accuracy_curves.utils.tables import write_csv

        found = Identification(given, method, seed=seed, splits=splits, **chosen)
        answers = _answers(found, sizes, rates, thresholds, rank, level)
        det = det_curves(found, sizes, rank)
        by_size = fnir_by_size(found, sizes, rates or [0.01], rank, level)
        figure = identification_figure(det, by_size)
        written = [folder / name for name in WRITTEN]
        for table, path in zip((answers, det, by_size), written, strict=False):
            write_csv(table, path)
        save_figure(figure, folder / "identification")
    strangers = len(given.non_mated)
    click.echo(
        f"{given.mated.n_points:,} searches with a mate, {strangers:,} without; "
        f"{given.n_classes:,} enrolled"
    )
    print_lines(said)
    print_table(
        ["gallery", "threshold", "FPIR", "FNIR"],
        [_printed(row) for row in answers.to_dict("records")],
    )
    click.echo(
        f"In brackets: {100 * level:g} % intervals for the draw of the people; observed rates are "
        "averages over all galleries of that size"
    )
    for sentence in comparability_warnings(given):
        click.echo(f"Note: {sentence}")
    print_lines([f"wrote {path}" for path in written])


def _load(
    source: Path, higher_is_better: bool | None, embedding: dict[str, Any], seed: int
) -> tuple[Searches, list[str]]:
    """Load scores, among them searches without a mate, or embeddings; and how those are scored."""
    arrays = arrays_of(source)
    if ("scores" in arrays or not arrays) and not embedding:
        return load_searches(source, higher_is_better), []
    given = load_input(source, higher_is_better=higher_is_better, embedding=embedding, seed=seed)
    return Searches.of(given.matrix), given.said


def _answers(
    found: Identification,
    sizes: Sequence[int],
    rates: Sequence[float],
    thresholds: Sequence[float],
    rank: int,
    level: float,
) -> "pd.DataFrame":
    """Tabulate the rates at each size, for each target and threshold, and those observed."""
    import pandas as pd

    tables = []
    largest = found.searches.impostor.shape[1]
    pairs = [(k, rate) for rate in rates for k in sizes]
    if pairs:
        k, target = (np.array(each) for each in zip(*pairs, strict=True))
        misses = found.fnir_at_fpir_interval(k, target, rank, level)
        cuts = found.threshold_interval(k, target, level)
        tables.append(
            _tidy(found.method, k, cuts, found.fpir_interval(k, cuts.value, level), misses)
        )
        tables[-1]["target_fpir"] = target
    pairs = [(k, threshold) for threshold in thresholds for k in sizes]
    if pairs:
        k, at = (np.array(each) for each in zip(*pairs, strict=True))
        misses = found.fnir_interval(k, at, rank, level)
        cuts = Rate(at, np.full(len(at), np.nan), np.full(len(at), np.nan))
        tables.append(_tidy(found.method, k, cuts, found.fpir_interval(k, at, level), misses))
    every = pd.concat(tables, ignore_index=True)
    at = np.unique(every["threshold"])
    none = np.full(len(at), np.nan)
    k = np.full(len(at), largest)
    seen = [found.observed_fpir(k, at), found.observed_fnir(k, at, rank)]
    observed = _tidy("observed", k, *(Rate(value, none, none) for value in (at, *seen)))
    whole = pd.concat([every, observed], ignore_index=True).assign(rank=rank)
    first = ["method", "gallery_size", "target_fpir"]
    return whole.reindex(
        columns=[*first, *(name for name in observed if name not in first), "rank"]
    )


def _tidy(method: str, k: IntArray, threshold: Rate, fpir: Rate, fnir: Rate) -> "pd.DataFrame":
    import pandas as pd

    columns: dict[str, Any] = {"method": method, "gallery_size": k}
    for name, rate in (("threshold", threshold), ("fpir", fpir), ("fnir", fnir)):
        columns |= {name: rate.value, f"{name}_lower": rate.lower, f"{name}_upper": rate.upper}
    return pd.DataFrame(columns)


def _printed(row: Mapping[Any, Any]) -> list[float | str]:
    """Write a row of the terminal's table."""

    def rate(name: str) -> str:
        if np.isnan(row[f"{name}_lower"]):
            return f"{row[name]:.4f}"
        return f"{row[name]:.4f} [{row[f'{name}_lower']:.3f}, {row[f'{name}_upper']:.3f}]"

    kind = "observed " if row["method"] == "observed" else ""
    size = f"{kind}{row['gallery_size']:,}"
    return [size, f"{row['threshold']:.5g}", rate("fpir"), rate("fnir")]

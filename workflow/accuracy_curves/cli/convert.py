"""The command `accuracy-curves convert`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np

from accuracy_curves.cli.terminal import print_lines
from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.searches import Searches
from accuracy_curves.observed.neighbour_curve import curve_of_neighbours
from accuracy_curves.scores.formats.gallery_scores import SEVERAL, GalleryScores
from accuracy_curves.scores.formats.long_table import read_long_table
from accuracy_curves.scores.formats.photo_matrix import read_distance_matrix, read_match_matrix
from accuracy_curves.scores.formats.trials import read_trials
from accuracy_curves.utils.files import save_arrays
from accuracy_curves.utils.npz import load_arrays

MAKER = "accuracy-curves convert"


def _trials(layout: str) -> Callable[..., GalleryScores]:
    def read(path: Path, **options: Any) -> GalleryScores:
        return read_trials(path, layout, **options).gallery_scores()

    return read


# The reader of each format, and what --name may rename in it.
FORMATS: dict[str, tuple[Callable[..., GalleryScores], tuple[str, ...]]] = {
    "long-table": (read_long_table, ("probe", "identity", "score", "mate", "probe_identity")),
    "distance-matrix": (read_distance_matrix, ("distmat", "query_ids", "gallery_ids")),
    "match-matrix": (read_match_matrix, ("scores", "match")),
    "bob": (_trials("bob"), ()),
    "kaldi": (_trials("kaldi"), ()),
}
# Lists of neighbours are no matrix: of them a curve is written.
LISTS = "neighbours"
LISTED = ("distances", "indices", "query_ids", "gallery_ids")
EXAMPLES = """\b
Examples:
  accuracy-curves convert scores.csv scores.npz --format long-table --name probe=query
  accuracy-curves convert reid.npz scores.npz --format distance-matrix --several mean
  accuracy-curves convert scores scores.npz --format kaldi --targets trials"""


@click.command("convert", epilog=EXAMPLES)
@click.option(
    "--format",
    "layout",
    required=True,
    type=click.Choice([*FORMATS, LISTS]),
    help="What INPUT is.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="WHAT=NAME",
    help="What a column or an array is called in INPUT; may be given several times.",
)
@click.option(
    "--several",
    type=click.Choice(SEVERAL),
    help="What to take of several scores of one probe for one identity.  "
    "[default: best in a matrix, else there must be one]",
)
@click.option(
    "--targets",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Of kaldi: the trials, enrol test target|nontarget.  [default: they stand in INPUT]",
)
@click.option(
    "--higher-is-better/--lower-is-better",
    default=None,
    help="Similarities or distances.  [default: distances in a distance-matrix alone]",
)
@click.argument("source", type=click.Path(path_type=Path), metavar="INPUT")
@click.argument("output", type=click.Path(path_type=Path))
def convert_command(
    layout: str,
    names: tuple[str, ...],
    several: str | None,
    targets: Path | None,
    higher_is_better: bool | None,
    source: Path,
    output: Path,
) -> None:
    """Write the scores of another tool as an .npz file that the other commands read.

    \b
    long-table       .csv, .tsv or .parquet with columns probe, identity, score, and
                     mate (true or false) or probe_identity
    distance-matrix  .npz with distmat (queries x photos), query_ids, gallery_ids
    match-matrix     .npz with scores and match (true where a score is of a mate)
    bob              claimed_id [model_label] real_id test_label score
    kaldi            enrol test score and --targets; or enrol test target score
    neighbours       .npz with distances and indices (queries x nearest photos, best first),
                     query_ids, gallery_ids; of these a curve is written, a .csv for `extend`

    Every probe must have a score for every identity. A probe without a mate gets the label -1,
    which `identify` takes.
    """  # noqa: D301  # Click reads \b.
    if layout == LISTS:
        if several is not None or targets is not None:
            raise InputError(f"--several and --targets do not belong to --format {LISTS}")
        _write_curve(source, _renamed(names, LISTED, layout), bool(higher_is_better), output)
        return
    read, renamed = FORMATS[layout]
    options = _renamed(names, renamed, layout)
    if targets is not None:
        if layout != "kaldi":
            raise InputError(f"--targets belongs to --format kaldi, not to {layout}")
        options["targets"] = targets
    given = {"several": several, "higher_is_better": higher_is_better}
    options |= {name: value for name, value in given.items() if value is not None}
    _check_output(output, source, targets)
    found = read(source, **options)
    try:
        Searches.of(found)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error
    arrays = {name: getattr(found, name) for name in ("scores", "labels", "identities")}
    direction = np.array(found.higher_is_better, dtype=bool)
    said = f"{MAKER} --format {layout} of {source.name}"
    save_arrays({**arrays, "higher_is_better": direction}, output, said)
    probes, identities = found.scores.shape
    strangers = np.count_nonzero(found.labels < 0)
    print_lines(
        [
            f"{probes:,} probes, {strangers:,} of them without a mate; {identities:,} identities; "
            f"{'higher' if found.higher_is_better else 'lower'} scores are better",
            f"wrote {output}",
        ]
    )


def _write_curve(source: Path, names: dict[str, Any], higher_is_better: bool, output: Path) -> None:
    """Write the accuracies that lists of neighbours tell."""
    if output.suffix.lower() != ".csv" or output.exists():
        what = "exists: choose another name" if output.exists() else "must end in .csv"
        raise InputError(f"a curve is saved as a new .csv file: {output} {what}")
    arrays = load_arrays(source, *(names.get(each, each) for each in LISTED))
    try:
        curve = curve_of_neighbours(*arrays, higher_is_better=higher_is_better)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error
    # Deferred, so that --help is quick.
    import pandas as pd

    from accuracy_curves.utils.tables import write_csv

    write_csv(pd.DataFrame({"k": curve.k, "accuracy": curve.accuracy}), output)
    print_lines([f"accuracies at {curve.k[0]:,} to {curve.k[-1]:,} identities", f"wrote {output}"])


def _renamed(names: tuple[str, ...], known: tuple[str, ...], layout: str) -> dict[str, Any]:
    """Read what columns or arrays are called."""
    found: dict[str, Any] = {}
    for each in names:
        what, equals, name = each.partition("=")
        if not (equals and name) or what not in known:
            raise InputError(
                f"--name {each} is not WHAT=NAME"
                + (f" with WHAT of {', '.join(known)}" if known else f": {layout} has no names")
            )
        found[what] = name
    return found


def _check_output(output: Path, *inputs: Path | None) -> None:
    """Raise unless the file may be written: it is absent, or was written by this command."""
    if output.suffix.lower() != ".npz":
        raise InputError(f"scores are saved as .npz files: {output} must end in .npz")
    if not output.exists():
        return
    if any(each.exists() and output.samefile(each) for each in filter(None, inputs)):
        raise InputError(f"{output} is an input and would be lost: choose another name")
    try:
        (said,) = load_arrays(output, "provenance")
    except InputError:
        said = np.array("")
    if not str(said).startswith(MAKER):
        raise InputError(
            f"{output} was not written by {MAKER} and would be lost: move it away, or choose "
            "another name"
        )

"""Long tables: a row a pair of a probe and an identity, in CSV or Parquet."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.columns import (
    as_bools,
    as_scores,
    encode,
    first_fields,
    read_lines,
)
from accuracy_curves.scores.formats.gallery_scores import SEVERAL, GalleryScores
from accuracy_curves.scores.formats.pairs import gallery_scores
from accuracy_curves.utils.extras import needed_by
from accuracy_curves.utils.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = {".csv": ",", ".tsv": "\t"}
MATE, PROBE_IDENTITY = "mate", "probe_identity"
TRUTH = {"true": True, "false": False, "1": True, "0": False}


def read_long_table(
    path: str | os.PathLike[str],
    *,
    probe: str = "probe",
    identity: str = "identity",
    score: str = "score",
    mate: str | None = None,
    probe_identity: str | None = None,
    several: str | None = None,
    higher_is_better: bool = True,
) -> GalleryScores:
    r"""Read a table with a row for each pair of a probe and an identity.

    Parameters
    ----------
    path : path-like
        A ``.csv`` or ``.tsv`` file in UTF-8 whose first line names the columns, as it is or packed
        (``.csv.gz``); or a ``.parquet`` file, which needs pyarrow. Other columns are passed over.
    probe, identity, score : str
        Names of the columns. Probes and identities are texts or whole numbers: in a text ``1`` is
        not ``01``.
    mate : str, optional
        The column that says whether the identity is the probe's own: true or false, 1 or 0.
    probe_identity : str, optional
        In place of `mate`: the column with the probe's own identity. A probe whose identity is
        empty, or is not among the identities, has no mate. By default the table has a column
        ``mate`` or a column ``probe_identity``.
    several : {"best", "mean"}, optional
        Which score a pair with several rows gets, such as of several photos; by default they are
        refused.
    higher_is_better : bool
        False for distances.

    Returns
    -------
    GalleryScores
        A row for each probe, in the order of the table; a column for each identity, ascending.

    Raises
    ------
    InputError
        If the file is absent, damaged or lacks a column, a score is not finite, a pair is missing
        or stands twice, or a probe has two mates.
    MissingDependencyError
        If the file is Parquet and pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> rows = ["query,person,similarity,mate", "p,ann,0.9,true", "p,ben,0.1,false"]
    >>> rows += ["q,ann,0.3,false", "q,ben,0.2,false"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("\n".join(rows))
    ...     found = ac.read_long_table(
    ...         path, probe="query", identity="person", score="similarity"
    ...     )
    >>> found.scores.tolist(), found.labels.tolist()
    ([[0.9, 0.1], [0.3, 0.2]], [0, -1])
    """
    if several is not None:
        check_choice("several", several, SEVERAL)
    source = Path(path)
    there = _columns(source)
    own, is_mate = _mate_column(there, source, mate, probe_identity)
    columns = [probe, identity, score, own]
    for column in columns:
        if column not in there:
            raise InputError(f"{source} has no column {column!r}: it has {', '.join(there[:20])}")
    if len(set(columns)) < len(columns):
        raise InputError(f"{source}: {', '.join(columns)} must be different columns")
    if _is_parquet(source):
        table, unit = _parquet(source, columns), "row"
    else:
        table, unit = read_lines(source, columns, score, separator=_separator(source)), "line"
    with located(source):
        return gallery_scores(
            encode(table[probe], unit),
            encode(table[identity], unit, ascending=True),
            as_scores(table[score], unit),
            lambda row: f"{unit} {table.index[row]}",
            mate=as_bools(table[own], unit, TRUTH) if is_mate else None,
            own=None if is_mate else encode(table[own]),
            several=several,
            higher_is_better=higher_is_better,
        )


def _mate_column(
    there: list[str], source: Path, mate: str | None, probe_identity: str | None
) -> tuple[str, bool]:
    """Find the column that tells the mates, and whether it is true or false."""
    if mate is not None and probe_identity is not None:
        raise InputError("mates are told by mate or by probe_identity: give one of them")
    if mate is not None or probe_identity is not None:
        return mate or probe_identity or "", mate is not None
    found = [name for name in (MATE, PROBE_IDENTITY) if name in there]
    if len(found) != 1:
        raise InputError(
            f"{source} has {'both' if found else 'neither'} {MATE!r} {'and' if found else 'nor'} "
            f"{PROBE_IDENTITY!r}: say which of its columns tells the mates, of "
            f"{', '.join(there[:20])}"
        )
    return found[0], found[0] == MATE


def _is_parquet(source: Path) -> bool:
    return source.suffix.lower() == ".parquet"


def _separator(source: Path) -> str:
    name = source.name.lower().removesuffix(".gz")
    for suffix, separator in SEPARATORS.items():
        if name.endswith(suffix):
            return separator
    raise InputError(
        f"{source} is not a long table by its name: give a .csv, .tsv (or .gz of these) or "
        ".parquet file"
    )


def _columns(source: Path) -> list[str]:
    """Names of the columns."""
    if not source.is_file():
        raise InputError(f"there is no file {source}: check its name")
    if not _is_parquet(source):
        return first_fields(source, _separator(source))
    with needed_by("a Parquet file", "pipeline"):
        import pyarrow.parquet as pq
    try:
        return [str(name) for name in pq.read_schema(source).names]
    except Exception as error:  # What a damaged file raises is of many kinds.
        raise InputError(f"{source} is not a whole Parquet file: write it again") from error


def _parquet(source: Path, columns: list[str]) -> "pd.DataFrame":
    """Read columns of a Parquet file; the index counts rows, from 0."""
    import pandas as pd
    import pyarrow.parquet as pq

    try:
        found = pq.read_table(source, columns=columns)
        found.validate(full=True)  # Texts are not decoded until they are used.
        table: pd.DataFrame = found.to_pandas(ignore_metadata=True)
    except MemoryError as error:
        raise InputError(f"{source} does not fit in the memory of this machine") from error
    except Exception as error:
        raise InputError(f"{source} is not a whole Parquet file: write it again") from error
    if table.empty:
        raise InputError(f"{source} has no rows: at least one score is needed")
    return table

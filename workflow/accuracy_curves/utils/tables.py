"""Tidy tables on disk: whole or absent, the same bytes for the same content."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole

if TYPE_CHECKING:
    import pandas as pd

PROVENANCE_KEY = b"accuracy_curves"


def write_table(table: "pd.DataFrame", path: str | os.PathLike[str], provenance: str = "") -> None:
    """Write a table as Parquet, with its provenance in the file's metadata.

    Parameters
    ----------
    table : DataFrame
        The index is not kept.
    path : path-like
        Name of the file.
    provenance : str
        One line that says which commit, configuration and versions made the table.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = pa.Table.from_pandas(table, preserve_index=False)
    known = arrow.schema.metadata or {}
    arrow = arrow.replace_schema_metadata({**known, PROVENANCE_KEY: provenance.encode()})
    with written_whole(path) as beside:
        pq.write_table(arrow, beside, compression="zstd")


def table_provenance(path: str | os.PathLike[str]) -> str:
    """Read which commit, configuration and versions made a table of `write_table`.

    Parameters
    ----------
    path : path-like
        Name of the Parquet file.

    Returns
    -------
    str
        What it was written with.

    Raises
    ------
    InputError
        If the file is absent, is not a whole Parquet file, or does not say it.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_schema(path).metadata or {}
        return str(metadata[PROVENANCE_KEY], "utf-8")
    except (OSError, KeyError, pa.ArrowInvalid) as error:
        raise InputError(f"{path} does not say what made it: delete it") from error


def read_table(
    path: str | os.PathLike[str], classes: Sequence[int] | None = None
) -> "pd.DataFrame":
    """Read a Parquet table.

    Parameters
    ----------
    path : path-like
        Name of the file.
    classes : sequence of int, optional
        Read only the rows with these k.

    Returns
    -------
    DataFrame

    Raises
    ------
    InputError
        If the file is absent or is not a whole Parquet file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = None if classes is None else [("k", "in", list(classes))]
    try:
        frame: pd.DataFrame = pq.read_table(path, filters=rows).to_pandas()
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{path} is not a whole Parquet file: delete it and run again") from error
    return frame


def write_csv(table: "pd.DataFrame", path: str | os.PathLike[str]) -> None:
    """Write a table as CSV with nine significant digits.

    Parameters
    ----------
    table : DataFrame
        The index is not kept.
    path : path-like
        Name of the file.
    """
    with written_whole(path) as beside:
        table.to_csv(beside, index=False, float_format="%.9g", lineterminator="\n")

"""Tidy tables on disk: whole or absent, the same bytes for the same content."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import damaged, written_whole

if TYPE_CHECKING:
    import pandas as pd

CSV_FORMAT: dict[str, Any] = {"index": False, "float_format": "%.9g", "lineterminator": "\n"}
PROVENANCE_KEY = b"accuracy_curves"
# Parquet has checksums of its pages, but none of what it says of the columns.
COLUMNS_KEY = b"accuracy_curves.columns"


def write_table(table: "pd.DataFrame", path: str | os.PathLike[str], provenance: str = "") -> None:
    """Write a table as Parquet, with checksums, and its provenance in the file's metadata.

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
    said = {PROVENANCE_KEY: provenance.encode(), COLUMNS_KEY: _columns(arrow)}
    arrow = arrow.replace_schema_metadata(said)
    with written_whole(path) as beside:
        pq.write_table(arrow, beside, compression="zstd", write_page_checksum=True)


def _columns(arrow: Any) -> bytes:
    """Rows, names and types of an Arrow table."""
    columns = ", ".join(f"{field.name} {field.type}" for field in arrow.schema)
    return f"{arrow.num_rows} rows of {columns}".encode()


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
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_schema(path).metadata or {}
    except Exception as error:  # What a damaged file raises is of many kinds.
        raise damaged(path) from error
    if PROVENANCE_KEY not in metadata:
        raise InputError(f"{path} does not say what made it: delete it and run again")
    return str(metadata[PROVENANCE_KEY], "utf-8", "replace")


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
        If the file is absent, is not a whole Parquet file, or is not as `write_table` left it.
        (A file of another writer, without checksums, is taken as it is.)
    """
    import pyarrow.parquet as pq

    try:
        arrow = pq.read_table(path, page_checksum_verification=True)
        if (arrow.schema.metadata or {}).get(COLUMNS_KEY) not in (None, _columns(arrow)):
            raise ValueError("other columns than were written")
        frame: pd.DataFrame = arrow.replace_schema_metadata().to_pandas()
    except Exception as error:  # What a damaged file raises is of many kinds.
        raise damaged(path) from error
    return frame if classes is None else frame[frame["k"].isin(classes)].reset_index(drop=True)


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
        table.to_csv(beside, **CSV_FORMAT)

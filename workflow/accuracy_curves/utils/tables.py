"""Tidy tables on disk: whole or absent, the same bytes for the same content."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable, written_whole

if TYPE_CHECKING:
    import pandas as pd

CSV_FORMAT: dict[str, Any] = {"index": False, "float_format": "%.9g", "lineterminator": "\n"}
PROVENANCE_KEY = b"accuracy_curves"


def write_table(table: "pd.DataFrame", path: str | os.PathLike[str], provenance: str = "") -> None:
    """Write a table as Parquet, with its provenance in the file's metadata.

    The index is not kept. The provenance is one line: which commit, configuration and versions.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = pa.Table.from_pandas(table, preserve_index=False)
    arrow = arrow.replace_schema_metadata({PROVENANCE_KEY: provenance.encode()})
    with written_whole(path) as beside:
        pq.write_table(arrow, beside, compression="zstd", write_page_checksum=True)


def table_provenance(path: str | os.PathLike[str]) -> str:
    """Read the provenance with which `write_table` wrote a table.

    `InputError` if the file is absent, is not a whole Parquet file, or does not say it.
    """
    import pyarrow.parquet as pq

    with readable(path):
        metadata = pq.read_schema(path).metadata or {}
    if PROVENANCE_KEY not in metadata:
        raise InputError(f"{path} does not say what made it: delete it and run again")
    return str(metadata[PROVENANCE_KEY], "utf-8")


def read_table(
    path: str | os.PathLike[str], classes: Sequence[int] | None = None
) -> "pd.DataFrame":
    """Read a Parquet table, or its rows whose k is among `classes`.

    `InputError` if the file is absent or is not whole.
    """
    import pyarrow.parquet as pq

    with readable(path):
        arrow = pq.read_table(path, page_checksum_verification=True)
        frame: pd.DataFrame = arrow.replace_schema_metadata().to_pandas()
    return frame if classes is None else frame[frame["k"].isin(classes)].reset_index(drop=True)


def write_csv(table: "pd.DataFrame", path: str | os.PathLike[str]) -> None:
    """Write a table, without its index, as CSV with nine significant digits."""
    with written_whole(path) as beside:
        table.to_csv(beside, **CSV_FORMAT)

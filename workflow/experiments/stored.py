"""What rules pass to each other as files: score matrices and tables."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from accuracy_curves.exceptions import located
from accuracy_curves.scores.formats.base import Source
from accuracy_curves.scores.formats.scores import read_fields
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.files import readable, written_whole

PROVENANCE_KEY = b"accuracy_curves"


def load_matrix(path: str | os.PathLike[str]) -> ScoreMatrix:
    """Load what `accuracy_curves.save_scores` wrote; `InputError` if it holds something else."""
    # Not by the door for files, or an edit of any reader would run all curves again.
    with Source(Path(path)) as source:
        given = read_fields(source)
    with located(path):
        return ScoreMatrix(*given)


def write_table(
    table: pd.DataFrame, path: str | os.PathLike[str], provenance: str = "", **encoding: Any
) -> None:
    """Write a table as Parquet, with its provenance in the file's metadata.

    The index is not kept. The provenance is one line: which commit, configuration and versions.
    `encoding` are options of pyarrow.
    """
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    arrow = arrow.replace_schema_metadata({PROVENANCE_KEY: provenance.encode()})
    with written_whole(path) as partial:
        pq.write_table(arrow, partial, compression="zstd", write_page_checksum=True, **encoding)


def table_provenance(path: str | os.PathLike[str]) -> str:
    """Read the provenance with which `write_table` wrote a table.

    `InputError` if the file is absent, or is not a whole Parquet file that says it.
    """
    with readable(path):
        return str(pq.read_schema(path).metadata[PROVENANCE_KEY], "utf-8")


def read_table(path: str | os.PathLike[str], classes: Sequence[int] | None = None) -> pd.DataFrame:
    """Read a Parquet table, or its rows whose k is among `classes`.

    `InputError` if the file is absent or is not whole.
    """
    with readable(path):
        arrow = pq.read_table(path, page_checksum_verification=True)
        frame: pd.DataFrame = arrow.replace_schema_metadata().to_pandas()
    return frame if classes is None else frame[frame["k"].isin(classes)].reset_index(drop=True)

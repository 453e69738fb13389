"""Columns of a table, CSV, TSV or Parquet, with the line of the first fault."""

import gzip
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError, MissingDependencyError
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.files import readable

if TYPE_CHECKING:
    import pandas as pd

TABLES = (".csv", ".tsv", ".txt")
TRUTH = {"true": True, "false": False, "1": True, "0": False}


def is_table(source: Path) -> bool:
    """Tell by its name whether a file is a table."""
    name = source.name.lower().removesuffix(".gz")
    return _is_parquet(source) or name.endswith(TABLES)


def first_lines(source: Path) -> list[list[str]]:
    """Read the names of the columns, and the fields of the first row, if there is one."""
    with readable(source):
        if _is_parquet(source):
            file = _arrow(source).ParquetFile(source)
            rows = next(file.iter_batches(1), file.schema_arrow.empty_table()).to_pylist()
            found = [file.schema_arrow.names, *(row.values() for row in rows)]
        else:
            # pandas does not see that the first line after a header is longer.
            found = _csv(source, nrows=2, header=None).to_numpy().tolist()
    return [[str(each).strip() for each in fields] for fields in found]


def read_columns(
    source: Path, columns: Sequence[str], scores: Collection[str] = ()
) -> tuple["pd.DataFrame", str]:
    """Read columns of a table; what its index counts is "line", from 1, or "row", from 0.

    All are texts, "" where one is absent, but the scores, which are numbers if all can. Empty lines
    are left out. `InputError` if the file is no such table.
    """
    with readable(source):
        if _is_parquet(source):
            table, unit = _parquet(source, columns, scores), "row"
        else:
            table, unit = _lines(source, scores)[list(columns)], "line"
    if unit == "line" and not any(table[name].dtype.kind == "f" for name in scores):
        table = table[(table != "").any(axis=1)]
    if table.empty:
        raise InputError(f"{source} has no rows: at least one is needed")
    return table, unit


def _is_parquet(source: Path) -> bool:
    return source.suffix.lower() == ".parquet"


def _layout(source: Path) -> dict[str, Any]:
    """Tell from the first two lines what separates fields, and whether decimals have a comma."""
    packed = source.suffix.lower() == ".gz"
    opened: Any = gzip.open if packed else open
    with opened(source, "rt", encoding="utf-8-sig") as file:
        first, second = re.sub('"[^"]*"', "x", file.readline()).strip(), file.readline().strip()
    sep = max(",;\t", key=first.count)
    if sep not in first and " " in first:
        sep = r"\s+"
    comma = rf'(?:^|{sep})"?-?\d*,\d+"?(?:{sep}|$)'
    decimal = "," if sep != "," and re.search(comma, second) else "."
    # Not by all the names that pandas knows: they need other packages, and fail in other ways.
    unpacked = {"compression": "gzip" if packed else None, "encoding": "utf-8-sig"}
    return {"sep": sep, "decimal": decimal, **unpacked}


def _lines(source: Path, scores: Collection[str]) -> "pd.DataFrame":
    # All columns are read, as pandas would else pass over fields too many, as of decimal commas.
    try:
        table = _csv(source, dtype=defaultdict(lambda: str, dict.fromkeys(scores, np.float64)))
    except UnicodeDecodeError:
        raise
    except ValueError:  # A field that is no number, perhaps of an empty line.
        table = _csv(source)
    if _layout(source)["decimal"] == ",":
        table = table.replace(r"^(-?\d*),(\d+)$", r"\1.\2", regex=True)
    table.columns = [str(name).strip() for name in table.columns]
    table.index += 2
    return table


def _csv(source: Path, **options: Any) -> "pd.DataFrame":
    import pandas as pd

    table: pd.DataFrame = pd.read_csv(
        source,
        **{"header": 0, "dtype": str, **options},
        skipinitialspace=True,
        skip_blank_lines=False,
        na_filter=False,
        index_col=False,
        **_layout(source),
    )
    return table


def _arrow(source: Path) -> Any:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError(
            f"{source} is a Parquet file, which needs pyarrow ({error}): pip install pyarrow"
        ) from error
    return pq


def _parquet(source: Path, columns: Sequence[str], scores: Collection[str]) -> "pd.DataFrame":
    found = _arrow(source).read_table(source, columns=list(columns))
    found.validate(full=True)  # Texts are not decoded until they are used.
    table: pd.DataFrame = found.to_pandas(ignore_metadata=True)
    for name in columns:
        if name not in scores:  # Whole numbers with gaps are floats.
            column = table[name].convert_dtypes()
            table[name] = column.astype("string").fillna("").astype(str)
    return table


def as_scores(column: "pd.Series[Any]", unit: str) -> Float64Array:
    """Convert a column to finite numbers; `unit` is what its index counts."""
    import pandas as pd

    found = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(found))
    if len(wrong):
        field = str(column.iloc[wrong[0]])
        raise InputError(
            f"{unit} {column.index[wrong[0]]}: {column.name} is "
            f"{repr(field) if field else 'empty'}: it must be a finite number"
        )
    return found


def as_bools(column: "pd.Series[str]", unit: str) -> npt.NDArray[np.bool_]:
    """Convert a column of true or false, 1 or 0, in any case."""
    found = column.str.lower().map(TRUTH)
    if found.isna().any():
        row = int(found.isna().to_numpy().argmax())
        raise InputError(
            f"{unit} {column.index[row]}: {column.name} is {column.iloc[row]!r}: it must be "
            f"{' or '.join(TRUTH)}"
        )
    return found.to_numpy(dtype=bool)

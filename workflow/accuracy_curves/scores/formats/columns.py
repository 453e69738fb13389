"""Columns of a table, CSV or TSV, with the line of the first fault."""

import gzip
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.utils.arrays import BoolArray, Float64Array
from accuracy_curves.utils.files import readable
from accuracy_curves.utils.validation import GROUPED, LARGEST_CLASSES, THOUSANDS

TABLES = (".csv", ".tsv", ".txt")
# Most names of columns in a sentence.
NAMED = 20
# Of a first column without a name, and what it begins with where it counts.
UNNAMED, COUNTED = ("", "Unnamed: 0"), ("0", "1")
LABEL = "label"
TRUTH = {"true": True, "false": False, "1": True, "0": False}


def is_table(source: Path) -> bool:
    """Whether a file is a table, by its name."""
    name = source.name.lower().removesuffix(".gz")
    return name.endswith(TABLES)


def first_lines(source: Path) -> list[list[str]]:
    """Read the names of the columns, and the fields of the first row, if there is one."""
    with readable(source):
        # pandas does not see that the first line after a header is longer.
        with source.open("rb") as file:
            if not file.read(4096).strip():
                raise InputError(f"{source} has no first line with the names of its columns")
        found = _csv(source, nrows=2, header=None).to_numpy().tolist()
    found = [[str(each).strip() for each in fields] for fields in found]
    if found[0][0] not in UNNAMED:
        return found
    # An index of pandas, or the names of R's rows: they count, or are the labels.
    first = found[1][0] if len(found) > 1 else ""
    if LABEL in found[0] or (first in COUNTED and first not in found[0]):
        return [fields[1:] for fields in found]
    return [[LABEL, *found[0][1:]], *found[1:]]


def read_columns(
    source: Path, columns: Sequence[str], scores: Collection[str] = ()
) -> pd.DataFrame:
    """Read columns of a table; its index counts lines, from 1, and has that name.

    All columns are texts, "" where one is absent, but the
    scores, which are finite numbers. Empty lines are left out. `InputError` if the file is no such
    table.
    """
    there = first_lines(source)[0]
    for place, name in enumerate(columns):
        if name not in there:
            listed = ", ".join(there[:NAMED])
            raise InputError(f"{source} has no column {name!r}: it has {listed}")
        if name in columns[:place] or there.count(name) > 1:
            raise InputError(f"{source} has two columns {name!r}: each needs a name of its own")
    with readable(source):
        table = _lines(source, columns, scores)
    if table.empty:
        raise InputError(f"{source} has no rows: at least one is needed")
    with located(source):
        found = {
            name: as_numbers(table[name]) if name in scores else table[name].str.strip()
            for name in columns
        }
    return pd.DataFrame(found, index=table.index)


def _layout(source: Path) -> dict[str, Any]:
    """Find in the first two lines what separates fields, and whether decimals have a comma."""
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


def _lines(source: Path, columns: Sequence[str], scores: Collection[str]) -> pd.DataFrame:
    # All columns are read, as pandas would else pass over fields too many, as of decimal commas.
    try:
        table = _csv(source, dtype=defaultdict(lambda: str, dict.fromkeys(scores, np.float64)))
    except ValueError:  # A field that is no number, perhaps of an empty line.
        table = _csv(source)
    table = table.rename(columns=str.strip)
    if LABEL not in table:
        table = table.rename(columns=dict.fromkeys(UNNAMED, LABEL))
    table = table[[*columns]].set_axis(table.index.rename("line") + 2)
    table = table[(table != "").any(axis=1)]
    if _layout(source)["decimal"] == ",":
        return table.replace(r"^(-?\d*),(\d+)$", r"\1.\2", regex=True)
    return table


def _csv(source: Path, **options: Any) -> pd.DataFrame:
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


def read_groups(path: Path, names: Sequence[str], n_classes: int) -> npt.NDArray[np.str_]:
    """Read the group of each class, columns class and group, in the order of the classes' names.

    Where fewer names are known than there are classes, the others are those of the file.
    `InputError` names a class without a group.
    """
    table = read_columns(path, ["class", "group"])
    with located(path):
        groups = dict(only_one(table, "group", "class"))
        if len(names) < n_classes:
            names = [*dict.fromkeys([*names, *groups])]
        if len(names) != n_classes:
            raise InputError(
                f"there must be a line for each of {n_classes:,} classes: with the listed ones "
                f"there are {len(names):,}"
            )
        if absent := [name for name in names if name not in groups]:
            raise InputError(f"no group of the class {absent[0]!r}: give each class one")
    return np.array([groups[name] for name in names])


def only_one(table: pd.DataFrame, what: str, *of: str) -> "pd.Series[Any]":
    """Find the one value that each of others has, in their order; `InputError` for a second."""
    values = table.groupby([*of], sort=False)[what]
    again = (table[what] != values.transform("first")).to_numpy()
    if again.any():
        row = table.iloc[int(again.argmax())]
        whose = " and ".join(f"the {each} {row[each]!r}" for each in of)
        raise InputError(f"{where(table, again)}: a second {what} of {whose}: keep one")
    return values.first()


def where(table: pd.DataFrame | pd.Series, wrong: BoolArray) -> str:
    """Name the first line, or row, that is wrong."""
    return f"{table.index.name} {table.index[int(wrong.argmax())]}"


def as_numbers(column: "pd.Series[Any]") -> Float64Array:
    """Convert a column to finite numbers, percents too; its index is called what it counts."""
    found = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, copy=True, na_value=np.nan)
    if np.isnan(found).any() and (percent := column.astype(str).str.endswith("%")).any():
        numbers = pd.to_numeric(column[percent].str.rstrip(" %"), errors="coerce")
        found[percent.to_numpy()] = numbers.to_numpy() / 100
    _refuse(~np.isfinite(found), column, "a finite number")
    return found


def as_whole(column: "pd.Series[str]") -> Float64Array:
    """Convert a column of texts to whole numbers, such as 2000 or 2,000, not 2.000."""
    # Two in one country, and two thousand in another.
    grouped = column.str.fullmatch(GROUPED).to_numpy(dtype=bool)
    _refuse(grouped, column, "2000 or 2, without a point, for 2.000")
    thousands = column.str.fullmatch(THOUSANDS)
    found = as_numbers(column.mask(thousands, column.str.replace("[,.]", "", regex=True)))
    wrong = (found % 1 != 0) | (np.abs(found) > LARGEST_CLASSES)
    _refuse(wrong, column, "whole, at most 10^18")
    return found


def as_bools(column: "pd.Series[str]") -> BoolArray:
    """Convert a column of true or false, 1 or 0, in any case."""
    found = column.str.lower().map(TRUTH)
    _refuse(found.isna().to_numpy(), column, " or ".join(TRUTH))
    return found.to_numpy(dtype=bool)


def _refuse(wrong: BoolArray, column: "pd.Series[Any]", must: str) -> None:
    """Raise an `InputError` on the first field that is not as it must be, if there is one."""
    if wrong.any():
        field = str(column.iloc[int(wrong.argmax())])
        comma = ", with a point before decimals" if re.fullmatch(r"-?\d*,\d+", field) else ""
        raise InputError(
            f"{where(column, wrong)}: {column.name} is {repr(field) if field else 'empty'}: "
            f"it must be {must}{comma}"
        )

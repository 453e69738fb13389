"""Score matrices as CSV, which is what spreadsheets and R write."""

import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import IntArray


def read_score_csv(source: Path) -> tuple[npt.NDArray[np.float64], IntArray]:
    """Read a CSV of scores, (N, K), and the columns of the correct classes, (N,).

    A text in UTF-8: a first line ``label,<class name>,<class name>,...``, then a line a data point:
    the name of its correct class and its score for each class. Class names are texts: ``1`` is not
    ``1.0``. `InputError` names the line and the column of the first fault.
    """
    rows, labels = [], []
    try:
        with source.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            classes = _csv_classes(next(reader, []), source)
            column = {name: position for position, name in enumerate(classes)}
            for fields in reader:
                if fields:
                    where = f"{source}, line {reader.line_num}"
                    labels.append(_csv_label(fields, column, where))
                    rows.append(_csv_scores(fields[1:], classes, where))
    except UnicodeDecodeError as error:
        raise InputError(f"{source} is not a text in UTF-8: save it as CSV in UTF-8") from error
    except csv.Error as error:
        raise InputError(f"{source} is not a CSV file: {error}") from error
    if not rows:
        raise InputError(f"{source} has a header and no rows: at least one data point is needed")
    return np.stack(rows), np.array(labels, dtype=np.int64)


def read_class_names(source: Path) -> list[str]:
    """Read the names of the classes, in their columns' order, from a file of `read_score_csv`."""
    with source.open(encoding="utf-8-sig", newline="") as file:
        return _csv_classes(next(csv.reader(file), []), source)


def _csv_classes(header: list[str], source: Path) -> list[str]:
    """Check the header and return the class names."""
    names = [name.strip() for name in header]
    if len(names) < 2 or names[0] != "label":
        raise InputError(
            f"the first line of {source} must be label,<class name>,<class name>,... "
            "with commas between"
        )
    seen = set()
    for position, name in enumerate(names[1:], start=2):
        if not name:
            raise InputError(f"column {position} of {source} has no class name in the first line")
        if name in seen:
            raise InputError(f"the class {name!r} stands twice in the first line of {source}")
        seen.add(name)
    return names[1:]


def _csv_label(fields: list[str], column: dict[str, int], where: str) -> int:
    """Check the number of fields and return the column of the correct class."""
    if len(fields) != len(column) + 1:
        raise InputError(
            f"{where}: the row has {len(fields)} fields where the first line has {len(column) + 1}"
        )
    name = fields[0].strip()
    if name not in column:
        raise InputError(
            f"{where}: the label {name!r} is not a class of the first line"
            if name
            else f"{where}: the row has no label in column 'label'"
        )
    return column[name]


def _csv_scores(fields: list[str], classes: list[str], where: str) -> npt.NDArray[np.float64]:
    """Convert the scores of one row; say which field is not a finite number."""
    scores = np.array([_as_number(field) for field in fields])
    wrong = np.flatnonzero(~np.isfinite(scores))
    if len(wrong):
        field, name = fields[wrong[0]].strip(), classes[wrong[0]]
        raise InputError(
            f"{where}: the row has {f'{field!r}, not a finite number,' if field else 'no score'} "
            f"in column {name!r}"
        )
    return scores


def _as_number(field: str) -> float:
    """Convert a field; NaN where it is not a number as other programs write it."""
    try:
        return float("nan") if "_" in field else float(field)
    except ValueError:
        return float("nan")

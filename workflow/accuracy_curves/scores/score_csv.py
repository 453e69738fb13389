"""Score matrices as CSV, which is what spreadsheets and R write."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.columns import as_scores, column_names, read_columns

Texts = npt.NDArray[np.str_]
LABEL = "label"


def read_score_csv(source: Path) -> tuple[npt.NDArray[np.float64], Texts, Texts]:
    """Read a CSV: scores, (N, K), names of the correct classes, (N,), and of the columns, (K,).

    A text in UTF-8: a first line ``label,<class name>,<class name>,...``, then a line a data point:
    the name of its correct class and its score for each class. Class names are texts: ``1`` is not
    ``1.0``. `InputError` names the line and the column of the first fault.
    """
    there = column_names(source)
    if len(there) < 2 or there[0] != LABEL:
        raise InputError(
            f"the first line of {source} must be label,<class name>,<class name>,... "
            "with commas between"
        )
    for place, name in enumerate(there):
        if not name:
            raise InputError(f"column {place + 1} of {source} has no class name in the first line")
        if name in there[:place]:
            raise InputError(f"the class {name!r} stands twice in the first line of {source}")
    table, unit = read_columns(source, there, scores=there[1:])
    classes = np.array(there[1:])
    labels = np.array([str(name).strip() for name in table[LABEL]])
    wrong = ~np.isin(labels, classes)
    with located(source):
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"{unit} {table.index[row]}: the label {str(labels[row])!r} is not a class of the "
                "first line"
            )
        return np.stack([as_scores(table[name], unit) for name in there[1:]], 1), labels, classes

"""A bare curve: accuracies at several numbers of classes, without the scores behind them."""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.columns import as_scores, column_names, read_columns
from accuracy_curves.scores.score_matrix import LARGEST_CLASSES
from accuracy_curves.utils.arrays import Float64Array, IntArray

COLUMNS = ("k", "accuracy")
COUNTS = "counts"


class Curve(NamedTuple):
    """Accuracies at several numbers of classes.

    Attributes
    ----------
    k : (n,) array of int
    accuracy : (n,) array of float
    counts : (n,) array of float, or None
        How many trials are behind each.
    """

    k: IntArray
    accuracy: Float64Array
    counts: Float64Array | None


def read_curve(path: str | os.PathLike[str]) -> Curve:
    r"""Read a curve of accuracies.

    Parameters
    ----------
    path : path-like
        A CSV file whose first line names the columns: ``k``, ``accuracy`` and, if it is known how
        many trials are behind each accuracy, ``counts``. Other columns are passed over.

    Returns
    -------
    Curve
        For `accuracy_curves.fit_curve`, which says whether it can be used.

    Raises
    ------
    InputError
        If the file is absent, lacks a column, or a field is not a finite number.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "curve.csv"
    ...     _ = path.write_text("k,accuracy\n10,0.98\n50,0.95\n100,0.93\n")
    ...     curve = ac.read_curve(path)
    >>> ac.fit_curve(curve.k, curve.accuracy, "pitman_yor").predict(1000).round(2)
    array([0.86])
    """
    source = Path(path)
    there = column_names(source)
    absent = [name for name in COLUMNS if name not in there]
    if absent:
        raise InputError(
            f"{source}: its first line is {','.join(there)[:80]!r}, without "
            f"{' and '.join(absent)}: a curve has the columns k, accuracy and, if known, counts"
        )
    names = [*COLUMNS, *([COUNTS] if COUNTS in there else [])]
    table, _ = read_columns(source, names)
    with located(source):
        columns = [as_scores(table[name], "line") for name in names]
        wrong = (columns[0] % 1 != 0) | (np.abs(columns[0]) > LARGEST_CLASSES)
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"line {table.index[row]}: k is {table['k'].iloc[row]!r}: a number of classes is "
                "whole, at most 10^18"
            )
    return Curve(
        columns[0].astype("int64"), columns[1], columns[2] if len(columns) > len(COLUMNS) else None
    )

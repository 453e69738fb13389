"""Embeddings of photos.

`.npz` with `embeddings` (photos x dimensions) and `labels`, or a table with one column of names and
numbers in all others. `--gallery` and `--metric` make scores of them.
"""

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.formats.base import Embeddings, Given, Source
from accuracy_curves.scores.formats.columns import read_columns

# A table has the labels in a column of this name, if not in its only one of texts.
NAMES = ("label", "labels", "name", "names", "person", "identity", "class")
# Long tables have fewer columns of numbers.
LEAST_COLUMNS = 5

KEYS = ("embeddings", "labels")


def recognises(source: Source) -> bool:
    """Whether there is the array ``embeddings``, and no ``scores``; or a table of named vectors.

    In a table of scores the names are those of columns.
    """
    if source.columns:
        return _label_column(source) is not None
    said = source.keys is not None and source.arrays is not None
    return (said or source.has(KEYS[0])) and not source.has("scores")


def read(source: Source) -> Given:
    """Read both arrays, or columns."""
    column = _label_column(source) if source.columns else None
    if column is None:
        photos, labels = source.load(*(source.keys or KEYS))
        return Given(embeddings=Embeddings(photos, labels))
    others = [name for name in source.columns if name != column]
    table = read_columns(source.path, source.columns, others)
    labels = table[column].to_numpy().astype(np.str_)
    return Given(embeddings=Embeddings(table[others].to_numpy(), labels))


def _label_column(source: Source) -> str | None:
    """Find the column of labels in a table that has numbers in all others.

    A first column ``label`` is that of scores, unless an option of embeddings was given.
    """
    columns, asked = source.columns, source.keys[1] if source.keys else KEYS[1]
    if "score" in columns or len(columns) < LEAST_COLUMNS or len({*columns}) < len(columns):
        return None
    if columns[0] == "label" and not source.keys:
        return None
    if asked != KEYS[1] and asked not in columns:
        raise InputError(f"{source.path} has no column {asked!r}: it has {', '.join(columns[:5])}")
    row = source.lines[-1] if len(source.lines) > 1 else []
    numbers = pd.to_numeric(pd.Series(row, dtype=str).str.replace(",", "."), errors="coerce")
    texts = [name for name, n in zip(columns, numbers, strict=False) if not np.isfinite(n)]
    named = [asked] if asked in columns else texts or [name for name in NAMES if name in columns]
    if len(named) != 1 or set(texts) > {*named}:
        return None
    of_columns = read_columns(source.path, named)[named[0]].isin(columns)
    return None if of_columns.any() else named[0]

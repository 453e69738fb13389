"""How files that presets read are made from the public ones of the table of sources."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments.datasets.readers import read_omniglot

Arrays = dict[str, npt.NDArray[Any]]


def _square_scores(path: Path, index_col: int | None = None) -> Arrays:
    """Read a square score matrix: the correct class of a row is its own column.

    R's table of correlations, or a table of searches (rows) against enrolled people of the same
    names (columns), whose first column are the names.
    """
    scores = pd.read_csv(path, index_col=index_col).to_numpy(np.float32)
    return _matrix(scores, np.arange(len(scores)))


def _log_probabilities(path: Path) -> Arrays:
    """Read one row per class, one column per point; the points of a class stand together."""
    scores = np.loadtxt(path, dtype=np.float32, ndmin=2).T
    n_points, n_classes = scores.shape
    return _matrix(scores, np.repeat(np.arange(n_classes), n_points // n_classes))


def _matrix(scores: npt.NDArray[Any], labels: npt.NDArray[Any]) -> Arrays:
    return {"scores": scores, "labels": labels, "higher_is_better": np.array(True)}


def _embeddings(representations: Path, labels: Path) -> Arrays:
    """Read what OpenFace writes: one row per photo; and a line `person,photo` for each."""
    return {
        "embeddings": np.loadtxt(representations, dtype=np.float32, delimiter=",", ndmin=2),
        "person": pd.read_csv(labels, header=None)[0].to_numpy(np.int32),
    }


def _last_layer(path: Path) -> Arrays:
    """Read one row per image: its number, its embedding, its label."""
    table = pd.read_csv(path, index_col=0)
    embeddings = table.drop(columns="label").to_numpy(np.float32)
    return {"embeddings": embeddings, "labels": table["label"].to_numpy(np.int16)}


CONVERTERS: dict[str, Callable[..., Arrays]] = {
    "square_scores": _square_scores,
    "named_scores": partial(_square_scores, index_col=0),
    "log_probabilities": _log_probabilities,
    "embeddings": _embeddings,
    "last_layer": _last_layer,
    "drawings": lambda path: {"images": read_omniglot(path)},
}

"""Inputs of the commands: a score matrix or embeddings, names of classes, groups of classes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.columns import column_names, read_columns
from accuracy_curves.scores.formats.gallery_photos import score_photos
from accuracy_curves.scores.gallery import GalleryRule, gallery_distances, kept_labels
from accuracy_curves.scores.score_files import load_scores, read_score_file
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.search_files import is_npz
from accuracy_curves.utils.files import array_names, load_arrays

GROUPS_KEY = "groups"
# Options of embeddings that photos compared with photos take as well.
PHOTO_OPTIONS = ("gallery", "gallery_size", "points_per_class")


@dataclass(frozen=True)
class Input:
    """A score matrix with the names of its classes.

    `names` are those of the columns, the labels of embeddings, or the numbers of the columns, from
    0; `groups` are the groups of the classes, (K,), where they were given. `said`
    tells how embeddings became scores and which classes are left out, `embedded` whether they did.
    """

    matrix: ScoreMatrix
    names: list[str]
    groups: npt.NDArray[np.str_] | None
    said: list[str] = field(default_factory=list)
    embedded: bool = False


def load_input(
    source: Path,
    *,
    higher_is_better: bool | None = None,
    embedding: Mapping[str, Any] | None = None,
    groups: Path | None = None,
    seed: int = 0,
) -> Input:
    """Load scores, or embeddings or comparisons of photos that a gallery rule makes scores.

    `source` is what `load_scores` loads, or an npz file of embeddings, which is told by having no
    array ``scores``. `higher_is_better` overrides what a score file says; `embedding` are the
    options of `GalleryRule`, and the names of arrays, that were given; with one of a gallery a
    square matrix of scores holds photos compared with the same photos, see `score_photos`. `groups`
    is a CSV file, see `read_groups`; by default the groups are the array ``groups`` of a score npz,
    where it has one.
    """
    embedding = dict(embedding or {})
    arrays = array_names(source) if is_npz(source) else []
    embedded = holds_embeddings(source, embedding)
    if embedded:
        if higher_is_better is not None:
            raise InputError(
                f"{source} holds embeddings, whose scores are distances: leave out "
                "--higher-is-better and --lower-is-better"
            )
        keys = [embedding.pop(f"{what}_key", what) for what in ("embeddings", "labels")]
        rule = GalleryRule(**embedding)
        photos, labels = load_arrays(source, *keys)
        with located(source):
            matrix = gallery_distances(photos, labels, rule, seed).stored()
        names = [str(label) for label in kept_labels(labels, rule)]
        said = [rule.described() + _left_out(len(np.unique(labels)), len(names))]
        stored = None
    elif embedding:
        matrix, names, said = _score_photos(source, higher_is_better, embedding, seed)
        stored = None
    else:
        matrix = load_scores(source, higher_is_better)
        columns = range(matrix.n_classes) if matrix.classes is None else matrix.classes
        names = [str(name) for name in columns]
        stored = GROUPS_KEY if GROUPS_KEY in arrays else None
        said = []
    found: npt.NDArray[np.str_] | None = None
    if groups is not None:
        found = read_groups(groups, names)
    elif stored:
        (array,) = load_arrays(source, stored)
        if array.shape != (matrix.n_classes,):
            raise InputError(
                f"{source}: the array groups has shape {array.shape}: one group for each of the "
                f"{matrix.n_classes} classes is needed"
            )
        found = array.astype(np.str_)
    return Input(matrix, names, found, said, embedded)


def _score_photos(
    source: Path, higher_is_better: bool | None, embedding: Mapping[str, Any], seed: int
) -> tuple[ScoreMatrix, list[str], list[str]]:
    """Make a score matrix of scores of photos for the same photos; name its classes, say how."""
    scores, people, orientation, _ = read_score_file(source, higher_is_better)
    foreign = [name for name in embedding if name not in PHOTO_OPTIONS]
    square = scores.ndim == 2 and scores.shape[0] == scores.shape[1]
    if foreign or not square:
        raise InputError(
            f"{source} holds scores and not embeddings: leave out "
            f"--{(foreign or list(embedding))[0].replace('_', '-')}"
        )
    with located(source):
        matrix = score_photos(scores, people, higher_is_better=orientation, seed=seed, **embedding)
    rule = GalleryRule(**embedding)
    names = [str(label) for label in kept_labels(people, rule)]
    said = f"photos were compared with photos: scores are those for {rule.gallery_described()}"
    return matrix, names, [said + _left_out(len(np.unique(people)), len(names))]


def _left_out(n_labels: int, n_classes: int) -> str:
    """Say how many classes are left out, after a semicolon; nothing if none is."""
    left_out = n_labels - n_classes
    if not left_out:
        return ""
    return (
        f"; {left_out} of {n_labels} classes {'is' if left_out == 1 else 'are'} left out: "
        "too few photos for a gallery and a data point"
    )


def read_groups(source: Path, names: list[str]) -> npt.NDArray[np.str_]:
    """Read the group of each class, (K,), from a CSV file in UTF-8.

    It has a first line ``class,group``, then a line a class. Classes that are not among the names
    are passed over.
    """
    with located(source):
        if column_names(source) != ["class", "group"]:
            raise InputError("the first line must be class,group")
        table, unit = read_columns(source, ["class", "group"])
        wrong = table["class"].duplicated() | (table["group"].str.strip() == "")
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            raise InputError(
                f"{unit} {table.index[row]}: a line is the name of a class, which stands there "
                "once, and its group"
            )
    texts = (table[name].str.strip() for name in ("class", "group"))
    found = dict(zip(*texts, strict=True))
    absent = [name for name in names if name not in found]
    if absent:
        raise InputError(
            f"{source} has no group of the class {absent[0]!r}: each of the {len(names)} classes "
            "needs one (without names, classes are columns, from 0)"
        )
    return np.array([found[name] for name in names])


def holds_embeddings(source: Path, embedding: Mapping[str, Any]) -> bool:
    """Tell whether a file holds embeddings, and no scores."""
    arrays = array_names(source) if is_npz(source) else []
    key = embedding.get("embeddings_key", "embeddings")
    return "scores" not in arrays and (key in arrays or bool(embedding and arrays))

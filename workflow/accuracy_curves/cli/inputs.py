"""Inputs of the commands: a score matrix, or embeddings or comparisons of photos."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.extrapolators.wrong_names import (
    WrongNames,
    find_wrong_names,
    without_wrong_names,
)
from accuracy_curves.scores.formats.gallery_photos import score_photos
from accuracy_curves.scores.gallery import (
    GalleryRule,
    Split,
    gallery_distances,
    nearest_others,
    split_gallery,
)
from accuracy_curves.scores.given_arrays import AnyArray
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.scores.score_files import load_scores, read_score_file
from accuracy_curves.scores.score_matrix import ScoreMatrix, unchecked
from accuracy_curves.scores.search_files import is_npz
from accuracy_curves.utils.arrays import IntArray
from accuracy_curves.utils.files import array_names, load_arrays

# Options of embeddings that photos compared with photos take as well.
PHOTO_OPTIONS = ("gallery", "gallery_size", "points_per_class")
# More photos are not all compared with each other for their names: the scores are looked at.
MOST_PHOTOS = 20_000


@dataclass(frozen=True)
class Input:
    """A score matrix.

    `origin` tells how embeddings became scores and which classes are left out, `embedded` whether
    they did. `wrong_names` looks for wrong names in it.
    """

    matrix: ScoreMatrix
    origin: list[str] = field(default_factory=list)
    embedded: bool = False
    wrong_names: Callable[[Ranked], WrongNames | None] = without_wrong_names


def load_input(
    source: Path,
    *,
    higher_is_better: bool | None = None,
    embedding: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> Input:
    """Load scores, or embeddings or comparisons of photos that a gallery rule makes scores.

    `source` is what `load_scores` loads, or an npz file of embeddings, which is told by having no
    array ``scores``. `higher_is_better` overrides what a score file says; `embedding` are the
    options of `GalleryRule`, and the names of arrays, that were given; with one of a gallery a
    square matrix of scores holds photos compared with the same photos, see `score_photos`.
    """
    embedding = dict(embedding or {})
    if holds_embeddings(source, embedding):
        if higher_is_better is not None:
            raise InputError(
                f"{source} holds embeddings, whose scores are distances: leave out "
                "--higher-is-better and --lower-is-better"
            )
        keys = [embedding.pop(f"{what}_key", what) for what in ("embeddings", "labels")]
        rule = GalleryRule(**embedding)
        photos, labels = load_arrays(source, *keys)
        with located(source):
            found = gallery_distances(photos, labels, rule, seed).stored()
        origin = rule.described() + _left_out(labels, found.n_classes)
        split = split_gallery(labels, rule, seed)
        names = np.unique(labels[split.points])
        matrix = unchecked(ScoreMatrix, found.scores, found.labels, False, names)
        search = (
            partial(nearest_others, photos, labels, rule) if len(labels) <= MOST_PHOTOS else None
        )
        return Input(matrix, [origin], True, partial(_wrong_names, split, search))
    if embedding:
        return _score_photos(source, higher_is_better, embedding, seed)
    return Input(load_scores(source, higher_is_better))


def _score_photos(
    source: Path, higher_is_better: bool | None, embedding: Mapping[str, Any], seed: int
) -> Input:
    """Make a score matrix of scores of photos for the same photos."""
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
    origin = f"photos were compared with photos: scores are those for {rule.gallery_described()}"
    wrong_names = partial(_wrong_names, split_gallery(people, rule, seed), None)
    return Input(matrix, [origin + _left_out(people, matrix.n_classes)], wrong_names=wrong_names)


def _wrong_names(
    split: Split, search: Callable[[], tuple[ScoreMatrix, IntArray]] | None, sample: Ranked
) -> WrongNames | None:
    """Look for wrong names among all photos (`nearest_others`), or the points; rows of the file.

    The sample is left without the points that are found, and without the classes in whose gallery
    one is.
    """
    searched, rows = search() if search else (sample, split.points)
    table = find_wrong_names(searched)
    if table.empty:
        return None
    found = table["row"] = rows[table["row"]]
    kept = sample.select_points(np.flatnonzero(~np.isin(split.points, found)))
    spoilt = split.gallery_classes[np.isin(split.gallery, found)]
    return WrongNames(table, kept.select_classes(np.delete(np.arange(sample.n_classes), spoilt)))


def _left_out(labels: AnyArray, n_classes: int) -> str:
    """Say how many classes are left out, after a semicolon; nothing if none is."""
    n_labels = len(np.unique(labels))
    left_out = n_labels - n_classes
    if not left_out:
        return ""
    return (
        f"; {left_out} of {n_labels} classes {'is' if left_out == 1 else 'are'} left out: "
        "too few photos for a gallery and a data point"
    )


def holds_embeddings(source: Path, embedding: Mapping[str, Any]) -> bool:
    """Tell whether a file holds embeddings, and no scores."""
    arrays = array_names(source) if is_npz(source) else []
    key = embedding.get("embeddings_key", "embeddings")
    return "scores" not in arrays and (key in arrays or bool(embedding and arrays))

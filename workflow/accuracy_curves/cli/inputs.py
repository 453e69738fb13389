"""Inputs of the commands: a score matrix, or embeddings or comparisons of photos."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.extrapolators.wrong_names import (
    WrongNames,
    find_wrong_names,
    without_wrong_names,
)
from accuracy_curves.observed.accuracy import least_told
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.embeddings import (
    GalleryRule,
    Split,
    nearest_others,
    score_embeddings,
    score_photos,
    split_gallery,
)
from accuracy_curves.scores.files import find_reader
from accuracy_curves.scores.formats import candidates
from accuracy_curves.scores.formats.base import AnyArray, Embeddings, GivenScores, Source
from accuracy_curves.scores.identities import is_junk
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.scores.same_photos import Photos, find_copies
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import IntArray

# Options of embeddings that photos compared with photos take as well.
PHOTO_OPTIONS = ("gallery", "gallery_size", "points_per_class")
# More photos are not all compared with each other for their names: the scores are looked at.
MOST_PHOTOS = 20_000

Scored = TypeVar("Scored", ScoreMatrix, Searches, CandidateLists)


@dataclass(frozen=True)
class Input(Generic[Scored]):
    """A score matrix, or searches.

    `origin` tells how embeddings became scores and which classes are left out, `embedded` of which
    photos, if they did. `wrong_names` looks for wrong names in it.
    """

    matrix: Scored
    origin: list[str] = field(default_factory=list)
    embedded: bool | Photos = False
    wrong_names: Callable[[Ranked], WrongNames | None] = without_wrong_names


def load_input(
    path: Path,
    kind: type[Scored],
    *,
    higher_is_better: bool | None = None,
    embedding: Mapping[str, Any] | None = None,
    seed: int = 0,
    lists: Mapping[str, Any] | None = None,
) -> Input[Any]:
    """Load scores, or embeddings or comparisons of photos that a gallery rule makes scores.

    A score matrix is what `load_scores` loads, searches are what `load_searches` loads; either may
    be an npz file of embeddings, which has no array ``scores``. `higher_is_better` overrides what a
    score file says; `embedding` are the options of `GalleryRule`, and the names of arrays, that
    were given; with one of a gallery a square matrix of scores holds photos compared with the same
    photos, see `score_photos`.
    """
    options = dict(embedding or {})
    called = {what: options.pop(f"{what}_key", what) for what in Embeddings._fields}
    # With an option of theirs a file holds embeddings, or it is said what it lacks.
    said = called if embedding else {}
    with Source(path, higher_is_better, said, **(lists or {})) as source:
        others = [] if embedding else [kind]
        if kind is ScoreMatrix and candidates.recognises(source):
            return _listed(candidates.read(source), seed)
        reader = find_reader(source, Embeddings, GivenScores, *others)
        if reader.gives is Embeddings:
            if higher_is_better is not None:
                raise InputError(
                    f"{path} holds embeddings, whose scores are distances: leave out "
                    "--higher-is-better and --lower-is-better"
                )
            rule = GalleryRule(**options)
        given = reader.read(source)
    if isinstance(given, kind):
        return Input(given, source.said)
    if isinstance(given, Embeddings):
        photos, labels = given
        with located(path):
            matrix = score_embeddings(photos, labels, **options, seed=seed)
        origin = rule.described() + _left_out(labels, matrix.n_classes)
        split = split_gallery(labels, rule, seed)
        few = len(labels) <= MOST_PHOTOS
        search = partial(nearest_others, photos, labels, rule) if few else None
        found, names = Photos(labels, find_copies(photos)), partial(_wrong_names, split, search)
        return Input(_as(kind, matrix), [origin], found, names)
    if embedding:
        loaded = _score_photos(path, given, embedding, seed)
        return Input(_as(kind, loaded.matrix), loaded.origin, wrong_names=loaded.wrong_names)
    with located(path):
        return Input(kind(*given))


def _listed(lists: CandidateLists, seed: int) -> Input[CandidateLists]:
    """Say what lists leave out, and from which k on they tell the observed accuracy."""
    least = least_told(lists, seed)
    told = f"the lists tell the accuracy from {least:,} classes on, and bounds of it below"
    return Input(lists, [*lists.origin, *([told] if least > 2 else [])])


def _as(kind: type[Scored], matrix: ScoreMatrix) -> Scored:
    return cast(Scored, matrix if kind is ScoreMatrix else Searches.of(matrix))


def _score_photos(
    path: Path, given: GivenScores, embedding: Mapping[str, Any], seed: int
) -> Input[ScoreMatrix]:
    """Make a score matrix of scores of photos for the same photos, and say so."""
    scores, people, better, _ = given
    foreign = [name for name in embedding if name not in PHOTO_OPTIONS]
    square = scores.ndim == 2 and scores.shape[0] == scores.shape[1]
    if foreign or not square:
        raise InputError(
            f"{path} holds scores and not embeddings: leave out "
            f"--{(foreign or list(embedding))[0].replace('_', '-')}"
        )
    with located(path):
        matrix = score_photos(scores, people, higher_is_better=better, seed=seed, **embedding)
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
    junk = np.count_nonzero(is_junk(labels))
    n_labels = len(np.unique(labels)) - (junk > 0)
    left_out = n_labels - n_classes
    of_none = f"; {junk:,} photos of the label -1 are left out" if junk else ""
    if not left_out:
        return of_none
    return of_none + (
        f"; {left_out} of {n_labels} classes {'is' if left_out == 1 else 'are'} left out: "
        "too few photos for a gallery and a data point"
    )

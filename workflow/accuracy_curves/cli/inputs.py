"""Inputs of the commands: a score matrix, lists, searches, or embeddings."""

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning, InputError, located
from accuracy_curves.scores.embeddings import (
    GalleryRule,
    score_embeddings,
    search_embeddings,
)
from accuracy_curves.scores.files import read_file, sample_of
from accuracy_curves.scores.formats import embedded
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import groups_of, read_groups
from accuracy_curves.scores.formats.registry import taken_by
from accuracy_curves.scores.given_arrays import of_nobody
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.files import load_arrays

# Galleries of several photos of a class.
SIZED_GALLERIES = ("centroid", "nearest")


@dataclass(frozen=True)
class Input:
    """A score matrix, lists of candidates, or searches.

    `origin` says how embeddings became scores, and `left_out` which rows are not in it.
    """

    matrix: Any
    origin: list[str] = field(default_factory=list)
    left_out: list[AccuracyWarning] = field(default_factory=list)


def load_input(
    path: Path,
    kind: type[ScoreMatrix | Searches],
    *,
    seed: int = 0,
    higher_is_better: bool | None = None,
    qrels: Path | None = None,
    searched: int | None = None,
    groups: Path | None = None,
    fixed: tuple[str, ...] = (),
    own_candidates: bool = False,
    newcomers: Path | None = None,
    trained: str | None = None,
    **embedding: Any,
) -> Input:
    """Load scores, or embeddings of photos that a gallery rule makes scores.

    A score matrix is what `load_scores` or `load_candidates` loads, searches are what
    `load_searches` loads; either may be a file of embeddings. `higher_is_better` overrides what a
    score file says; `embedding` are the options of `GalleryRule`, and the names of arrays, None
    where they were not given.
    """
    chosen = {name: value for name, value in embedding.items() if value is not None}
    if "gallery_photos" in chosen and chosen.get("gallery") not in SIZED_GALLERIES:
        raise InputError(f"--gallery-photos belongs to --gallery {' or '.join(SIZED_GALLERIES)}")
    if groups is not None and kind is Searches:
        raise InputError("groups have no FPIR and FNIR here: leave out --groups")
    photos, labels = (chosen.get(f"{what}_key", what) for what in embedded.KEYS)
    # With an option of theirs a file holds embeddings, or it is said what it lacks.
    keys = (photos, labels) if chosen else None
    lists, metric = (qrels, searched, groups, own_candidates), chosen.get("metric")
    with Source(path, higher_is_better, keys, *lists, metric) as source:
        content = read_file(source, *taken_by("predict" if kind is ScoreMatrix else "identify"))
    chosen = {name: value for name, value in chosen.items() if name not in content.used}
    if (content.embeddings or content.used) and higher_is_better is not None:
        raise InputError(
            f"{path} holds embeddings, whose scores are distances: leave out "
            "--higher-is-better and --lower-is-better"
        )
    with located(path), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AccuracyWarning)
        if not content.embeddings and not chosen:
            matrix, origin = _without_photos(content, kind, groups)
        else:
            matrix, how = _of_photos(content, kind, chosen, seed)
            matrix, origin = _grouped(matrix, groups), [how]
        if fixed and not isinstance(matrix, ScoreMatrix):
            raise InputError("it is no score matrix: leave out --fixed")
        matrix = matrix.with_fixed(fixed) if fixed else matrix
    messages = [warning.message for warning in caught]
    left_out = [doubt for doubt in messages if isinstance(doubt, AccuracyWarning)]
    return Input(_of_design(matrix, newcomers, trained), origin, left_out)


def _of_photos(
    content: Given, kind: type[ScoreMatrix | Searches], chosen: dict[str, Any], seed: int
) -> tuple[Any, str]:
    """Make scores of embeddings, and say how."""
    options = {name: value for name, value in chosen.items() if not name.endswith("_key")}
    if not content.embeddings:
        option = next(iter(chosen)).replace("_", "-")
        raise InputError(f"it holds scores and not embeddings: leave out --{option}")
    photos, labels = content.embeddings
    score: Any = score_embeddings if kind is ScoreMatrix else search_embeddings
    matrix = score(photos, labels, **options, seed=seed)
    how = GalleryRule(**options).described()
    if junk := np.count_nonzero(of_nobody(labels)):
        become = "searches by strangers" if kind is Searches else "left out"
        how += f"; {junk:,} photos of the label -1 are {become}"
    return matrix, how


def _of_design(sample: Any, newcomers: Path | None, trained: str | None) -> Any:
    """Say how a classifier learned the classes, and which classes join them."""
    if trained:
        sample = sample.redesigned(trained=trained, trained_classes=sample.counted_classes)
    if newcomers is None:
        return sample
    if not sample.has_classes:
        raise InputError("newcomers need scores for every class: leave out --newcomers")
    (scores,) = load_arrays(newcomers, "scores")
    with located(newcomers):
        return sample.joined_by(scores)


def _without_photos(
    content: Given, kind: type[ScoreMatrix | Searches], groups: Path | None
) -> tuple[Any, list[str]]:
    """Take scores, searches or lists as they are, and say what was left out."""
    origin = content.said
    if kind is Searches:
        return Searches(*content.scores) if content.scores else content.searches, origin
    if content.lists:
        return content.lists, origin
    if content.searches and content.searches.are_trials:
        raise InputError("it is a list of trials: identify takes it")
    if content.searches and (strangers := len(content.searches.non_mated)):
        origin.append(f"{strangers:,} searches without a mate are left out")
    sample = _grouped(sample_of(content), groups)
    if sample.design.own_rivals and not content.drawn:
        origin.append("one column is right in all rows: the others are read as sampled at random")
    return sample, origin


def _grouped(sample: Any, groups: Path | None) -> Any:
    """Group the classes of a matrix as a file names them, if there is one."""
    if groups is None:
        return sample
    if not sample.has_classes:
        raise InputError(f"the columns are no classes: leave out --groups {groups}")
    names = [*map(str, sample.column_names)]
    return sample.grouped(groups_of(names, read_groups(groups), groups))

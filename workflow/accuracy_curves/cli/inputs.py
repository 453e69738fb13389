"""Inputs of the commands: a score matrix, lists, searches, or embeddings."""

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning, InputError, located
from accuracy_curves.scores.embeddings import GalleryRule, score_embeddings, search_embeddings
from accuracy_curves.scores.files import read_file, sample_of
from accuracy_curves.scores.formats import embedded
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import read_groups
from accuracy_curves.scores.formats.registry import taken_by
from accuracy_curves.scores.given_arrays import of_nobody
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.files import load_arrays

# Galleries of several photos of a class.
SIZED_GALLERIES = ("centroid", "nearest")
# What is said of a file besides, whatever it holds.
OF_SOURCE = ("higher_is_better", "qrels", "searched", "own_candidates")


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
    groups: Path | None = None,
    fixed: tuple[str, ...] = (),
    trained: str | None = None,
    newcomers: Path | None = None,
    **options: Any,
) -> Input:
    """Load scores, or embeddings of photos that a gallery rule makes scores.

    A score matrix is what `load_scores` or `load_candidates` loads, searches are what
    `load_searches` loads; either may be a file of embeddings. `options` are those of `Source`, such
    as `higher_is_better`, those of `GalleryRule`, and the names of arrays. None is not given.
    """
    chosen = {name: value for name, value in options.items() if value is not None}
    said = {name: chosen.pop(name) for name in OF_SOURCE if name in chosen}
    if "gallery_photos" in chosen and chosen.get("gallery") not in SIZED_GALLERIES:
        raise InputError(f"--gallery-photos belongs to --gallery {' or '.join(SIZED_GALLERIES)}")
    photos, labels = (chosen.get(f"{what}_key", what) for what in embedded.KEYS)
    # With an option of theirs a file holds embeddings, or it is said what it lacks.
    keys = (photos, labels) if chosen else None
    with Source(path, keys=keys, metric=chosen.get("metric"), **said) as source:
        content = read_file(source, *taken_by("predict" if kind is ScoreMatrix else "identify"))
    chosen = {name: value for name, value in chosen.items() if name not in content.used}
    if (content.embeddings or content.used) and "higher_is_better" in said:
        raise InputError(
            f"{path} holds embeddings, whose scores are distances: leave out "
            "--higher-is-better and --lower-is-better"
        )
    joining = load_arrays(newcomers, "scores") if newcomers else ()
    with located(path), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AccuracyWarning)
        if not content.embeddings and not chosen:
            matrix, origin = _without_photos(content, kind)
        else:
            matrix, how = _of_photos(content, kind, chosen, seed)
            origin = [how]
        matrix = _of_design(matrix, content.names, groups, fixed, trained, joining)
    messages = [warning.message for warning in caught]
    left_out = [doubt for doubt in messages if isinstance(doubt, AccuracyWarning)]
    return Input(matrix, origin, left_out)


def _of_design(
    sample: Any,
    listed: tuple[str, ...],
    groups: Path | None,
    fixed: tuple[str, ...],
    trained: str | None,
    newcomers: tuple[AnyArray, ...],
) -> Any:
    """Say which classes come together, stay at every size, or join, and how they were learned.

    Of lists the names of classes are those that are `listed`.
    """
    options: dict[str, object] = {"fixed": fixed, "newcomers": newcomers}
    options["groups"] = None if listed else groups
    options["trained"] = trained if isinstance(sample, Searches) else None
    given = [name for name, value in options.items() if value]
    if given and not (isinstance(sample, ScoreMatrix) and sample.has_classes):
        text = "it is for accuracies, and needs scores for every class"
        raise InputError(f"leave out --{given[0]}: {text}")
    if groups:
        names = listed or [*map(str, sample.column_names)]
        sample = sample.grouped(read_groups(groups, names, sample.n_classes))
    if fixed:
        sample = sample.with_fixed(fixed)
    if trained:
        sample = sample.redesigned(trained=trained, trained_classes=sample.counted_classes)
    return sample.joined_by(*newcomers) if newcomers else sample


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


def _without_photos(content: Given, kind: type[ScoreMatrix | Searches]) -> tuple[Any, list[str]]:
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
    sample = sample_of(content)
    if sample.design.own_rivals and not content.drawn:
        origin.append("one column is right in all rows: the others are read as sampled at random")
    return sample, origin

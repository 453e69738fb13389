"""Embeddings of photos: which are gallery, which are points."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from accuracy_curves.cautions import listed, warn_left_out
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores import given_arrays
from accuracy_curves.scores.distance_matrix import METRICS, DistanceMatrix
from accuracy_curves.scores.same_photos import Photos, find_copies
from accuracy_curves.scores.sample import unchecked
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import NO_MATE, Searches
from accuracy_curves.utils.arrays import AnyArray, IntArray
from accuracy_curves.utils.numerics import principal_components
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Choice, Count, Positive, check_options

# What a class's gallery is.
GALLERIES = {
    "first": "the first photo of a class",
    "random": "one random photo of a class",
    "centroid": "the mean of {size} of the photos of a class, drawn at random",
    "nearest": "the nearest of {size} of the photos of a class, drawn at random",
}


@dataclass(frozen=True, kw_only=True)
class GalleryRule:
    """How embeddings become scores.

    A photo is any labelled embedding. Some photos of a class are its gallery, others are data
    points. The score of a point for a class is a distance to the class's gallery.

    Parameters
    ----------
    gallery : {"first", "random", "centroid", "nearest"}
        "first": the class's first photo. "random": a random one. "centroid": the mean of its
        gallery photos. "nearest": the nearest of its gallery photos.
    gallery_photos : int or float
        For centroid and nearest alone: how many photos, drawn at random, are a class's gallery.
        Below 1 it is a fraction of the class's photos, rounded; one photo at least is gallery,
        and one at least is left as a point.
    points_per_class : int, optional
        How many of the other photos, drawn at random, are points; by default all.
    metric : {"euclidean", "sqeuclidean", "cosine"}
        The distance.
    pca : int, optional
        Number of principal components to reduce the embeddings to; by default none.
    """

    gallery: Annotated[str, Choice(*GALLERIES)] = "random"
    gallery_photos: Positive = 0.5
    points_per_class: Count | None = None
    metric: Annotated[str, Choice(*METRICS)] = "euclidean"
    pca: Count | None = None

    def __post_init__(self) -> None:
        check_options(self)
        if self.gallery_photos > 1 and self.gallery_photos != int(self.gallery_photos):
            raise InputError(
                f"gallery_photos is {self.gallery_photos}: it must be a whole number of photos, or "
                "a fraction below 1 of them"
            )

    def described(self) -> str:
        """Say how photos become scores, without a full stop."""
        share = f"{100 * self.gallery_photos:g} %"
        size = share if self.gallery_photos < 1 else f"{self.gallery_photos:g}"
        gallery = GALLERIES[self.gallery].format(size=size)
        text = f"scores are {self.metric} distances from {gallery}"
        if self.pca is not None:
            text += f", after a PCA to {self.pca} dimensions"
        if self.points_per_class is not None:
            text += f"; at most {self.points_per_class} of the others are data points"
        return text

    def count_gallery(self, n_photos: int) -> int:
        """Count the gallery photos of a class, at least 1.

        The class must be left out if that leaves no photo as a point.
        """
        if self.gallery in ("first", "random"):
            return 1
        if self.gallery_photos >= 1:
            return int(self.gallery_photos)
        return max(1, min(n_photos - 1, int(self.gallery_photos * n_photos + 0.5)))


def gallery_distances(
    embeddings: AnyArray,
    labels: AnyArray,
    rule: GalleryRule,
    seed: int,
    *,
    strangers: bool = False,
) -> DistanceMatrix:
    """Turn embeddings (M, d), whose labels (M,) are numbers or text, into distances not stored yet.

    Classes are in the order of their labels; those with too few photos for a gallery and a point
    are left out. With `strangers` photos of the label -1 are points too,
    the last ones, of the first class. `InputError` if shapes disagree, a value is not finite,
    fewer than three classes have enough photos, or the metric cannot be used with the gallery.
    """
    embeddings, labels = (
        given_arrays.as_vectors(embeddings, "embeddings"),
        given_arrays.as_labels(labels),
    )
    given_arrays.check_shape("labels", labels, len(embeddings))
    photos, points = split_gallery(labels, rule, seed)
    if rule.pca is not None:
        embeddings = principal_components(embeddings, rule.pca)
    if strangers:
        points = np.append(points, np.flatnonzero(given_arrays.of_nobody(labels)))
    people, who = np.unique(labels[photos], return_inverse=True)
    own = given_arrays.positions(labels[points], people).clip(min=0)
    both, nearest = (embeddings[photos], who, embeddings[points], own), rule.gallery == "nearest"
    matrix = against_gallery(*both, nearest=nearest, metric=rule.metric)
    return matrix.redesigned(file_rows=points)


def score_embeddings(
    embeddings: object, names: object, *, seed: int = 0, **options: Any
) -> ScoreMatrix:
    """Turn embeddings of photos into scores, as the commands do; the label -1 is left out.

    Parameters
    ----------
    embeddings : (M, d) array of float
        One row per photo.
    names : (M,) array
        Who is on each photo, numbers or texts.
    seed : int
        Seed of the draw of the gallery.
    **options
        ``metric``, ``gallery``, ``gallery_photos``, ``points_per_class`` and ``pca``, as
        ``--metric``, ``--gallery``, ``--gallery-photos``, ``--points-per-class`` and ``--pca``:
        "euclidean", "sqeuclidean" or "cosine" distances from the "first", a "random", the "nearest"
        photo or the "centroid" of a person's gallery. By default euclidean ones, from a random
        photo.

    Returns
    -------
    ScoreMatrix
        Distances: a row for each photo that is not gallery, a column for each person in ascending
        order. People with too few photos for a gallery and a point are left out.

    Raises
    ------
    InputError
        If shapes disagree, a value is not finite, or fewer than three people have two photos.

    Warns
    -----
    AccuracyWarning
        If people are left out (``"rows_left_out"``).

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> names = np.repeat(["ann", "ben", "cat", "dan"], 3)
    >>> faces = np.repeat(rng.normal(size=(4, 8)), 3, axis=0) + 0.1 * rng.normal(size=(12, 8))
    >>> ac.score_embeddings(faces, names, metric="cosine", gallery="first")
    <ScoreMatrix: 8 points, 4 classes, distances, float32>
    """
    searches = _search(embeddings, names, GalleryRule(**options), seed)
    return searches.mated.redesigned(weigh_points=None)


def search_embeddings(
    embeddings: object, names: object, *, seed: int = 0, **options: Any
) -> Searches:
    """Turn embeddings of photos into searches: those of the label -1 are by strangers.

    Parameters
    ----------
    embeddings, names, seed, **options
        As of `score_embeddings`, which leaves strangers out.

    Returns
    -------
    Searches
        The rows of strangers are last.

    Raises
    ------
    InputError
        As `score_embeddings`.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> names = np.r_[np.repeat([3, 5, 8], 2), -1, -1]
    >>> ac.search_embeddings(np.random.default_rng(0).normal(size=(8, 4)), names)
    <Searches: 3 searches with a mate, 2 without, 3 enrolled identities, distances>
    """
    return _search(embeddings, names, GalleryRule(**options), seed, strangers=True)


def _search(
    embeddings: object, names: object, rule: GalleryRule, seed: int, *, strangers: bool = False
) -> Searches:
    """Store the distances of photos from galleries, as `gallery_distances`, with names."""
    photos, labels = (
        given_arrays.as_array(embeddings, "embeddings"),
        given_arrays.as_labels(names, "names"),
    )
    matrix = gallery_distances(photos, labels, rule, seed, strangers=strangers).stored()
    who = labels[matrix.design.file_rows]
    people = np.unique(who[~given_arrays.of_nobody(who)])
    few = np.setdiff1d(labels[~given_arrays.of_nobody(labels)], people)
    if len(few):
        count = f"{len(few):,}, such as {listed([*map(str, few[:3])])}"
        warn_left_out("people with too few photos", count)
    mates = np.where(given_arrays.of_nobody(who), NO_MATE, matrix.labels)
    design = replace(matrix.design, photos=Photos(labels, find_copies(photos)))
    fields = {"scores": matrix.scores, "labels": mates, "classes": people, "design": design}
    return unchecked(Searches, **fields, higher_is_better=False)


def against_gallery(
    gallery: AnyArray,
    gallery_classes: IntArray,
    points: AnyArray,
    point_classes: IntArray,
    *,
    nearest: bool = False,
    metric: str = "euclidean",
) -> DistanceMatrix:
    """Take the distances of points (N, d) from the galleries (G, d) of the classes.

    Classes of the gallery's photos, (G,), are 0..K - 1, ascending, each at least once. The distance
    is that to the nearest photo of a class where `nearest`, otherwise to their mean. `InputError`
    if the metric cannot be used with these embeddings.
    """
    starts = np.flatnonzero(np.diff(gallery_classes, prepend=-1))
    if not nearest:
        counts = np.diff(starts, append=len(gallery))
        gallery = np.add.reduceat(gallery, starts, axis=0) / counts[:, None]
    return DistanceMatrix(points, gallery, point_classes, metric, starts if nearest else None)


def split_gallery(labels: AnyArray, rule: GalleryRule, seed: int) -> tuple[IntArray, IntArray]:
    """Draw which photos are gallery and which are points: rows, of one class after the other.

    `InputError` if fewer than three classes have enough photos.
    """
    names, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    photos = np.split(np.argsort(codes, kind="stable"), np.cumsum(counts)[:-1])
    rng = np.random.default_rng(derive_seed(seed, "gallery"))
    gallery, points = [], []
    for rows, name in zip(photos, names, strict=True):
        drawn = rng.permutation(rows)
        if rule.gallery == "first":
            drawn = np.concatenate([rows[:1], rng.permutation(rows[1:])])
        size = rule.count_gallery(len(rows))
        if len(rows) > size and not given_arrays.of_nobody(name):
            gallery.append(np.sort(drawn[:size]))
            points.append(np.sort(drawn[size:][: rule.points_per_class]))
    given_arrays.check_number(len(gallery), "classes with enough photos for a gallery and a point")
    return np.concatenate(gallery), np.concatenate(points)

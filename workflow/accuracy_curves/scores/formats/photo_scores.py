"""Scores of photos for the same photos, which a gallery rule makes scores for people."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.formats.gallery_photos import score_identities
from accuracy_curves.scores.gallery import GalleryRule, split_gallery
from accuracy_curves.scores.given_arrays import as_labels, as_scores
from accuracy_curves.scores.score_matrix import ScoreMatrix


def score_photos(
    scores: npt.ArrayLike,
    people: npt.ArrayLike,
    *,
    gallery: str = "random",
    gallery_size: float = 0.5,
    points_per_class: int | None = None,
    higher_is_better: bool = True,
    seed: int = 0,
) -> ScoreMatrix:
    """Turn scores of photos for the same photos into scores for people.

    Some photos of each person are the person's gallery, and the others are points. The score of a
    photo with itself is never used. The photos are those that the same rule and seed choose of
    embeddings.

    Parameters
    ----------
    scores : (M, M) array of float
        Row i and column i are the same photo. The diagonal may hold anything.
    people : (M,) array
        The person on each photo, numbers or texts.
    gallery : {"first", "random", "centroid", "nearest"}
        "first": a person's first photo. "random": a random one. "nearest": the best score for the
        person's gallery photos. "centroid": their mean score, as there is no mean photo.
    gallery_size : int or float
        For centroid and nearest: how many photos, drawn at random, are a person's gallery; below 1
        a fraction of the person's photos.
    points_per_class : int, optional
        How many of a person's other photos, drawn at random, are points; by default all.
    higher_is_better : bool
        False for distances.
    seed : int
        Seed of the draw of the gallery.

    Returns
    -------
    ScoreMatrix
        A row for each photo that is a point, a column for each person in ascending order. People
        with too few photos for a gallery and a point are left out.

    Raises
    ------
    InputError
        If the scores are not square, a score that is needed is not finite, or fewer than three
        people have two photos.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> people = np.repeat(["ann", "ben", "cat", "dan"], 3)
    >>> photos = np.repeat(rng.normal(size=(4, 8)), 3, axis=0) + 0.1 * rng.normal(size=(12, 8))
    >>> matrix = ac.score_photos(photos @ photos.T, people, gallery="first")
    >>> matrix.n_points, matrix.n_classes
    (8, 4)
    >>> ac.average_accuracy(matrix, 4)
    array([1.])
    """
    labels, whole = as_labels(people), as_scores(scores)[0]
    rule = GalleryRule(
        gallery=gallery, gallery_size=gallery_size, points_per_class=points_per_class
    )
    if whole.ndim != 2 or whole.shape[0] != whole.shape[1] or labels.shape != whole.shape[:1]:
        raise InputError(
            f"scores of photos for the same photos must be square, with one person a photo: they "
            f"have shape {whole.shape}, and people {labels.shape}"
        )
    split = split_gallery(labels, rule, seed)
    return score_identities(
        whole[np.ix_(split.points, split.gallery)],
        labels[split.points],
        labels[split.gallery],
        combine="mean" if gallery == "centroid" else "best",
        higher_is_better=higher_is_better,
    ).mated

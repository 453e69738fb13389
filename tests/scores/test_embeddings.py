import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accuracy_curves as ac
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.distance_matrix import METRICS, distances
from accuracy_curves.scores.embeddings import (
    GALLERIES,
    GalleryRule,
    gallery_distances,
    score_embeddings,
    search_embeddings,
    split_gallery,
)
from ranges import assert_ranges_are_checked


def gallery_scores(*data, **options):
    return gallery_distances(*data, **options).stored()


def photos(n_classes=6, counts=(2, 5), d=4, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(n_classes), rng.integers(*counts, size=n_classes, endpoint=True))
    labels = rng.permutation(labels)
    embeddings = rng.normal(size=(n_classes, d))[labels] + 0.5 * rng.normal(size=(len(labels), d))
    return embeddings, labels


def distance(x, y, metric):
    difference = x - y
    if metric == "euclidean":
        return np.sqrt((difference**2).sum())
    if metric == "sqeuclidean":
        return (difference**2).sum()
    return 1 - (x @ y) / np.sqrt((x @ x) * (y @ y))


@pytest.mark.parametrize("gallery", GALLERIES)
@pytest.mark.parametrize("metric", METRICS)
def test_scores_equal_brute_force(gallery, metric):
    embeddings, labels = photos()
    rule = GalleryRule(gallery=gallery, metric=metric)
    gallery_photos, points = split_gallery(labels, rule, 7)
    matrix = gallery_scores(embeddings, labels, rule, 7)
    expected = np.empty((len(points), 6))
    for i, point in enumerate(points):
        for column in range(6):
            own = embeddings[gallery_photos[labels[gallery_photos] == column]]
            if gallery == "nearest":
                near = (distance(embeddings[point], photo, metric) for photo in own)
                expected[i, column] = min(near)
            else:
                expected[i, column] = distance(embeddings[point], own.mean(axis=0), metric)
    np.testing.assert_allclose(matrix.scores, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(matrix.labels, labels[points])
    assert matrix.scores.dtype == np.float32
    assert not matrix.higher_is_better


def test_distances_do_not_depend_on_the_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    points, gallery = rng.normal(size=(50, 3)), rng.normal(size=(9, 3))
    starts = np.array([0, 2, 3, 7])
    whole = distances(points, gallery, "euclidean", starts)
    monkeypatch.setattr("accuracy_curves.utils.arrays.BLOCK_BYTES", 8 * 9 * 7)
    np.testing.assert_array_equal(distances(points, gallery, "euclidean", starts), whole)


@given(
    counts=st.lists(st.integers(1, 9), min_size=3, max_size=8),
    gallery=st.sampled_from(["first", "random", "centroid", "nearest"]),
    size=st.one_of(st.integers(1, 4), st.floats(0.01, 0.99)),
    points_per_class=st.one_of(st.none(), st.integers(1, 3)),
    seed=st.integers(0, 99),
)
def test_split_keeps_its_promises(counts, gallery, size, points_per_class, seed):
    rule = GalleryRule(gallery=gallery, gallery_photos=size, points_per_class=points_per_class)
    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)) * 3, counts))
    one = gallery in ("first", "random")
    needed = [
        1 if one else size if size >= 1 else min(max(1, int(size * n + 0.5)), max(n - 1, 1))
        for n in counts
    ]
    kept = [i for i, n in enumerate(counts) if n > needed[i]]
    if len(kept) < 3:
        with pytest.raises(InputError, match=f"there are {len(kept)} classes with enough"):
            split_gallery(labels, rule, seed)
        return
    photos_of_gallery, photos_of_points = split_gallery(labels, rule, seed)
    assert not set(photos_of_gallery) & set(photos_of_points)
    assert len(set(photos_of_gallery)) == len(photos_of_gallery)
    assert len(set(photos_of_points)) == len(photos_of_points)
    for name in kept:
        own = photos_of_gallery[labels[photos_of_gallery] == name * 3]
        points = photos_of_points[labels[photos_of_points] == name * 3]
        assert set(labels[own]) == set(labels[points]) == {name * 3}
        assert len(own) == needed[name]
        left = counts[name] - needed[name]
        assert len(points) == (left if points_per_class is None else min(left, points_per_class))
        if gallery == "first":
            assert own[0] == np.flatnonzero(labels == name * 3)[0]


def test_class_with_one_photo_is_left_out_and_counted():
    embeddings = np.arange(14.0).reshape(7, 2)
    labels = np.array(["d", "a", "b", "c", "d", "a", "b"])
    matrix = gallery_scores(embeddings, labels, GalleryRule(gallery="first"), 0)
    assert matrix.scores.shape == (3, 3)
    with pytest.warns(ac.AccuracyWarning, match="left out: 1, such as c"):
        ac.score_embeddings(embeddings, labels)
    # Columns a, b, d: first photos are rows 1, 2, 0 and points rows 5, 6, 4.
    own = np.linalg.norm(embeddings[[5, 6, 4]] - embeddings[[1, 2, 0]], axis=1)
    np.testing.assert_allclose(np.diag(matrix.scores), own, rtol=1e-6)


def test_same_seed_same_bits_and_another_seed_another_draw():
    embeddings, labels = photos(20, (3, 6))
    rule = GalleryRule(pca=3)
    first = gallery_scores(embeddings, labels, rule, 3).scores
    assert first.tobytes() == gallery_scores(embeddings, labels, rule, 3).scores.tobytes()
    other = gallery_scores(embeddings, labels, rule, 4).scores
    assert first.tobytes() != other.tobytes()


def test_every_range_of_a_rule_is_checked():
    assert_ranges_are_checked(GalleryRule)


E, L = photos()
INFINITE, NAN = E.copy(), L.astype(float)
INFINITE[3, 1], NAN[0] = np.inf, np.nan


@pytest.mark.parametrize(
    ("changes", "rule", "word"),
    [
        ({"labels": L[:-1]}, {}, "labels have shape"),
        ({"embeddings": E[:, 0]}, {}, "embeddings have shape"),
        ({"embeddings": E.astype(str)}, {}, "must be numbers"),
        ({"embeddings": INFINITE}, {}, "row 3"),
        ({"labels": NAN}, {}, "all texts, and none absent"),
        ({"labels": np.arange(len(L))}, {}, "there are 0 classes with enough"),
        ({}, {"pca": 5}, "pca is 5"),
        ({"embeddings": E * 0}, {"metric": "cosine"}, "zero in all components"),
    ],
)
def test_bad_embeddings(changes, rule, word):
    given = {"embeddings": E, "labels": L} | changes
    with pytest.raises(InputError, match=word):
        gallery_distances(rule=GalleryRule(**rule), seed=0, **given)


def test_photos_of_the_label_minus_one_are_searches_by_strangers():
    rng = np.random.default_rng(0)
    names = np.r_[np.repeat(["ann", "ben", "cat", "dan"], 3), ["-1"] * 5]
    photos = rng.normal(size=(17, 6))
    searches = search_embeddings(photos, names, metric="cosine", gallery="first")
    matrix = score_embeddings(photos, names, metric="cosine", gallery="first")
    np.testing.assert_array_equal(searches.mated.scores, matrix.scores)
    np.testing.assert_array_equal(searches.mated.labels, matrix.labels)
    unit = photos / np.linalg.norm(photos, axis=1, keepdims=True)
    np.testing.assert_allclose(searches.non_mated, 1 - unit[12:] @ unit[:12:3].T, atol=1e-6)
    assert not search_embeddings(photos[:12], names[:12]).has_non_mated

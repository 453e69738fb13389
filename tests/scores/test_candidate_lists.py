"""Candidate lists against the matrix that they are cut from, and against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accuracy_curves as ac
from accuracy_curves import CandidateLists, ScoreMatrix
from accuracy_curves.extrapolators._gumbel_scores import PlacedScores, gumbel_scale
from accuracy_curves.observed.accuracy import (
    accuracy_bounds,
    attracting_classes,
    average_accuracy,
    effective_classes,
    expected_accuracy,
    first_known_k,
)
from accuracy_curves.scores.neighbours import of_classes
from accuracy_curves.scores.parts import random_halves

TAKING = [name for name, method in ac.EXTRAPOLATORS.items() if method.takes_lists]


def matrix(n_classes=100, n_points=150, *, seed=0, decimals=None, lift=2.0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(n_classes, size=n_points)
    scores = rng.normal(size=(n_points, n_classes))
    scores[np.arange(n_points), labels] += lift
    return ScoreMatrix(scores if decimals is None else scores.round(decimals), labels)


@pytest.mark.parametrize("decimals", [None, 1])
def test_lists_of_all_classes_are_the_matrix(decimals):
    whole = matrix(decimals=decimals)
    lists = whole.candidates(100)
    scale, listed = gumbel_scale(whole), gumbel_scale(lists)
    np.testing.assert_allclose(listed.of(whole.scores), scale.of(whole.scores), atol=1e-10)
    np.testing.assert_allclose(listed.correct, scale.correct, atol=1e-10)
    for ours, expected in zip(lists.outscored_and_tied(), whole.outscored_and_tied(), strict=True):
        np.testing.assert_array_equal(ours, expected)
    for name in TAKING:
        fitted = [ac.EXTRAPOLATORS[name]().fit(sample) for sample in (whole, lists)]
        expected, found = (each.predict([2, 50, 100, 1000, 10**6]) for each in fitted)
        np.testing.assert_allclose(found, expected, atol=1e-8, err_msg=name)
    for count in (effective_classes, attracting_classes):
        assert count(lists) == pytest.approx(count(whole))
    both = [ac.ClassIntervals(sample, splits=3) for sample in (whole, lists)]
    expected, found = (each.interval([200, 1000], top=2) for each in both)
    np.testing.assert_allclose(found.lower, expected.lower, atol=1e-7)
    np.testing.assert_allclose(found.upper, expected.upper, atol=1e-7)


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize("length", [33, 36])
def test_lists_of_photos_have_the_ranks_of_the_identities(length, texts):
    rng, photos, people = np.random.default_rng(0), np.repeat(np.arange(12), 3), np.arange(40) % 12
    # Whole numbers tie often.
    apart = np.floor(rng.integers(0, 30, (40, 36)) * (1 - 0.6 * (people[:, None] == photos)))
    near = np.argsort(apart, axis=1, kind="stable")[:, :length]
    photos, people = ((ids + 100).astype(str if texts else int) for ids in (photos, people))
    # What the index did not find is passed over.
    near = np.c_[near, np.full((40, 2), -1)]
    found = CandidateLists.from_neighbours(
        np.c_[np.take_along_axis(apart, near[:, :-2], axis=1), np.full((40, 2), 99)],
        near, people, gallery_labels=photos, higher_is_better=False,
    )  # fmt: skip
    whole = ac.score_identities(apart, people, photos).mated
    for ours, expected in zip(found.outscored_and_tied(), whole.outscored_and_tied(), strict=True):
        np.testing.assert_array_equal(ours, expected)
        assert expected.max() > 0
    np.testing.assert_array_equal(found.labels, whole.labels)


def test_distances_are_as_they_were():
    whole = ac.simulate(n_classes=90, points_per_class=2, variance=0.2)
    for name in ("auto", "pooled_tail"):
        expected, found = (
            ac.extrapolate(sample, [90, 900], name) for sample in (whole, whole.candidates(90))
        )
        np.testing.assert_allclose(found, expected, atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_the_scale_is_kaplan_and_meiers_estimator_over_all_pairs(seed):
    """A pair of a search and a class is seen above the end of its list, else censored there."""
    rng = np.random.default_rng(seed)
    n, incorrect = 9, 7
    scores = -np.sort(-rng.integers(0, 8, (n, incorrect)), axis=1).astype(float)
    lengths = rng.integers(0, incorrect + 1, n)
    lengths[0] = 3
    classes = np.where(np.arange(incorrect) < lengths[:, None], np.arange(1, incorrect + 1), -1)
    ends = np.where(lengths, scores[np.arange(n), lengths - 1], np.inf)
    ends[lengths == incorrect] = -np.inf
    lists = object.__new__(CandidateLists)
    vars(lists).update(
        scores=np.where(classes < 0, -np.inf, scores), classes=classes, ends=ends,
        labels=np.zeros(n, int), n_classes=incorrect + 1,
    )  # fmt: skip
    times = [
        (s, 1) if s > end else (end, 0) for row, end in zip(scores, ends, strict=True) for s in row
    ]

    def left(u, *, strict):
        product = 1.0
        for v in sorted({s for s, seen in times if seen}, reverse=True):
            if v < u or (strict and v == u):
                break
            # Of equal ones an event comes before the end of a list: that list ends there.
            at_risk = sum((s <= v if seen else s < v) for s, seen in times)
            product *= 1 - sum(s == v and seen for s, seen in times) / at_risk
        return product

    found, m = PlacedScores.of_lists(lists), n * incorrect
    for u in np.arange(-0.5, 9.5, 0.5):
        beyond = m * (1 - (left(u, strict=True) + left(u, strict=False)) / 2)
        expected = -np.log(-np.log(1 - (beyond + 0.5) / (m + 1)))
        assert found.gumbel(np.array([u]))[0] == pytest.approx(expected, abs=1e-10)


def test_observed_accuracies_are_bounded_by_all_places_of_a_right_class_beyond_its_list():
    whole = matrix(decimals=1)
    lists = whole.candidates(25)
    k = np.arange(2, 101)
    for top in (1, 3):
        # Ties are broken by other draws.
        seeds = range(60)
        bounds = [accuracy_bounds(lists, k, seed, top=top) for seed in seeds]
        lower, upper = np.mean(bounds, axis=0)
        seen = np.mean([average_accuracy(whole, k, seed, top=top) for seed in seeds], axis=0)
        assert (lower <= seen + 0.002).all()
        assert (seen <= upper + 0.002).all()
    for sample in (lists, lists.setting_aside([0], (whole.labels[:1] + 1) % 100)):
        least, (lower, upper) = first_known_k(sample), accuracy_bounds(sample, k)
        assert ((upper - lower <= 0.001) == (k >= least)).all()
        assert 2 < least < 50


@pytest.mark.parametrize("length", [20, 100])
def test_lists_of_a_matrix_answer_as_the_matrix(length):
    whole = ac.simulate(n_classes=400, points_per_class=2, variance=0.2)
    expected = ac.ClassIntervals(whole, splits=5).interval([800, 4000])
    found = ac.ClassIntervals(whole.candidates(length), splits=5).interval([800, 4000])
    np.testing.assert_allclose(found.accuracy, expected.accuracy, atol=0.02)
    width = (found.upper - found.lower) / (expected.upper - expected.lower)
    # Short lists show less of the curve, and the parts of `auto` differ by more.
    np.testing.assert_allclose(width, 1, atol=0.4)


def test_a_half_is_what_a_search_of_its_classes_finds_above_the_ends():
    whole = matrix(decimals=1)
    lists = whole.candidates(30)
    for half, _ in random_halves(100, 2):
        ours, searched = lists.select_classes(half), whole.select_classes(half)
        np.testing.assert_array_equal(ours.labels, searched.labels)
        known = ~ours.censored
        for mine, theirs in zip(
            ours.outscored_and_tied(), searched.outscored_and_tied(), strict=True
        ):
            np.testing.assert_array_equal(mine[known], theirs[known])
        for row, (end, scores) in enumerate(zip(ours.ends, searched.scores, strict=True)):
            others = np.delete(scores, searched.labels[row])
            listed = ours.scores[row][ours.scores[row] > end]
            np.testing.assert_array_equal(listed, -np.sort(-others[others > end]))


def test_a_search_that_ties_with_the_end_of_its_list_is_not_known():
    scores = np.tile(-np.arange(1.0, 31), (4, 1))
    classes = np.tile(np.arange(1, 31), (4, 1))
    correct = [-0.5, -29.5, -30, np.nan]
    lists = CandidateLists(scores, classes, [0, 0, 0, 0], 1000, correct)
    assert lists.censored.tolist() == [False, False, True, True]
    assert lists.outscored_and_tied()[0].tolist() == [999, 970, 0, 0]
    assert [each.tolist() for each in lists.counts_at_end] == [[969] * 4, [1] * 4]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_lists_of_all_that_matches_say_what_the_matrix_says(seed):
    """A search for words scores most documents 0, and lists the others."""
    rng = np.random.default_rng(seed)
    scores = np.maximum(rng.normal(size=(60, 60)) - 0.7, 0).round(2)
    scores[np.arange(60), np.arange(60)] += rng.integers(0, 2, 60)
    scores[scores.max(axis=1) == 0, 0] = 1.0
    whole = ScoreMatrix(scores, np.arange(60))
    order = np.argsort(-scores, axis=1, kind="stable")
    best = np.take_along_axis(scores, order, axis=1)
    given = best, np.where(best > 0, order, -1), np.arange(60)
    lists = of_classes(*given, searched=60, exhausted=np.ones(60))
    for mine, theirs in zip(lists.outscored_and_tied(), whole.outscored_and_tied(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    half = np.sort(rng.choice(60, 30, replace=False))
    few, some = lists.select_classes(half), whole.select_classes(half)
    k = [2, 10, 30]
    np.testing.assert_allclose(expected_accuracy(few, k), expected_accuracy(some, k), atol=1e-12)
    assert not few.censored.any()


def test_a_right_class_at_the_end_of_its_list_is_known():
    scores, ids = np.tile(-np.arange(1.0, 31), (2, 1)), np.tile(np.arange(30), (2, 1))
    lists = CandidateLists.from_neighbours(scores, ids, [29, 77], searched=1000)
    assert lists.outscored_and_tied()[0].tolist() == [970, 0]


def test_an_empty_list_is_a_miss():
    lists = matrix().candidates(30)
    classes = lists.classes.copy()
    classes[0] = -1
    lists.correct[0] = np.nan
    found = CandidateLists(
        lists.scores, classes, lists.labels, 100, lists.correct * [0, *[1] * 149]
    )
    assert found.censored[0]
    assert found.counts_at_end[0][0] == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 40), st.booleans())
def test_no_order_of_the_rows_or_names_of_the_classes_matters(seed, length, equally):
    rng = np.random.default_rng(seed)
    lists = matrix(seed=seed).candidates(length).weighing_points(equally)
    rows, names = rng.permutation(150), rng.permutation(100)
    classes = np.where(lists.classes < 0, -1, names[lists.classes])
    given = lists.scores[rows], classes[rows], names[lists.labels[rows]], 100, lists.correct[rows]
    other = CandidateLists(*given, ends=lists.ends[rows]).weighing_points(equally)
    # The parts of `auto`: how they weigh depends on which halves are drawn.
    for method in ("pooled_tail", "two_parameter"):
        found, expected = (ac.extrapolate(each, 500, method) for each in (other, lists))
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert attracting_classes(other) == pytest.approx(attracting_classes(lists))


@pytest.mark.parametrize("door", [ac.EXTRAPOLATORS["auto"]().fit, ac.ClassIntervals])
def test_short_lists_are_refused(door):
    with pytest.raises(ac.InputError, match="give lists of 20 or more"):
        door(matrix().candidates(12))

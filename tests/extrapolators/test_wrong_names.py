"""Pairs of a point and a class that look like one class under two names."""

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.cautions import share
from accuracy_curves.extrapolators.wrong_names import look_for_wrong_names
from accuracy_curves.intervals.cautions import Predicted, wrong_names
from accuracy_curves.scores import reduced_matrix
from accuracy_curves.scores.parts import random_halves
from conftest import simulated

# Two points with the names of others; the gallery of class 50 is of person 3.
WRONG, SPOILT = {30: 90, 130: 12}, {50: 3}


def photos(seed=0, twins=0, families=1, wrong=True):
    """Two points each of 120 people, near their own galleries; similarities."""
    rng = np.random.default_rng(seed)
    people = rng.normal(size=(120, 24))
    people[:twins] = people[twins : 2 * twins] + 0.1 * rng.normal(size=(twins, 24))
    people = people[np.arange(120) // families * families] + 0.1 * rng.normal(size=(120, 24))
    names = np.repeat(np.arange(120), 2)
    points = people[names] + 0.4 * rng.normal(size=(240, 24))
    gallery = people.copy()
    if wrong:
        for named, person in SPOILT.items():
            gallery[named] = people[person] + 0.2 * rng.normal(size=24)
        for row, name in WRONG.items():
            names[row] = name
    return ac.ScoreMatrix(-np.linalg.norm(points[:, None] - gallery, axis=2), names)


def pairs_of(matrix):
    table = ac.find_wrong_names(matrix)
    return set(zip(table["row"], table["looks_like"], table["wrong"], strict=True))


def plainly(matrix):
    """The rule of the description, point by point."""
    labels, n = matrix.labels, matrix.n_classes
    scores = np.asarray(matrix.scores, float) * (1 if matrix.higher_is_better else -1)
    own = scores[np.arange(len(labels)), labels]
    beaten = [(row > right).sum() for row, right in zip(scores, own, strict=True)]
    poor = np.array(beaten) >= max((n - 1) / 20, 5)
    level = np.quantile(own[~poor], 0.1)
    like = scores >= level
    like[np.arange(len(labels)), labels] = False
    named = [x for x in np.flatnonzero(poor) if 0 < like[x].sum() <= 2]
    by_chance = (like[~poor].any(axis=1).sum() + 0.5) / ((~poor).sum() + 1)
    masked = np.where(like, scores, -np.inf)
    found = {(x, masked[x].argmax(), "point") for x in named
             if by_chance * poor.sum() <= 0.1 * len(named)}  # fmt: skip
    spoilt = [c for c in range(n) if (labels == c).any() and poor[labels == c].all()]
    others = np.delete(np.arange(n), spoilt)
    if 1 - np.exp(-like[:, others].sum() / len(others)) <= 0.1:
        every = {(x, c, "class") for c in spoilt for x in np.flatnonzero(like[:, c])}
        found |= {each for each in every if (*each[:2], "point") not in found}
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_rule_is_what_the_description_says(seed):
    matrix = photos(seed)
    found = pairs_of(matrix)
    assert found == plainly(matrix)
    assert (130, 65, "point") in found
    assert {each[:2] for each in found if each[2] == "point"} <= {(30, 15), (130, 65)}
    assert {row for row, *other in found if other == [50, "class"]} <= {6, 7}
    worse = matrix.scores[np.arange(240), matrix.labels] < -6
    noisy = ac.ScoreMatrix(np.where(worse[:, None], matrix.scores[::-1], matrix.scores),
                           matrix.labels)  # fmt: skip
    assert pairs_of(noisy) == plainly(noisy)


def test_names_are_those_of_the_classes_and_the_scale_does_not_matter():
    matrix, people = photos(), np.array([f"p{each:03d}" for each in range(120)])
    distances = ac.ScoreMatrix(np.exp(-0.1 * matrix.scores), people[matrix.labels], False, people)
    table, named = ac.find_wrong_names(matrix), ac.find_wrong_names(distances)
    assert named["row"].tolist() == table["row"].tolist()
    for column in ("name", "looks_like"):
        assert named[column].tolist() == people[table[column]].tolist()


@pytest.mark.parametrize("mark", [-1e3, 0.0, 1e3])
def test_photos_that_failed_do_not_hide_them(mark):
    matrix = photos()
    scores = np.insert(matrix.scores, [0, 100, 200], mark, axis=0)
    failed = ac.ScoreMatrix(scores, np.insert(matrix.labels, [0, 100, 200], [3, 4, 5]))
    rows = np.insert(np.arange(240), [0, 100, 200], -1)
    assert {(rows[row], *other) for row, *other in pairs_of(failed)} == pairs_of(matrix)


@pytest.mark.parametrize("sample", [
    *(photos(seed, wrong=False) for seed in range(3)), photos(twins=40, wrong=False),
    photos(families=4, wrong=False), simulated(100, 4, variance=0.3), simulated(40, 2, variance=1),
    ac.ScoreMatrix(np.zeros((60, 60)), np.arange(60)),
    ac.Ranks(np.zeros(60, int), np.zeros(60, int), np.arange(60), 60),
])  # fmt: skip
def test_where_names_are_right_nothing_is_reported(sample):
    assert not look_for_wrong_names(sample)
    if not sample.has_scores:
        with pytest.raises(ac.InputError, match="a sample is a ScoreMatrix"):
            ac.find_wrong_names(sample)


def test_a_large_matrix_tells_the_same(monkeypatch):
    matrix = photos()
    monkeypatch.setattr(reduced_matrix, "MOST_SCORES", 0)
    monkeypatch.setattr(reduced_matrix, "LEAST_CLASSES", 2)
    monkeypatch.setattr(reduced_matrix, "LISTED", 60)
    assert pairs_of(matrix) == plainly(photos())


def test_they_stay_at_every_size_and_all_doors_agree():
    matrix, k = photos(), [120, 1200, 10**6]
    found = ac.Auto().fit(matrix).predict(k)
    np.testing.assert_array_equal(ac.extrapolate(matrix, k), found)
    intervals = ac.ClassIntervals(matrix, splits=3)
    np.testing.assert_array_equal(intervals.interval(k).accuracy, found)
    # What halves are fitted to has the same pairs aside.
    table = ac.find_wrong_names(matrix)
    aside = matrix.setting_aside(table["row"], table["looks_like"])
    np.testing.assert_array_equal(ac.Auto(two_names="drawn").fit(aside).predict(k), found)
    first, _ = next(random_halves(120, 3))
    of_half = ac.Auto(two_names="drawn").fit(aside.select_classes(first)).tail_.predict(k)
    np.testing.assert_array_equal(intervals.variation.halves[0].tail_.predict(k), of_half)
    right = ac.Auto().fit(photos(wrong=False)).predict(k)
    drawn = ac.Auto(two_names="drawn").fit(matrix).predict(k)
    # The points with a wrong name, and those of the class in whose gallery another is, are lost.
    lost = len(WRONG) / 240 + len(SPOILT) / 120
    assert np.abs(right - lost - found)[:2].max() < 0.01 < (found - drawn)[1:].min()


@pytest.mark.parametrize("method", ["auto", "regression"])
def test_the_answer_with_or_without_them_is_said(method):
    matrix = photos()
    cautions = ac.predict(matrix, [200, 1200], method, splits=0).cautions
    (said,) = [str(each) for each in cautions if each.reason == "wrong_names"]
    table = ac.find_wrong_names(matrix)
    assert f"under two names: {len(table)} (the first: row " in said
    aside = matrix.setting_aside(table["row"], table["looks_like"])
    other = {"auto": ac.Auto(two_names="drawn").fit(matrix), "regression": ac.Regression()}[method]
    expected = (other if method == "auto" else other.fit(aside)).predict(1200)[0]
    assert f"predicts {share(expected)} at 1,200 classes" in said


def test_copies_of_a_photo_are_called_so_by_the_rows_of_the_file():
    rng = np.random.default_rng(0)
    names = np.repeat(np.arange(80), 3)
    faces = rng.normal(size=(80, 24))[names] + 0.3 * rng.normal(size=(240, 24))
    faces[20] = faces[100]
    matrix = ac.score_embeddings(faces, names, gallery="first")
    named = look_for_wrong_names(matrix)
    assert named.table.values.tolist() == [[20, 6, 33, "copy"]]
    predicted = Predicted(ac.Auto().fit(matrix), 80, [400], sample=matrix)
    (said,) = wrong_names(predicted)
    assert "row 20, of 6, has the vector of a photo of 33" in str(said)

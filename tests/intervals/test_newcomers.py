from itertools import combinations

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.answers.answer import Provenance
from accuracy_curves.intervals.newcomers import (
    UNLIKE,
    JoinedFits,
    against_newcomers,
    compare_rivals,
)

DIMENSIONS, NOISE = 6, 0.55


def drawn(known=50, new=450, scale=1.0, near=0.0, seed=0):
    """Queries of known classes, and their distances to these and to others."""
    rng = np.random.default_rng(seed)
    classes = rng.normal(size=(known, DIMENSIONS))
    others = scale * rng.normal(size=(new, DIMENSIONS))
    if near:
        others = classes[rng.integers(known, size=new)] + near * others
    labels = np.repeat(np.arange(known), 3)
    points = classes[labels] + NOISE * rng.normal(size=(len(labels), DIMENSIONS))
    to_known, to_new = (np.linalg.norm(points[:, None] - of, axis=2) for of in (classes, others))
    return ac.ScoreMatrix(to_known, labels, higher_is_better=False), to_new


@pytest.mark.parametrize("top", [1, 2])
def test_known_classes_stay_and_newcomers_are_sampled(top):
    sample, new = drawn(known=6, new=25)
    joined = against_newcomers(sample.joined_by(new))
    own = -sample.correct[:, None]
    for k in (0, 1, 3):
        hits = []
        for chosen in combinations(range(8), k):
            rivals = np.hstack([sample.scores < own, new[:, list(chosen)] < own])
            hits.append(sample.weights @ (rivals.sum(axis=1) < top))
        some = joined.select_classes(np.arange(8))
        if k:
            (found,) = ac.average_accuracy(some, k + 1, top=top)
            assert found == pytest.approx(np.mean(hits))


def test_the_own_score_stays_in_every_part_and_points_keep_their_classes():
    sample, new = drawn(known=20, new=30)
    joined = against_newcomers(sample.joined_by(new))
    part = joined.select_classes(np.array([3, 4, 5]))
    np.testing.assert_array_equal(part.correct, sample.correct)
    np.testing.assert_array_equal(part.sources, sample.labels)
    rows = np.flatnonzero(sample.labels < 5)
    np.testing.assert_array_equal(joined.select_points(rows).sources, sample.labels[rows])
    np.testing.assert_array_equal(
        sample.joined_by(new).select_points(rows).design.newcomers, -new[rows]
    )


def test_the_test_finds_newcomers_that_are_closer_and_none_that_are_not():
    same = [compare_rivals(_joined(seed=seed)) for seed in range(12)]
    assert sum(each.p <= UNLIKE for each in same) <= 1
    assert np.ptp([each.p for each in same]) > 0.3
    unlike = {"near": 0.1}, {"scale": 2.5}
    closer, farther = (compare_rivals(_joined(m=150, **how)) for how in unlike)
    assert closer.p == farther.p == pytest.approx(1 / 200)
    assert closer.z < 0 < farther.z


def _joined(m=40, **how):
    sample, new = drawn(**how)
    return sample.joined_by(new[:, :m])


@pytest.mark.parametrize(("scale", "counts"), [(1.5, (0.2, 0.9)), (2.0, (0.02, 0.6))])
def test_newcomers_that_are_unlike_move_the_prediction_to_the_truth(scale, counts):
    sample, new = drawn(scale=scale)
    fits = ac.ClassIntervals(sample.joined_by(new[:, :50]), splits=6)
    assert counts[0] < fits.variation.phi < counts[1]
    (truth,) = ac.average_accuracy(
        every := against_newcomers(sample.joined_by(new)), every.n_classes
    )
    found, alone = (each.interval(500) for each in (fits, ac.ClassIntervals(sample, splits=6)))
    assert found.lower[0] <= truth <= found.upper[0]
    assert abs(found.accuracy[0] - truth) < 0.7 * abs(alone.accuracy[0] - truth)


def test_predictions_fall_from_what_was_observed():
    sample, new = drawn(scale=0.8)
    joined = sample.joined_by(new[:, :40])
    fits, known = (ac.ClassIntervals(each, splits=4) for each in (joined, sample))
    k = np.array([10, 50, 51, 60, 100, 1000, 10**9])
    for top in (1, 3):
        accuracy = fits.accuracy(k, top)
        np.testing.assert_array_equal(accuracy[:2], known.accuracy(k[:2], top))
        assert (np.diff(accuracy[1:]) <= 0.02).all()
        assert accuracy[2:].max() <= ac.average_accuracy(sample, 50, top=top)[0] + 1e-12
    found = fits.interval(k)
    assert (found.lower <= found.accuracy).all()
    assert (found.accuracy <= found.upper).all()
    # The same sample, twice.
    same = fits.variation.variance_of_difference(fits.variation, k)
    np.testing.assert_allclose(same, 0, atol=1e-9)
    wide, narrow = (np.subtract(*fits.ends([500], sample_classes=n)[::-1])[0] for n in (50, 200))
    assert narrow < wide


def test_an_answer_says_how_newcomers_count():
    sample, new = drawn(scale=2.5)
    answer = ac.predict(sample.joined_by(new[:, :25]), [500], splits=4)
    assert isinstance(answer.fits["auto"].variation, JoinedFits)
    said = str(answer)
    assert "as classes like the 25 newcomers join" in said
    assert "they are unlike the known classes (p = 0.005)" in said
    assert "25 newcomers are few: 30 are better" in said
    assert "to come are like the newcomers" in answer.page(Provenance(), b"")
    alone = ac.predict(sample.joined_by(new[:, :25]), [500], splits=0)
    assert np.isfinite(alone.at("auto", 500, 1).accuracy)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda sample, new: (sample, new[:, :19]), "there are 19 newcomers: 20 or more"),
        (lambda sample, new: (sample, new[1:]), "the scores of newcomers have shape"),
        (lambda sample, new: (sample, np.where(new < 1, np.nan, new)), "not finite"),
        (lambda sample, new: (sample.grouped(np.arange(50) // 2), new), "one by one"),
        (
            lambda sample, new: (sample.redesigned(trained="jointly", trained_classes=50), new),
            "classifiers that learned their classes together",
        ),
    ],
)
def test_newcomers_that_cannot_join(change, said):
    sample, new = change(*drawn(new=60))
    with pytest.raises(ac.InputError, match=said):
        sample.joined_by(new)

"""Wrong names: planted ones are found, and clean samples have none but at the rate that is said."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control

import accuracy_curves as ac
from accuracy_curves.cautions import share
from accuracy_curves.extrapolators.wrong_names import without_wrong_names
from accuracy_curves.intervals.cautions import Predicted, cautions_of_method


def scored(seed, wrong=0, n_classes=120, points=2, digits=None):
    """Similarities of photos to people, and the people of the photos that have a wrong name."""
    rng = np.random.default_rng(seed)
    people = rng.normal(size=(n_classes, 20))
    names = np.repeat(np.arange(n_classes), points)
    photos = people[names] + 0.45 * rng.normal(size=(len(names), 20))
    scores = -np.square(photos[:, None] - people).sum(axis=2)
    rows = rng.choice(len(names), wrong, replace=False)
    truth = dict(zip(rows.tolist(), names[rows].tolist(), strict=True))
    names[rows] = (names[rows] + rng.integers(1, n_classes, wrong)) % n_classes
    if digits is not None:
        scores = scores.round(digits)
    return ac.ScoreMatrix(scores, names), truth


def found_in(matrix):
    table = ac.find_wrong_names(matrix)
    return dict(zip(table["row"].tolist(), table["looks_like"].tolist(), strict=True))


def test_planted_names_are_found():
    planted = found = 0
    for seed in range(10):
        matrix, truth = scored(seed, wrong=4)
        told = found_in(matrix)
        assert told.items() <= truth.items()
        planted, found = planted + len(truth), found + len(told)
    assert found >= 0.75 * planted


@pytest.mark.parametrize("digits", [None, -1], ids=["finely", "coarsely"])
def test_clean_samples_have_none(digits):
    """At most one in ten has a false one, and two standard errors for 40 of them."""
    assert sum(bool(found_in(scored(seed, digits=digits)[0])) for seed in range(40)) <= 8


def plainly(scores, labels):
    """The same, point by point."""
    n_points, n_classes = scores.shape
    own = np.eye(n_classes, dtype=bool)[labels]
    pool = scores[~own]

    def v(score, among_ties=0.0):
        better, tied = (pool > score).sum(), (pool == score).sum()
        place = better + 0.5 + tied / 2 - among_ties * max(tied - 1, 0) / 2
        return -np.log(-np.log(1 - place / (len(pool) + 1)))

    erring, looks_like, with_own, of_two = [], [], [], []
    for row, label in enumerate(labels):
        others = np.sort(np.delete(scores[row], label))[::-1]
        if others[0] <= scores[row, label]:
            continue
        m = min(20, n_classes // 4)
        at = [v(score) for score in others[: m + 1]]
        a = np.mean([j * (at[j - 1] - at[j]) for j in range(2, m + 1)])
        second = max(v(others[1], 1), np.log(n_classes / 2))
        gaps = [v(others[0], -1) - max(second, each) for each in (v(scores[row, label], 1), -9)]
        p = [(1 + max(gap, 0) / ((m - 1) * a)) ** (1 - m) if a else 1.0 for gap in gaps]
        erring.append(row)
        looks_like.append(int(np.argmax(np.where(own[row], -np.inf, scores[row]))))
        with_own.append(p[0])
        of_two.append(p[1])
    rest = np.ones(n_points - len(erring))
    shares = np.minimum(
        false_discovery_control(with_own),
        false_discovery_control(np.append(of_two, rest))[: len(erring)],
    )
    return {
        row: (other, each)
        for row, other, each in zip(erring, looks_like, shares, strict=True)
        if each <= 0.1
    }


@pytest.mark.parametrize(("n_classes", "digits"), [(24, None), (24, 0), (90, None), (90, 0),
                                                   (90, -1)])  # fmt: skip
def test_the_rule_is_what_the_description_says(n_classes, digits):
    told = 0
    for seed in range(4):
        matrix, _ = scored(seed, 5, n_classes, 3, digits)
        expected = plainly(np.asarray(matrix.scores), matrix.labels)
        table = ac.find_wrong_names(matrix).set_index("row")
        assert dict(table["looks_like"]) == {row: other for row, (other, _) in expected.items()}
        np.testing.assert_allclose(
            table["false_share"], [expected[row][1] for row in table.index], rtol=1e-9
        )
        assert table["false_share"].is_monotonic_increasing
        told += len(table)
    assert told > 0


def test_people_who_are_enrolled_twice_are_found():
    """Where other searches have higher scores; then those for the two stand out enough."""
    rng = np.random.default_rng(3)
    names = np.repeat(np.arange(120), 6)
    scores = rng.normal(size=(720, 120)) * np.where(np.arange(720) % 3, 1, 3)[:, None]
    for person, other in ((5, 77), (77, 5)):
        for each in (person, other):
            scores[names == person, each] = 15 + rng.normal(size=6)
    rest = ~np.isin(names, (5, 77))
    scores[rest, names[rest]] = 15 + rng.normal(size=rest.sum())
    table = ac.find_wrong_names(ac.ScoreMatrix(scores, names))
    assert len(table) >= 2
    assert set(zip(table["name"], table["looks_like"], strict=True)) == {(5, 77), (77, 5)}


def test_names_are_those_of_the_classes_and_the_scale_does_not_matter():
    matrix, _ = scored(1, wrong=4)
    people = np.array([f"p{each:03d}" for each in range(120)])
    distances = ac.ScoreMatrix(np.exp(-0.01 * matrix.scores), people[matrix.labels], False, people)
    table, named = ac.find_wrong_names(matrix), ac.find_wrong_names(distances)
    assert len(table) > 0
    assert named["row"].tolist() == table["row"].tolist()
    assert named["looks_like"].tolist() == people[table["looks_like"]].tolist()
    assert named["name"].tolist() == people[matrix.labels[table["row"]]].tolist()


@pytest.mark.parametrize("mark", [-1e3, 0.0, 1e3])
def test_photos_that_failed_do_not_hide_them(mark):
    matrix, _ = scored(1, wrong=4)
    expected = found_in(matrix)
    scores = np.insert(matrix.scores, [0, 100, 200], mark, axis=0)
    failed = ac.ScoreMatrix(scores, np.insert(matrix.labels, [0, 100, 200], [3, 4, 5]))
    rows = np.insert(np.arange(240), [0, 100, 200], -1)
    told = {int(rows[row]): other for row, other in found_in(failed).items()}
    assert told == expected != {}


def test_where_nothing_can_be_told():
    few = scored(0, 3, n_classes=19)[0]
    right = ac.ScoreMatrix(np.eye(60), np.arange(60))
    guessed = ac.ScoreMatrix(np.zeros((60, 60)), np.arange(60))
    filled = np.zeros((60, 60))
    filled[np.arange(60), (np.arange(60) + 1) % 60] = 1
    for matrix in (few, right, guessed, ac.ScoreMatrix(filled, np.arange(60))):
        table = ac.find_wrong_names(matrix)
        assert table.empty
        assert list(table) == ["row", "name", "looks_like", "false_share"]
        assert without_wrong_names(matrix) is None
    ranks = ac.Ranks(np.zeros(60, int), np.zeros(60, int), np.arange(60), 60)
    assert without_wrong_names(ranks) is None
    with pytest.raises(ac.InputError, match="a sample is a ScoreMatrix"):
        ac.find_wrong_names(ranks)


@pytest.mark.parametrize("call", [
    lambda matrix: ac.extrapolate(matrix, [200, 1200], "regression"),
    lambda matrix: ac.ClassIntervals(matrix, "regression", splits=3),
], ids=["extrapolate", "ClassIntervals"])  # fmt: skip
def test_the_answer_without_them_is_said(call):
    matrix, _ = scored(1, wrong=4)
    with pytest.warns(ac.AccuracyWarning) as caught:
        call(matrix)
    (message,) = [str(each.message) for each in caught if each.message.reason == "wrong_names"]
    rows = np.delete(np.arange(240), ac.find_wrong_names(matrix)["row"])
    others = ac.ScoreMatrix(matrix.scores[rows], matrix.labels[rows])
    k = 1200 if "1,200" in message else 120
    expected = ac.Regression().fit(others).predict(k)[0]
    assert f"predicts {share(expected)} at {k:,} classes" in message


def test_names_that_hardly_change_the_prediction_are_in_the_table_alone():
    # Of the first sample 42 % of the points err, of the second few but those with a wrong name.
    for matrix, said in ((ac.simulate(n_classes=200, variance=0.2), 0), (scored(0, wrong=4)[0], 1)):
        fitted, named = ac.Auto().fit(matrix), without_wrong_names(matrix)
        assert len(named.table)
        told = cautions_of_method(Predicted(fitted, matrix.n_classes, [400], named=named))
        assert [each.reason for each in told] == ["wrong_names"] * said

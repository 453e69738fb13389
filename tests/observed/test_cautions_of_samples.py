"""Each reason for caution in the scores: said where it holds, and not where it does not."""

import numpy as np
import pytest

from accuracy_curves import CandidateLists, ScoreMatrix, Searches
from accuracy_curves.cautions import DOUBTFUL, MILD, USELESS, gravest
from accuracy_curves.observed.cautions import cautions_of_sample
from accuracy_curves.scores.rivals import follow_each_other
from accuracy_curves.scores.same_photos import Photos
from conftest import shared_data, simulated

VARIANCE = 0.3
GOOD = simulated(60, 4, variance=VARIANCE)


def reasons_of(sample):
    return [each.reason for each in cautions_of_sample(sample)]


def of_sample(scores, labels, higher=False):
    return reasons_of(ScoreMatrix(scores, labels, higher))


def probabilities(distances):
    odds = np.exp(-np.square(distances.scores) / (2 * VARIANCE))
    return odds / odds.sum(axis=1, keepdims=True)


def ties(n):
    scores = GOOD.scores.copy()
    scores[np.arange(n), (GOOD.labels[:n] + 1) % 60] = scores[np.arange(n), GOOD.labels[:n]]
    return scores


def of_words(classes=60):
    """Searches share a word with one class in twenty, or with half of them, and with their own."""
    rng, labels = np.random.default_rng(4), np.repeat(np.arange(classes), 4)
    shared = rng.random((240, classes)) < rng.choice([0.05, 0.5], (240, 1), p=[0.8, 0.2])
    return np.where(shared | np.eye(classes, dtype=bool)[labels], rng.random((240, classes)), 0.0)


def of_codes(bits):
    """Hamming distances; of each class a photo has the code of another one."""
    rng = np.random.default_rng(4)
    codes = rng.integers(2, size=(60, bits))
    photos = codes[GOOD.labels] ^ (rng.random((240, bits)) < 0.15)
    photos[::4] = photos[1::4]
    return (photos[:, None] != codes).sum(axis=2)


def failed(rows=(), column=None, mark=-1):
    """Photos that failed, and an enrolment, marked by a constant."""
    scores = GOOD.scores.copy()
    scores[list(rows)] = mark
    if column is not None:
        scores[:, column] = mark
    return scores


def listed(n, value):
    """Only the nearest n of each row, and the own; the others are filled."""
    scores = GOOD.scores.copy()
    far = scores > np.sort(scores, axis=1)[:, n - 1 : n]
    far[np.arange(240), GOOD.labels] = False
    return np.where(far, value, scores)


# Without the points of classes 20 and 45, and labels numbered anew.
RENUMBERED = ~np.isin(GOOD.labels, [20, 45])


def renumbered():
    return np.unique(GOOD.labels[RENUMBERED], return_inverse=True)[1]


def itself(scores, own):
    """As where each point is a photo of the gallery; but for rounding."""
    found = scores.copy()
    found[np.arange(240), GOOD.labels] = own + 1e-7 * (np.arange(240) % 3)
    return found


def scaled(scores):
    low, high = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    return (scores - low) / (high - low)


def with_strangers():
    """The class 60 has forty points, and one photo as its gallery."""
    far = np.random.default_rng(5).permuted(np.tile(GOOD.scores[0], (40, 1)), axis=1)
    scores = np.c_[np.r_[GOOD.scores, far], np.r_[GOOD.scores, far][:, :5].mean(axis=1)]
    return scores, np.r_[GOOD.labels, np.full(40, 60)]


def among_drawn():
    scores = np.random.default_rng(3).normal(size=(240, 60))
    scores[:, 0] += 3
    return scores


def marked(value, scores, cells=11):
    found = scores.copy()
    found.flat[:: found.size // cells] = value
    return found


BEYOND = GOOD.scores.max() + 0.01
RIGHT = GOOD.labels[:, None] == np.arange(60)
COSINES = np.exp(-GOOD.scores) - 0.4
# Each class is there twice, the second without points.
COPIED = np.repeat(GOOD.scores, 2, axis=1), 2 * GOOD.labels


SAMPLES = {
    "a good one": (GOOD.scores, GOOD.labels, False, set()),
    "the wrong direction": (GOOD.scores, GOOD.labels, True, {"wrong_direction"}),
    "labels of other rows": (GOOD.scores, np.random.default_rng(0).permutation(GOOD.labels),
                             False, {"at_chance"}),
    "labels in another order": (GOOD.scores, np.argsort([f"p{j}" for j in range(60)])[GOOD.labels],
                                False, {"at_chance", "moved_labels"}),
    "probabilities": (probabilities(GOOD), GOOD.labels, True, {"probabilities"}),
    "of two decimals": (probabilities(GOOD).round(2), GOOD.labels, True,
                        {"probabilities"}),
    "in percent": ((100 * probabilities(GOOD)).round(1), GOOD.labels, True, {"probabilities"}),
    "votes of 500 trees": ((500 * probabilities(GOOD)).round(), GOOD.labels, True,
                           {"probabilities"}),
    "logarithms": (np.log(probabilities(GOOD)), GOOD.labels, True, set()),
    "shares that sum to .9": (0.9 * probabilities(GOOD), GOOD.labels, True, {"probabilities"}),
    "distances below 0": (1e4 * (GOOD.scores - 99), GOOD.labels, False, set()),
    "ranks in a row": (GOOD.scores.argsort().argsort(), GOOD.labels, False, set()),
    "all but the nearest filled": (listed(4, 1e9), GOOD.labels, False, {"marks"}),
    "coarse": (np.where(GOOD.scores < 4, 0, GOOD.scores.round()), GOOD.labels, False,
               {"marks", "winning_classes"}),
    "filled with a score": (listed(9, GOOD.scores.max()), GOOD.labels, False, {"marks"}),
    "labels numbered without the absent": (GOOD.scores[RENUMBERED], renumbered(), False,
                                           {"moved_labels"}),
    "names of neighbours in pairs": (GOOD.scores, GOOD.labels ^ (GOOD.labels < 40), False,
                                     {"moved_labels"}),
    "queries of the gallery": (itself(GOOD.scores, 0), GOOD.labels, False,
                               {"found_themselves"}),
    "in thousandths": (1000 * itself(GOOD.scores, 1e-7), GOOD.labels, False,
                       {"found_themselves"}),
    "some of them": (np.where(np.arange(240)[:, None] % 4, GOOD.scores, itself(GOOD.scores, 0)),
                     GOOD.labels, False, {"found_themselves"}),
    "scores from 0 to 1 in each row": (scaled(GOOD.scores), GOOD.labels, False, set()),
    "a class of strangers": (*with_strangers(), False, {"mixed_classes"}),
    "the right answer among drawn negatives": (among_drawn(), np.zeros(240, int), True,
                                               set()),
    "no errors": (-np.eye(60)[GOOD.labels] + 0.1 * GOOD.scores / GOOD.scores.max(), GOOD.labels,
                  False, set()),
    "few classes": (GOOD.scores[:80, :20], GOOD.labels[:80], False, set()),
    "ties": (ties(12), GOOD.labels, False, set()),
    "photos that failed": (failed([3, 50]), GOOD.labels, False, {"marks"}),
    "and an enrolment": (failed([3, 50], 7), GOOD.labels, False,
                         {"marks", "winning_classes"}),
    "an enrolment that is far from all": (failed(column=7, mark=99), GOOD.labels, False,
                                          {"failed_classes"}),
    "marks in some cells": (marked(9999, GOOD.scores), GOOD.labels, False, {"marks"}),
    "marks among cosines": (marked(-1, COSINES), GOOD.labels, True, {"marks"}),
    "marks better than all": (marked(-9, GOOD.scores), GOOD.labels, False, {"marks"}),
    "a score among cosines": (marked(-0.5, COSINES), GOOD.labels, True, set()),
    "exact matches": (np.where(RIGHT & (np.arange(240)[:, None] % 8 == 0), 1, 0.5 * COSINES),
                      GOOD.labels, True, {"found_themselves"}),
    "one mark": (marked(9999, GOOD.scores, cells=1), GOOD.labels, False, set()),
    "copies of classes": (*COPIED, False, {"copied_classes"}),
    "a search for words": (of_words(), GOOD.labels, True, set()),
    "codes that are near": (of_codes(24), GOOD.labels, False, set()),
}  # fmt: skip


@pytest.mark.parametrize(("scores", "labels", "higher", "reasons"), SAMPLES.values(), ids=SAMPLES)
def test_reasons_in_the_scores(scores, labels, higher, reasons):
    found = set(of_sample(scores, labels, higher))
    assert found == reasons


def of_ranks(outscored, n_classes, points=1):
    """Points of each class that outscore so many of the others."""
    labels = np.arange(len(outscored)) // points
    others = [np.arange(n_classes - 1) + 0.5] * len(labels)
    return np.array(list(map(np.insert, others, labels, outscored))), labels, True


def all_but(errors, points=1):
    """60 classes without errors but for one each of the first so many."""
    outscored = np.full((60, points), 59)
    outscored[:errors, 0] = 58
    return of_ranks(outscored.ravel(), 60, points)


def finds_first(searches, of):
    """Of searches for so many others than the first class, so many find it."""
    scores = np.eye(of + 1)
    scores[1 : searches + 1, 0] = 1.5
    return scores, np.arange(of + 1), True


def uneven(least):
    """Probabilities whose rows sum to two numbers."""
    return probabilities(GOOD) * np.where(np.arange(240) % 2, 1, least)[:, None]


def moved(n, points=1):
    """The points of n classes score best for one another's, each for one; the others for theirs."""
    best = np.r_[np.roll(np.arange(n), 1), np.arange(n, 40)].repeat(points)
    return np.eye(40)[best] + np.arange(40) / 99, np.arange(40).repeat(points), True


def by_halves():
    """As five that moved, but every second of their four points scores best for its own."""
    scores, labels, higher = moved(5, 4)
    scores[:20:2] = np.eye(40)[labels[:20:2]] / 2 + np.arange(40) / 99
    return scores, labels, higher


def without_points(points):
    """The points of eight classes score best for eight classes that have none."""
    scores = np.eye(40)[np.arange(8, 16).repeat(points)] + np.arange(40) / 99
    return scores, np.arange(8).repeat(points), True


def as_strangers(n, others, tied=slice(0)):
    """Seven classes of so many points that outscore all, and one of n that outscore half."""
    labels = np.arange(8).repeat([n, *[others] * 7])
    scores = np.tile(np.arange(20.0), (len(labels), 1))
    scores[:, tied] = 10.5
    scores[np.arange(len(labels)), labels] = np.where(labels, 20.0, 10.5)
    return scores, labels, True


def on_themselves(n, of, others=None):
    """Of so many points, each of a class of its own, so many have the distance 0."""
    scores = np.random.default_rng(0).uniform(1, 9, (of, of))
    if others:
        np.fill_diagonal(scores, others)
    scores[np.arange(n), np.arange(n)] = 0
    return scores, np.arange(of), False


def failed_class(*others):
    """A class with one score for all points but these."""
    scores = GOOD.scores.copy()
    scores[:, 5] = 9.0
    scores[list(others), 5] = 8.0
    return scores, GOOD.labels


def constant_for_nobody(share):
    """A class without points, with one score, which is the nearest of this share of the points."""
    score = np.quantile(GOOD.scores.min(axis=1), 1 - share)
    return np.hstack([GOOD.scores, np.full((len(GOOD.scores), 1), score)]), GOOD.labels


def marked_beyond(ranges):
    """Some cells so many ranges of the scores beyond these."""
    return marked(GOOD.scores.max() + ranges * np.ptp(GOOD.scores), GOOD.scores), GOOD.labels


# A sample just beyond a limit, and one just within it.
EDGES = {
    "sums of .995 to 1": ("probabilities", (uneven(0.995), GOOD.labels, True),
                          (uneven(0.985), GOOD.labels, True)),
    "three in five filled": ("marks", (listed(22, BEYOND), GOOD.labels),
                             (listed(25, BEYOND), GOOD.labels)),
    "more than a tenth": ("winning_classes", finds_first(2, 19), finds_first(1, 10)),
    "one in a hundred": ("winning_classes", constant_for_nobody(0.03), constant_for_nobody(0.001)),
    "one score for all": ("failed_classes", failed_class(), failed_class(0)),
    "three ranges": ("marks", marked_beyond(3.01), marked_beyond(2.99)),
    # Shares of pairs won; two standard errors of the mean are here what the two differ by.
    "two apart": ("at_chance", of_ranks([8, 5], 11), of_ranks([9, 7], 11)),
    "just below a half": ("at_chance", of_ranks([8] * 15 + [7] * 2, 17), of_ranks([9] * 17, 17)),
    # Of twelve points of one class, that outscore a third of the others by chance and no fewer.
    "one class": ("wrong_direction", of_ranks([3] * 12, 11, 12), of_ranks([4] * 12, 11, 12)),
    "five moved": ("moved_labels", moved(5), moved(4)),
    "five of two points moved": ("moved_labels", moved(5, 2), moved(4, 2)),
    "halves of a class": ("moved_labels", moved(5, 4), by_halves()),
    "halves that agree": ("moved_labels", without_points(2), without_points(1)),
    "two of twenty": ("found_themselves", on_themselves(2, 20), on_themselves(1, 20)),
    "ten points": ("found_themselves", on_themselves(10, 10), on_themselves(9, 9)),
    "nine in ten": ("found_themselves", on_themselves(18, 20, 5.0), on_themselves(17, 20, 5.0)),
    "twenty points": ("mixed_classes", as_strangers(20, 4), as_strangers(19, 3)),
    "half of eight ties": ("mixed_classes", as_strangers(20, 4, slice(3, 11)),
                           as_strangers(20, 4, slice(11, 19))),
    "five times as many": ("mixed_classes", as_strangers(25, 5), as_strangers(24, 5)),
    "two standard errors": ("wrong_direction", of_ranks([1, 3], 11), of_ranks([1, 4], 11)),
}  # fmt: skip


@pytest.mark.parametrize(("reason", "beyond", "within"), EDGES.values(), ids=EDGES)
def test_limits_are_where_they_are(reason, beyond, within):
    assert [reason in of_sample(*each) for each in (beyond, within)] == [True, False]


@pytest.mark.parametrize(("scores", "labels", "higher", "reasons"), SAMPLES.values(), ids=SAMPLES)
def test_searches_are_looked_at_likewise(scores, labels, higher, reasons):
    """Those with a mate for all reasons; rows without a mate for some of them."""
    searches = Searches.of(ScoreMatrix(scores, labels, higher))
    said = [each.reason for each in cautions_of_sample(searches)]
    assert reasons <= set(said) == set(of_sample(scores, labels, higher))
    # Every fifth person is a stranger to a gallery of the others.
    strangers = np.arange(scores.shape[1]) % 5 == 4
    found = np.where(strangers[labels], -1, np.cumsum(~strangers)[labels] - 1)
    searches = Searches(scores[:, ~strangers], found, higher)
    mated = of_sample(searches.mated.scores, searches.mated.labels, higher)
    said = [each.reason for each in cautions_of_sample(searches)]
    # Rows of strangers may sum to another number.
    assert set(mated) - {"probabilities"} <= set(said)


def test_what_fails_among_strangers_is_reported():
    far = np.random.default_rng(0).normal(size=(60, 60)) + GOOD.scores.mean()
    for rows, reasons in (
        (far, set()),
        (np.where(np.arange(60)[:, None] < 3, -1.0, far), {"marks"}),
        (np.where(np.arange(60) == 5, GOOD.scores.min() - 1, far.repeat(9, axis=0)),
         {"winning_classes"}),
    ):  # fmt: skip
        given = np.vstack([GOOD.scores, rows]), np.r_[GOOD.labels, np.full(len(rows), -1)], False
        assert {each.reason for each in cautions_of_sample(Searches(*given))} == reasons


def test_distances_of_embeddings_have_their_direction():
    turned = ScoreMatrix(-GOOD.scores, GOOD.labels, False)
    photos = Photos(GOOD.labels, np.empty((0, 2), int))
    assert "at_chance" in reasons_of(turned.redesigned(photos=photos))


def test_chance_is_not_a_weak_classifier():
    """Two standard errors: of classifiers that guess, one in forty is taken for a weak one."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(60), 3)
    guessing = [of_sample(rng.normal(size=(180, 60)), labels) for _ in range(100)]
    assert sum("at_chance" in found for found in guessing) >= 90
    assert sum("wrong_direction" in found for found in guessing) <= 8
    # Right in .61 of the pairs of classes.
    weak = rng.normal(size=(180, 60)) + 0.4 * np.eye(60)[labels]
    assert "at_chance" not in of_sample(weak, labels, True)


@pytest.mark.parametrize("name", ["telugu_scores_logistic_20", "bssr1_face_C", "att_openface"])
def test_real_scores_are_not_refused(name):
    with np.load(shared_data(f"{name}.npz")) as stored:
        if "scores" not in stored:
            pytest.skip("embeddings")
        sample = ScoreMatrix(stored["scores"], stored["labels"], bool(stored["higher_is_better"]))
    assert gravest(cautions_of_sample(sample)) is None


SEARCHES = simulated(600, 1, variance=0.1)
LISTS = SEARCHES.candidates(50)


def reranked():
    """The best 50 by other scores, in the order of these."""
    rng = np.random.default_rng(0)
    first = SEARCHES.scores + rng.normal(scale=2, size=SEARCHES.scores.shape)
    ids = np.argsort(first)[:, :50]
    own = np.take_along_axis(SEARCHES.scores, ids, axis=1)
    order = np.argsort(own)
    near = (np.take_along_axis(each, order, axis=1) for each in (own, ids))
    return neighbours(*near)


def neighbours(scores, ids, searched=600):
    options = {"higher_is_better": False, "searched": searched}
    return CandidateLists.from_neighbours(scores, ids, SEARCHES.labels, **options)


def listed_of(places=50):
    ids = np.argsort(SEARCHES.scores)[:, :places]
    return np.take_along_axis(SEARCHES.scores, ids, axis=1), ids


def without_a_third():
    """An approximate index does not find every third right answer."""
    scores, ids = listed_of()
    ids[::3] = np.where(ids[::3] == SEARCHES.labels[::3, None], 600 + ids[::3], ids[::3])
    return neighbours(scores, ids, searched=1200)


def by_place(starts):
    """Scores that rise by one a place, from one of so many numbers."""
    return neighbours(np.arange(50.0) + (np.arange(600) % starts)[:, None], listed_of()[1])


def drawn_from(classes, searched):
    """Thirty lists of 25 of so many classes, the right one first; of 750 each is listed once."""
    rng = np.random.default_rng(0)
    ids = np.array([rng.choice(classes, 25, replace=False) for _ in range(30)])
    ids = np.arange(750).reshape(30, 25) if classes == 750 else ids
    scores = rng.random(ids.shape) - np.arange(25)
    return CandidateLists.from_neighbours(scores, ids, ids[:, 0], searched=searched)


def first_or_nowhere(nowhere):
    """Of 600 lists the first is the right one, but of so many none is."""
    ids = np.random.default_rng(0).integers(240, size=(600, 1)) + 240 * np.arange(25)
    labels = np.where(np.arange(600) < nowhere, 6000 + np.arange(600), ids[:, 0])
    scores = -np.arange(25.0) - np.random.default_rng(0).random((600, 1))
    return CandidateLists.from_neighbours(scores, ids, labels, searched=6600)


def by_luck(listed):
    """Lists of 20 of 100 classes, where chance lists 20 right ones, give or take 4."""
    ids = (np.arange(100)[:, None] + np.arange(1, 21)) % 100
    ids[:listed, -1] = np.arange(listed)
    scores = -np.arange(20.0) - np.random.default_rng(0).random((100, 1))
    return CandidateLists.from_neighbours(scores, ids, np.arange(100), searched=100)


@pytest.mark.parametrize(
    ("lists", "reasons"),
    [
        (LISTS, set()),
        # Two standard errors above 20 are 28 to 29.
        (by_luck(27), {"at_chance"}),
        (by_luck(30), set()),
        (SEARCHES, set()),
        (reranked(), {"incomplete_lists"}),
        (without_a_third(), {"incomplete_lists"}),
        # Five in a hundred.
        (first_or_nowhere(31), {"incomplete_lists"}),
        (first_or_nowhere(30), set()),
        (SEARCHES.candidates(600), set()),
        # Of 50 places at most 75 distinct scores.
        (by_place(26), {"scores_of_places"}),
        (by_place(27), set()),
        # They seem to be of somewhat less than 2,000, a third of 6,000.
        (drawn_from(2000, 5000), set()),
        (drawn_from(2000, 7500), {"fewer_searched"}),
        # Once each 750, none twice: of 750 + 750 * 749 / 2 classes, a third of the first number.
        (drawn_from(750, 844_875), set()),
        (drawn_from(750, 844_876), {"fewer_searched"}),
    ],
)
def test_reasons_in_lists(lists, reasons):
    of_lists = {"incomplete_lists", "scores_of_places", "fewer_searched", "at_chance"}
    assert {each.reason for each in cautions_of_sample(lists)} & of_lists == reasons


# Twenty groups may be clusters that stay.
SPECIES = [(240, 60, True), (240, 240, False), (105, 21, True), (100, 20, False),
           (651, 21, True)]  # fmt: skip


@pytest.mark.parametrize(("classes", "groups", "reported"), SPECIES)
def test_columns_that_come_in_look_alikes_are_reported(classes, groups, reported):
    rng = np.random.default_rng(0)
    species = rng.permutation(rng.normal(size=(groups, 40)).repeat(classes // groups, axis=0))
    species += 0.3 * rng.normal(size=species.shape)
    points = species + 0.5 * rng.normal(size=species.shape)
    # What a column or a row adds to all its scores says nothing.
    of_columns, of_rows = 99 * rng.normal(size=(2, classes))
    matrix = ScoreMatrix(points @ species.T + of_columns + of_rows[:, None], np.arange(classes))
    found = [each.reason for each in cautions_of_sample(matrix)]
    assert ("look_alikes" in found) == reported
    grouped = matrix.grouped(np.arange(classes) // 4)
    assert "look_alikes" not in [each.reason for each in cautions_of_sample(grouped)]


@pytest.mark.parametrize("in_order", [True, False])
def test_chunks_that_overlap_are_reported_where_they_are_in_order(in_order):
    rng = np.random.default_rng(0)
    # Each chunk shares seven eighths with the next one of its file.
    words = rng.normal(size=(24, 17, 30))
    chunks = sum(words[:, each : each + 10] for each in range(8)).reshape(240, 30)
    if not in_order:
        chunks = rng.permutation(chunks)
    points = chunks + rng.normal(size=chunks.shape)
    matrix = ScoreMatrix(points @ chunks.T, np.arange(240))
    assert ("look_alikes" in reasons_of(matrix)) == in_order


@pytest.mark.parametrize("kind", ["route", "random", "topics", "apart"])
def test_right_answers_that_follow_each_other_are_reported(kind):
    rng, queries = np.random.default_rng(0), np.arange(0, 400, 3)
    right = {
        "route": [np.arange(max(0, at - 4), min(400, at + 5)) for at in queries],
        "random": [rng.choice(400, 9, replace=False) for _ in queries],
        "apart": [np.arange(at, at + 3) for at in queries],
        "topics": [at // 12 * 12 + rng.choice(12, 9, replace=False) for at in queries],
    }[kind]
    ids = np.array([rng.choice(420, 60, replace=False) for _ in queries])
    scores = -np.sort(-rng.normal(size=ids.shape))
    lists = CandidateLists.of_queries(scores, ids, right, searched=420)
    assert ("look_alikes" in reasons_of(lists)) == (kind == "route")


@pytest.mark.parametrize(("answers", "looked_at"), [(100, True), (101, False)])
def test_of_very_many_right_answers_none_are_followed(answers, looked_at):
    query = np.repeat(np.arange(400), answers)
    assert follow_each_other(query, 10 * query + np.tile(np.arange(answers), 400)) == looked_at


@pytest.mark.parametrize(
    ("correlation", "size", "groups", "reported"),
    [(0.5, 22, 40, True), (0.5, 22, 8, True), (0.5, 4, 60, True), (0.2, 22, 40, False)],
)
def test_correlated_groups_are_reported_in_their_order(correlation, size, groups, reported):
    rng, k = np.random.default_rng(0), size * groups
    classes = np.sqrt(correlation) * rng.normal(size=(groups, 10)).repeat(size, axis=0)
    classes += np.sqrt(1 - correlation) * rng.normal(size=(k, 10))
    labels = np.arange(400) * k // 400
    points = classes[labels] + 0.4 * rng.normal(size=(400, 10))
    scores = 2 * points @ classes.T - np.square(classes).sum(axis=1)
    assert ("look_alikes" in reasons_of(ScoreMatrix(scores, labels))) == reported


@pytest.mark.parametrize(("share", "reported"), [(0.0, False), (0.2, True), (0.5, True)])
@pytest.mark.parametrize("poor", [0.0, 0.2])
def test_shuffled_labels_are_not_poor_photos(share, poor, reported):
    """Of ten draws all, or none: poor photos are far from every class."""
    for seed in range(10):
        rng, labels = np.random.default_rng(seed), np.repeat(np.arange(80), 4)
        classes = rng.normal(size=(80, 16))
        noise = np.where(rng.random(320) < poor, 4.0, 0.4)[:, None]
        points = classes[labels] + noise * rng.normal(size=(320, 16))
        distances = np.linalg.norm(points[:, None] - classes, axis=2)
        rows = rng.permutation(320)[: round(320 * share)]
        labels[rows] = rng.permutation(labels[rows])
        assert ("shuffled_labels" in of_sample(distances, labels)) == reported


def test_labels_are_shuffled_where_a_wrong_score_equals_the_usual_right_one():
    rng, labels = np.random.default_rng(0), np.arange(200) % 20
    counts = rng.integers(0, 4, (200, 20)).astype(float)
    counts[np.arange(200), labels] = 5
    labels[:30] = (labels[:30] + 7) % 20
    assert "shuffled_labels" in of_sample(counts, labels, True)


def test_labels_of_few_points_are_not_called_shuffled_by_chance():
    """Of forty tests whose accuracy is .3, two at most."""
    tests = [simulated(20, 3, d=2, variance=0.5, seed=seed) for seed in range(40)]
    assert sum("shuffled_labels" in reasons_of(each) for each in tests) <= 2


def test_log_probabilities_near_0_are_no_points_that_found_themselves():
    sure = simulated(50, 4, d=10, variance=0.05)
    logs = -3 * np.square(sure.scores.astype(float))
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    assert "found_themselves" not in of_sample(logs, sure.labels, higher=True)


def sinkhorn(steps, *, columns_last):
    scores = np.exp(-3 * GOOD.scores[::4])
    for _ in range(steps):
        scores = scores / scores.sum(axis=1, keepdims=True)
        scores = scores / scores.sum(axis=0)
    return scores if columns_last else scores / scores.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("scores", "weight"),
    [
        (sinkhorn(50, columns_last=True), DOUBTFUL),
        (sinkhorn(50, columns_last=False), DOUBTFUL),
        (probabilities(GOOD)[::4], MILD),
        (sinkhorn(0, columns_last=False), MILD),
        (np.exp(-3 * GOOD.scores[::4]), None),
    ],
)
def test_scores_that_are_normalised_both_ways_are_doubtful(scores, weight):
    said = cautions_of_sample(ScoreMatrix(scores, np.arange(60)))
    weights = {each.reason: each.weight for each in said}
    assert weights.get("probabilities") == weight


@pytest.mark.parametrize(("share", "reported"), [(0.3, True), (0.11, True), (0.09, False)])
@pytest.mark.parametrize("higher", [True, False])
def test_photos_that_find_themselves_are_not_near_ones(share, reported, higher):
    scores = COSINES if higher else GOOD.scores
    rows = np.arange(round(240 * share))
    scores = scores.copy()
    scores[rows, GOOD.labels[rows]] = 1.0 if higher else 0.0
    assert ("found_themselves" in of_sample(scores, GOOD.labels, higher)) == reported
    # The best level of a coarse score is that of many, or of all.
    assert "found_themselves" not in of_sample(scores.round(1), GOOD.labels, higher)


def test_a_column_that_is_constant_by_design_did_not_fail():
    """Its own points find it, as it is their background."""
    scores = GOOD.scores.copy()
    own = scores[np.arange(240), GOOD.labels]
    scores[:, 7] = np.quantile(own, 0.9)
    found = of_sample(scores, GOOD.labels)
    assert "failed_classes" not in found


@pytest.mark.parametrize(("copied", "weight"), [(3, MILD), (4, DOUBTFUL)])
def test_few_copied_columns_are_only_said(copied, weight):
    scores = np.c_[GOOD.scores, GOOD.scores[:, :copied]]
    said = {each.reason: each.weight for each in cautions_of_sample(
        ScoreMatrix(scores, GOOD.labels, higher_is_better=False))}  # fmt: skip
    assert said["copied_classes"] == weight


@pytest.mark.parametrize(("searches", "weight"), [(3, USELESS), (2, MILD)])
def test_a_class_that_wins_a_quarter_decides(searches, weight):
    said = cautions_of_sample(ScoreMatrix(*finds_first(searches, 8)))
    assert {each.reason: each.weight for each in said}["winning_classes"] == weight


def test_levels_of_which_the_lowest_is_frequent_mark_nothing():
    """As weights of agreeing fields are, of which mostly none agrees."""
    coarse = np.maximum(27 - (10 * GOOD.scores).round(), 0)
    assert np.mean(coarse == 0) > 0.6
    assert "marks" not in of_sample(coarse, GOOD.labels, higher=True)


def test_ties_at_the_top_are_no_sign_of_a_second_search():
    """As of e-values that underflow to 0."""
    scores, ids = listed_of()
    scores = np.where(scores < np.quantile(scores, 0.8), 0.0, scores)
    assert "incomplete_lists" not in reasons_of(neighbours(scores, ids))

"""Measures of ranks, by brute force over all subsets of the classes."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binom

import accuracy_curves as ac
from accuracy_curves import InputError, ScoreMatrix
from accuracy_curves.observed.accuracy import (
    accuracy_bounds,
    attracting_classes,
    effective_classes,
    first_known_k,
    informative_classes,
    losses,
)
from accuracy_curves.observed.cautions import cautions_of_sample
from accuracy_curves.observed.measures import Measure, posterior

MEASURES = ["hit@1", "hit@3", "recall@2", "precision@3", "mrr@2", "ndcg@3", "map@4", "recall@20"]


def measured(ranks, measure, top):
    """Take a measure of one query, whose right answers are at these ranks, as trec_eval does."""
    ranks = np.sort(ranks)
    found, ideal = ranks[ranks <= top], np.arange(1, min(len(ranks), top) + 1)
    if measure == "map":
        return np.sum(np.arange(1, len(found) + 1) / found) / len(ranks)
    if measure == "ndcg":
        return np.sum(1 / np.log2(1 + found)) / np.sum(1 / np.log2(1 + ideal))
    of_best = {"hit": float(len(found) > 0), "mrr": 1 / found[0] if len(found) else 0.0}
    divided = {"recall": len(found) / len(ranks), "precision": len(found) / top}
    return {**of_best, **divided}[measure]


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("measure", MEASURES)
def test_a_pair_that_is_set_aside_stays_in_every_subset(measure, higher):
    rng = np.random.default_rng(1)
    scores, labels = rng.normal(size=(14, 7)), np.arange(14) % 7
    rows, columns = np.array([0, 1, 1, 5]), np.array([1, 0, 4, 6])
    own = scores[np.arange(14), labels]
    scores[rows[:3], columns[:3]] = own[rows[:3]] + [1, 2, 3]
    scores[5, 6] = own[5] - 1
    matrix = ScoreMatrix(scores if higher else -scores, labels, higher)
    sample = matrix.setting_aside(rows, columns)
    name, top = measure.split("@")
    fixed = np.zeros(14, int)
    np.add.at(fixed, rows[:3], 1)
    free = scores.copy()
    free[rows, columns] = -99
    for k in (2, 4, 7):
        seen = []
        for subset in combinations(range(7), k):
            points = np.flatnonzero(np.isin(labels, subset))
            ranks = 1 + fixed + (free[:, subset] > own[:, None]).sum(axis=1)
            seen.append(np.mean([measured([ranks[x]], name, int(top)) for x in points]))
        found = ac.average_accuracy(sample, k, measure=measure)
        assert found[0] == pytest.approx(np.mean(seen), rel=1e-12)
    part = sample.select_classes(np.arange(3))
    assert part.design.rivals.beating.tolist() == fixed[labels < 3].tolist()


def test_what_is_set_aside_in_lists_is_what_is_in_the_matrix():
    matrix = ac.simulate(n_classes=60, variance=0.3)
    rows = np.arange(0, 600, 7)
    best = np.where(np.eye(60)[matrix.labels] > 0, np.inf, matrix.scores).argmin(axis=1)
    whole = matrix.setting_aside(rows, best[rows])
    lists = matrix.candidates(60).setting_aside(rows, best[rows])
    for measure in ("hit@1", "mrr@3"):
        found = [ac.average_accuracy(each, [9, 60], measure=measure) for each in (whole, lists)]
        np.testing.assert_allclose(*found)
    assert ac.average_accuracy(whole, 60)[0] < ac.average_accuracy(matrix, 60)[0] + 0.03


@pytest.mark.parametrize("measure", MEASURES)
def test_what_a_point_loses_is_what_its_rank_earns_less_than_the_first(measure):
    matrix = ac.simulate(n_classes=12, variance=0.6)
    name, top = measure.split("@")
    earned = [measured(np.array([12 - each]), name, int(top)) for each in ac.ranks(matrix)]
    first = measured(np.array([1]), name, int(top))
    drawn, fixed = losses(matrix, 0, Measure.of(1, measure))
    np.testing.assert_allclose(drawn, 1 - np.array(earned) / first, atol=1e-12)
    assert not fixed.any()


@pytest.mark.parametrize("measure", MEASURES)
def test_right_answers_share_the_best_value_of_their_query(measure):
    rng, n = np.random.default_rng(0), [1, 2, 5]
    sample = ScoreMatrix.of_queries(rng.normal(size=(3, 9)), [np.arange(each) for each in n])
    shares = Measure.of(1, measure).shares(sample.design.rivals)
    name, top = measure.split("@")
    best = [min(each, int(top)) / int(top) if name == "precision" else 1 for each in n]
    np.testing.assert_allclose(np.add.reduceat(shares, [0, 1, 3]), best)


def test_the_posterior_is_that_of_a_binomial_count():
    c, weights, beaten = np.array([0, 0.3, 0.9, 1]), np.array([0.1, 0.4, 0.3, 0.2]), [0, 3, 9]
    expected = weights * binom.pmf(np.array(beaten)[:, None], 9, 1 - c)
    with np.errstate(divide="ignore"):
        logs = np.log(c), np.log1p(-c)
    found = posterior(np.array(beaten), 9, *logs, weights)
    np.testing.assert_allclose(found, expected / expected.sum(axis=1, keepdims=True))
    # Where no value can be, all may.
    ends = posterior(np.array([3]), 9, *(each[[0, 3]] for each in logs), weights[:2])
    np.testing.assert_array_equal(ends, [[0.5, 0.5]])


@pytest.mark.parametrize("measure", ["hit@1", "mrr@3"])
@pytest.mark.parametrize("aside", [False, True])
def test_lists_of_all_classes_bound_a_measure_by_itself(measure, aside):
    matrix, rows = ac.simulate(n_classes=60, variance=0.3), np.arange(0, 600, 7)
    others = (matrix.labels[rows] + 1) % 60
    lists = matrix.candidates(60)
    sample = lists.setting_aside(rows, others) if aside else lists
    seen = ac.average_accuracy(sample, [9, 60], measure=measure)
    for bound in accuracy_bounds(sample, [9, 60], top=Measure.of(1, measure)):
        np.testing.assert_allclose(bound, seen)
    assert first_known_k(sample) == 2


def test_measures_that_are_none():
    sample = ac.simulate(n_classes=20)
    for wrong in ("ndcg", "ndcg@0", "auc@10", "hit@x"):
        with pytest.raises(InputError, match="there is no measure"):
            ac.average_accuracy(sample, 5, measure=wrong)
    with pytest.raises(InputError, match="not both"):
        ac.Auto().fit(sample).predict(5, 10, measure="mrr@10")


@pytest.mark.parametrize("method", ["auto", "pooled_tail", "two_parameter", "mple"])
def test_fixed_rivals_are_lost_at_every_size(method):
    """Three tenths of the points lose to a fixed rival, and the others stay what they were."""
    matrix = ac.simulate(n_classes=120, variance=0.1, seed=2)
    rows = np.arange(0, matrix.n_points, 10)[:, None] + np.arange(3)
    rows, moved = rows.ravel(), matrix.scores.copy()
    columns = (matrix.labels[rows] + 5) % 120
    moved[rows, columns] = 0
    sample = ScoreMatrix(moved, matrix.labels, higher_is_better=False)
    assert ac.average_accuracy(sample, 120)[0] < 0.7
    k = [120, 1200, 10**7]
    free, fixed, drawn = (
        ac.EXTRAPOLATORS[method]().fit(each).predict(k)
        for each in (matrix, sample.setting_aside(rows, columns), sample)
    )
    np.testing.assert_allclose(fixed, 0.7 * free, atol=0.03)
    assert drawn[1] < fixed[1] - 0.05


def test_errors_come_from_classes_that_lose_to_fixed_and_to_drawn_rivals():
    matrix = ac.simulate(n_classes=40, variance=0.3)
    others = np.where(np.eye(40)[matrix.labels] > 0, np.inf, matrix.scores)
    errs = others.min(axis=1) < matrix.scores[np.arange(400), matrix.labels]
    rows = np.arange(0, 400, 3)
    sample = matrix.setting_aside(rows, others.argmin(axis=1)[rows])

    def counted(lost):
        shares = np.bincount(matrix.labels, lost) / 10
        return shares.sum() ** 2 / np.square(shares).sum()

    assert effective_classes(sample) == pytest.approx(counted(errs))
    fixed = errs & (np.arange(400) % 3 == 0)
    fewer = min(counted(errs & ~fixed), attracting_classes(sample))
    f = fixed.sum() / errs.sum()
    assert informative_classes(sample) == pytest.approx(1 / (f / counted(fixed) + (1 - f) / fewer))


def queries(n=9, documents=8, seed=4):
    """Scores, and the columns of one to three right answers of each query."""
    rng = np.random.default_rng(seed)
    right = [rng.choice(documents, 1 + row % 3, replace=False) for row in range(n)]
    return rng.normal(size=(n, documents)), right


@pytest.mark.parametrize("measure", MEASURES)
def test_of_queries_other_right_answers_are_never_drawn(measure):
    scores, right = queries()
    name, top = measure.split("@")
    sample = ScoreMatrix.of_queries(-scores, right, higher_is_better=False)
    marked = np.zeros(scores.shape, int)
    for row, columns in enumerate(right):
        marked[row, columns] = 1
    same = ScoreMatrix.of_queries(scores, marked)
    at_all = [
        measured([1 + (row > row[each]).sum() for each in columns], name, int(top))
        for row, columns in zip(scores, right, strict=True)
    ]
    for each in (sample, same):
        found = ac.average_accuracy(each, 8, measure=measure)
        assert found[0] == pytest.approx(np.mean(at_all), rel=1e-12)
    # Of k - 1 drawn rivals, from all columns but the best: the other right ones beat nobody.
    for k in (2, 5):
        seen = []
        for row, columns in zip(scores, right, strict=True):
            ordered = columns[np.argsort(-row[columns])]
            for rivals in combinations(np.setdiff1d(np.arange(8), ordered[0]), k - 1):
                drawn = row[np.setdiff1d(rivals, ordered)]
                ranks = [1 + at + (drawn > row[each]).sum() for at, each in enumerate(ordered)]
                seen.append(measured(ranks, name, int(top)))
        found = ac.average_accuracy(sample, k, measure=measure)
        assert found[0] == pytest.approx(np.mean(seen), rel=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_measures_of_queries_are_predicted_as_they_are_observed(measure):
    scores, right = queries(90, 60)
    for row, columns in enumerate(right):
        scores[row, columns] += 2
    sample = ScoreMatrix.of_queries(scores, right)
    found = ac.EXTRAPOLATORS["empirical_bayes"]().fit(sample).predict(60, measure=measure)
    np.testing.assert_allclose(found, ac.average_accuracy(sample, 60, measure=measure), atol=0.02)


@pytest.mark.parametrize("sign", [1, -1])
def test_what_a_query_masks_is_no_candidate(sign):
    scores, right = queries()
    masked, expected = np.zeros(scores.shape, bool), scores.copy()
    masked[2, right[2][0]] = masked[3, right[3]] = masked[4, np.setdiff1d(range(8), right[4])] = (
        True
    )
    expected[masked] = -9
    given = np.where(masked, -np.inf, scores)
    with pytest.warns(ac.AccuracyWarning, match="masked are left out: 1") as caught:
        found = ScoreMatrix.of_queries(sign * given, right, higher_is_better=sign > 0)
    assert len(caught) == 2  # All of query 3, and a right answer of query 2.
    rest = [*right[:2], right[2][1:], *right[4:]]
    same = ScoreMatrix.of_queries(np.delete(expected, 3, axis=0), rest)
    for measure in MEASURES:
        np.testing.assert_allclose(
            ac.average_accuracy(found, [2, 8], measure=measure),
            ac.average_accuracy(same, [2, 8], measure=measure),
        )


def test_queries_without_a_right_answer_are_left_out_and_counted():
    scores, right = queries()
    with pytest.warns(ac.AccuracyWarning, match="left out: 2"):
        found = ScoreMatrix.of_queries(scores, [[], [], *right[2:]])
    assert found.n_points == sum(map(len, right[2:]))
    with pytest.raises(InputError, match="no query"):
        ScoreMatrix.of_queries(scores, [[]] * 9)
    with pytest.raises(InputError, match="lists of columns, one a query, from 0 to 7"):
        ScoreMatrix.of_queries(scores, [*right[:3], [8], *right[4:]])


@pytest.mark.parametrize("measure", MEASURES)
def test_groups_are_drawn_whole(measure):
    rng = np.random.default_rng(5)
    group = np.array([2, 0, 0, 1, 1, 1, 3, 2, 2])
    scores, labels = rng.normal(size=(18, 9)), np.arange(18) % 9
    own, (name, top) = scores[np.arange(18), labels], measure.split("@")
    sample = ScoreMatrix(scores, labels).grouped(group)
    assert (sample.n_classes, sample.counted_classes) == (4, 9)
    for n in (2, 3, 4):
        seen = []
        for chosen in combinations(range(4), n):
            rows = np.isin(group[labels], chosen)
            among = scores[np.ix_(rows, np.isin(group, chosen))]
            ranks = 1 + (among > own[rows, None]).sum(axis=1)
            seen += [measured([rank], name, int(top)) for rank in ranks]
        found = ac.average_accuracy(sample, round(n * 9 / 4), measure=measure)
        assert found[0] == pytest.approx(np.mean(seen), rel=1e-12)


def test_points_weigh_the_same_in_the_sizes_of_groups_that_beat_them():
    # Both classes of two groups beat the first point, one of one group the second, none the third.
    scores = [[4, 0, 5, 5, 6, 6, 0, 0], [9, 8, 9, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 9.0]]
    sample = ScoreMatrix(scores, [0, 1, 7]).grouped(np.arange(8) // 2)
    assert sample.design.rivals.jumps.tolist() == [0.5, 0.5]
    # One group of fifty classes is larger than the first places.
    large = replace(sample.design.rivals, jumps=np.full(50, 0.02))
    np.testing.assert_array_equal(large.sums(22)[1], np.append(0, np.full(21, 0.02)))


@pytest.mark.parametrize("measure", ["hit@1", "mrr@10", "ndcg@10"])
def test_what_is_lost_to_fixed_rivals_alone_attracts_nobody(measure):
    rng, group = np.random.default_rng(0), np.arange(80) // 10
    scores = rng.normal(size=(400, 8))[:, group] + rng.normal(size=(400, 80))
    labels = np.arange(400) % 80
    matrix = ScoreMatrix(scores + 2 * (group == group[labels, None]), labels)
    sample, top = matrix.grouped(group), Measure.of(1, measure)
    lost, _ = losses(sample, 0, top)
    own = matrix.scores[np.arange(400), labels][:, None]
    above = matrix.scores.reshape(400, 8, 10).max(axis=2) > own
    above[np.arange(400), group[labels]] = False
    assert lost.tolist() == np.where(above.any(axis=1), lost, 0).tolist()
    shares = (lost[:, None] * above / above.sum(axis=1, keepdims=True).clip(1)).sum(axis=0)
    expected = shares.sum() ** 2 / np.square(shares).sum()
    assert attracting_classes(sample, top=top) == pytest.approx(expected)


def test_groups_of_one_class_change_nothing():
    matrix = ac.simulate(n_classes=30)
    assert matrix.grouped(np.arange(30)[::-1]) is matrix
    with pytest.raises(InputError, match="one a class is needed"):
        matrix.grouped(np.arange(29))
    # Not silently without their other right answers.
    for several in (
        ScoreMatrix.of_queries(*queries()),
        matrix.candidates(30).setting_aside([0], [9]),
    ):
        with pytest.raises(InputError, match="do not go with several right answers"):
            several.grouped(np.arange(several.n_classes) // 2)


def test_drawn_candidates_are_rivals_of_their_search_alone():
    rng = np.random.default_rng(0)
    correct, candidates = rng.normal(1, 1, size=40), rng.normal(size=(40, 9))
    sample = ScoreMatrix.from_drawn(correct, candidates)
    rank = 1 + (candidates > correct[:, None]).sum(axis=1)
    assert ac.average_accuracy(sample, 10, top=3)[0] == pytest.approx(np.mean(rank <= 3))
    assert ac.average_accuracy(sample, 10, measure="mrr@10")[0] == pytest.approx(np.mean(1 / rank))
    fewer = candidates.copy()
    fewer[::2, 5:] = np.nan
    assert ScoreMatrix.from_drawn(correct, fewer).n_classes == 6
    with pytest.raises(InputError, match="candidates have shape"):
        ScoreMatrix.from_drawn(correct[:-1], candidates)


@pytest.mark.parametrize("measure", ["hit@1", "recall@5", "ndcg@5", "map@5"])
def test_lists_of_queries_and_groups_are_those_of_the_matrix(measure):
    scores, right = queries(n=30, documents=60)
    ids = np.argsort(-scores, axis=1)
    for searched in (60, 25):
        near = np.take_along_axis(scores, ids, axis=1)[:, :searched]
        how = {"searched": 60, "higher_is_better": True}
        lists = ac.CandidateLists.of_queries(near, ids[:, :searched], right, **how)
        at_all = ac.average_accuracy(ScoreMatrix.of_queries(scores, right), 60, measure=measure)
        np.testing.assert_allclose(ac.average_accuracy(lists, 60, measure=measure), at_all)
    matrix, group = ac.simulate(n_classes=60, variance=0.3), np.arange(60) // 4
    found = (each.grouped(group) for each in (matrix, matrix.candidates(60)))
    seen = [ac.average_accuracy(each, [20, 60], measure=measure) for each in found]
    np.testing.assert_allclose(*seen)


# Names of the guide's table.
NAMES = {
    **{"hit@10": "Success@10", "recall@10": "R@10", "precision@10": "P@10", "mrr@10": "RR@10"},
    **{"ndcg@10": "nDCG@10", "map@100": "AP@100"},
}


def test_a_run_has_the_values_of_ir_measures(tmp_path):
    """Of 40 queries, each with a right answer that is not listed; one is not in the run."""
    calculator, rng = pytest.importorskip("ir_measures"), np.random.default_rng(6)
    run, qrels = [], []
    for query in range(40):
        ids = rng.permutation(500)[:400]
        right = [*np.unique(rng.choice(ids[: 10 * (query + 1)], query + 1)), 999]
        qrels += [f"q{query} 0 d{each} 1" for each in right]
        scored = enumerate(zip(ids, -np.sort(-rng.normal(size=400)), strict=True))
        if query:
            run += [f"q{query} Q0 d{each} {rank} {score:.9f} a" for rank, (each, score) in scored]
    files = tmp_path / "qrels.txt", tmp_path / "run.trec"
    for file, lines in zip(files, (qrels, run), strict=True):
        file.write_text("\n".join(lines) + "\n")
    names = {measure: calculator.parse_measure(name) for measure, name in NAMES.items()}
    read = calculator.read_trec_qrels(str(files[0])), calculator.read_trec_run(str(files[1]))
    expected = calculator.calc_aggregate(names.values(), *read)
    lists = ac.load_candidates(files[1], qrels=files[0], searched=1000)
    for measure, name in names.items():
        found = ac.average_accuracy(lists, 1000, measure=measure)
        assert found[0] == pytest.approx(expected[name], abs=1e-9), measure


def test_a_query_is_looked_at_once_for_cautions():
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(90, 120))
    right = [np.r_[row, 110 - np.arange(row % 9)] for row in range(90)]
    scores[np.arange(90), np.arange(90)] += 2
    best = ScoreMatrix.of_queries(scores, right)
    found = [each.reason for each in cautions_of_sample(best)]
    assert "wrong_names" not in found
    assert best.n_points > 300

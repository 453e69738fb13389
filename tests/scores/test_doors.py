"""What people bring is read as they mean it, or refused with what turns it into something read."""

import itertools
import math
import pickle
import re
import subprocess
import sys

import h5py
import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat
from scipy.stats import norm

import accuracy_curves as ac
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.scores.files import load_scores, load_searches

RNG = np.random.default_rng(0)
NAMES = np.array([f"sp. {letter}" for letter in "abcdefghijkl"])
LABELS = RNG.permuted(np.repeat(np.arange(12), 3))
SCORES = RNG.normal(size=(36, 12)).round(3) + 2 * np.eye(12)[LABELS]
TABLE = pd.DataFrame(SCORES, columns=NAMES)


def as_read(matrix):
    np.testing.assert_allclose(matrix.scores, SCORES)
    np.testing.assert_array_equal(matrix.labels, LABELS)


INDEXED = {
    "an index that counts": TABLE.assign(label=NAMES[LABELS])[["label", *NAMES]],
    "an index from 1, as of R": TABLE.assign(label=NAMES[LABELS])[["label", *NAMES]].set_axis(
        np.arange(1, 37)
    ),
    "names of rows, as of R": TABLE.assign(label=NAMES[LABELS])[["label", *NAMES]].set_axis(
        [f"photo {i}" for i in range(36)]
    ),
    "an index of labels": TABLE.set_axis(NAMES[LABELS]),
    "an index of labels that are numbers": TABLE.set_axis(LABELS).set_axis(
        [f"{i}" for i in range(12)], axis=1
    ),
}


@pytest.mark.parametrize("table", INDEXED.values(), ids=INDEXED)
def test_a_first_column_without_a_name_counts_or_is_the_labels(table, tmp_path):
    table.to_csv(tmp_path / "scores.csv")
    as_read(load_scores(tmp_path / "scores.csv"))
    table.to_csv(tmp_path / "scores.tsv", sep="\t")
    as_read(load_scores(tmp_path / "scores.tsv"))


def test_a_table_of_pairs_may_have_an_index(tmp_path):
    pairs = pd.DataFrame(
        {
            "probe": np.repeat(np.arange(36), 12),
            "identity": np.tile(NAMES, 36),
            "score": SCORES.ravel(),
            "mate": (np.arange(12) == LABELS[:, None]).ravel(),
        }
    )
    pairs.to_csv(tmp_path / "pairs.csv")
    np.testing.assert_allclose(load_searches(tmp_path / "pairs.csv").scores, SCORES)


@pytest.mark.parametrize("shape", [(-1, 1), (1, -1)])
def test_vectors_of_two_dimensions_are_vectors(shape, tmp_path):
    labels, names = LABELS.reshape(shape), NAMES.reshape(shape)
    as_read(ac.ScoreMatrix(SCORES, labels))
    as_read(ac.ScoreMatrix(SCORES, NAMES[LABELS].reshape(shape), classes=names))
    as_read(ac.Searches(SCORES, labels).mated)
    found = ac.score_identities(SCORES, labels, np.arange(12).reshape(shape), higher_is_better=True)
    as_read(found.mated)
    groups = np.arange(12) // 2
    grouped = [ac.ScoreMatrix(SCORES, LABELS).grouped(each) for each in (groups, groups[:, None])]
    np.testing.assert_array_equal(*(ac.average_accuracy(each, 6) for each in grouped))
    photos = RNG.normal(size=(36, 4))
    both = [ac.score_embeddings(photos, each) for each in (LABELS, labels)]
    np.testing.assert_array_equal(both[0].scores, both[1].scores)
    other = 99 + np.arange(12).reshape(shape)
    arrays = {"distmat": -SCORES, "query_ids": labels, "gallery_ids": np.arange(12).reshape(shape)}
    np.savez(tmp_path / "reid.npz", **arrays, query_camids=labels, gallery_camids=other)
    np.testing.assert_array_equal(load_searches(tmp_path / "reid.npz").labels, LABELS)


@pytest.mark.parametrize(
    "arrays",
    [
        {"labels": LABELS},
        {"labels": LABELS + 1.0},
        {"labels": LABELS + 1, "higher_is_better": True},
        {"labels": NAMES[LABELS].astype(object)[:, None], "classes": NAMES.astype(object)},
    ],
    ids=["from 0", "from 1", "a truth", "cells of texts"],
)
def test_a_file_of_matlab_is_read_as_npz(arrays, tmp_path):
    savemat(tmp_path / "scores.mat", {"scores": SCORES, **arrays})
    as_read(load_scores(tmp_path / "scores.mat"))


@pytest.mark.parametrize("kind", ["npz", "csv", "names"])
def test_points_without_a_class_are_left_out_and_counted(kind, tmp_path):
    rows = np.insert(SCORES, [3, 9, 20], 0.5, axis=0)
    labels = np.insert(LABELS, [3, 9, 20], -1)
    path = tmp_path / f"scores.{'csv' if kind == 'csv' else 'npz'}"
    named = np.append(NAMES, "-1")[labels]
    if kind == "csv":
        pd.DataFrame(rows, columns=NAMES).assign(label=named)[["label", *NAMES]].to_csv(path)
    else:
        texts = {"labels": named, "classes": NAMES} if kind == "names" else {"labels": labels}
        np.savez(path, scores=rows, **texts)
    with pytest.warns(AccuracyWarning, match="points of the label -1 are left out: 3 of 39"):
        as_read(load_scores(path))


def test_nan_on_the_diagonal_names_what_excludes_it():
    distances = np.abs(np.subtract.outer(RNG.normal(size=30), RNG.normal(size=30)))
    np.fill_diagonal(distances, np.nan)
    with pytest.raises(ac.InputError, match="`excluded`"):
        ac.ScoreMatrix(distances, np.arange(30))
    people = np.arange(30) // 2
    with pytest.raises(ac.InputError, match="`excluded`"):
        ac.score_identities(distances, people, people)
    pairs = np.eye(30, dtype=bool)
    assert ac.score_identities(distances, people, people, excluded=pairs).n_classes == 15
    distances[3, 4] = np.nan
    with pytest.raises(ac.InputError, match=r"must be finite$"):
        ac.ScoreMatrix(distances, np.arange(30))


@pytest.mark.parametrize("end", ["pkl", "h5", "npy", "xlsx", "rds", "pt", "feather"])
def test_other_files_get_the_line_that_turns_them(end, tmp_path):
    path = tmp_path / f"mine.{end}"
    arrays = {"scores": SCORES, "labels": LABELS}
    if end == "h5":
        with h5py.File(path, "w") as file:
            file.update(arrays)
    else:
        path.write_bytes(pickle.dumps(arrays))
    with pytest.raises(ac.InputError) as refused:
        load_scores(path)
    said = str(refused.value)
    assert "give an .npz file, a .csv file, or a folder" in said
    code = re.search(r'python -c "(.*)" makes one', said)
    assert code or "Rscript" in said
    # Those whose reader is here, and which have what the line names.
    if end in ("pkl", "h5"):
        subprocess.run([sys.executable, "-c", code[1]], cwd=tmp_path, check=True)
        as_read(load_scores(tmp_path / "scores.npz"))


@pytest.mark.parametrize(("most", "length"), [(1, 40), (5, 40), (3, 100)])
def test_lists_of_t_show_the_first_t(most, length):
    scores, k = RNG.normal(size=(200, 1000)), 1000
    right = [RNG.choice(k, RNG.integers(1, most + 1), replace=False) for _ in scores]
    for row, columns in zip(scores, right, strict=True):
        row[columns] += 2.5
    ids = np.argsort(-scores, axis=1)[:, :length]
    near = np.take_along_axis(scores, ids, axis=1)
    lists = ac.CandidateLists.of_queries(near, ids, right, searched=k)
    marks = np.array([np.isin(np.arange(k), columns) for columns in right])
    matrix = ac.ScoreMatrix.of_queries(scores, marks)
    for name in ("recall", "map", "ndcg"):
        asked = {"measure": f"{name}@{length}"}
        found, expected = (ac.average_accuracy(each, k, **asked) for each in (lists, matrix))
        np.testing.assert_allclose(found, expected)
        with pytest.raises(ac.InputError, match=rf"list fewer than {2 * length} candidates"):
            ac.average_accuracy(lists, k, measure=f"{name}@{2 * length}")
    # Among four times as many the first t hold those of the first t / 4.
    asked = {"tops": f"recall@{length}", "methods": "auto", "splits": 0}
    assert ac.predict(lists, 4 * k, **asked).table["accuracy"].between(0, 1).all()
    with pytest.raises(ac.InputError, match=r"list fewer than .* for the first"):
        ac.predict(lists, k, **asked)


@pytest.mark.parametrize(("columns", "higher"), [([3], True), ([0, 7], False), ([5], False)])
def test_a_fixed_class_is_there_in_every_subset(columns, higher):
    """Average over all subsets of the other classes, each with the fixed ones: by brute force."""
    sign, fixed = 1 if higher else -1, np.array(columns)
    matrix = ac.ScoreMatrix(sign * SCORES, LABELS, higher, classes=NAMES)
    found = matrix.with_fixed(NAMES[fixed])
    others = np.setdiff1d(np.arange(12), fixed)
    assert found.n_classes == len(others)
    np.testing.assert_array_equal(found.classes, NAMES[others])
    for k in (2, 3, len(others)):
        hits = np.zeros(12)
        for subset in itertools.combinations(others, k):
            shown = [*subset, *fixed]
            for own in subset:
                rows = SCORES[own == LABELS]
                hits[own] += np.mean(rows[:, shown].argmax(axis=1) == subset.index(own))
        of_each = math.comb(len(others) - 1, k - 1)
        expected = hits[others].mean() / of_each
        np.testing.assert_allclose(ac.average_accuracy(found, k), [expected])
    whole = ac.ScoreMatrix(sign * SCORES, LABELS, higher).with_fixed(fixed)
    np.testing.assert_array_equal(ac.average_accuracy(whole, 4), ac.average_accuracy(found, 4))
    with pytest.raises(ac.InputError, match="'nobody', which is not a column"):
        matrix.with_fixed(["nobody"])


def test_a_point_that_ties_with_a_fixed_class_is_beaten():
    scores = [[3.0, 0, 1, 3], [0, 2, 1, 1], [0, 1, 2, 1]]
    found = ac.ScoreMatrix(scores, [0, 1, 2]).with_fixed([3])
    np.testing.assert_allclose(ac.average_accuracy(found, [2, 3]), 2 / 3)


def test_a_threshold_as_a_class_stays_at_every_number():
    """The right score s beats k - 1 others and T with the chance 1{s > T} Phi(s)^(k - 1)."""
    rng, k1 = np.random.default_rng(0), 50
    own, labels = rng.normal(3.5, 1, size=1000), rng.integers(0, k1, 1000)
    scores = rng.normal(size=(1000, k1))
    scores[np.arange(1000), labels] = own
    matrix = ac.ScoreMatrix(np.c_[scores, np.full(1000, 3.2)], labels).weighing_points()
    k = np.array([100, 500])
    true = np.mean((own > 3.2) * norm.cdf(own) ** (k[:, None] - 1), axis=1)
    found = ac.extrapolate(matrix.with_fixed([k1]), k)
    np.testing.assert_allclose(found, true, atol=0.03)
    # As a class of which more come it makes the accuracy fall much too fast.
    with pytest.warns(AccuracyWarning, match=r"--fixed, or matrix\.with_fixed"):
        assert (ac.extrapolate(matrix, k) < true - 0.05).all()


@pytest.mark.parametrize(("batch", "searched"), [(20, 20), (20, 120), (30, 120)])
def test_candidates_of_each_search_alone_are_no_gallery(batch, searched, tmp_path, run):
    """In batches each query meets the others of its batch alone."""
    scores = RNG.normal(size=(120, 120)) + 2 * np.eye(120)
    own = np.arange(120)[:, None] // batch == np.arange(120) // batch
    query, candidate = np.nonzero(own)
    table = pd.DataFrame({"probe": query, "identity": candidate, "score": scores[own]})
    table["rank"] = table.groupby("probe")["score"].rank(ascending=False).astype(int)
    table.assign(mate=table["probe"]).to_csv(tmp_path / "lists.csv", index=False)
    asked = tmp_path / "lists.csv", "--classes", 200, "--method", "gaussian_tail", "--splits", 0
    status, _, err = run("predict", *asked, "--searched", searched, "--out", tmp_path / "a")
    assert (status, "--own-candidates" in err, "`candidates`" in err) == (2, True, True)
    assert run("predict", *asked, "--own-candidates", "--out", tmp_path / "a")[0] == 0
    found = pd.read_csv(tmp_path / "a/curves.csv").query("method == 'observed'")
    others = scores[own & ~np.eye(120, dtype=bool)].reshape(120, batch - 1)
    expected = np.mean(np.diag(scores) > others.max(axis=1))
    np.testing.assert_allclose(found.loc[found["k"] == batch, "accuracy"], expected)


def test_measures_that_count_photos_need_all_of_them():
    """Average precision of the photos themselves, against that of the person."""
    rng, people = np.random.default_rng(4), np.arange(90) // 3
    distances = rng.normal(size=(30, 90)) - 2 * (np.arange(30)[:, None] == people)
    reduced = ac.score_identities(distances, np.arange(30), people).mated
    neighbours = ac.CandidateLists.from_neighbours(
        np.sort(distances), np.argsort(distances), np.arange(30), gallery_labels=people,
        higher_is_better=False,
    )  # fmt: skip
    marks = np.arange(30)[:, None] == people
    photos = ac.ScoreMatrix.of_queries(distances, marks, higher_is_better=False)
    for sample in (reduced, neighbours):
        hits = [ac.average_accuracy(each, each.n_classes) for each in (sample, photos)]
        np.testing.assert_allclose(*hits)
        for name in ("map", "ndcg", "recall", "precision"):
            with pytest.raises(ac.InputError, match=r"query_ids\[:, None\] == gallery_ids"):
                ac.average_accuracy(sample, 10, measure=f"{name}@10")
    ranks = np.argsort(np.argsort(distances))[marks].reshape(30, 3) + 1
    expected = np.mean(np.arange(1, 4) / np.sort(ranks, axis=1))
    np.testing.assert_allclose(ac.average_accuracy(photos, 90, measure="map@90"), [expected])
    single = ac.score_identities(distances[:, ::3], np.arange(30), np.arange(30)).mated
    assert ac.average_accuracy(single, 10, measure="map@10") < 1

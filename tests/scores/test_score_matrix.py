import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accuracy_curves.utils.arrays as arrays_module
from accuracy_curves import InputError, ScoreMatrix, average_accuracy, ranks, split, subsample


def random_matrix(
    seed: int = 0, n_classes: int = 6, n_points: int = 25, higher: bool = True, ties: bool = False
) -> ScoreMatrix:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_points, n_classes))
    if ties:
        scores = rng.integers(0, 4, size=(n_points, n_classes)).astype(float)
    return ScoreMatrix(scores, rng.integers(0, n_classes, size=n_points), higher)


def test_whole_scores_and_lists_are_taken():
    matrix = ScoreMatrix([[3, 1, 2], [1, 2, 3]], [0, 1])
    assert matrix.scores.dtype == np.float64
    np.testing.assert_array_equal(ranks(matrix), [2, 1])
    assert not matrix.are_distances


GOOD = np.arange(12.0).reshape(4, 3)
LABELS = np.array([0, 1, 2, 0])


def with_value(value: float) -> np.ndarray:
    scores = GOOD.copy()
    scores[2, 1] = value
    return scores


@pytest.mark.parametrize(
    ("scores", "labels", "sentence"),
    [
        (GOOD[0], LABELS, "two dimensions"),
        (GOOD, LABELS[:3], "one label per row"),
        (GOOD[:0], LABELS[:0], "has 0 points"),
        (GOOD[:, :2], LABELS % 2, "2 classes"),
        (GOOD, np.array([0, 1, 3, 0]), "row 2 is 3"),
        (GOOD, np.array([0, -1, 2, 0]), "row 1 is -1"),
        (GOOD, LABELS + 0.5, r"is 0\.5, which is not a column"),
        (GOOD, LABELS.astype(str), "texts"),
        (GOOD * 1e200, LABELS, "1e100"),
        (GOOD * 1e-30, LABELS, "1e-12"),
        (with_value(np.nan), LABELS, "row 2, column 1 is nan"),
        (GOOD.astype(str), LABELS, "real numbers"),
        (GOOD.astype(object), LABELS, "real numbers"),
        ([[1.0, 2, 3], [1]], [0, 1], "real numbers"),
    ],
)
def test_bad_matrix_is_one_sentence(scores, labels, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        ScoreMatrix(scores, labels)
    assert "\n" not in str(caught.value)


def test_non_finite_score_is_found_in_a_later_block(monkeypatch):
    monkeypatch.setattr(arrays_module, "BLOCK_BYTES", 8 * 3)
    with pytest.raises(InputError, match="row 2, column 1"):
        ScoreMatrix(with_value(np.nan), LABELS)


@given(labels=st.lists(st.integers(0, 6), min_size=1, max_size=40))
def test_weights_give_every_class_with_points_the_same_weight(labels):
    weights = ScoreMatrix(np.zeros((len(labels), 7)), np.array(labels)).weights
    assert weights.sum() == pytest.approx(1, abs=1e-14)
    present = sorted(set(labels))
    for label in present:
        own = [w for w, of in zip(weights, labels, strict=True) if of == label]
        assert sum(own) == pytest.approx(1 / len(present), abs=1e-14)
        assert len(set(own)) == 1


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("ties", [True, False])
def test_split_equals_a_loop(monkeypatch, higher, ties):
    matrix = random_matrix(1, higher=higher, ties=ties)
    monkeypatch.setattr(arrays_module, "BLOCK_BYTES", 8 * 6 * 4)
    correct, incorrect = split(matrix)
    sign = 1 if higher else -1
    for i, (row, label) in enumerate(zip(matrix.scores, matrix.labels, strict=True)):
        assert correct[i] == sign * row[label]
        others = sorted(sign * value for j, value in enumerate(row) if j != label)
        np.testing.assert_array_equal(incorrect[i], others)
    assert incorrect.shape == (matrix.n_points, matrix.n_classes - 1)


def test_split_keeps_the_type_and_the_matrix():
    scores = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
    before = scores.copy()
    correct, incorrect = split(ScoreMatrix(scores, np.array([0, 1, 2, 3, 0]), False))
    assert correct.dtype == incorrect.dtype == np.float32
    np.testing.assert_array_equal(scores, before)


@pytest.mark.parametrize("rows", [2**20, 7])
def test_select_classes_equals_a_loop(monkeypatch, rows):
    monkeypatch.setattr(arrays_module, "BLOCK_BYTES", 8 * 7 * rows)
    matrix = random_matrix(2, n_classes=7, n_points=30, higher=False)
    classes = np.array([5, 0, 3])
    selected = matrix.select_classes(classes)
    rows = [i for i, label in enumerate(matrix.labels) if label in classes]
    assert len(rows) == selected.n_points > 0
    assert selected.higher_is_better is False
    for new, old in enumerate(rows):
        assert classes[selected.labels[new]] == matrix.labels[old]
        for column, original in enumerate(classes):
            assert selected.scores[new, column] == matrix.scores[old, original]


def test_select_classes_without_points():
    matrix = ScoreMatrix(np.eye(5)[:2], np.array([0, 1]))
    with pytest.raises(InputError, match="none of 3 classes sampled at random has") as caught:
        matrix.select_classes(np.array([2, 3, 4]))
    assert "only 2 of the 5 classes have one. Add data points of the others" in str(caught.value)


def test_subsample_is_the_selection_of_k1_distinct_classes_in_order():
    n_classes, k1 = 9, 4
    # Column j of every row holds j, so that the drawn columns can be read off the scores.
    scores = np.tile(np.arange(n_classes, dtype=float), (3 * n_classes, 1))
    matrix = ScoreMatrix(scores, np.repeat(np.arange(n_classes), 3), False)
    drawn = subsample(matrix, k1, seed=5)
    classes = drawn.scores[0].astype(int)
    assert sorted(set(classes)) == list(classes)
    assert drawn.n_classes == k1
    assert drawn.n_points == 3 * k1
    np.testing.assert_array_equal(classes[drawn.labels], np.repeat(classes, 3))


def test_same_seed_same_classes_and_all_classes_equally_often():
    matrix = ScoreMatrix(np.tile(np.arange(5.0), (5, 1)), np.arange(5))
    counts = np.zeros(5)
    for seed in range(1000):
        first, second = subsample(matrix, 3, seed), subsample(matrix, 3, seed)
        np.testing.assert_array_equal(first.scores, second.scores)
        counts[first.scores[0].astype(int)] += 1
    # Each class is in 3 of 5 subsets: 600 expected, standard deviation 15.5.
    assert np.abs(counts - 600).max() < 5 * 15.5


@pytest.mark.parametrize("k1", [2, 7, 0, -1, 3.5])
def test_subsample_out_of_range(k1):
    with pytest.raises(InputError, match="it must be a whole number from 3 to 6"):
        subsample(random_matrix(), k1)


def test_memory_mapped_matrix_is_read_in_blocks(tmp_path, monkeypatch):
    matrix = random_matrix(4, n_classes=8, n_points=50, ties=True)
    np.save(tmp_path / "scores.npy", matrix.scores)
    mapped = np.load(tmp_path / "scores.npy", mmap_mode="r")
    monkeypatch.setattr(arrays_module, "BLOCK_BYTES", 8 * 8 * 10)
    lazy = ScoreMatrix(mapped, matrix.labels)
    assert lazy.scores is mapped
    blocks = list(lazy.blocks())
    assert [len(block) for _, block in blocks] == [10] * 5
    np.testing.assert_array_equal(np.concatenate([block for _, block in blocks]), matrix.scores)
    np.testing.assert_array_equal(ranks(lazy, 3), ranks(matrix, 3))
    k = np.arange(2, 9)
    np.testing.assert_array_equal(average_accuracy(lazy, k, 3), average_accuracy(matrix, k, 3))
    part = subsample(lazy, 3, 0)
    assert not isinstance(part.scores, np.memmap)
    np.testing.assert_array_equal(part.scores, subsample(matrix, 3, 0).scores)


def test_a_matrix_larger_than_the_block_is_never_whole_in_memory(tmp_path, monkeypatch):
    import tracemalloc

    shape = (4000, 500)  # 16 MB
    mapped = np.lib.format.open_memmap(
        tmp_path / "scores.npy", mode="w+", dtype=np.float64, shape=shape
    )
    mapped[:] = np.random.default_rng(0).normal(size=shape)
    monkeypatch.setattr(arrays_module, "BLOCK_BYTES", 2**18)
    labels = np.arange(shape[0]) % 10
    tracemalloc.start()
    try:
        matrix = ScoreMatrix(mapped, labels)
        average_accuracy(matrix, [2, 10])
        assert matrix.select_classes(np.arange(20)).n_points == shape[0]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < mapped.nbytes / 4


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_the_correct_score_and_the_nearest_are_those_of_a_sort(higher_is_better, monkeypatch):
    monkeypatch.setattr("accuracy_curves.utils.arrays.BLOCK_BYTES", 8 * 20 * 7)
    rng = np.random.default_rng(0)
    matrix = ScoreMatrix(rng.normal(size=(30, 20)), rng.integers(0, 20, 30), higher_is_better)
    correct, incorrect = split(matrix)
    np.testing.assert_array_equal(matrix.correct, correct)
    for m in (2, 5, 12):
        for rows, lower, best in matrix.nearest(m):
            np.testing.assert_array_equal(lower, incorrect[rows, : 20 - m])
            np.testing.assert_array_equal(best, incorrect[rows, -2 * m :])

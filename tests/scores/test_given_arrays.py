"""Score matrices of what users have: tables, names of classes, tensors, classifiers."""

import numpy as np
import pandas as pd
import pytest

import accuracy_curves as ac
from accuracy_curves.utils.extras import load_tensorflow

RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=(6, 4))
NAMES = np.array(["dan", "ann", "cat", "ben"])
LABELS = np.array([0, 1, 2, 3, 1, 0])


def test_columns_of_a_table_are_the_names_of_the_classes():
    frame = pd.DataFrame(SCORES, columns=NAMES)
    matrix = ac.ScoreMatrix(frame, pd.Series(NAMES[LABELS]))
    np.testing.assert_array_equal(matrix.scores, SCORES)
    np.testing.assert_array_equal(matrix.labels, LABELS)
    assert matrix.classes.tolist() == NAMES.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        [11, 12, 13, 14, 12, 11],
        ["11", "12", "13", "14", "12", "11"],
        pd.Series([11, 12, 13, 14, 12, 11], dtype="Int64"),
        pd.Categorical(["11", "12", "13", "14", "12", "11"]),
    ],
)
@pytest.mark.parametrize("columns", [[11, 12, 13, 14], ["11", "12", "13", "14"]])
def test_numbers_are_names_too_even_where_a_file_made_them_texts(labels, columns):
    matrix = ac.ScoreMatrix(pd.DataFrame(SCORES, columns=columns), labels)
    np.testing.assert_array_equal(matrix.labels, LABELS)


def test_numbers_that_may_be_absent_are_taken_where_none_is():
    frame = pd.DataFrame(SCORES, columns=NAMES).astype("Float64")
    np.testing.assert_array_equal(ac.ScoreMatrix(frame, NAMES[LABELS]).scores, SCORES)


def test_names_stay_with_the_classes_that_are_kept():
    matrix = ac.ScoreMatrix(SCORES, NAMES[LABELS], classes=NAMES)
    part = matrix.select_classes(np.array([3, 1, 0]))
    assert part.classes.tolist() == ["ben", "ann", "dan"]
    assert part.classes[part.labels].tolist() == ["dan", "ann", "ben", "ann", "dan"]


@pytest.mark.parametrize(
    ("scores", "labels", "classes", "sentence"),
    [
        (SCORES, NAMES[LABELS], NAMES[:3], "names of classes have shape"),
        (SCORES, NAMES[LABELS], None, "classes=classifier.classes_"),
        (SCORES, ["Dan"] * 6, NAMES, "not a column .but .dan. is: "),
        (pd.DataFrame(SCORES), NAMES[LABELS], None, "row 0 is 'dan', which is not a column"),
        (pd.DataFrame(SCORES, columns=[*NAMES[:3], "dan"]), LABELS, None, "'dan' is the name of t"),
        (pd.DataFrame(SCORES, columns=NAMES).assign(label=NAMES[LABELS]), LABELS, None, "'label'"),
        (SCORES, ["ann", None, 3, "b", "c", "d"], None, "they are of NoneType and int and str"),
        (SCORES, [None] * 6, None, "they are of NoneType"),
    ],
)
def test_what_cannot_be_is_one_sentence(scores, labels, classes, sentence):
    with pytest.raises(ac.InputError, match=sentence):
        ac.ScoreMatrix(scores, labels, classes=classes)


CHOSEN = RNG.permuted(np.r_[np.arange(30), np.arange(30), RNG.integers(30, size=40)])
BY_CLASS = np.arange(100) % 30
CHOSEN = np.where(RNG.random(100) < 0.8, BY_CLASS, CHOSEN)
CONFUSED = np.zeros((30, 30))
np.add.at(CONFUSED, (BY_CLASS, CHOSEN), 1)
MATCHES = RNG.poisson(9.0, (30, 30)) + 60 * np.eye(30, dtype=int)
# Of unequal sizes, most of them wrong, mostly in favour of some classes.
WEAK = np.array(
    [
        RNG.multinomial(
            90 + 5 * own, 0.25 * np.eye(30)[own] + 0.75 * RNG.dirichlet(np.full(30, 0.3))
        )
        for own in range(30)
    ]
).astype(float)
WEAK_ROWS = WEAK / WEAK.sum(axis=1, keepdims=True)
THIRTY_SEVEN = RNG.multinomial(37, 0.3 * np.eye(30) + 0.7 / 30) / 37
SHARE_OF_COLUMNS = f"{np.mean(WEAK.diagonal() / WEAK.sum(axis=0)):.3f}"[1:]
with np.errstate(divide="ignore"):
    LOGARITHMS = np.log(WEAK_ROWS)
NO_SCORES = {
    "one-hot predictions": (np.eye(30)[CHOSEN], BY_CLASS, "decisions"),
    "decisions as 5 and -5": (10 * np.eye(30)[CHOSEN] - 5, BY_CLASS, "decisions"),
    "distances 0 and 1": (1 - np.eye(30)[CHOSEN], BY_CLASS, "decisions"),
    "a confusion matrix": (CONFUSED, np.arange(30), "confusion"),
    "turned over": (CONFUSED.T, np.arange(30), "confusion"),
    "half of each row": (np.where(np.eye(30), 29, 1), np.arange(30), "confusion"),
    "a weak diagonal": (WEAK, np.arange(30), f"{WEAK_ROWS.trace() / 30:.3f}"[1:]),
    "rows sum to 1": (WEAK_ROWS, np.arange(30), f"{WEAK_ROWS.trace() / 30:.3f}"[1:]),
    "of four decimals": (WEAK_ROWS.round(4), np.arange(30), "confusion"),
    "37 decisions a class": (THIRTY_SEVEN, np.arange(30), "confusion"),
    "in per cent, of one": (
        (100 * CONFUSED / CONFUSED.sum(axis=1)[:, None]).round(1),
        np.arange(30),
        "confusion",
    ),
    "columns sum to 1": (WEAK / WEAK.sum(axis=0), np.arange(30), SHARE_OF_COLUMNS),
    "all sum to 1": (WEAK / WEAK.sum(), np.arange(30), f"{WEAK_ROWS.trace() / 30:.3f}"[1:]),
    "logarithms of shares": (LOGARITHMS, np.arange(30), f"{WEAK_ROWS.trace() / 30:.3f}"[1:]),
    "logarithms of counts and 1": (
        np.log1p(WEAK),
        np.arange(30),
        f"{WEAK_ROWS.trace() / 30:.3f}"[1:],
    ),
    "all right": (np.diag(np.arange(5.0, 35)), np.arange(30), "confusion"),
    "one-hot, all right": (np.eye(30)[BY_CLASS], BY_CLASS, "decisions"),
    "one-hot, of ten classes": (np.eye(10)[BY_CLASS % 10], BY_CLASS % 10, "decisions"),
}


@pytest.mark.parametrize(("scores", "labels", "sentence"), NO_SCORES.values(), ids=NO_SCORES)
def test_what_is_no_score_is_refused(scores, labels, sentence):
    for kind in (ac.ScoreMatrix, ac.Searches):
        with pytest.raises(ac.InputError, match=sentence):
            kind(scores, labels)


def test_counts_are_scores_where_a_row_is_not_a_class():
    for scores, labels in ((CONFUSED, np.arange(30) // 2), (CONFUSED[:20], np.arange(20))):
        assert ac.ScoreMatrix(scores, labels).n_points == len(labels)


def test_signs_are_scores():
    signs = np.sign(RNG.normal(size=40))
    assert ac.ScoreMatrix(signs[:, None] * np.sign(RNG.normal(size=40)), np.arange(40)).n_points


ODDS = np.exp(RNG.normal(size=(30, 30)) * 4 + 4 * np.eye(30))
PROBABILITIES = ODDS / ODDS.sum(axis=1, keepdims=True)
# The right class and the next one.
OF_TWO = np.eye(30) * (share := RNG.uniform(0.5, 1, (30, 1))) + np.eye(30, k=1) * (1 - share)
OF_TWO[-1, 0] = 1 - share[-1, 0]


@pytest.mark.parametrize(
    "scores",
    [
        MATCHES,
        RNG.permuted(np.tile(np.arange(30), (30, 1)), axis=1),
        # Bits of 64 that agree.
        64 - RNG.binomial(64, 0.5 - 0.4 * np.eye(30)),
        *(PROBABILITIES.round(digits) for digits in (2, 3, 4, 9)),
        np.log(PROBABILITIES),
        (ODDS**9 / (ODDS**9).sum(axis=1, keepdims=True)).astype(np.float32),
        OF_TWO,
    ],
)
def test_one_point_of_each_class_is_no_confusion_matrix(scores):
    assert ac.ScoreMatrix(scores, np.arange(30)).n_points == 30


@pytest.mark.parametrize("better", [True, False])
def test_masked_classes_do_not_compete(better):
    scores = RNG.permuted(np.tile(np.arange(12.0), (40, 1)), axis=1)
    labels = np.arange(40) % 12
    out = RNG.random(scores.shape) < 0.2
    own = out[np.arange(40), labels]
    infinite = np.where(out, -np.inf, scores)
    left = infinite[~own], labels[~own]
    expected = (left[0] > left[0][np.arange(len(left[1])), left[1]][:, None]).sum(axis=1)
    signed = infinite if better else -infinite
    with pytest.warns(ac.AccuracyWarning, match=f"left out: {own.sum()}"):
        found = ac.ScoreMatrix(signed, labels, better)
    np.testing.assert_array_equal(11 - ac.ranks(found), expected)
    assert np.isfinite(found.scores).all()
    with pytest.raises(ac.InputError, match="fill it with -inf"):
        ac.ScoreMatrix(np.ma.masked_array(scores, out), labels)
    with pytest.raises(ac.InputError, match="every point is masked, or excluded"):
        ac.ScoreMatrix(np.where(np.eye(12), -np.inf, scores[:12]), np.arange(12))
    strangers = np.where(np.arange(40) < 30, labels, -1)
    searches = ac.Searches(signed, strangers, better)
    assert (len(searches.non_mated), searches.mated.n_points) == (10, 30 - own[:30].sum())


def test_a_probability_of_zero_is_a_rival():
    p = RNG.dirichlet(np.ones(12), size=60)
    p[p < 0.01] = 0
    p /= p.sum(axis=1, keepdims=True)
    labels = p.argmax(axis=1)
    labels[:2] = p[:2].argmin(axis=1)
    with np.errstate(divide="ignore"):
        found = ac.ScoreMatrix(np.log(p), labels)
    assert found.n_points == 60
    assert ac.average_accuracy(found, 12)[0] < 1


def test_a_mask_of_nothing_is_no_mask():
    found = ac.ScoreMatrix(np.ma.masked_invalid(SCORES), LABELS)
    assert type(found.scores) is np.ndarray


def test_tensors_of_tensorflow():
    pytest.importorskip("tensorflow")
    # The first use in a process decides how many threads it has: CleaneX asks for one.
    tf = load_tensorflow("a test")
    matrix = ac.ScoreMatrix(tf.constant(SCORES, tf.float32), tf.constant(LABELS))
    assert matrix.scores.dtype == np.float32
    np.testing.assert_array_equal(matrix.labels, LABELS)
    with pytest.raises(ac.InputError, match=r"scores must be an .* array of real numbers"):
        ac.ScoreMatrix(tf.constant(SCORES.astype(str)), LABELS)


def test_tensors_of_pytorch_even_with_gradients():
    torch = pytest.importorskip("torch")
    scores = torch.tensor(SCORES, dtype=torch.float32, requires_grad=True)
    matrix = ac.ScoreMatrix(scores, torch.tensor(LABELS))
    assert matrix.scores.dtype == np.float32
    np.testing.assert_array_equal(matrix.scores, SCORES.astype(np.float32))
    np.testing.assert_array_equal(matrix.labels, LABELS)
    assert ac.ScoreMatrix(scores.half(), LABELS).scores.dtype == np.float16
    found = ac.score_identities(scores, torch.tensor(LABELS), torch.arange(4))
    np.testing.assert_array_equal(found.scores, SCORES.astype(np.float32))
    for other in (scores.to(torch.bfloat16), scores.to_sparse(), scores.to("meta")):
        with pytest.raises(ac.InputError, match="cannot be read as an array of real numbers"):
            ac.ScoreMatrix(other, LABELS)


def test_searches_of_a_table():
    frame = pd.DataFrame(SCORES, columns=[5, 6, 7, 8])
    searches = ac.Searches(frame, [5, 6, -1, 8, 6, -1])
    assert searches.labels.tolist() == [0, 1, -1, 3, 1, -1]


def test_a_threshold_that_is_a_score_moves_half_of_the_way_to_the_next_below():
    searches = ac.Searches([[3.0, 5, 9], [0, 1, 2]], [-1, 2])
    moved = [float(searches.with_threshold(at).correct[0]) for at in (5.0, 3.0, 6.0)]
    assert moved == [4, 2, 6]


def test_simulated_distances_have_their_variances():
    apart = ac.split(ac.simulate(n_classes=200, dimension=4, variance=0.2))
    squares = [np.square(each).mean() / 4 for each in apart]
    np.testing.assert_allclose(squares, [0.2, 1 + 1.2], rtol=0.1)


ENTRIES = {
    "average_accuracy": lambda x: ac.average_accuracy(x, 2),
    "ranks": ac.ranks,
    "reversed_roc": lambda x: ac.reversed_roc(x, 0.5),
    "reversed_auc": ac.reversed_auc,
    "discriminability": lambda x: ac.discriminability(x, 0.5),
    "extrapolate": lambda x: ac.extrapolate(x, 10),
    "ClassIntervals": ac.ClassIntervals,
    "Identification": ac.Identification,
    "split": ac.split,
    "subsample": lambda x: ac.subsample(x, 3),
    "save_scores": lambda x: ac.save_scores(x, "never.npz"),
    **{
        f"{name}.fit": lambda x, method=method: method().fit(x)
        for name, method in ac.EXTRAPOLATORS.items()
    },
}


@pytest.mark.parametrize("name", ENTRIES)
def test_every_function_says_how_to_make_a_score_matrix(name):
    for given, advice in (
        (SCORES, "ScoreMatrix.* makes one of arrays or a DataFrame"),
        (pd.DataFrame(SCORES), "ScoreMatrix.* makes one of arrays or a DataFrame"),
        (None, "not NoneType"),
        (ac.Searches(SCORES, LABELS), r"give its \.mated"),
    ):
        if name in ("Identification", "save_scores") and isinstance(given, ac.Searches):
            continue
        with pytest.raises(ac.InputError, match=advice):
            ENTRIES[name](given)


def test_distances_that_are_not_stored_work_or_say_what_to_do():
    gallery = RNG.normal(size=(40, 5))
    matrix = ac.DistanceMatrix(gallery + 0.5 * RNG.normal(size=(40, 5)), gallery, np.arange(40))
    assert ac.subsample(matrix, 10, seed=1).n_classes == 10
    for method in ("regression", "empirical_bayes"):
        both = (ac.ClassIntervals(each, method, splits=3) for each in (matrix, matrix.stored()))
        streamed, stored = (each.interval([30, 80]) for each in both)
        np.testing.assert_array_equal(streamed.lower, stored.lower)
        np.testing.assert_array_equal(streamed.set_upper, stored.set_upper)
    for entry in (ac.split, ac.Identification, lambda x: ac.save_scores(x, "never.npz")):
        with pytest.raises(ac.InputError, match=r"give its \.stored\(\)"):
            entry(matrix)
    for name, method in ac.EXTRAPOLATORS.items():
        if method.needs == "scores":
            with pytest.raises(ac.InputError, match=rf"{name} needs the scores.* \.stored\(\)"):
                ac.ClassIntervals(matrix, name, splits=3)

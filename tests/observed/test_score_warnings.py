"""What looks wrong in scores: each case simulated, and each real set looked at."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accuracy_curves as ac
from accuracy_curves import ScoreMatrix, load_scores, save_scores
from accuracy_curves.cli.main import main
from accuracy_curves.observed.sample_warnings import warn_of_sample
from accuracy_curves.observed.score_warnings import number_far, warn_of_values
from conftest import shared_data, simulated
from experiments.datasets import make_dataset
from populations import POPULATIONS


def reasons(scores, labels, higher=False):
    return [each.reason for each in warn_of_values(ScoreMatrix(scores, labels, higher))]


@pytest.fixture
def faces():
    """Distances of 60 people with 4 photos each."""
    return simulated(60, 4, d=16, variance=0.3)


def test_good_scores_say_nothing(faces):
    assert reasons(faces.scores, faces.labels) == []
    assert reasons(np.exp(-np.square(faces.scores)), faces.labels, True) == []


@pytest.mark.parametrize(
    ("mark", "higher"), [(-1e9, True), (-1.0, True), (1e9, False), (-1.0, False)]
)
def test_marks_of_failed_comparisons_are_sentinels(faces, mark, higher):
    scores = 100 * np.exp(-faces.scores) if higher else faces.scores
    scores = scores.copy()
    assert reasons(scores, faces.labels, higher) == []
    failed = np.random.default_rng(0).random(scores.shape) < 0.002
    scores[failed] = mark
    found = warn_of_values(ScoreMatrix(scores, faces.labels, higher))
    assert found[0].reason == "sentinel"
    share = 100 * failed.mean()
    assert str(found[0]).startswith(f"the score {mark:.4g} stands for {share:.2g} % of all pairs")


def test_scores_of_the_twenty_best_alone(faces):
    scores = -faces.scores
    kept = np.argsort(np.argsort(-scores, axis=1), axis=1) < 20
    own = np.arange(len(scores)), faces.labels
    kept[own] = True
    assert reasons(np.where(kept, scores, -1e9), faces.labels, True) == ["sentinel"]
    # The same in the midst of the others.
    centred = scores - np.median(scores)
    found = warn_of_values(ScoreMatrix(np.where(kept, centred, 0.0), faces.labels))
    assert [each.reason for each in found] == ["sentinel"]
    assert "the score 0 stands for 67 % of all pairs" in str(found[0])


def test_a_class_or_point_that_failed_as_a_whole(faces):
    scores = -faces.scores
    scores[:, 7] = -1e9
    (found,) = warn_of_values(ScoreMatrix(scores, faces.labels))
    assert found.reason == "constant_class"
    assert str(found).startswith("one class, in column 7, has the same score for every point")
    scores[[3, 9]] = -1e9
    found = warn_of_values(ScoreMatrix(scores, faces.labels))
    assert [each.reason for each in found] == ["constant_class", "constant_point"]
    assert str(found[1]).startswith("2 points (the first: row 3) have the same score for every")


def test_one_incorrect_distance_of_a_millionth_among_many(faces):
    scores = faces.scores.copy()
    row = 5
    scores[row, (faces.labels[row] + 1) % 60] = 1e-6
    (found,) = warn_of_values(ScoreMatrix(scores, faces.labels, False))
    assert found.reason == "far_scores"
    assert str(found).startswith("the best incorrect score is far beyond all others, from 1e-06 on")
    # A similarity as well, and a distance of zero.
    similar = -faces.scores
    similar[row, (faces.labels[row] + 1) % 60] = 100.0
    assert reasons(similar, faces.labels, True) == ["far_scores"]
    scores[row, (faces.labels[row] + 1) % 60] = 0.0
    assert reasons(scores, faces.labels) == ["far_scores"]


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.1])
def test_a_person_under_two_labels(noise):
    """Two pairs of classes whose centres are the same, or nearly."""
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(60, 16))
    centres[[10, 20]] = centres[[30, 40]] + noise * rng.normal(size=(2, 16))
    labels = np.repeat(np.arange(60), 4)
    points = centres[labels] + 0.5 * rng.normal(size=(240, 16))
    distances = np.linalg.norm(points[:, None] - centres, axis=2)
    for scores, higher in ((distances, False), (np.exp(-np.square(distances)), True)):
        found = warn_of_values(ScoreMatrix(scores, labels, higher))
        said = {each.reason: str(each) for each in found}
        assert said["copied_classes"].startswith("2 pairs of classes have nearly the same scores")


def test_rows_that_are_copies(faces):
    scores, labels = faces.scores.copy(), faces.labels.copy()
    scores[[40, 41]] = scores[[2, 3]]
    (found,) = warn_of_values(ScoreMatrix(scores, labels, False))
    assert found.reason == "copied_points"
    assert str(found).startswith("2 rows are copies of others, with other labels (the first: 40 of")
    labels[[40, 41]] = labels[[2, 3]]
    assert "labels" not in str(warn_of_values(ScoreMatrix(scores, labels, False))[0])
    # Rows of few columns are alike by chance.
    few = reasons(np.round(scores[:, :3]), labels % 3)
    assert "copied_points" not in few


@pytest.mark.parametrize("how", ["mean", "z", "z of incorrect", "norm", "range", "rank"])
def test_rows_that_were_normalised(faces, how):
    scores, own = -faces.scores, (np.arange(240), faces.labels)
    others = np.ones(scores.shape, dtype=bool)
    others[own] = False
    incorrect = scores[others].reshape(240, 59)
    centred = scores - scores.mean(axis=1, keepdims=True)
    given = {
        "mean": lambda: centred,
        "z": lambda: centred / scores.std(axis=1, keepdims=True),
        "z of incorrect": lambda: (
            (scores - incorrect.mean(axis=1, keepdims=True)) / incorrect.std(axis=1, keepdims=True)
        ),
        "norm": lambda: scores / np.linalg.norm(scores, axis=1, keepdims=True),
        "range": lambda: (
            (scores - scores.min(axis=1, keepdims=True)) / np.ptp(scores, axis=1, keepdims=True)
        ),
        "rank": lambda: np.argsort(np.argsort(scores, axis=1), axis=1).astype(float),
    }[how]()
    assert "normalised" in reasons(given, faces.labels, True)
    assert "normalised" in reasons(given.astype(np.float32), faces.labels, True)


def test_whole_numbers_with_ties_are_no_marks_and_no_copies():
    rng = np.random.default_rng(2)
    labels = np.repeat(np.arange(80), 3)
    scores = rng.poisson(8, size=(240, 80)).astype(float)
    scores[np.arange(240), labels] += rng.poisson(12, size=240)
    sample = ScoreMatrix(scores, labels)
    assert warn_of_values(sample) == []
    said = [each.reason for each in warn_of_sample(sample)]
    assert "ties" in said
    # Grades from 0 to 9: every row has both ends, and is not normalised for it.
    grades = np.round(9 * rng.random((240, 80)))
    assert reasons(grades, labels, True) == []


@given(st.integers(0, 10**9), st.sampled_from(["exponential", "normal", "uniform"]))
@settings(max_examples=40)
def test_the_highest_of_many_are_not_far_by_chance(seed, law):
    values = getattr(np.random.default_rng(seed), law)(size=20_000)
    highest = np.sort(values)[::-1][:200]
    assert number_far(highest) == 0
    far = np.concatenate([highest[0] + np.ptp(highest) * np.array([8, 7, 6]), highest])
    # A few of the highest may be far from the others by now.
    assert 3 <= number_far(far) <= 10


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda population: population.name)
def test_populations_raise_no_false_alarm(population):
    found = [
        (way, each.reason)
        for seed in range(2)
        for way, sample in population.samples(40, 3, seed).items()
        for each in warn_of_values(sample)
    ]
    assert found == []


def embedded(file, key, **options):
    return make_dataset(
        "embeddings", path=shared_data(file), labels_key=key, **options
    ).score_matrix(0)


# What was found, and is there: a failed enrolment, two people of Labeled Faces in the Wild under
# two names each (three of their photos), two drawings of Omniglot that are the same.
REAL = {
    "bssr1_face_C.npz": ["constant_class"],
    "bssr1_finger_left.npz": [],
    "hcp_fingerprint_scores.npz": [],
    "telugu_scores_logistic_100.npz": [],
    "telugu_scores_logistic_20.npz": [],
    "telugu_scores_deepslim_20.npz": [],
    "lfw": ["far_scores"],
    "lfw, 16 components": [],
    "openface": [],
    "att": [],
    "cifar100": [],
    "omniglot": ["copied_points"],
}
ONE_SHOT = {"gallery": "random", "points_per_class": 1}
MADE = {
    "lfw": lambda: embedded("lfw_mobilefacenet.npz", "person", **ONE_SHOT),
    "lfw, 16 components": lambda: embedded("lfw_mobilefacenet.npz", "person", pca=16, **ONE_SHOT),
    "openface": lambda: embedded("lfw_openface_partial.npz", "person", **ONE_SHOT),
    "att": lambda: embedded("att_openface.npz", "person", gallery="random"),
    "cifar100": lambda: embedded(
        "cifar100_resnet.npz", "labels", gallery="centroid", gallery_size=0.5
    ),
    "omniglot": lambda: make_dataset(
        "omniglot",
        paths=[shared_data(f"omniglot_{part}.npz") for part in ("background", "evaluation")],
    ).score_matrix(0),
}


@pytest.mark.parametrize("name", REAL)
def test_what_real_sets_get(name):
    sample = MADE[name]() if name in MADE else load_scores(shared_data(name))
    assert [each.reason for each in warn_of_values(sample)] == REAL[name]


def test_library_command_and_page_say_it(faces, tmp_path, capsys):
    scores = faces.scores.copy()
    scores[5, (faces.labels[5] + 1) % 60] = 1e-6
    sample = ScoreMatrix(scores, faces.labels, False)
    for call in (
        lambda: ac.extrapolate(sample, 100, "empirical_bayes"),
        lambda: ac.ClassIntervals(sample, "empirical_bayes", splits=3),
    ):
        with pytest.warns(ac.AccuracyWarning, match="best incorrect score is far") as caught:
            call()
        assert [each.message.reason for each in caught] == ["far_scores"]
    save_scores(sample, tmp_path / "s.npz")
    out = tmp_path / "out"
    method = ["--method", "empirical_bayes"]
    for arguments in (
        ["predict", "--classes", "100", *method, "--splits", "0", "--out", str(out)],
        ["plan", "--classes", "100", "--accuracy-width", "0.1", *method, "--splits", "3"],
        ["observe", "--out", str(tmp_path / "observed")],
    ):
        with pytest.raises(SystemExit):
            main([arguments[0], str(tmp_path / "s.npz"), *arguments[1:]])
        assert "Note: the best incorrect score is far beyond all others" in capsys.readouterr().out
    assert "best incorrect score is far" in (out / "report.html").read_text(encoding="utf-8")

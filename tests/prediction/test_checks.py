"""Each reason for caution: said where it holds, and not where it does not."""

import numpy as np
import pytest

from accuracy_curves import EXTRAPOLATORS, AccuracyWarning, ScoreMatrix
from accuracy_curves.checks import CHECKS, Weight, by_weight, caution, share, verdict
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.observed.sample_warnings import warn_of_sample
from accuracy_curves.prediction.predict import Question, answer_question
from accuracy_curves.prediction.prediction_warnings import warn_of_disagreement, warn_of_rise
from conftest import shared_data, simulated

VARIANCE = 0.3
GOOD = simulated(60, 4, variance=VARIANCE)


def of_sample(scores, labels, higher=False, **options):
    return [each.reason for each in warn_of_sample(ScoreMatrix(scores, labels, higher), **options)]


def of_answer(sample, classes=(40,), methods=("auto",), *, splits=10, **question):
    asked = Question(list(classes), splits=splits, **question)
    answer = answer_question(sample, {name: make_extrapolator(name) for name in methods}, asked)
    return [[(each.reason, str(each)) for each in found]
            for found in (answer.warnings, answer.other_warnings)]  # fmt: skip


def probabilities(distances):
    odds = np.exp(-np.square(distances.scores) / (2 * VARIANCE))
    return odds / odds.sum(axis=1, keepdims=True)


def ties(n):
    scores = GOOD.scores.copy()
    scores[np.arange(n), (GOOD.labels[:n] + 1) % 60] = scores[np.arange(n), GOOD.labels[:n]]
    return scores


def copied():
    scores = GOOD.scores.copy()
    scores[1] = scores[0]
    return scores


SAMPLES = {
    "a good one": (GOOD.scores, GOOD.labels, False, set()),
    "the wrong direction": (GOOD.scores, GOOD.labels, True, {"wrong_direction"}),
    "labels of other rows": (GOOD.scores, np.random.default_rng(0).permutation(GOOD.labels),
                             False, {"at_chance"}),
    "labels in another order": (GOOD.scores, np.argsort([f"p{j}" for j in range(60)])[GOOD.labels],
                                False, {"at_chance"}),
    "probabilities": (probabilities(GOOD), GOOD.labels, True, {"probabilities"}),
    "of two digits": (probabilities(GOOD).round(4), GOOD.labels, True, {"probabilities"}),
    "logarithms": (np.log(probabilities(GOOD)), GOOD.labels, True, set()),
    "shares that do not sum to 1": (0.9 * probabilities(GOOD), GOOD.labels, True, set()),
    "no errors": (-np.eye(60)[GOOD.labels] + 0.1 * GOOD.scores / GOOD.scores.max(), GOOD.labels,
                  False, {"few_errors"}),
    "few classes": (GOOD.scores[:80, :20], GOOD.labels[:80], False, {"few_classes"}),
    "ties": (ties(12), GOOD.labels, False, {"ties"}),
    "one tie": (ties(1), GOOD.labels, False, set()),
    "a point twice": (copied(), GOOD.labels, False, {"copied_points"}),
}  # fmt: skip


@pytest.mark.parametrize(("scores", "labels", "higher", "reasons"), SAMPLES.values(), ids=SAMPLES)
def test_reasons_in_the_scores(scores, labels, higher, reasons):
    found = set(of_sample(scores, labels, higher))
    # A sample that is cut, or says nothing, has few errors or classes as well.
    assert found - {"few_errors"} == reasons - {"few_errors"}
    assert reasons <= found


def test_distances_of_embeddings_have_their_direction():
    assert "at_chance" in of_sample(-GOOD.scores, GOOD.labels, embedded=True)


def test_chance_is_told_from_a_weak_classifier():
    """Two standard errors: of classifiers that guess, one in forty is taken for a weak one."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(60), 3)
    guessing = [of_sample(rng.normal(size=(180, 60)), labels) for _ in range(100)]
    assert sum("at_chance" in found for found in guessing) >= 90
    assert sum("wrong_direction" in found for found in guessing) <= 8
    weak = rng.normal(size=(180, 60)) + np.eye(60)[labels]
    assert "at_chance" not in of_sample(weak, labels, True)


@pytest.mark.parametrize("name", ["telugu_scores_logistic_20", "bssr1_face_C", "att_openface"])
def test_real_scores_are_not_refused(name):
    with np.load(shared_data(f"{name}.npz")) as stored:
        if "scores" not in stored:
            pytest.skip("embeddings")
        sample = ScoreMatrix(stored["scores"], stored["labels"], bool(stored["higher_is_better"]))
    assert verdict(warn_of_sample(sample)) == ""


def test_each_number_of_classes_is_judged_by_each_reach():
    methods = ("empirical_bayes", "auto", "gaussian_tail")
    first, others = of_answer(simulated(30, 3, variance=VARIANCE), (40, 90, 200), methods)
    (said,) = [text for reason, text in first if reason == "too_far"]
    assert "200 classes" in said
    assert "90" not in said
    (said,) = [text for reason, text in others if reason == "too_far"]
    assert "90 and 200 classes" in said
    assert "Gaussian tail" in said
    # The number of classes at which a target is reached is judged as well.
    first, _ = of_answer(simulated(30, 3, variance=VARIANCE), (40,), target=0.1)
    assert "too_far" in [reason for reason, _ in first]
    first, _ = of_answer(simulated(30, 3, variance=VARIANCE), (40,), target=0.7)
    assert "too_far" not in [reason for reason, _ in first]


def test_missing_intervals_are_said_once():
    first, others = of_answer(simulated(30, 3), (40,), ("auto", "regression"), splits=0)
    assert [reason for reason, _ in first].count("no_interval") == 1
    assert "no_interval" not in [reason for reason, _ in others]
    first, _ = of_answer(simulated(10, 4, variance=VARIANCE), (20,))
    assert "no_interval" in [reason for reason, _ in first]


def test_other_methods_are_compared_with_the_interval_of_the_first():
    narrow = (0.48, 0.52)
    (said,) = warn_of_disagreement(40, narrow, "Auto", {"Regression": 0.7, "Spline": 0.51})
    assert "Regression (.700)" in str(said)
    assert "Spline" not in str(said)
    assert warn_of_disagreement(40, (0.1, 0.99), "Auto", {"Regression": 0.7}) == []
    assert warn_of_disagreement(40, (np.nan, np.nan), "Auto", {"Regression": 0.7}) == []


@pytest.mark.parametrize(
    ("k", "accuracy", "rises"),
    [(80, 0.701, True), (80, 0.7004, False), (40, 0.8, False), (41, 0.711, True),
     (41, 0.71, False)],
)  # fmt: skip
def test_a_curve_does_not_rise(k, accuracy, rises):
    assert bool(warn_of_rise(k, accuracy, 40, 0.7, "Auto")) == rises


def test_a_curve_that_rises_makes_the_answer_doubtful(monkeypatch):
    class Optimist(EXTRAPOLATORS["gaussian_tail"]):
        name, label = "optimist", "Optimist"

        def _predict(self, k):
            return super()._predict(k) ** 0.1

    monkeypatch.setitem(EXTRAPOLATORS, "optimist", Optimist)
    first, _ = of_answer(simulated(30, 2, variance=VARIANCE), (20, 60), ("optimist",), splits=0)
    assert {"above_observed", "misfit"} <= {reason for reason, _ in first}


def test_the_gravest_stands_first_and_decides():
    values = dict.fromkeys(("method", "accuracy", "k1", "observed"), "x")
    found = [caution("ties", share="3"), caution("misfit", **values), AccuracyWarning("", "new")]
    assert [each.reason for each in by_weight(found)] == ["misfit", "ties", "new"]
    assert "doubtful" in verdict(found)
    assert verdict([found[0], found[2]]) == ""
    assert "not use" in verdict([*found, caution("probabilities")])
    useless = [reason for reason, (weight, _) in CHECKS.items() if weight is Weight.USELESS]
    assert useless == ["wrong_direction", "at_chance", "probabilities"]


def test_shares_have_one_notation():
    found = [share(each) for each in (0, 1, 0.0004, 0.46, 0.9996, 0.0005, 0.98765)]
    assert found == ["0", "1", "< .001", ".460", "> .999", ".001", ".988"]

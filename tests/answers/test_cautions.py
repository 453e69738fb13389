"""Each reason for caution: said where it holds, and not where it does not."""

import re

import numpy as np
import pytest

from accuracy_curves import EXTRAPOLATORS, AccuracyWarning, predict
from accuracy_curves.answers import accuracy
from accuracy_curves.cautions import CAUTIONS, MILD, USELESS, caution, gravest, share, sort_cautions
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from conftest import ROOT, simulated

VARIANCE = 0.3
GOOD = simulated(60, 4, variance=VARIANCE)


def of_answer(sample, classes=(40,), methods=("auto",), *, splits=10, **question):
    cautions = predict(sample, classes, methods, splits=splits, **question).cautions
    return [(each.reason, str(each)) for each in cautions]


def test_each_number_of_classes_is_judged_by_the_reach_of_the_first_method():
    methods = ("empirical_bayes", "gaussian_tail", "auto")
    cautions = of_answer(simulated(30, 3, variance=VARIANCE), (40, 90, 200), methods)
    (said,) = [text for reason, text in cautions if reason == "too_far"]
    assert "200 classes" in said
    assert "90" not in said
    (said,) = of_answer(simulated(60, 3, variance=VARIANCE), (130, 600), methods[1:])
    assert "130 and 600 classes" in said[1]
    # The number of classes at which a target is reached is judged as well.
    cautions = of_answer(simulated(30, 3, variance=VARIANCE), (40,), target=0.1)
    assert "too_far" in [reason for reason, _ in cautions]
    cautions = of_answer(simulated(30, 3, variance=VARIANCE), (40,), target=0.7)
    assert "too_far" not in [reason for reason, _ in cautions]


def test_missing_intervals_are_said_once():
    cautions = of_answer(simulated(30, 3), (40,), ("auto", "regression"), splits=0)
    assert [reason for reason, _ in cautions].count("no_interval") == 1
    cautions = of_answer(simulated(10, 4, variance=VARIANCE), (20,))
    assert "no_interval" in [reason for reason, _ in cautions]


@pytest.mark.parametrize(
    ("at_k1", "beyond", "seen", "rises"),
    [
        *((0.7, 0.701, 0.7, True), (0.7, 0.7004, 0.7, False)),
        *((0.72, 0.711, 0.7, True), (0.72, 0.709, 0.7, False)),
        (1.0, 1.2, 1.0, False),  # Predictions beyond 1 are 1.
    ],
)
def test_a_curve_does_not_rise(at_k1, beyond, seen, rises):
    class Curve(Extrapolator):
        label, reach, _fit = "Curve", 10, None

        def __init__(self):
            super().__init__()
            self.fitted_ = True

        def _predict(self, k):
            return np.where(k > 40, beyond, at_k1)

    found = cautions_of_accuracy(Predicted(Curve(), 40, [30, 80], observed=seen))
    assert [each.reason for each in found] == ["above_observed"] * rises


def test_a_curve_that_rises_makes_the_answer_doubtful(monkeypatch):
    class Optimist(EXTRAPOLATORS["gaussian_tail"]):
        name, label = "optimist", "Optimist"

        def _predict(self, k):
            return super()._predict(k) ** 0.1

    monkeypatch.setitem(EXTRAPOLATORS, "optimist", Optimist)
    sample = simulated(30, 2, variance=VARIANCE)
    cautions = of_answer(sample, (20, 60), ("optimist",), splits=0)
    assert [reason for reason, _ in cautions].count("above_observed") == 2
    # Beside the answer it is left out, unless it was named: then it is marked.
    methods = ("auto", "optimist")
    monkeypatch.setattr(accuracy, "DEFAULT_METHODS", methods)
    for named, label in (((), []), (methods, ["Optimist (rises)"])):
        answer = predict(sample, [20, 60], named, splits=0)
        assert answer.printed()[0][1:] == ["Auto", *label]
        assert set(answer.predicted["method"]) == set(answer.methods)


def test_the_gravest_stands_first_and_decides():
    values = dict.fromkeys(("method", "accuracy", "k", "k1", "observed"), "x")
    found = [caution("scores_of_places"), caution("above_observed", **values),
             AccuracyWarning("", "new")]  # fmt: skip
    reasons = [each.reason for each in sort_cautions(found)]
    assert reasons == ["above_observed", "scores_of_places", "new"]
    assert "doubtful" in gravest(found).weight
    assert gravest([found[0], found[2]]) is None
    mild, heavy = (
        caution("winning_classes", share="30 %", name="x", more="", **of)
        for of in ({"weight": MILD}, {})
    )
    assert gravest([found[0], mild]) is None
    # By weight before the place in the table.
    assert sort_cautions([mild, *found]) == [found[1], mild, found[0], found[2]]
    assert "not use" in gravest([*found, heavy]).weight
    useless = [reason for reason, (weight, _) in CAUTIONS.items() if weight == USELESS]
    assert set(useless) == {*("wrong_direction", "at_chance", "moved_labels", "winning_classes")}


def test_every_reason_stands_in_the_guide():
    text = (ROOT / "docs/guide/cautions.md").read_text()
    assert sorted(re.findall(r"^### (\w+)$", text, re.M)) == sorted(CAUTIONS)


def test_shares_have_one_notation():
    found = [share(each) for each in (0, 1, 0.0004, 0.46, 0.9996, 0.0005, 0.98765)]
    assert found == ["< .001", "> .999", "< .001", ".460", "> .999", ".001", ".988"]


def test_a_target_that_is_too_far_is_reported_once():
    answer = predict(simulated(24, 4, variance=0.3), 10**6, "gaussian_tail", target=0.01, splits=0)
    assert [each.reason for each in answer.cautions].count("too_far") == 1
    assert [each.reason for each in answer.sizes["gaussian_tail"].cautions] == ["too_far"]

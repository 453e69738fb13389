"""What the answer says against itself: of the scores, and of the predictions."""

import numpy as np
import pytest

from accuracy_curves import (
    EXTRAPOLATORS,
    AccuracyWarning,
    ScoreMatrix,
    average_accuracy,
    save_scores,
)
from accuracy_curves.cli.main import main
from accuracy_curves.cli.plan import plan_sentence
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.monotone_ends import first_below
from accuracy_curves.intervals.sample_size import Plan
from accuracy_curves.observed.sample_warnings import warn_of_direction, warn_of_probabilities
from accuracy_curves.prediction.predict import Question, answer_question
from accuracy_curves.prediction.prediction_warnings import (
    by_weight,
    warn_of_disagreement,
    warn_of_rise,
)
from accuracy_curves.prediction.wording import _falls, conclusion
from conftest import simulated

VARIANCE = 0.3
PROBABILITIES, MISFIT = "look like probabilities", "misses what was observed"


def doubts(sample, classes=(40,), methods=("auto",), *, splits=10, **question):
    """Doubts of an answer, in one text."""
    asked = Question(list(classes), splits=splits, **question)
    found = answer_question(sample, {name: make_extrapolator(name) for name in methods}, asked)
    return "\n".join(map(str, [*found.warnings, *found.other_warnings]))


def posterior(distances):
    """Probabilities of the classes, exactly."""
    exponent = -np.square(distances.scores) / (2 * VARIANCE)
    odds = np.exp(exponent - exponent.max(axis=1, keepdims=True))
    return ScoreMatrix(odds / odds.sum(axis=1, keepdims=True), distances.labels)


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_and_a_curve_that_misses_are_said(seed):
    distances = simulated(40, 4, variance=VARIANCE, seed=seed)
    said = doubts(posterior(distances), methods=("auto", "gaussian_tail"))
    assert PROBABILITIES in said
    assert "Gaussian tail misses what was observed: its curve is at 0." in said
    scores = posterior(distances).scores
    logarithms = ScoreMatrix(np.log(scores), distances.labels)
    for good in (distances, logarithms):
        assert MISFIT not in doubts(good)
        assert PROBABILITIES not in doubts(good)
    # Of columns kept from more classes the sums tell nothing, but the curve does.
    halved = ScoreMatrix(scores * 0.5, distances.labels)
    assert MISFIT in doubts(halved, methods=("gaussian_tail",))


def test_rows_that_are_probabilities_up_to_rounding():
    exact = posterior(simulated(30, 2, variance=VARIANCE))
    for scores in (exact.scores.round(4), exact.scores.astype(np.float16)):
        assert warn_of_probabilities(ScoreMatrix(scores, exact.labels))
    for scores in (exact.scores * 0.9, exact.scores - 0.1 * (exact.scores > 0.5)):
        assert not warn_of_probabilities(ScoreMatrix(scores, exact.labels))
    negative = exact.scores.copy()
    negative[0, :2] += [-1.5, 1.5]
    assert not warn_of_probabilities(ScoreMatrix(negative, exact.labels))
    assert not warn_of_probabilities(ScoreMatrix(exact.scores, exact.labels, False))


FAR = "beyond the range in which"


def test_each_number_of_classes_is_judged_by_each_reach():
    sample = simulated(30, 3, variance=VARIANCE)
    methods = ("gaussian_tail", "auto", "empirical_bayes")
    said = doubts(sample, (40, 90, 200, 1000), methods).splitlines()
    ending = "was validated: the interval may be too narrow"
    four = f"200 and 1,000 classes are more than 4 times k1, {FAR} Empirical Bayes {ending}"
    two = f"90, 200 and 1,000 classes are more than 2 times k1, {FAR} Gaussian tail {ending}"
    assert {four, two} <= set(said)
    assert FAR not in doubts(sample, (60,), methods)
    said = doubts(sample, (90,), methods)
    assert f"{FAR} Gaussian tail was" in said
    assert f"{FAR} Auto" not in said


def test_a_target_that_is_far_is_said():
    sample = simulated(30, 3, variance=VARIANCE)
    said = doubts(sample, (40,), ("auto", "gaussian_tail"), target=0.1)
    for method, reach in (("Auto", 10), ("Gaussian tail", 2)):
        beyond = f"is reached, if at all, at more than {reach} times k1, {FAR} {method} was"
        assert f"an accuracy of 0.1 {beyond}" in said
    assert FAR not in doubts(sample, (40,), ("auto", "gaussian_tail"), target=0.7)
    none = doubts(sample, (400,), ("gaussian_tail",), splits=0)
    assert f"{FAR} Gaussian tail was validated: the error is unknown" in none


def test_others_are_compared_with_the_interval_of_the_first():
    narrow, wide = (0.48, 0.52), (0.1, 0.99)
    (said,) = warn_of_disagreement(40, narrow, "Auto", {"Regression": 0.7, "Spline": 0.51})
    assert str(said) == (
        "at 40 classes the methods disagree: Regression (0.700) outside the interval of Auto "
        "(0.480 to 0.520)"
    )
    assert warn_of_disagreement(40, wide, "Auto", {"Regression": 0.7}) == []
    assert warn_of_disagreement(40, (np.nan, np.nan), "Auto", {"Regression": 0.7}) == []


def test_a_curve_above_what_was_observed_is_said_before_the_number(monkeypatch):
    class Optimist(EXTRAPOLATORS["gaussian_tail"]):
        name, label = "optimist", "Optimist"

        def _predict(self, k):
            return super()._predict(k) ** 0.1

    monkeypatch.setitem(EXTRAPOLATORS, "optimist", Optimist)
    sample = simulated(30, 2, variance=VARIANCE)
    extrapolators = {"optimist": make_extrapolator("optimist")}
    answer = answer_question(sample, extrapolators, Question([20, 60], splits=0))
    seen, found = answer.observed_at_k1(1), answer.at("optimist", 60, 1).accuracy
    rises = [str(each) for each in answer.warnings if each.reason == "above_observed"]
    assert rises == [
        f"Optimist predicts {found:.3f} at 60 classes, above the {seen:.3f} observed at 30: more "
        "classes are never easier to tell apart"
    ]
    assert conclusion(answer)[0] == f"This answer is doubtful: {rises[0]}."
    assert warn_of_rise(80, 0.701, 40, 0.7, "Auto")
    assert not warn_of_rise(80, 0.7004, 40, 0.7003, "Auto")
    assert not warn_of_rise(40, 0.8, 40, 0.7, "Auto")
    # Near k1 a curve may be a little above.
    assert warn_of_rise(41, 0.711, 40, 0.7, "Auto")
    assert not warn_of_rise(41, 0.71, 40, 0.7, "Auto")


def test_the_gravest_warning_stands_first():
    wrong = simulated(30, 2, variance=VARIANCE)
    answer = answer_question(
        ScoreMatrix(wrong.scores, wrong.labels),
        {name: make_extrapolator(name) for name in ("regression", "auto")},
        Question([400], splits=10),
    )
    reasons = [each.reason for each in answer.warnings]
    assert reasons[0] == "similarities_below_chance"
    assert reasons.index("too_far") < reasons.index("few_classes")
    assert conclusion(answer)[0].startswith("Do not use this answer: the accuracy at two classes")
    # The first method's answer is what the page shows.
    assert "Auto" not in " ".join(str(each) for each in answer.warnings if each.reason == "too_far")
    unknown = AccuracyWarning("of another package", "unknown")
    assert by_weight([AccuracyWarning("", "ties"), unknown])[0] is unknown


def test_chance_is_no_wrong_direction():
    """Two standard errors: one in forty, where without an allowance half would be."""
    said = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        sample = ScoreMatrix(rng.normal(size=(60, 20)), np.repeat(np.arange(20), 3))
        said += len(warn_of_direction(sample))
    assert said < 15


@pytest.mark.parametrize("n", [3, 30])
def test_a_wrong_direction_is_said_of_few_classes_as_well(n):
    good = simulated(n, 4, variance=0.1)
    wrong = ScoreMatrix(good.scores, good.labels)
    (said,) = warn_of_direction(wrong)
    assert str(said).endswith("They were taken for similarities")
    assert said.reason == "similarities_below_chance"
    (said,) = warn_of_direction(wrong, embedded=True)
    assert str(said).endswith("are the labels those of the embeddings?")
    assert warn_of_direction(good) == []


def command(capsys, *arguments):
    with pytest.raises(SystemExit):
        main([str(each) for each in arguments])
    return capsys.readouterr()


def test_plan_and_observe_say_a_wrong_direction(tmp_path, capsys):
    good = simulated(30, 3, variance=VARIANCE)
    save_scores(ScoreMatrix(good.scores, good.labels), tmp_path / "wrong.npz")
    wrong, out = tmp_path / "wrong.npz", tmp_path / "out"
    plan = ("plan", wrong, "--classes", 100, "--accuracy-width", 0.1, "--method", "gaussian_tail")
    for arguments in (plan, ("observe", wrong, "--out", out)):
        assert "Note: the accuracy at two classes is 0.0" in command(capsys, *arguments).out
        said = command(capsys, *arguments, "--lower-is-better").out
        assert "below chance" not in said


def test_embeddings_below_chance_are_not_advised_a_flag_they_refuse(tmp_path, capsys):
    """Photos of a class lie opposite to each other: the distance to the class is the largest."""
    rng = np.random.default_rng(0)
    person = rng.normal(size=(12, 4))
    x = np.concatenate([person, -person]) + 0.01 * rng.normal(size=(24, 4))
    np.savez(tmp_path / "e.npz", embeddings=x, labels=np.tile(np.arange(12), 2))
    for arguments in (("observe",), ("predict", "--classes", 20, "--method", "gaussian_tail")):
        said = command(capsys, *arguments, tmp_path / "e.npz", "--out", tmp_path / "out").out
        assert "are the labels those of the embeddings?" in said
        assert "is-better" not in said


def test_a_plan_needs_splits(capsys):
    said = command(capsys, "plan", "--help").out
    assert "3 or more." in " ".join(said.split())
    arguments = ("plan", "x.npz", "--classes", 9, "--accuracy-width", 0.1, "--splits", 0)
    assert "--splits" in command(capsys, *arguments).err
    assert "0 for none" in " ".join(command(capsys, "predict", "--help").out.split())


def predict(tmp_path, capsys, sample, *arguments):
    save_scores(sample, tmp_path / "s.npz")
    given = ("predict", tmp_path / "s.npz", "--out", tmp_path / "out", *arguments)
    said = command(capsys, *given)
    return said.err or said.out


def test_a_target_without_interval_has_an_estimate(tmp_path, capsys):
    few = simulated(10, 4, variance=VARIANCE)
    arguments = ("--classes", 20, "--method", "auto", "--target", 0.5)
    expected = f"the accuracy falls below 0.5 at {first_below(fitted_to(few), 0.5):,} classes"
    said = predict(tmp_path, capsys, few, *arguments)
    assert f"Auto: {expected} (no interval)" in said
    assert f"The{expected[3:].replace('0.5', '50.0 %')} (no interval)" in (
        tmp_path / "out" / "report.html"
    ).read_text(encoding="utf-8")
    many = simulated(30, 4, variance=VARIANCE)
    said = predict(tmp_path, capsys, many, *arguments, "--splits", 0)
    assert f"at {first_below(fitted_to(many), 0.5):,} classes (no interval)" in said


def fitted_to(sample, top=1):
    fitted = make_extrapolator("auto").fit(sample)
    return lambda k: fitted.predict(k, top)


def test_defaults_that_need_more_classes_are_left_out(tmp_path, capsys):
    five = simulated(5, 6, variance=VARIANCE)
    said = predict(tmp_path, capsys, five, "--classes", 9)
    assert "Note: auto is left out, as it needs at least 6 classes: add classes" in said
    assert "Regression" in said
    assert "Auto is left out" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    said = predict(tmp_path, capsys, five, "--classes", 9, "--method", "auto")
    assert said.startswith("Error: auto needs at least")


def test_a_single_top_is_that_of_the_table_and_the_target(tmp_path, capsys):
    sample = simulated(30, 4, variance=VARIANCE)
    arguments = ("--classes", 1000, "--method", "auto", "--top", 5, "--target", 0.6, "--splits", 0)
    lines = predict(tmp_path, capsys, sample, *arguments).splitlines()
    seen = average_accuracy(sample, 30, top=5)[0]
    assert lines[0] == f"120 points, k1 = 30 classes: observed top-5 accuracy {seen:.4f}"
    cells = [line.split() for line in lines]
    assert ["classes", "top", "Auto"] in cells
    assert ["1,000", "5", f"{fitted_to(sample, 5)(1000)[0]:.4f}"] in cells
    expected = first_below(fitted_to(sample, 5), 0.6)
    assert (
        f"Auto: the top-5 accuracy falls below 0.6 at {expected:,} classes (no interval)" in lines
    )


def test_a_target_that_is_never_reached_reads_well():
    fine = (None, 5_000, None), (None, None, None), (7_000, 3_000, None), (4, 3, 5)
    assert [_falls("It", "0.5", sizes, "90 %") for sizes in fine] == [
        "It is not below 0.5 up to 10^12 classes (90 % interval: 5,000 to beyond 10^12)",
        "It is not below 0.5 up to 10^12 classes (90 % interval: beyond 10^12)",
        "It falls below 0.5 at 7,000 classes (90 % interval: 3,000 to beyond 10^12)",
        "It falls below 0.5 at 4 classes (90 % interval: 3 to 5)",
    ]


def test_the_conditions_of_the_readme_are_checked():
    good = simulated(60, 4, variance=VARIANCE)
    few = "few classes"
    assert few not in doubts(good, (100,), ("gaussian_tail",), splits=0)
    said = doubts(simulated(40, 4, variance=VARIANCE), (50,), ("gaussian_tail",), splits=0)
    assert "there are few classes with data points, 40: intervals are more reliable with 50" in said
    # Eight of 60 classes have points.
    own = good.labels < 8
    part = ScoreMatrix(good.scores[own], good.labels[own], higher_is_better=False)
    said = doubts(part, (100,), ("gaussian_tail",), splits=0)
    assert "there are very few classes with data points, 8" in said
    two = ScoreMatrix(np.eye(60), np.arange(60))
    two.scores[[0, 1], 5] = 2
    said = doubts(two, (100,), ("gaussian_tail",), splits=0)
    assert (
        "the errors come from few classes, effectively 2.0: intervals are more reliable with 10"
        in said
    )
    assert "have points" not in said


def test_predictions_are_cut_to_accuracies(monkeypatch):
    class Outside(EXTRAPOLATORS["gaussian_tail"]):
        name, label = "outside", "Outside"

        def _predict(self, k):
            return np.where(k > 20, -0.0036, 1.001)

    monkeypatch.setitem(EXTRAPOLATORS, "outside", Outside)
    sample = simulated(20, 3, variance=VARIANCE)
    found = answer_question(sample, {"outside": Outside()}, Question([20, 50], splits=0))
    assert [found.at("outside", k, 1).accuracy for k in (20, 50)] == [1, 0]


def test_a_plan_writes_thousands_as_the_other_commands():
    found = Plan(4_000, 0.5, 0.02, 0.3, 12_000, 9_000, None, [])
    assert plan_sentence(found, 1_000, 0.9) == (
        "accuracy at 4,000 classes, about 0.500: for a 90 % interval 0.02 wide collect 12,000 "
        "classes, 11,000 more than the pilot's (as far as one pilot can tell, 9,000 to beyond 10^9)"
    )

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from test_class_intervals import difficult_classes

import accuracy_curves as ac
from accuracy_curves import InputError, ScoreMatrix, save_scores
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.sample_size import plan_classes, planned_width
from conftest import simulated

# `pairs` predicts a constant, which misses what is observed.
pytestmark = pytest.mark.filterwarnings("ignore::accuracy_curves.AccuracyWarning")

PILOT, LATER, K2 = 40, 120, 160


def test_single_difficult_classes_need_the_square_of_the_narrowing(pairs):
    """All variance is due to single classes: half the width needs four times the classes."""
    needed = []
    for seed in range(30):
        intervals = ClassIntervals(difficult_classes(60, seed), pairs, seed=seed, splits=20)
        now = planned_width(intervals, K2, 60, level=0.9)
        found = plan_classes(intervals, K2, now / 2)
        needed.append(found.needed)
        assert found.low <= found.needed <= found.high
        assert found.width_now == pytest.approx(now)
    assert 190 < np.median(needed) < 260


def test_planned_width_is_the_width_that_comes(pairs):
    """Brute force: samples of the planned size are drawn, and their intervals measured."""

    def intervals(n, seed):
        sample = simulated(n, 3, variance=0.3, seed=seed)
        return ClassIntervals(sample, "gaussian_tail", seed=seed, splits=10)

    pilots = [intervals(PILOT, seed) for seed in range(20)]
    planned = [planned_width(pilot, K2, LATER, level=0.9) for pilot in pilots]
    came = []
    for seed in range(100, 108):
        found = intervals(LATER, seed).interval(K2)
        came.append(found.upper[0] - found.lower[0])
    # The pilot's own width is 2.5 times as wide; a single pilot varies by a factor.
    assert 0.7 < np.median(planned) / np.mean(came) < 1.5
    plans = [plan_classes(pilot, K2, float(np.mean(came))) for pilot in pilots]
    assert np.mean([each.low <= LATER <= each.high for each in plans]) > 0.6


def test_the_plan_is_the_least_number_that_is_narrow_enough():
    intervals = ClassIntervals(simulated(30, 3, variance=0.3), "gaussian_tail", splits=10)
    found = plan_classes(intervals, 100, 0.08, 0.8)
    assert planned_width(intervals, 100, found.needed, level=0.8) <= 0.08
    assert planned_width(intervals, 100, found.needed - 1, level=0.8) > 0.08
    now = intervals.interval(100, level=0.8)
    assert planned_width(intervals, 100, 30, level=0.8) == pytest.approx(
        now.upper[0] - now.lower[0]
    )
    assert plan_classes(intervals, 100, 0.9).needed <= 30
    assert plan_classes(intervals, 100, 0.08, 0.95).needed > found.needed


def test_when_it_cannot_be_answered(pairs):
    sample = simulated(30, 3, variance=0.3)
    intervals = ClassIntervals(sample, "gaussian_tail", splits=10)
    far = plan_classes(intervals, 100, 0.001)
    reasons = [each.reason for each in far.cautions]
    assert reasons == ["too_far", "too_far"]
    sentences = [str(each) for each in far.cautions]
    assert sentences[0].startswith("the needed classes are more than 20 times the 30 observed")
    assert plan_classes(intervals, 100, 1e-7).needed is None
    assert sentences[1].startswith("100 classes are more than 2 times the 30 observed")
    assert plan_classes(intervals, 50, 0.2).cautions == []
    perfect = ScoreMatrix(np.eye(30) + np.arange(30) / 99, np.arange(30))
    with pytest.raises(InputError, match="every point of the 30 classes is recognised"):
        plan_classes(ClassIntervals(perfect, pairs), 100, 0.1)
    with pytest.raises(InputError, match="width is 0"):
        plan_classes(intervals, 100, 0.0)


def test_the_command(tmp_path, run):
    path = tmp_path / "pilot.npz"
    save_scores(simulated(30, 3, variance=0.3), path)
    options = ["--method", "gaussian_tail", "--splits", 10, "--classes", 100]
    options += ["--out", tmp_path / "o"]
    status, out, err = run("plan", path, *options, "--width", 0.08)
    assert (status, err) == (0, "")
    intervals = ClassIntervals(simulated(30, 3, variance=0.3), "gaussian_tail", splits=10)
    found = plan_classes(intervals, 100, 0.08)
    said = f"Collect {found.needed} classes, {found.needed - 30} more than the pilot's, for a 90 %"
    assert said in out
    assert f"{found.low} to {found.high} are needed" in out
    assert ["60", f"{planned_width(intervals, 100, 60, level=0.9):.3f}"[1:]] in [
        line.split() for line in out.splitlines()
    ]
    assert "100 classes are more than 2 times the 30 observed" in out
    table = pd.read_csv(tmp_path / "o/plan.csv")
    assert table[["k", "needed", "low", "high"]].values.tolist() == [
        [100, found.needed, found.low, found.high]
    ]
    answer = ac.plan(simulated(30, 3, variance=0.3), 100, 0.08, "gaussian_tail", splits=10)
    assert answer.plans[0] == replace(found, cautions=answer.plans[0].cautions)


def test_the_command_says_what_speaks_against_the_pilot(tmp_path, run):
    """Half of the points guess, which the entropy of their scores cannot show."""
    rng, labels = np.random.default_rng(0), np.repeat(np.arange(40), 4)
    scores = rng.normal(size=(160, 40)) + 3.0 * (np.arange(160) >= 80)[:, None] * np.eye(40)[labels]
    save_scores(ScoreMatrix(scores, labels), tmp_path / "pilot.npz")
    words = ["--method", "entropy", "--splits", 3, "--classes", 80, "--width", 0.1]
    _, out, _ = run("plan", tmp_path / "pilot.npz", *words, "--out", tmp_path / "o")
    assert out.startswith("This answer is doubtful: the curve of entropy is at")

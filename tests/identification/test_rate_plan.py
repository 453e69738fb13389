import numpy as np
import pytest
from scipy.special import logit
from test_identification import gaussian

import accuracy_curves as ac
from accuracy_curves import Identification, InputError, save_scores
from accuracy_curves.answers.plan import plan_rates, planned_rate_width


def test_four_times_the_people_halve_the_width_in_log_odds():
    found = Identification(gaussian(3, 60), splits=3)
    rate = found.fnir_at_fpir_interval(600, 0.1)
    now = planned_rate_width(rate, 1)
    assert now == pytest.approx((rate.upper - rate.lower)[0])
    ends = logit([rate.lower[0], rate.upper[0]])
    middle, half = ends.mean(), np.ptp(ends) / 4
    expected = np.diff(1 / (1 + np.exp(-(middle + half * np.array([-1, 1])))))[0]
    assert planned_rate_width(rate, 4) == pytest.approx(expected)
    plan = plan_rates(found, 600, 0.1, expected)
    assert [plan.width_now, plan.widths[240]] == pytest.approx([now, expected])
    assert plan.needed in (240, 241)
    assert plan.low < plan.needed < plan.high
    assert plan_rates(found, 600, 0.1, 0.99).needed <= 60
    assert plan_rates(found, 600, 0.1, 1e-7).needed is None


def test_planned_width_is_the_width_that_comes():
    """Brute force: samples of four times the people are drawn."""

    def asked(n, seeds):
        pilots = (Identification(gaussian(seed, n), splits=5) for seed in seeds)
        return [each.fnir_at_fpir_interval(800, 0.1) for each in pilots]

    planned = np.median([planned_rate_width(rate, 4) for rate in asked(50, range(6))])
    came = np.median([planned_rate_width(rate, 1) for rate in asked(200, range(90, 94))])
    assert 0.6 < planned / came < 1.6


def test_nothing_can_be_planned_without_an_interval():
    with pytest.raises(InputError, match="take a pilot of more people"):
        plan_rates(Identification(gaussian(0, 9)), 100, 0.1, 0.1)


def test_the_command(tmp_path, run):
    path, searches = tmp_path / "pilot.npz", gaussian(3, 60)
    save_scores(searches.mated, path)
    asked = ("--gallery-size", 600, "--fpir", 0.1, "--splits", 3, "--out", tmp_path / "o")
    status, out, err = run("plan", path, *asked, "--width", 0.1)
    assert (status, err) == (0, "")
    plan = plan_rates(Identification(searches, splits=3), 600, 0.1, 0.1)
    assert f"Collect {plan.needed:,} people, {plan.needed - 60:,} more than the pilot's" in out
    assert f"{plan.low:,} to {plan.high:,} are needed" in out
    answer = ac.plan(searches, 600, 0.1, fpir=0.1, splits=3)
    assert answer.table["needed"].tolist() == [plan.needed]

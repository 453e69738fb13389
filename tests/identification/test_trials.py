"""Lists of verification trials: the binomial formula from genuine and impostor scores alone."""

import numpy as np
import pandas as pd
import pytest

from accuracy_curves import Identification, InputError, Searches


def trials(genuine, impostor, higher_is_better=True):
    scores = np.r_[genuine, impostor]
    labels = np.where(np.arange(len(scores)) < len(genuine), 0, -1)
    return Searches(scores[:, None], labels, higher_is_better)


def test_lists_give_what_the_binomial_method_gives_of_their_matrix():
    scores = np.random.default_rng(0).normal(size=(50, 50)) + 3 * np.eye(50)
    whole = Identification(Searches(scores, np.arange(50)), "binomial")
    own = np.eye(50, dtype=bool)
    lists = Identification(trials(scores[own], scores[~own]))
    assert lists.method == "binomial"
    k, at = np.array([10, 50, 1000]), np.array([1.5, 2.0, 2.5])
    np.testing.assert_allclose(lists.fpir(k, at), whole.fpir(k, at))
    for rank in (1, 3):
        np.testing.assert_allclose(lists.fnir(k, at, rank), whole.fnir(k, at, rank), atol=1e-9)
    # Galleries of one are observed: the rates of verification.
    assert lists.observed_fpir(1, 1.5)[0] == pytest.approx(np.mean(scores[~own] >= 1.5))
    assert lists.observed_fnir(1, 1.5)[0] == pytest.approx(np.mean(scores[own] < 1.5))
    with pytest.raises(InputError, match="cannot be observed"):
        lists.observed_fpir(2, 1.5)


def test_the_loosest_threshold_that_keeps_to_a_target():
    lists = Identification(trials([5.0], [1.0, 2.0, 3.0, 4.0]))
    (at,) = lists.threshold(1, 0.5)
    assert lists.fpir(1, at) == 0.5
    assert at == pytest.approx(2.0)
    interval = lists.fpir_interval([10, 20], 2.5)
    np.testing.assert_array_equal(interval.value, lists.fpir([10, 20], 2.5))
    assert np.isnan([interval.lower, interval.upper]).all()
    (caution,) = lists.cautions(10)
    assert caution.reason == "trials"
    # By default the gallery has one: the least rate that four impostors show is 1/4.
    assert [str(each) for each in lists.cautions()] == [str(each) for each in lists.cautions(1)]
    assert "FPIR below 0.94" in str(caution)
    with pytest.raises(InputError, match="binomial"):
        Identification(trials([5.0], [1.0, 2.0]), "pareto_tail")


def test_a_rate_below_what_trials_show_is_not_nothing(tmp_path, monkeypatch, run):
    """Of 500 impostor scores the largest is the last that is known."""
    monkeypatch.chdir(tmp_path)
    genuine, impostor = np.linspace(5, 9, 50), np.linspace(0, 4.99, 500)
    found, k = Identification(trials(genuine, impostor)), np.array([1, 1000])
    np.testing.assert_allclose(found.least_fpir(k), 1 - (1 - 1 / 500) ** k)
    np.testing.assert_allclose(found.fpir(k, 4.99), found.least_fpir(k))
    assert np.isnan(found.fpir(k, 5.0)).all()
    assert np.isfinite(found.threshold(k, 0.01)).tolist() == [True, False]
    assert np.isnan(found.fnir_at_fpir(k, 0.01)).tolist() == [False, True]
    # The least rate itself is known.
    assert np.isfinite(found.threshold(k, found.least_fpir(k))).all()
    table = pd.DataFrame({"score": np.r_[genuine, impostor], "mate": np.arange(550) < 50})
    table.to_csv("few.csv", index=False)
    sizes = ("--gallery-size", 1, "--gallery-size", 1000)
    status, out, err = run("identify", "few.csv", *sizes, "--fpir", 0.01, "--threshold", 5)
    assert (status, err) == (0, "")
    rows = pd.read_csv("few_identify/identification.csv").iloc[:4]
    assert rows["fpir"].isna().tolist() == [False, True, True, True]
    assert rows["too_far"].tolist() == [False, True, True, True]
    assert ["1,000", "none", "not", "known"] in [x.split()[:4] for x in out.splitlines()]
    page = (tmp_path / "few_identify" / "report.html").read_text()
    assert "less than these scores can show (.865)" in page
    assert "nan" not in page.lower().split("base64")[0]


@pytest.mark.parametrize("higher", [True, False])
def test_the_direction_of_trials_is_looked_at(higher):
    found = Identification(trials([1.0, 2, 3, 4] * 9, [5.0, 6, 7, 8] * 9, higher))
    reasons = {each.reason for each in found.cautions([9])}
    assert ("wrong_direction" in reasons) == higher


def test_scores_that_are_normalised_in_the_gallery_itself_are_reported():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(90, 60)) + 3 * np.eye(90)[:, :60] + rng.normal(size=(90, 1))
    labels = np.where(np.arange(90) < 60, np.arange(90), -1)
    best = -np.sort(-scores, axis=1)[:, :20]
    for given, reported in (
        (scores, False),
        (scores - scores.mean(axis=0), False),
        ((scores - scores.mean(1, keepdims=True)) / scores.std(1, keepdims=True), True),
        *(
            ((scores - of.mean(1, keepdims=True)) / of.std(1, keepdims=True), True)
            for of in (best, best[:, :10])
        ),
        (scores / best[:, :1], True),
        # As distances have 0 where something equal is enrolled.
        (scores - best[:, :1], False),
    ):
        found = Identification(Searches(given, labels), splits=3).cautions([100])
        assert ("normalised" in {each.reason for each in found}) == reported

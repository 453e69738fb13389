import numpy as np
import pandas as pd
import pytest

from accuracy_curves import FitError, Identification, InputError, ScoreMatrix, Searches, subsample
from accuracy_curves.utils.seeds import derive_seed
from experiments.datasets.simulation import Simulation
from experiments.evaluation.identification_errors import (
    QUANTITIES,
    det_curves,
    errors_by_repetition,
    predicted_rates,
    rate_coverage,
    summarise_rates,
)
from experiments.evaluation.identification_truth import closed_form, observed_truth
from experiments.evaluation.subsampling import Draws

SIMULATION = Simulation(dimension=3, variance=0.1, n_classes=120, points_per_class=1)
TARGETS = [0.3, 0.1]
PARTS = (3, "one")


@pytest.fixture(scope="module")
def matrix():
    return SIMULATION.score_matrix(0)


def test_the_closed_form_is_what_draws_show():
    k, threshold = 50, 0.35
    known = closed_form(SIMULATION)
    rng = np.random.default_rng(0)
    alarms, misses = [], []
    for _ in range(4000):
        y = rng.normal(size=(k + 1, 3))
        x = y[0] + np.sqrt(0.1) * rng.normal(size=3)
        distances = np.linalg.norm(x - y, axis=1)
        alarms.append(distances[1:].min() <= threshold)
        # The mate is one of the k.
        misses.append(distances[0] > threshold or distances[0] > distances[1:k].min())
    for found, drawn in ((known.fpir, alarms), (known.fnir, misses)):
        error = np.std(drawn) / np.sqrt(4000)
        assert found(k, threshold) == pytest.approx(np.mean(drawn), abs=4 * error)
    truth = known.truth(10**6, [0.1, 0.001])
    assert known.fpir(10**6, truth["threshold"][1]) == pytest.approx(0.001, rel=1e-6)
    assert truth["fnir"].is_monotonic_increasing


def test_only_normal_simulations_have_a_closed_form():
    for other in ({"points": "uniform"}, {"classes": "uniform"}, {"gallery_noise": True}):
        assert closed_form(Simulation(**other)) is None


def test_observed_truth_is_that_of_the_largest_gallery(matrix):
    truth = observed_truth(matrix, TARGETS)
    found = Identification(matrix)
    at = truth["threshold"].to_numpy()
    np.testing.assert_array_equal(truth["gallery_size"], 119)
    np.testing.assert_allclose(truth["fpir"], found.observed_fpir(119, at))
    np.testing.assert_allclose(truth["fnir"], found.observed_fnir(119, at))
    assert (truth["fpir"] <= truth["target"] + 1e-12).all()
    with pytest.raises(InputError, match=r"a target FPIR of 0\.001 is below what 120 searches"):
        observed_truth(matrix, [0.3, 0.001])


def test_rates_are_those_of_the_same_identities_as_of_accuracies(matrix):
    truth = observed_truth(matrix, TARGETS)
    draws = Draws(matrix, 30, [0, 4], PARTS)
    rates = predicted_rates(draws, truth, "kde", {"bandwidth": "nrd0"})
    assert rates["quantity"].tolist() == list(np.repeat(QUANTITIES, 2)) * 2
    last = rates[rates["repetition"] == 4].set_index(["quantity", "target"])
    sample = subsample(matrix, 30, derive_seed(*PARTS, 30, 4, "classes"))
    seed = derive_seed(*PARTS, 30, 4, "fit")
    model = Identification(sample, "kde", seed=seed, bandwidth="nrd0")
    at = truth["threshold"].to_numpy()
    expected = [*model.fpir(119, at), *model.fnir(119, at), *model.fnir_at_fpir(119, TARGETS)]
    np.testing.assert_array_equal(last["predicted"], expected)
    np.testing.assert_array_equal(last["true"], [*truth["fpir"], *truth["fnir"], *truth["fnir"]])


def test_a_method_that_cannot_be_fitted_has_no_rate(matrix, monkeypatch):
    def fail(*_):
        raise FitError("no")

    monkeypatch.setattr(Identification, "fnir", fail)
    draws, truth = Draws(matrix, 30, [0], PARTS), observed_truth(matrix, TARGETS)
    rates = predicted_rates(draws, truth, "binomial", {})
    assert rates["predicted"].isna().all()
    keys = {"experiment": "one", "k1": 30, "method": "binomial"}
    summary = summarise_rates(rates.assign(**keys))
    assert (summary["repetitions"] == 0).all()
    assert summary["rmse"].isna().all()


def test_summary_and_errors_are_sums_over_repetitions():
    rows = pd.DataFrame(
        {
            "experiment": "one", "k1": 9, "method": "m", "repetition": [0, 1, 0, 1],
            "quantity": "fpir", "target": [0.3, 0.3, 0.1, 0.1], "true": [0.3, 0.3, 0.1, 0.1],
            "predicted": [0.5, 0.2, 0.1, 0.1], "lower": np.nan, "upper": np.nan,
            "expected": np.nan,
        }
    )  # fmt: skip
    summary = summarise_rates(rows)
    assert summary["target"].tolist() == [0.3, 0.1]
    np.testing.assert_allclose(summary["bias"], [0.05, 0], atol=1e-12)
    np.testing.assert_allclose(summary["rmse"], [np.sqrt(0.025), 0], atol=1e-12)
    np.testing.assert_allclose(summary["sd"], [0.15, 0], atol=1e-12)
    errors = errors_by_repetition(rows)
    assert list(errors.columns[-2:]) == ["error_at_0.3", "error_at_0.1"]
    np.testing.assert_allclose(errors["error_at_0.3"], [0.2, -0.1])


@pytest.mark.parametrize("of_population", [True, False])
def test_intervals_are_to_hold_what_draws_from_all_can_show(matrix, of_population):
    truth = observed_truth(matrix, TARGETS)
    draws = Draws(matrix, 30, [0, 1], PARTS)
    found = predicted_rates(
        draws, truth, "binomial", {}, judged=1, splits=3, of_population=of_population
    )
    rest = found[found["repetition"] == 1]
    assert rest[["lower", "upper", "expected"]].isna().all(axis=None)
    assert rest["predicted"].notna().all()
    found = found[found["repetition"] == 0]
    shrink = 1 if of_population else np.sqrt(1 - 30 / 120)
    moved = found["predicted"] + (found["true"] - found["predicted"]) / shrink
    np.testing.assert_allclose(found["expected"], moved.clip(0, 1))
    assert (found["lower"] <= found["predicted"]).all()
    assert (found["predicted"] <= found["upper"]).all()


def test_coverage_counts_intervals_with_both_ends():
    keys = {"experiment": "one", "k1": 9, "method": "m", "quantity": "fnir", "target": 0.1}
    table = pd.DataFrame(
        {"lower": [0.1, 0.2, 0.3], "upper": [0.3, 0.4, 0.9], "expected": [0.3, 0.5, 0.3], **keys}
    )
    (row,) = rate_coverage(table).to_dict("records")
    assert (row["samples"], row["covered"]) == (3, pytest.approx(2 / 3))
    assert row["width"] == pytest.approx(0.2)


def test_det_curves_of_one_choice_and_of_all(matrix):
    curves = det_curves(matrix, 30, PARTS, {"mine": ("binomial", {})})
    assert curves.groupby("method", sort=False).size().to_dict() == {
        "true": 24, "observed": 24, "mine": 24,
    }  # fmt: skip
    true = curves[curves["method"] == "true"]
    found = Identification(matrix)
    at = found.observed_threshold(true["fpir"])
    np.testing.assert_allclose(true["fnir"], found.observed_fnir(119, at))
    sample = Searches.of(subsample(matrix, 30, derive_seed(*PARTS, 30, 0, "classes")))
    mine = curves[curves["method"] == "mine"]
    expected = Identification(sample, "binomial").fnir_at_fpir(119, mine["fpir"])
    np.testing.assert_allclose(mine["fnir"], expected)
    assert isinstance(matrix, ScoreMatrix)

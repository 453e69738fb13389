import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from accuracy_curves import EXTRAPOLATORS, FitError, InputError, ScoreMatrix, average_accuracy
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.utils.seeds import derive_seed
from conftest import simulated
from experiments.evaluation import interval_coverage
from experiments.evaluation.interval_coverage import coverage, coverage_table, interval_draws
from experiments.evaluation.subsampling import Draws, observe, predict

PARTS = (2021, "e0")


def row(multiple, level, held, *, width=0.2, of_set=0.55, too_far=False, **at):
    """An interval about 0.5 with what it should hold inside, or just outside."""
    return {
        **at, "multiple": multiple, "level": level, "accuracy": 0.53,
        "lower": 0.5, "upper": 0.5 + width,
        "set_lower": 0.4, "set_upper": 0.6, "too_far": too_far,
        "expected": 0.5 if held else 0.49, "of_set": of_set,
    }  # fmt: skip


def by_hand():
    a = {"experiment": "a", "k1": 9, "method": "m"}
    b = {"experiment": "b", "k1": 5, "method": "m"}
    return pd.DataFrame(
        [
            row(2, 0.8, held=True, width=0.1, **a),
            row(2, 0.8, held=True, width=0.2, of_set=0.61, **a),
            row(2, 0.8, held=False, width=0.6, of_set=np.nan, **a),
            row(10, 0.8, held=True, of_set=np.nan, too_far=True, **a),
            row(2, 0.8, held=False, width=0.3, **b),
        ]
    ).assign(repetition=[0, 1, 2, 0, 0])


def test_counts_by_hand():
    table = coverage(by_hand())
    first, far, other = table.to_dict("records")
    # Errors are 0.03 and 0.04; the score of a normal interval of 80 % is 3.51 standard errors.
    ideal = 3.50996 * np.sqrt((2 * 0.03**2 + 0.04**2) / 3)
    assert first == {
        "experiment": "a", "k1": 9, "method": "m", "multiple": 2, "level": 0.8,
        "samples": 3, "covered": pytest.approx(2 / 3), "width": pytest.approx(0.2),
        "score": pytest.approx((0.9 + 2 / 0.2 * 0.01) / 3 / ideal, rel=1e-4),
        "new_sets": 2, "set_covered": 0.5, "set_width": pytest.approx(0.2), "too_far": False,
    }  # fmt: skip
    assert (far["samples"], far["covered"], far["new_sets"], far["too_far"]) == (1, 1, 0, True)
    assert np.isnan([far["set_covered"], far["set_width"]]).all()
    assert (other["samples"], other["covered"], other["set_covered"]) == (1, 0, 1)


def test_a_normal_interval_of_the_right_width_has_score_1():
    errors, z = np.random.default_rng(0).normal(size=200_000), norm.isf(0.05)
    ends = {"lower": errors - z, "upper": errors + z, "set_lower": 0.0, "set_upper": 0.0}
    draws = pd.DataFrame({**ends, "accuracy": errors, "expected": 0.0, "of_set": np.nan})
    # 2 w z + 4 / alpha (phi(w z) - w z Q(w z)), over 4 / alpha phi(z).
    for width, score in ((1, 1), (1.5, 1.218), (0.6, 1.307)):
        wide = draws.assign(lower=errors - width * z, upper=errors + width * z)
        found = coverage(wide.assign(multiple=2, level=0.9, too_far=False), [])
        assert found["score"][0] == pytest.approx(score, rel=0.02)


def test_the_table_has_the_settings_and_then_all_of_them_together():
    table = coverage_table(by_hand())
    assert table["experiment"].tolist() == ["a", "a", "b", "all", "all"]
    assert table["k1"].isna().tolist() == [False, False, False, True, True]
    pooled = table.iloc[3]
    assert (pooled["samples"], pooled["covered"], pooled["new_sets"]) == (4, 0.5, 3)
    # The settings' median, 3 times .2 and once .3.
    assert pooled["width"] == pytest.approx(0.2)
    assert table["score"].isna().tolist() == [False] * 3 + [True] * 2
    assert ",,m,2,0.8,4,0.5," in table.to_csv(index=False)


def test_all_together_are_of_the_settings_that_every_method_has():
    draws = by_hand()
    other = draws[draws["experiment"] == "a"].assign(method="other")
    table = coverage_table(pd.concat([draws, other]))
    pooled = table[(table["experiment"] == "all") & (table["multiple"] == 2)]
    assert pooled["samples"].tolist() == [3, 3]
    assert table[table["experiment"] == "b"]["samples"].tolist() == [1]


def test_rows_of_an_earlier_table_stand_beside_draws():
    draws = by_hand()
    other = draws.assign(method="other")
    whole = coverage_table(pd.concat([draws, other]))
    # Another method is in the earlier table alone: the same table as of all draws.
    beside = coverage_table(draws, coverage_table(other))
    pd.testing.assert_frame_equal(beside, whole, check_dtype=False)
    pd.testing.assert_frame_equal(coverage_table(None, whole), whole, check_dtype=False)
    # One setting of a method is in the earlier table, the other in the draws.
    is_a = draws["experiment"] == "a"
    mixed = coverage_table(draws[~is_a], coverage_table(draws[is_a]))
    pd.testing.assert_frame_equal(mixed, coverage_table(draws), check_dtype=False)


def test_a_row_a_repetition_multiple_and_level_with_the_intervals_of_its_classes():
    matrix = simulated(100, 3, variance=0.4)
    found = interval_draws(Draws(matrix, 12, [0, 3], PARTS), "two_parameter", {}, splits=10)
    assert len(found) == 2 * 2 * 3  # 10 * 12 is above 100.
    assert set(found["multiple"]) == {2, 4}
    predicted, _ = predict(Draws(matrix, 12, [0, 3], PARTS), 48, "two_parameter", {})
    seen = observe(Draws(matrix, 12, [0, 3], PARTS)).set_index(["repetition", "k"])["accuracy"]
    at = predicted.set_index(["repetition", "k"])["accuracy"]
    intervals = {}
    for repetition in (0, 3):
        chosen = np.random.default_rng(derive_seed(*PARTS, 12, repetition, "classes"))
        classes = np.sort(chosen.choice(100, size=12, replace=False))
        sample = matrix.select_classes(classes)
        assert average_accuracy(sample, 12)[0] == seen[repetition, 12]
        seed = derive_seed(*PARTS, 12, repetition, "fit")
        model = EXTRAPOLATORS["two_parameter"](seed=seed)
        intervals[repetition] = ClassIntervals(sample, model, splits=10, seed=seed)
    for each in found.itertuples():
        assert each.k == 12 * each.multiple
        assert each.accuracy == at[each.repetition, each.k]
        interval = intervals[each.repetition].interval(each.k, level=each.level)
        for end in ("lower", "upper", "set_lower", "set_upper"):
            assert getattr(each, end) == pytest.approx(getattr(interval, end)[0])
        assert each.too_far == (each.multiple > 2)
        true = average_accuracy(matrix, each.k)[0]
        moved = each.accuracy + (true - each.accuracy) / np.sqrt(1 - 12 / 100)
        assert each.expected == pytest.approx(moved)


def difficult_classes(errs):
    """Class c is confused with every other, or with none: accuracies are shares of classes."""
    scores = np.zeros((len(errs), len(errs)))
    np.fill_diagonal(scores, np.where(errs, -1.0, 1.0))
    return ScoreMatrix(scores, np.arange(len(errs)))


def test_distances_are_those_of_draws_from_a_population_without_end(pairs, monkeypatch):
    monkeypatch.setattr(interval_coverage, "LEVELS", (0.8,))
    # The prediction is the share of good classes in the sample, a mean over classes. Over finite
    # populations, its corrected distance has the variance p (1 - p) / k1 of endless ones, and
    # that to a new set p (1 - p) (1 / k1 + 1 / k).
    k1, n_classes, chance = 10, 40, 0.3
    rng = np.random.default_rng(5)
    apart, of_set = [], []
    for population in range(1000):
        matrix = difficult_classes(rng.random(n_classes) < chance)
        draws = Draws(matrix, k1, [0], (population,))
        found = interval_draws(draws, pairs, {}, splits=3, multiples=[2])
        true, kept = average_accuracy(matrix, 20)[0], found["accuracy"]
        unmoved = kept + (found["expected"] - kept) * np.sqrt(0.75)
        if 0 < found["expected"][0] < 1:  # Not cut.
            assert unmoved[0] == pytest.approx(true)
        apart.append((kept - true)[0] / np.sqrt(1 - k1 / n_classes))
        of_set.append((kept - found["of_set"])[0])
    exact = chance * (1 - chance) / k1
    # Within three standard errors, 4.5 % each for the variance of 1000 normal numbers; without the
    # correction it would be a quarter less.
    assert np.mean(np.square(apart)) == pytest.approx(exact, rel=0.135)
    assert np.mean(np.square(of_set)) == pytest.approx(exact * 1.5, rel=0.135)


def test_the_new_set_shares_no_class_with_the_sample(pairs):
    # 20 good classes among 40: sample and new set of 20 are each other's complement.
    matrix = difficult_classes(np.arange(40) < 20)
    found = interval_draws(Draws(matrix, 20, range(6), PARTS), pairs, {}, splits=10)
    assert found["of_set"].isna().all()  # 40 classes are not left.
    draws = Draws(matrix, 20, range(6), PARTS)
    found = interval_draws(draws, pairs, {}, splits=10, multiples=[1])
    assert found["accuracy"].nunique() > 2
    np.testing.assert_allclose(found["of_set"], 1 - found["accuracy"])


def test_lists_are_those_of_each_sample():
    matrix = simulated(60, 2, variance=0.4)
    draws = Draws(matrix, 30, [1], PARTS, lists=25)
    ((_, sample, _),) = draws
    whole = matrix.select_classes(draws.classes(1)).candidates(25)
    np.testing.assert_array_equal(sample.scores, whole.scores)
    found = interval_draws(draws, "auto", {}, splits=3, multiples=[2])
    curve = predict(draws, 60, "auto", {})[0].set_index("k")["accuracy"]
    assert found["accuracy"][0] == pytest.approx(curve[60])


def test_bad_input(pairs, monkeypatch):
    matrix = simulated(30, 2)
    with pytest.raises(InputError, match="an interval of auto needs at least 12 classes"):
        interval_draws(Draws(matrix, 10, [0], PARTS), "auto", {}, splits=10)

    def fail(self, k, accuracy):
        raise FitError("it cannot")

    monkeypatch.setattr(EXTRAPOLATORS[pairs], "_fit_curve", fail)
    with pytest.raises(FitError, match="repetition 4: it cannot"):
        interval_draws(Draws(matrix, 10, [4], PARTS), pairs, {}, splits=10)

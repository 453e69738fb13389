import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from accuracy_curves import (
    EXTRAPOLATORS,
    FitError,
    InputError,
    ScoreMatrix,
    average_accuracy,
    extrapolate,
)
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import (
    CurveExtrapolator,
    Extrapolator,
    FavorabilityExtrapolator,
)
from conftest import simulated
from plug_in import PlugIn


class Given(FavorabilityExtrapolator):
    """C_x is what the test says."""

    name = "given"

    def __init__(self, favorability: np.ndarray) -> None:
        self.favorability = favorability

    def _favorability(self, sample: ScoreMatrix) -> np.ndarray:
        return self.favorability


class Last(CurveExtrapolator):
    """The curve stays where it was observed last."""

    name = "last"
    minimum_classes = 10

    def _fit_curve(self, k: np.ndarray, accuracy: np.ndarray) -> None:
        self.k_, self.accuracy_ = k, accuracy

    def _predict(self, k: np.ndarray) -> np.ndarray:
        return np.full(len(k), self.accuracy_[-1])


def given_sample(n_points: int) -> ScoreMatrix:
    rng = np.random.default_rng(n_points)
    return ScoreMatrix(rng.normal(size=(n_points, 4)), rng.integers(0, 4, size=n_points))


@settings(deadline=None)
@given(
    favorability=st.lists(
        st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1, allow_subnormal=False)),
        min_size=1,
        max_size=30,
    ),
    k=st.lists(st.integers(2, 3000), min_size=1, max_size=10),
)
def test_favorabilities_predict_their_mean_power(favorability, k):
    sample = given_sample(len(favorability))
    method = Given(np.array(favorability)).fit(sample)
    naive = [
        sum(w * c ** (each - 1) for w, c in zip(sample.weights, favorability, strict=True))
        for each in k
    ]
    np.testing.assert_allclose(method.predict(k), naive, rtol=1e-9, atol=1e-12)


def test_points_that_always_or_never_win_at_any_number_of_classes():
    sample = ScoreMatrix(np.zeros((4, 4)), np.arange(4))
    method = Given(np.array([0.0, 1.0, 1.0, 1 - 1e-12])).fit(sample)
    k = [2, 1000, 10**12, 10**18]
    last = np.array([1, 1, np.exp(-1), 0])
    np.testing.assert_allclose(method.predict(k), (2 + last) / 4, rtol=1e-4)
    np.testing.assert_array_equal(Given(np.zeros(4)).fit(sample).predict(k), np.zeros(4))
    np.testing.assert_array_equal(Given(np.ones(4)).fit(sample).predict(k), np.ones(4))


def test_threads_do_not_change_a_bit():
    n_points = 50_000
    method = Given(np.random.default_rng(0).random(n_points) ** 0.01).fit(given_sample(n_points))
    curves = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            curves.append(method.predict([3, 500]))
    np.testing.assert_array_equal(*curves)


def test_fit_returns_the_method_and_a_second_fit_replaces_the_first():
    method = PlugIn()
    first, second = simulated(10, 3, seed=1), simulated(12, 3, seed=2)
    assert method.fit(first) is method
    assert method.favorability_.shape == (30,)
    np.testing.assert_array_equal(
        method.fit(second).predict([2, 50]), PlugIn().fit(second).predict([2, 50])
    )


@pytest.mark.parametrize("method", [PlugIn(), Last()])
def test_predict_before_fit(method):
    sentence = f"{type(method).__name__} must be fitted before it can predict"
    with pytest.raises(FitError, match=sentence):
        method.predict(5)


@pytest.mark.parametrize("kind", [PlugIn, Last])
def test_k_that_is_no_number_of_classes(kind):
    with pytest.raises(InputError, match=r"number.* of classes"):
        kind().fit(simulated(12, 2)).predict([3, 1.5])


def test_k1_too_small_for_the_method():
    with pytest.raises(InputError, match="last needs at least k1 = 10 classes, the sample has 9"):
        Last().fit(simulated(9, 2))
    Last().fit(simulated(10, 2))


def test_curve_method_is_given_the_observed_curve():
    sample = simulated(12, 2)
    method = Last().fit(sample)
    np.testing.assert_array_equal(method.k_, np.arange(2, 13))
    np.testing.assert_array_equal(method.accuracy_, average_accuracy(sample, np.arange(2, 13)))
    np.testing.assert_array_equal(method.predict([5, 10**6]), [method.accuracy_[-1]] * 2)


def test_observed_breaks_ties_with_the_seed_of_the_method():
    rng = np.random.default_rng(0)
    sample = ScoreMatrix(rng.integers(0, 3, size=(40, 8)).astype(float), np.arange(40) % 8)
    curves = [PlugIn(seed=seed).observed(sample) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(curves[0][1], curves[1][1])
    assert not np.array_equal(curves[0][1], curves[2][1])
    np.testing.assert_array_equal(curves[2][1], average_accuracy(sample, curves[2][0], seed=1))


def test_methods_are_found_by_their_names():
    assert {"cleanex", "kde", "regression"} <= set(EXTRAPOLATORS)
    kinds = EXTRAPOLATORS.values()
    assert len({kind.label for kind in kinds}) == len({kind.color for kind in kinds}) == len(kinds)
    for name, kind in EXTRAPOLATORS.items():
        assert kind.name == name
        assert issubclass(kind, Extrapolator)
        parameters = inspect.signature(kind).parameters.values()
        assert "seed" in [parameter.name for parameter in parameters]
        assert all(parameter.default is not parameter.empty for parameter in parameters)


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setitem(EXTRAPOLATORS, "plug_in", PlugIn)


@pytest.mark.usefixtures("registered")
def test_unknown_method_and_option_say_what_there_is():
    with pytest.raises(InputError, match=r"no method is called 'kdee': there are .*plug_in"):
        make_extrapolator("kdee")
    sentence = "plug_in takes power, names, seed: got an unexpected keyword argument 'width'"
    with pytest.raises(InputError, match=sentence):
        make_extrapolator("plug_in", width=3)
    with pytest.raises(InputError, match=r"'level'; the level belongs to the interval: interval\("):
        make_extrapolator("auto", level=0.95)


@pytest.mark.usefixtures("registered")
def test_extrapolate_in_one_call():
    sample = simulated(10, 3)
    expected = PlugIn(power=0.5, seed=4).fit(sample).predict([2, 40])
    found = extrapolate(sample, [2, 40], method="plug_in", seed=4, power=0.5)
    np.testing.assert_array_equal(found, expected)

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.extrapolators.cleanex import network
from accuracy_curves.extrapolators.cleanex.estimator import CleaneX
from accuracy_curves.extrapolators.cleanex.network import constant_loss
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.utils.extras import load_tensorflow
from conftest import simulated

OPTIONS = {"hidden": (32, 16), "steps": 2000, "learning_rate": 1e-3}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    load_tensorflow("cleanex")


def loss_of(favorability, accuracy):
    powers = favorability[:, None] ** np.arange(1, len(accuracy) + 1)
    return np.mean((powers - accuracy) ** 2, axis=1)


@given(favorability=st.lists(st.floats(0, 1), min_size=1, max_size=5), terms=st.integers(2, 60))
@settings(max_examples=60, deadline=None)
def test_no_constant_favorability_has_a_smaller_loss(favorability, terms):
    points = np.array(favorability)
    accuracy = (points[:, None] ** np.arange(1, terms + 1)).mean(axis=0)
    least = constant_loss(accuracy)
    # Near 1 the loss changes within 1e-6 of C, so that the brute force is dense there.
    every = np.unique(np.concatenate([np.linspace(0, 1, 40_001), 1 - np.geomspace(1e-9, 1, 4001)]))
    brute = loss_of(every, accuracy).min()
    assert least <= brute + 1e-15
    assert least == pytest.approx(brute, rel=1e-2, abs=1e-6)


def test_training_stops_where_the_loss_is_a_share_of_that_of_one_favorability():
    sample = simulated(30, 4, variance=0.3, seed=2)
    stopped = CleaneX(**OPTIONS, stop_share=0.1).fit(sample)
    (steps,) = stopped.steps_
    assert 0 < steps < 2000
    assert steps % network.STEPS_A_CALL == 0
    enough = 0.1 * constant_loss(average_accuracy(sample, range(2, 31)))
    looked_at = stopped.loss_history_[network.STEPS_A_CALL - 1 : steps : network.STEPS_A_CALL]
    assert looked_at[-1] < enough <= looked_at[:-1].min()
    # To the bit what so many steps give, and a curve that differs from the full one.
    short = CleaneX(**OPTIONS | {"steps": int(steps)}).fit(sample)
    np.testing.assert_array_equal(stopped.favorability_, short.favorability_)
    full = CleaneX(**OPTIONS).fit(sample)
    assert full.steps_.tolist() == [2000]
    np.testing.assert_array_equal(stopped.loss_history_[:steps], full.loss_history_[:steps])
    assert (stopped.loss_history_[steps:] == stopped.loss_history_[steps - 1]).all()
    assert abs(stopped.predict(500)[0] - full.predict(500)[0]) > 1e-4


def test_each_network_stops_by_itself():
    sample = simulated(30, 4, variance=0.3, seed=2)
    several = CleaneX(**OPTIONS, stop_share=0.1, networks=3).fit(sample)
    alone = CleaneX(**OPTIONS, stop_share=0.1).fit(sample)
    assert several.steps_[0] == alone.steps_[0]
    assert len(set(several.steps_.tolist())) > 1
    np.testing.assert_array_equal(several.favorability_[: sample.n_points], alone.favorability_)

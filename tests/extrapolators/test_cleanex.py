import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.exceptions import FitError, InputError, MissingDependencyError
from accuracy_curves.extrapolators.cleanex import estimator, network
from accuracy_curves.extrapolators.cleanex.estimator import CleaneX
from accuracy_curves.extrapolators.cleanex.network import factored, standardised
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.extras import load_tensorflow
from accuracy_curves.utils.seeds import derive_seed
from conftest import ROOT, simulated

SMALL = (32, 16)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    # Whatever test comes first: the first use of TensorFlow decides on the threads of all.
    load_tensorflow("cleanex")


def unequal_sample(n_classes=12, seed=3):
    """Classes of one to four points, and two without any."""
    full = simulated(n_classes, 4, variance=0.4, seed=seed)
    keep = [4 * c + i for c in range(n_classes - 2) for i in range(1 + c % 4)]
    return ScoreMatrix(full.scores[keep], full.labels[keep], higher_is_better=False)


def textbook_training(sample, hidden, steps, learning_rate, seed):
    """Algorithm 1 as one would write it first: autodiff, powers of 1 - sigmoid, keras's Adam."""
    import tensorflow as tf

    correct = -sample.scores[np.arange(sample.n_points), sample.labels]
    rows = []
    for row, label, own in zip(-sample.scores, sample.labels, correct, strict=True):
        rows.append([own, *sorted(np.delete(row, label))])
    rows = np.array(rows)
    x = tf.constant((rows - rows.mean()) / rows.std(), tf.float32)
    k1 = sample.n_classes
    observed = tf.constant(average_accuracy(sample, range(2, k1 + 1), seed=seed), tf.float32)
    point_weights = tf.constant(sample.weights, tf.float32)
    start = network.initial_weights(k1, hidden, derive_seed(seed, "cleanex", "initial weights"))
    variables = [tf.Variable(value) for value in start]
    adam = tf.keras.optimizers.Adam(learning_rate=learning_rate, epsilon=1e-8)

    def favorability():
        w1, b1, w2, b2, w3, b3 = variables
        h = tf.nn.relu(tf.nn.relu(x @ w1 + b1) @ w2 + b2)
        return 1 - tf.nn.sigmoid(h @ w3 + b3)

    losses = []
    for _ in range(steps):
        with tf.GradientTape() as tape:
            powers = tf.pow(favorability(), tf.range(1, k1, dtype=tf.float32))
            estimates = tf.reduce_sum(point_weights[:, None] * powers, axis=0)
            loss = tf.reduce_mean(tf.square(estimates - observed))
        adam.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        losses.append(float(loss))
    return np.array(losses), favorability().numpy()[:, 0]


def test_the_loop_in_the_graph_follows_plain_eager_training():
    sample = unequal_sample()
    assert len(set(sample.weights)) > 2
    fitted = CleaneX(hidden=SMALL, steps=30, learning_rate=4e-3, seed=5).fit(sample)
    losses, favorability = textbook_training(sample, SMALL, 30, 4e-3, 5)
    assert losses[-1] < 0.5 * losses[0]
    np.testing.assert_allclose(fitted.loss_history_, losses, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(fitted.favorability_, favorability, atol=2e-5)


def numpy_loss(z, weights, accuracy):
    favorability = 1 / (1 + np.exp(z))
    powers = favorability[:, None] ** np.arange(1, len(accuracy) + 1)
    return np.mean((weights @ powers - accuracy) ** 2)


@settings(max_examples=40, deadline=None)
@given(
    z=st.lists(st.floats(-6, 6), min_size=1, max_size=8),
    terms=st.integers(2, 12),
    seed=st.integers(0, 10**6),
)
def test_moment_loss_and_its_derivative(z, terms, seed):
    import tensorflow as tf

    rng = np.random.default_rng(seed)
    z, weights = np.array(z), rng.dirichlet(np.ones(len(z)))
    accuracy = np.sort(rng.uniform(size=terms))[::-1].copy()
    loss, derivative = network.moment_loss(*map(tf.constant, (z, weights, accuracy)))
    assert float(loss) == pytest.approx(numpy_loss(z, weights, accuracy), rel=1e-9, abs=1e-15)
    steps = 1e-4 * np.eye(len(z))
    numerical = [
        (numpy_loss(z + h, weights, accuracy) - numpy_loss(z - h, weights, accuracy)) / 2e-4
        for h in steps
    ]
    np.testing.assert_allclose(derivative.numpy(), numerical, rtol=1e-5, atol=1e-8)


def test_moment_loss_is_finite_at_the_ends_of_the_sigmoid():
    import tensorflow as tf

    z = tf.constant([-200.0, 200.0])
    loss, derivative = network.moment_loss(z, tf.constant([0.5, 0.5]), tf.constant([0.9, 0.7]))
    assert float(loss) == pytest.approx((0.4**2 + 0.2**2) / 2, rel=1e-5)
    np.testing.assert_array_equal(derivative.numpy(), 0.0)


@pytest.mark.parametrize("factors", [False, True])
@pytest.mark.parametrize("hidden", [(7,), (6, 4), (5, 4, 3)])
def test_gradient_of_every_parameter(hidden, factors):
    import tensorflow as tf

    sample = unequal_sample(7)
    rows = standardised(sample).astype(float)
    inputs, basis = tf.constant(rows.T), None
    if factors:
        inputs, basis = tf.constant(rows[:, :3].T), tf.constant(rows[:7, :3])
        rows = rows[:, :3] @ rows[:7, :3].T
    weights = tf.constant(sample.weights)
    accuracy = tf.constant(average_accuracy(sample, range(2, 8)))
    parameters = [tf.constant(p, tf.float64) for p in network.initial_weights(7, hidden, 1)]
    _, gradient = network.loss_and_gradient(parameters, inputs, weights, accuracy, basis)

    def loss(flat):
        pieces = np.split(flat, np.cumsum([p.shape.num_elements() for p in parameters])[:-1])
        layer = rows
        shaped = [piece.reshape(p.shape) for piece, p in zip(pieces, parameters, strict=True)]
        for matrix, bias in zip(shaped[:-2:2], shaped[1:-2:2], strict=True):
            layer = np.maximum(layer @ matrix + bias, 0)
        z = (layer @ shaped[-2] + shaped[-1])[:, 0]
        return numpy_loss(z, sample.weights, accuracy.numpy())

    flat = np.concatenate([p.numpy().ravel() for p in parameters])
    numerical = [(loss(flat + h) - loss(flat - h)) / 2e-6 for h in 1e-6 * np.eye(len(flat))]
    analytic = np.concatenate([g.numpy().ravel() for g in gradient])
    np.testing.assert_allclose(analytic, numerical, rtol=1e-5, atol=1e-8)


def test_initial_weights_are_glorot_uniform_biases_too():
    parameters = network.initial_weights(300, (512, 128), 4)
    shapes = [(300, 512), (512,), (512, 128), (128,), (128, 1), (1,)]
    assert [p.shape for p in parameters] == shapes
    for p in parameters[:-1]:
        limit = np.sqrt(6 / (p.shape[0] + p.shape[-1]))
        assert 0.9 * limit < np.abs(p).max() <= limit * (1 + 1e-6)
        assert p.std() == pytest.approx(limit / np.sqrt(3), rel=0.1)
    assert 0 < abs(parameters[-1][0]) <= np.sqrt(3)
    again = network.initial_weights(300, (512, 128), 4)
    other = network.initial_weights(300, (512, 128), 5)
    assert all((a == b).all() for a, b in zip(parameters, again, strict=True))
    assert not any((a == b).any() for a, b in zip(parameters, other, strict=True))


def test_inputs_are_standardised_by_one_mean_and_one_deviation():
    sample = unequal_sample()
    inputs = standardised(sample)
    assert inputs.shape == (sample.n_points, sample.n_classes)
    assert inputs.mean() == pytest.approx(0, abs=1e-6)
    assert inputs.std() == pytest.approx(1, abs=1e-6)
    assert (np.diff(inputs[:, 1:], axis=1) >= 0).all()
    own = sample.scores[np.arange(sample.n_points), sample.labels]
    expected = -(own - sample.scores.mean()) / sample.scores.std()
    np.testing.assert_allclose(inputs[:, 0], expected, rtol=1e-5, atol=1e-6)


@given(points=st.integers(1, 30), classes=st.integers(1, 12), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_the_product_of_low_rank_is_the_best_one(points, classes, seed):
    inputs = np.random.default_rng(seed).normal(size=(points, classes)).astype(np.float32)
    values = np.linalg.svd(inputs.astype(float), compute_uv=False)
    for rank in range(1, classes + 1):
        projected, basis = factored(inputs, rank)
        assert projected.shape == (points, rank)
        np.testing.assert_allclose(basis.T @ basis, np.eye(rank), atol=1e-5)
        error = np.linalg.norm(inputs - projected.astype(float) @ basis.T)
        assert error == pytest.approx(np.sqrt((values[rank:] ** 2).sum()), abs=1e-4)


def test_a_rank_that_loses_nothing_changes_nothing_but_rounding():
    # Correct scores, and incorrect ones that are the same but for place and scale: rank 3.
    rng = np.random.default_rng(0)
    grid, labels = np.sort(rng.normal(size=11)), np.arange(36) % 12
    rows = rng.normal(size=(36, 1)) + rng.uniform(0.5, 2, size=(36, 1)) * grid
    scores = np.array([np.insert(row, own, 1.5) for row, own in zip(rows, labels, strict=True)])
    scores[np.arange(36), labels] += rng.normal(size=36)
    sample = ScoreMatrix(scores, labels)
    options = {"hidden": SMALL, "steps": 100, "learning_rate": 4e-3}
    whole = CleaneX(**options).fit(sample).favorability_
    same = CleaneX(**options, input_rank=3).fit(sample).favorability_
    np.testing.assert_allclose(same, whole, atol=1e-4)
    assert (same != whole).any()
    coarse = CleaneX(**options, input_rank=1).fit(sample).favorability_
    assert np.abs(coarse - whole).max() > 0.02
    # At 12 classes a rank of 4 would save little.
    useless = CleaneX(**options, input_rank=4).fit(sample).favorability_
    np.testing.assert_array_equal(useless, whole)


def test_fitted_curve_agrees_with_the_observed_one_and_falls():
    sample = simulated(30, 4, variance=0.3, seed=2)
    fitted = CleaneX(hidden=(64, 32), steps=1500, learning_rate=1e-3).fit(sample)
    k, observed = fitted.observed(sample)
    assert observed[0] - observed[-1] > 0.1
    np.testing.assert_allclose(fitted.predict(k), observed, atol=0.01)
    beyond = fitted.predict([*range(2, 500), 10**6, 10**12])
    assert (np.diff(beyond) <= 0).all()
    assert beyond.min() >= 0
    assert beyond.max() <= 1


def test_steps_beyond_one_call_are_one_training(monkeypatch):
    monkeypatch.setattr(network, "STEPS_A_CALL", 20)
    # Compiled for this many steps a call, and not for others.
    network.training_loop.cache_clear()
    sample = unequal_sample()
    short = CleaneX(hidden=SMALL, steps=40).fit(sample)
    long = CleaneX(hidden=SMALL, steps=45).fit(sample)
    network.training_loop.cache_clear()
    assert long.loss_history_.shape == (45,)
    np.testing.assert_array_equal(long.loss_history_[:-5], short.loss_history_)
    losses, _ = textbook_training(sample, SMALL, 45, 1e-4, 0)
    np.testing.assert_allclose(long.loss_history_, losses, rtol=1e-3)


def test_units_that_sleep_and_wake_change_nothing(monkeypatch):
    loop, widths = network.training_loop, []

    def recorded(shape, hidden):
        widths.append(hidden)
        return loop(shape, hidden)

    for name, value in {"STEPS_A_CALL": 20, "WIDTHS": 1, "WORTH": 0.95}.items():
        monkeypatch.setattr(network, name, value)
    monkeypatch.setattr(network, "training_loop", recorded)
    loop.cache_clear()
    sample = unequal_sample()
    fitted = CleaneX(hidden=SMALL, steps=200, learning_rate=1e-2, seed=1).fit(sample)
    loop.cache_clear()
    assert np.diff(widths, axis=0).min() < 0 < np.diff(widths, axis=0).max()
    losses, favorability = textbook_training(sample, SMALL, 200, 1e-2, 1)
    np.testing.assert_allclose(fitted.loss_history_, losses, rtol=2e-3)
    np.testing.assert_allclose(fitted.favorability_, favorability, atol=2e-5)


def digest(fitted):
    data = fitted.favorability_.tobytes() + fitted.loss_history_.tobytes()
    return hashlib.sha256(data).hexdigest()


def test_the_same_seed_gives_the_same_bits_in_any_process():
    sample = unequal_sample()
    options = {"hidden": [64, 32], "steps": 60, "seed": 7}
    first = digest(CleaneX(**options).fit(sample))
    assert digest(CleaneX(**options).fit(sample)) == first
    assert digest(CleaneX(**options | {"seed": 8}).fit(sample)) != first
    script = (
        "from test_cleanex import CleaneX, digest, unequal_sample\n"
        f"print(digest(CleaneX(**{options}).fit(unequal_sample())))"
    )
    places = [
        ROOT / folder for folder in ("workflow", "tests", "tests/support", "tests/extrapolators")
    ]
    quiet = {"TF_CPP_MIN_LOG_LEVEL", "TF_ENABLE_ONEDNN_OPTS"}
    environment = {name: value for name, value in os.environ.items() if name not in quiet}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, places))
    run = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True
    )
    # TensorFlow's own start-up messages are off.
    assert run.stderr == ""
    assert run.stdout.strip() == first


def test_a_diverging_loss_is_an_error():
    method = CleaneX(hidden=SMALL, steps=300, learning_rate=1e30)
    message = r"loss is nan after \d+ of 300 steps: try a learning_rate below 1e\+30"
    with pytest.raises(FitError, match=message):
        method.fit(unequal_sample())
    with pytest.raises(FitError, match="must be fitted"):
        method.predict(5)


def test_a_loss_that_does_not_fall_is_an_error():
    sample = unequal_sample()
    losses, _ = textbook_training(sample, SMALL, 1, 1e-30, 0)
    message = f"was {losses[0]:.3f}.* at first and {losses[0]:.3f}.* over the last tenth of 40"
    with pytest.raises(FitError, match=message):
        CleaneX(hidden=SMALL, steps=40, learning_rate=1e-30).fit(sample)
    with pytest.raises(FitError, match="did not fall"):
        CleaneX(hidden=SMALL, steps=1).fit(sample)


def test_constant_scores_are_an_error():
    with pytest.raises(FitError, match="cannot standardise"):
        CleaneX(steps=1).fit(ScoreMatrix(np.full((4, 3), 0.1), np.array([0, 1, 2, 0])))


def test_tensorflow_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    with pytest.raises(MissingDependencyError, match="cleanex needs tensorflow"):
        CleaneX().fit(unequal_sample())


def test_tensorflow_already_runs_with_other_threads(monkeypatch):
    import tensorflow as tf

    def refuse(_):
        raise RuntimeError

    monkeypatch.setattr(tf.config.threading, "get_intra_op_parallelism_threads", lambda: 3)
    monkeypatch.setattr(tf.config.threading, "set_intra_op_parallelism_threads", refuse)
    with pytest.raises(InputError, match="TensorFlow already runs with 3 threads in this process"):
        CleaneX().fit(unequal_sample())


def test_an_ensemble_averages_the_curves_of_networks_that_start_elsewhere():
    sample = unequal_sample()
    options = {"hidden": SMALL, "steps": 250, "learning_rate": 1e-3, "seed": 6}
    model = CleaneX(networks=3, **options).fit(sample)
    alone = CleaneX(**options).fit(sample)
    members = model.favorability_.reshape(3, -1)
    np.testing.assert_array_equal(members[0], alone.favorability_)
    k = np.array([2, 12, 100])
    curves = np.array([(each[:, None] ** (k - 1)).T @ sample.weights for each in members])
    np.testing.assert_allclose(model.predict(k), curves.mean(axis=0), rtol=1e-12)
    assert np.ptp(curves[:, 2]) > 1e-4
    assert model.weights_.sum() == pytest.approx(1)
    assert model.loss_history_.shape == (250,)


def four_samples():
    """Three of one shape, and one of another between them."""
    seeds = (0, 1, 2, 3)
    return [simulated(10 if seed == 1 else 14, 3, variance=0.3, seed=seed) for seed in seeds]


@pytest.mark.parametrize("options", [{}, {"input_rank": 3}, {"networks": 2}, {"stop_share": 0.5}])
def test_networks_of_several_samples_are_one_program_where_there_is_a_gpu(options, monkeypatch):
    options = {"hidden": SMALL, "steps": 450, "learning_rate": 1e-3, **options}
    samples = four_samples()
    models = [CleaneX(**options, seed=seed) for seed in range(4)]
    alone = list(CleaneX.fit_each(zip(models, samples, strict=True)))
    for model, sample, seed in zip(alone, samples, range(4), strict=True):
        itself = CleaneX(**options, seed=seed).fit(sample)
        np.testing.assert_array_equal(model.favorability_, itself.favorability_)
    sizes, stack = [], estimator.Stack
    monkeypatch.setattr(estimator, "gpus", lambda: ["a GPU"])
    monkeypatch.setattr(
        estimator, "Stack", lambda several, how: sizes.append(len(several)) or stack(several, how)
    )
    models = [CleaneX(**options, seed=seed) for seed in range(4)]
    together = list(CleaneX.fit_each(zip(models, samples, strict=True)))
    networks = options.get("networks", 1)
    assert sizes == [3 * networks, networks]
    for model, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(model.loss_history_, other.loss_history_, atol=1e-4)
        logs = np.log([model.favorability_, other.favorability_])
        np.testing.assert_allclose(*logs, atol=1e-5)
        np.testing.assert_array_equal(model.steps_, other.steps_)
        np.testing.assert_array_equal(model.weights_, other.weights_)
        np.testing.assert_allclose(model.predict([20, 100]), other.predict([20, 100]), rtol=1e-5)
    if "stop_share" in options:
        assert len({model.steps_[0] for model in together}) > 1


def test_a_network_that_diverges_among_others_is_an_error_of_its_sample(monkeypatch):
    monkeypatch.setattr(estimator, "gpus", lambda: ["a GPU"])
    samples = [unequal_sample(), unequal_sample()]
    pairs = [(CleaneX(hidden=SMALL, steps=300, learning_rate=1e30), each) for each in samples]
    with pytest.raises(FitError, match=r"loss is nan after \d+ of 300 steps"):
        next(CleaneX.fit_each(pairs))

"""The network of CleaneX in TensorFlow: input, initial weights, loss, gradient, training.

Functions of tensors serve one network, and many of one shape that are stacked on a leading axis.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import FitError
from accuracy_curves.scores.parts import split
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import ArrayLike, Float64Array
from accuracy_curves.utils.numerics import minimise_on_grid, one_thread
from accuracy_curves.utils.processes import tracked

Float32Array = npt.NDArray[np.float32]

STEPS_A_CALL = 200
# New widths are compiled anew: they must save a fifth of the products, and few of them differ.
WORTH, WIDTHS = 0.8, 16
# A unit wakes long before it could be above 0.
MARGIN = 4
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
# Of `constant_loss`, for log(-log c).
GRID = np.linspace(-40.0, 6.0, 400)
# A loss below need not fall.
FITTED_LOSS = 1e-6


def standardised(sample: ScoreMatrix) -> Float32Array:
    """Arrange a sample as the network's inputs, (N, k1).

    The correct score, then the incorrect ones ascending (higher is better), less the mean of all
    these scores, divided by their standard deviation: `FitError` if there is none.
    """
    correct, incorrect = split(sample)
    inputs = np.concatenate([correct[:, None], incorrect], axis=1).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        mean, deviation = inputs.mean(), inputs.std()
    if inputs.min() == inputs.max() or not 0 < deviation < np.inf:
        raise FitError(
            "cleanex cannot standardise the scores, which are all equal or too large or small "
            f"for a standard deviation (from {inputs.min():g} to {inputs.max():g}): "
            "check or rescale them"
        )
    return ((inputs - mean) / deviation).astype(np.float32)


def factored(inputs: Float32Array, rank: int | None) -> tuple[Float32Array, Float32Array | None]:
    """Write the inputs, (N, k1), as a product of rank r, the best one in least squares.

    inputs = projected @ basis.T, with `basis`, (k1, r), the r leading right singular vectors;
    without a rank the inputs stay whole.
    """
    if rank is None:
        return inputs, None
    with one_thread():
        wide = inputs.astype(np.float64)
        # The k1 x k1 product is small, and its eigenvectors are the right singular vectors.
        basis = np.linalg.eigh(wide.T @ wide)[1][:, : -rank - 1 : -1]
        projected = wide @ basis
    return projected.astype(np.float32), np.ascontiguousarray(basis, dtype=np.float32)


def initial_weights(n_inputs: int, hidden: Sequence[int], seed: int) -> tuple[Float32Array, ...]:
    """Draw the initial weights and biases, Glorot uniform both, by NumPy and not by TensorFlow.

    Uniform on [-l, l] with l = sqrt(6 / (m + n)) for an (m, n) matrix and l = sqrt(6 / (n + n)) for
    n biases: TensorFlow 1's default for variables, which the released code uses; the paper does not
    say. The matrix (m, n) and the biases (n,) of each layer, in turn; the last layer has n = 1.
    """
    rng = np.random.default_rng(seed)
    result = []
    for shape in pairwise([n_inputs, *hidden, 1]):
        for size in (shape, shape[1:]):
            limit = np.sqrt(6.0 / (size[0] + size[-1]))
            result.append(rng.uniform(-limit, limit, size).astype(np.float32))
    return tuple(result)


def adam_rates(learning_rate: float, done: int) -> Float32Array:
    """Compute Adam's bias-corrected rates for the next `STEPS_A_CALL` steps.

    learning_rate * sqrt(1 - 0.999^t) / (1 - 0.9^t), t = done + 1, done + 2, ... (Kingma and Ba
    2014, end of Section 2, where epsilon is added to the plain sqrt(v)).
    """
    t = done + np.arange(1, STEPS_A_CALL + 1)
    with np.errstate(over="ignore"):
        rates = learning_rate * np.sqrt(1 - BETA_2**t) / (1 - BETA_1**t)
        return rates.astype(np.float32)


def moment_loss(z: Any, weights: Any, accuracy: Any) -> tuple[Any, Any]:
    """Compute the loss of Algorithm 1 and its derivative, (..., N), for the network's last layer.

    With z, (..., N), before the sigmoid, C = 1 - sigmoid(z), P_xk = C_x^(k - 1) and e_k = sum_x w_x
    P_xk - A_k,

        L       = sum_k e_k^2 / (k1 - 1),                                    k = 2..k1
        dL/dz_x = -2 w_x sigmoid(z_x) / (k1 - 1) * sum_k e_k (k - 1) P_xk

    so that both are one product of P with a vector. `accuracy`, (..., k1 - 1), are the observed
    A_k.
    """
    import tensorflow as tf

    terms = accuracy.shape[-1]
    exponents = tf.range(1, terms + 1, dtype=z.dtype)
    # log C = -softplus(z) is exact where C underflows or rounds to 1.
    powers = tf.exp(-tf.nn.softplus(z)[..., None] * exponents)
    errors = tf.linalg.matvec(powers, weights, transpose_a=True) - accuracy
    slopes = tf.linalg.matvec(powers, errors * exponents)
    derivative = -(2 / terms) * weights * tf.sigmoid(z) * slopes
    return tf.reduce_mean(tf.square(errors), -1), derivative


def forward(parameters: Sequence[Any], inputs: Any, basis: Any = None) -> list[Any]:
    """Apply the network, with parameters as of `initial_weights`, with one column per point.

    Points are columns because the gradient of a matrix is then a product over adjacent numbers,
    which XLA's matrix product on a CPU does in half the time. The inputs, (..., k1, N), may be a
    product of `basis`, (..., k1, r), and `inputs`, (..., r, N): the basis meets the first layer's
    matrix before the points do, N * r products a unit instead of N * k1. Gives each hidden layer
    before its ReLU, (..., width, N), and z, (..., 1, N), before the sigmoid.
    """
    import tensorflow as tf

    first, *others = parameters
    if basis is not None:
        first = tf.matmul(basis, first, transpose_a=True)
    layers = []
    values = [first, *others]
    for matrix, biases in zip(values[::2], values[1::2], strict=True):
        layers.append(tf.matmul(matrix, inputs, transpose_a=True) + biases[..., None])
        inputs = tf.nn.relu(layers[-1])
    return layers


def loss_and_gradient(
    parameters: Sequence[Any], inputs: Any, weights: Any, accuracy: Any, basis: Any = None
) -> tuple[Any, Sequence[Any]]:
    """Compute the loss and its gradient, one of the shape of each parameter."""
    import tensorflow as tf

    with tf.GradientTape() as tape:
        tape.watch(parameters)
        z = forward(parameters, inputs, basis)[-1]
    loss, derivative = moment_loss(z[..., 0, :], weights, accuracy)
    return loss, tape.gradient(z, parameters, derivative[..., None, :])


@lru_cache(maxsize=16)
def training_loop(
    shape: tuple[int, int, int | None], hidden: tuple[int, ...]
) -> Callable[..., Any]:
    """Compile up to `STEPS_A_CALL` full-batch steps of Adam for one `Problem.shape`.

    A function is compiled (half a second) at its first call, and kept for samples of the same
    shape. It is
    ``(state, inputs, basis, weights, accuracy, rates, steps) -> (state, losses)``: `state` has the
    parameters and Adam's two moments of each, `losses`, (STEPS_A_CALL,), the loss before each of
    the first `steps` steps. Of R stacked networks all have a leading axis, the losses a last one.
    """
    import tensorflow as tf

    def run(
        state: Any, inputs: Any, basis: Any, weights: Any, accuracy: Any, rates: Any, steps: Any
    ) -> Any:
        def step(done: Any, state: Any, losses: Any) -> Any:
            values, means, squares = state
            loss, gradient = loss_and_gradient(values, inputs, weights, accuracy, basis)
            updated = [
                _adam(value, mean, square, slope, rates[done])
                for value, mean, square, slope in zip(values, means, squares, gradient, strict=True)
            ]
            return done + 1, tuple(zip(*updated, strict=True)), losses.write(done, loss)

        losses = tf.TensorArray(tf.float32, STEPS_A_CALL, element_shape=accuracy.shape[:-1])
        _, state, losses = tf.while_loop(
            lambda done, *_: done < steps, step, (tf.constant(0), state, losses)
        )
        return state, losses.stack()

    return tf.function(run, jit_compile=True, autograph=False)


def _adam(value: Any, mean: Any, square: Any, gradient: Any, rate: Any) -> tuple[Any, Any, Any]:
    """One step of Adam for one parameter: its value and both moments."""
    import tensorflow as tf

    mean = mean + (1 - BETA_1) * (gradient - mean)
    square = square + (1 - BETA_2) * (gradient * gradient - square)
    return value - rate * mean / (tf.sqrt(square) + EPSILON), mean, square


def constant_loss(accuracy: ArrayLike) -> float:
    """Find the least loss with one favorability c for all points.

    It is the minimum over c in [0, 1] of sum_{k = 2..k1} (c^(k - 1) - A_k)^2 / (k1 - 1).
    """
    observed = np.asarray(accuracy, dtype=np.float64)
    exponents = np.arange(1, len(observed) + 1)

    def loss(eta: float) -> float:
        return float(np.mean((np.exp(-np.exp(eta) * exponents) - observed) ** 2))

    # On eta = log(-log c); several curves may have two minima.
    return loss(minimise_on_grid(loss, GRID))


class Problem(NamedTuple):
    """The data of a network: points, the accuracies A_k at k = 2..k1, initial parameters.

    The inputs are (k1, N), or (r, N) with a basis, (k1, r), see `forward`; the weights of the
    points sum to 1. Training stops where the loss is below `enough`: by default never.
    """

    inputs: Float32Array
    basis: Float32Array | None
    weights: Float32Array
    accuracy: Float32Array
    parameters: tuple[Float32Array, ...]
    enough: float = 0.0

    @property
    def shape(self) -> tuple[int, int, int | None]:
        """N points, k1 inputs, and their rank r where they are a product."""
        rank, n_points = self.inputs.shape
        return n_points, len(self.accuracy) + 1, None if self.basis is None else rank


class Trained(NamedTuple):
    """A network after its training: log C_x of each point, the loss, the steps that were done.

    `history`, (steps,), is the loss before each step; after the last one that was done, the one
    before it.
    """

    log_favorability: Float64Array
    history: Float64Array
    steps: int


class _Network:
    """A network in training: parameters and moments of all its units, and which units are awake.

    A hidden unit that is 0 at all points adds nothing and has no gradient. Such units sleep: the
    products leave them out. One wakes when its highest value before the ReLU, at the end of a call,
    is no longer below 0 by `MARGIN` times what the call changed of it.
    """

    def __init__(self, problem: Problem, hidden: tuple[int, ...]) -> None:
        import tensorflow as tf

        self.problem, self.rank = problem, len(problem.inputs)
        self.data = [None if array is None else tf.constant(array) for array in problem[:4]]
        parameters = [array.copy() for array in problem.parameters]
        self.state = [parameters, *([np.zeros_like(p) for p in parameters] for _ in range(2))]
        self.highest = [np.full(width, np.inf) for width in hidden]
        self.awake = [np.arange(width) for width in hidden]

    def advance(self, rates: Float32Array, steps: int) -> tuple[Float32Array, Any]:
        """Train some steps: the loss before each, (steps, 1), and z, (1, N)."""
        import tensorflow as tf

        units = [np.arange(len(self.state[0][0])), *self.awake, np.arange(1)]
        places = [
            place for below, layer in pairwise(units) for place in ((below[:, None], layer), layer)
        ]
        run = training_loop(self.problem.shape, tuple(map(len, self.awake)))
        state = tuple(
            tuple(part[place] for part, place in zip(parts, places, strict=True))
            for parts in self.state
        )
        state, losses = run(state, *self.data, rates, tf.constant(steps))
        for parts, values in zip(self.state, state, strict=True):
            for part, place, value in zip(parts, places, values, strict=True):
                part[place] = value.numpy()
        *layers, z = forward(self.state[0], *self.data[:2])
        self._rouse([np.max(layer, -1) for layer in layers])
        return losses.numpy()[:steps, None], z

    def _rouse(self, highest: list[Float32Array]) -> None:
        """Choose the units that are awake, from the highest value of each unit at a point."""
        with np.errstate(invalid="ignore"):  # Where training diverges.
            near = [
                now + MARGIN * np.abs(now - before)
                for now, before in zip(highest, self.highest, strict=True)
            ]
        self.highest = highest
        widths = [len(awake) for awake in self.awake]
        needed = [
            min(WIDTHS * max(1, math.ceil(np.sum(~(of < 0)) / WIDTHS)), of.size) for of in near
        ]
        more = any(need > width for need, width in zip(needed, widths, strict=True))
        if more or self._products(needed) < WORTH * self._products(widths):
            widths = needed
        self.awake = [
            np.sort(np.argsort(-of, kind="stable")[:width])
            for of, width in zip(near, widths, strict=True)
        ]

    def _products(self, widths: Sequence[int]) -> int:
        """Count the products of a point's pass through layers of these widths."""
        return sum(below * width for below, width in pairwise([self.rank, *widths, 1]))


def trained(problem: Problem, hidden: tuple[int, ...], steps: int, learning_rate: float) -> Trained:
    """Train a network; the result is not `checked`."""
    return train(_Network(problem, hidden), [problem], steps, learning_rate)[0]


def train(
    networks: Any, problems: Sequence[Problem], steps: int, learning_rate: float
) -> list[Trained]:
    """Train the networks of some problems, R, until each has stopped.

    `networks.advance` trains all of them for some steps: the losses, (steps, R), and z, (R, N).
    One stops after at most `steps` steps. After every `STEPS_A_CALL` of them it stops if its loss
    is small enough, or no number.
    """
    enough = [problem.enough for problem in problems]
    history, stopped = np.empty((steps, len(problems))), dict[int, Trained]()
    starts = range(0, steps, STEPS_A_CALL)
    for start in tracked(starts, "hundreds of steps of CleaneX", len(starts)):
        now = min(STEPS_A_CALL, steps - start)
        done = start + now
        history[start:done], z = networks.advance(adam_rates(learning_rate, start), now)
        ends = ~(history[done - 1] >= enough) | (done == steps)
        for place in set(np.flatnonzero(ends).tolist()) - set(stopped):
            losses = history[:, place].copy()
            losses[done:] = losses[done - 1]
            stopped[place] = Trained(_log_favorability_of(z[place]), losses, done)
        if len(stopped) == len(problems):
            break
    return [stopped[place] for place in range(len(problems))]


def _log_favorability_of(z: Any) -> Float64Array:
    """Take log C of z, before the sigmoid."""
    import tensorflow as tf

    return np.asarray(-tf.nn.softplus(z).numpy(), dtype=np.float64)


def checked(fit: Trained, learning_rate: float) -> Trained:
    """Raise `FitError` if a loss is not a number somewhere, or did not fall."""
    history, steps = fit.history, len(fit.history)
    losses = np.append(history[: fit.steps], fit.log_favorability.sum())
    wrong = np.flatnonzero(~np.isfinite(losses))
    if len(wrong):
        raise FitError(
            f"cleanex's loss is {losses[wrong[0]]} after {wrong[0]} of {steps} steps: "
            f"try a learning_rate below {learning_rate:g}, "
            "and look for extreme values among the scores"
        )
    last = float(history[-max(1, steps // 10) :].mean())
    if last >= history[0] and last > FITTED_LOSS:
        raise FitError(
            f"cleanex's loss did not fall: it was {history[0]:.6g} at first and "
            f"{last:.6g} over the last tenth of {steps} steps; "
            f"try more steps, another seed or another learning_rate than {learning_rate:g}"
        )
    return fit

"""Train networks of CleaneX: the whole fit of one sample, or of several samples of one shape."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.cleanex.network import (
    STEPS_A_CALL,
    Float32Array,
    adam_rates,
    forward,
    training_loop,
)
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.minimisation import minimise_on_grid
from accuracy_curves.utils.progress import tracked

GRID = np.linspace(-40.0, 6.0, 400)


def constant_loss(accuracy: npt.ArrayLike) -> float:
    """Find the least loss with one favorability c for all points.

    It is the minimum over c in [0, 1] of sum_{k = 2..k1} (c^(k - 1) - A_k)^2 / (k1 - 1).
    """
    observed = np.asarray(accuracy, dtype=np.float64)
    exponents = np.arange(1, len(observed) + 1)

    def loss(eta: float) -> float:
        return float(np.mean((np.exp(-np.exp(eta) * exponents) - observed) ** 2))

    # On eta = log(-log c); several curves may have two minima.
    return loss(minimise_on_grid(loss, GRID))


FITTED_LOSS = 1e-6


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


class Trained(NamedTuple):
    """A network after its training: log C_x of each point, the loss, the steps that were done.

    `history`, (steps,), is the loss before each step; after the last one that was done, the one
    before it.
    """

    log_favorability: Float64Array
    history: Float64Array
    steps: int


def trained(
    problems: Sequence[Problem],
    hidden: tuple[int, ...],
    steps: int,
    learning_rate: float,
) -> list[Trained]:
    """Train a network for each problem, all of one shape, together.

    One problem is computed without the axis of problems, so that its numbers do not depend on
    whether others could have joined it. Whether a loss is small enough is looked at after every
    `STEPS_A_CALL` of at most `steps` steps. `FitError` if a loss is not a number somewhere, or did
    not fall.
    """
    import tensorflow as tf

    together = len(problems)
    inputs, basis, weights, accuracy, *parameters = (
        None if parts[0] is None else tf.constant(parts[0] if together == 1 else np.stack(parts))
        for parts in zip(*((*each[:4], *each.parameters) for each in problems), strict=True)
    )
    zeros = tuple(tf.zeros_like(parameter) for parameter in parameters)
    state: Any = (tuple(parameters), zeros, zeros)
    first = problems[0]
    rank = None if first.basis is None else first.basis.shape[1]
    run = training_loop(first.inputs.shape[1], len(first.parameters[0]), hidden, rank, together)
    history = np.empty((together, steps))
    ended: dict[int, Trained] = {}
    starts = range(0, steps, STEPS_A_CALL)
    for start in tracked(starts, "hundreds of steps of CleaneX", len(starts)):
        now = min(STEPS_A_CALL, steps - start)
        done = start + now
        rates = tf.constant(adam_rates(learning_rate, start))
        state, losses = run(state, inputs, basis, weights, accuracy, rates, tf.constant(now))
        history[:, start:done] = np.reshape(losses.numpy()[:now], (now, together)).T
        # A network that has stopped goes through the motions with the others: it cannot fail.
        training = [number for number in range(together) if number not in ended]
        _check_finite(history[training, :done], steps, learning_rate)
        ending = [
            number
            for number in training
            if done == steps or history[number, done - 1] < problems[number].enough
        ]
        if ending:
            z = forward(state[0], inputs, basis)[-1]
            fits = np.reshape(-tf.nn.softplus(z).numpy(), (together, -1)).astype(np.float64)
            whole = np.column_stack([history[:, :done], fits.sum(1)])[ending]
            _check_finite(whole, steps, learning_rate)
        for number in ending:
            losses_of = history[number].copy()
            losses_of[done:] = losses_of[done - 1]
            _check_fell(losses_of, learning_rate)
            ended[number] = Trained(fits[number], losses_of, done)
        if len(ended) == together:
            break
    return [ended[number] for number in range(together)]


def _check_finite(history: npt.NDArray[np.float64], steps: int, learning_rate: float) -> None:
    """Raise if a loss is not a number somewhere."""
    wrong = np.argwhere(~np.isfinite(history))
    if len(wrong):
        number, step = min(wrong.tolist(), key=lambda place: place[1])
        raise FitError(
            f"cleanex's loss is {history[number, step]} after {step} of {steps} steps: "
            f"try a learning_rate below {learning_rate:g}, "
            "and look for extreme values among the scores"
        )


def _check_fell(history: npt.NDArray[np.float64], learning_rate: float) -> None:
    """Raise if training did not lower the loss."""
    steps = len(history)
    last = float(history[-max(1, steps // 10) :].mean())
    if last >= history[0] and last > FITTED_LOSS:
        raise FitError(
            f"cleanex's loss did not fall: it was {history[0]:.6g} at first and "
            f"{last:.6g} over the last tenth of {steps} steps; "
            f"try more steps, another seed or another learning_rate than {learning_rate:g}"
        )

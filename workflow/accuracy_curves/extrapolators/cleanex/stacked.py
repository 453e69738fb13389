"""Training of many networks of one shape, stacked on a leading axis: one program, for a GPU."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from accuracy_curves.extrapolators.cleanex.network import (
    Float32Array,
    Problem,
    Trained,
    forward,
    train,
    training_loop,
)


def trained_together(
    problems: Sequence[Problem], hidden: tuple[int, ...], steps: int, learning_rate: float
) -> list[Trained]:
    """Train networks of several samples, those of one shape as one program: what a GPU is for.

    The results are not `checked`.
    """
    results: dict[int, Trained] = {}
    for shape in dict.fromkeys(problem.shape for problem in problems):
        places = [place for place, other in enumerate(problems) if other.shape == shape]
        stack = [problems[place] for place in places]
        fits = train(Stack(stack, hidden), stack, steps, learning_rate)
        results |= zip(places, fits, strict=True)
    return [results[place] for place in range(len(problems))]


class Stack:
    """Networks of one shape in training, R of them; all units stay awake."""

    def __init__(self, problems: Sequence[Problem], hidden: tuple[int, ...]) -> None:
        import tensorflow as tf

        self._run = training_loop(problems[0].shape, hidden)
        fields = list(zip(*problems, strict=True))
        self._data = [None if of[0] is None else tf.constant(np.stack(of)) for of in fields[:4]]
        values = tuple(tf.constant(np.stack(arrays)) for arrays in zip(*fields[4], strict=True))
        self._state = values, *(tuple(map(tf.zeros_like, values)) for _ in range(2))

    def advance(self, rates: Float32Array, steps: int) -> tuple[Float32Array, Any]:
        """Train some steps: the loss before each, (steps, R), and z, (R, N)."""
        import tensorflow as tf

        self._state, losses = self._run(self._state, *self._data, rates, tf.constant(steps))
        z = forward(self._state[0], *self._data[:2])[-1]
        return losses.numpy()[:steps], z[..., 0, :]

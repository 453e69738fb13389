"""Training of many networks of one shape, stacked on a leading axis: one program, for a GPU."""

from collections.abc import Sequence

import numpy as np

from accuracy_curves.extrapolators.cleanex.network import (
    STEPS_A_CALL,
    Problem,
    Trained,
    adam_rates,
    forward,
    log_favorability_of,
    training_loop,
)
from accuracy_curves.utils.progress import tracked


def trained_together(
    problems: Sequence[Problem], hidden: tuple[int, ...], steps: int, learning_rate: float
) -> list[Trained]:
    """Train networks of several samples, those of one shape as one program: what a GPU is for.

    All units stay awake. The results are not `checked`.
    """
    shapes = [(*one.inputs.shape, len(one.accuracy), one.basis is None) for one in problems]
    results: dict[int, Trained] = {}
    for shape in dict.fromkeys(shapes):
        places = [place for place, other in enumerate(shapes) if other == shape]
        stack = [problems[place] for place in places]
        results |= zip(places, _stack_trained(stack, hidden, steps, learning_rate), strict=True)
    return [results[place] for place in range(len(problems))]


def _stack_trained(
    problems: Sequence[Problem], hidden: tuple[int, ...], steps: int, learning_rate: float
) -> list[Trained]:
    """Train R networks of one shape, until each has stopped."""
    import tensorflow as tf

    first = problems[0]
    rank, n_points = first.inputs.shape
    run = training_loop(
        n_points, len(first.parameters[0]), hidden, None if first.basis is None else rank
    )
    fields = list(zip(*problems, strict=True))
    data = [None if parts[0] is None else tf.constant(np.stack(parts)) for parts in fields[:4]]
    values = tuple(tf.constant(np.stack(arrays)) for arrays in zip(*fields[4], strict=True))
    state = values, *(tuple(map(tf.zeros_like, values)) for _ in range(2))
    history = np.empty((steps, len(problems)))
    stopped: dict[int, Trained] = {}
    starts = range(0, steps, STEPS_A_CALL)
    for start in tracked(starts, "hundreds of steps of CleaneX", len(starts)):
        now = min(STEPS_A_CALL, steps - start)
        done = start + now
        state, losses = run(state, *data, adam_rates(learning_rate, start), tf.constant(now))
        history[start:done] = losses.numpy()[:now]
        ends = (history[done - 1] < fields[5]) | (done == steps)
        now_ended = [place for place in np.flatnonzero(ends).tolist() if place not in stopped]
        if now_ended:
            z = forward(state[0], *data[:2])[-1][..., 0, :]
            for place in now_ended:
                losses_of = history[:, place].copy()
                losses_of[done:] = losses_of[done - 1]
                stopped[place] = Trained(log_favorability_of(z[place]), losses_of, done)
        if len(stopped) == len(problems):
            break
    return [stopped[place] for place in range(len(problems))]

"""CleaneX beside the released notebook's graph, for `make bench`."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from accuracy_curves.extrapolators.cleanex import network
from accuracy_curves.extrapolators.cleanex.estimator import CleaneX
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.parts import split
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.extras import load_tensorflow
from benching import Row, seconds, simulated

RANK = 64


class Shape(NamedTuple):
    """What is trained in one timing, and by how much faster than the notebook is aimed at."""

    n_points: int
    k1: int
    steps: int
    target: float
    rank: int | None = None


# The time of a step hardly depends on their number: from 100 to 400 it changed by 4 % (N = 1000,
# k1 = 100), from 20 to 50 by 5 % (N = 5000, k1 = 500). To reduce an input takes as long as 4 steps.
SHAPES = (
    Shape(5000, 500, 25, 2),
    Shape(5000, 500, 50, 4.5, RANK),
    Shape(1000, 100, 100, 2.5),
    Shape(200, 200, 100, 3.5),
    Shape(1000, 10, 100, 2),
    Shape(200, 60, 100, 3),
)


def notebook_training(sample: ScoreMatrix, threads: int = 1) -> Callable[[int], None]:
    """Build the notebook's graph anew; the result does a number of steps as the notebook does.

    A session of TensorFlow 1, the scores fed in float64 at each step, powers and their gradient
    left to TensorFlow, and the loss fetched.
    """
    import tensorflow.compat.v1 as tf

    k1 = sample.n_classes
    correct, incorrect = (scores.astype(np.float64) for scores in split(sample))
    both = np.hstack([correct[:, None], incorrect])
    correct, incorrect = ((s - both.mean()) / both.std() for s in (correct[:, None], incorrect))
    accuracy = average_accuracy(sample, np.arange(2, k1 + 1))
    graph = tf.Graph()
    with graph.as_default(), tf.variable_scope("", use_resource=False):
        fed_accuracy = tf.placeholder(tf.float32, [k1 - 1])
        fed_correct = tf.placeholder(tf.float32, [None, 1])
        fed_incorrect = tf.placeholder(tf.float32, [None, k1 - 1])
        layer = tf.concat([fed_correct, fed_incorrect], axis=1)
        for number, (inputs, outputs) in enumerate([(k1, 512), (512, 128), (128, 1)]):
            matrix = tf.get_variable(f"W{number}", [inputs, outputs], tf.float32)
            biases = tf.get_variable(f"b{number}", [outputs], tf.float32)
            layer = tf.matmul(layer, matrix) + biases
            layer = tf.nn.relu(layer) if outputs > 1 else tf.nn.sigmoid(layer)
        exponents = tf.constant(np.arange(1, k1), tf.float32)
        estimates = tf.reduce_mean(tf.math.pow(1 - layer, exponents), axis=0)
        loss = tf.reduce_mean(tf.square(estimates - fed_accuracy))
        step = tf.train.AdamOptimizer(learning_rate=1e-4).minimize(loss)
        start = tf.global_variables_initializer()
    options = tf.ConfigProto(
        intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads
    )
    session = tf.Session(graph=graph, config=options)
    session.run(start)
    feed = {fed_correct: correct, fed_incorrect: incorrect, fed_accuracy: accuracy}

    def train(steps: int) -> None:
        for _ in range(steps):
            session.run([loss, step], feed_dict=feed)

    return train


@cache
def _notebook(n_points: int, k1: int) -> Callable[[int], None]:
    load_tensorflow("the bench")
    return notebook_training(simulated(k1, n_points))


def _notebook_steps(shape: Shape) -> float:
    train = _notebook(shape.n_points, shape.k1)
    return seconds(lambda: train(shape.steps))


def _with_onednn() -> None:
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"


def cleanex_rows(shapes: Sequence[Shape] = SHAPES) -> list[Row]:
    """CleaneX's fit beside the notebook's graph, with the same number of steps and one thread."""
    # The notebook's user has TensorFlow as it comes, with oneDNN, which CleaneX turns off: the
    # first use of a process decides.
    process = ProcessPoolExecutor(1, get_context("spawn"), initializer=_with_onednn)
    rows = []
    for shape in shapes:
        n_points, k1, steps, target, rank = shape
        what = f"CleaneX, N = {n_points}, k1 = {k1}, {steps} steps"
        sides = {
            "ours": partial(CleaneX(steps=steps, input_rank=rank).fit, simulated(k1, n_points)),
            "notebook's": lambda shape=shape: process.submit(_notebook_steps, shape).result(),
        }
        rows.append(Row(what + (f", input of rank {rank}" if rank else ""), sides, target))
    return [*rows, *sleeping_rows()]


def sleeping_rows(steps: int = 2000) -> list[Row]:
    """CleaneX's fit beside one in which no unit sleeps; the first call of both compiles."""
    rows = []
    for n_points, k1 in ((1000, 100), (200, 60)):
        ours = partial(CleaneX(steps=steps).fit, simulated(k1, n_points))
        awake = patch.object(network, "WORTH", 0.0)(ours)
        what = f"CleaneX, N = {n_points}, k1 = {k1}, {steps} steps"
        rows.append(Row(what, {"ours": ours, "no unit asleep": awake}, 1.3))
    return rows

"""Timings, both sides in one run: `make bench` prints ratios and writes results/bench.json.

The other side is the released notebook's way (CleaneX, average accuracy) or one call of R's
`density` a point (KDE), written here anew.
"""

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from accuracy_curves.accuracy import average_accuracy
from accuracy_curves.extrapolators._cleanex_input import standardised
from accuracy_curves.extrapolators.cleanex import CleaneX
from accuracy_curves.extrapolators.kde import KDE
from accuracy_curves.scores import ScoreMatrix, split

ROUNDS = 3
STEPS = 400


def simulated(n_classes: int, n_points: int, seed: int = 0) -> ScoreMatrix:
    """Distances of normal points from the centres of normal classes, d = 5."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_classes, 5))
    labels = np.arange(n_points) % n_classes
    x = centres[labels] + np.sqrt(0.1) * rng.normal(size=(n_points, 5))
    squared = (x**2).sum(1)[:, None] - 2 * x @ centres.T + (centres**2).sum(1)
    return ScoreMatrix(np.sqrt(np.maximum(squared, 0)).astype(np.float32), labels, False)


def average_accuracy_of_notebook(matrix: ScoreMatrix) -> np.ndarray:
    """Sum logarithms of an (N, K) array, as the released notebook does."""
    k = matrix.n_classes
    own = matrix.scores[np.arange(matrix.n_points), matrix.labels][:, None]
    rank = np.sum(own < matrix.scores, axis=1, keepdims=True)
    above = np.log(np.maximum(rank + 1 - np.arange(1, k), 1e-16))
    below = np.log(k - np.arange(1, k))
    return np.exp(np.cumsum(above - below, axis=1)).mean(axis=0)


def train_as_notebook(sample: ScoreMatrix) -> None:
    """Call a compiled graph once a step, with the gradient left to TensorFlow."""
    import tensorflow as tf

    inputs, k1 = tf.constant(standardised(sample)), sample.n_classes
    accuracy = tf.constant(average_accuracy(sample, np.arange(2, k1 + 1)), tf.float32)
    exponents = tf.range(1, k1, dtype=tf.float32)
    layers = [tf.keras.layers.Dense(n, a) for n, a in ((512, "relu"), (128, "relu"), (1, None))]
    network = tf.keras.Sequential(layers)
    network.build(inputs.shape)
    adam = tf.keras.optimizers.Adam(1e-4)
    adam.build(network.trainable_variables)

    @tf.function
    def step() -> None:
        with tf.GradientTape() as tape:
            powers = tf.pow(1 - tf.sigmoid(network(inputs)), exponents)
            loss = tf.reduce_mean(tf.square(tf.reduce_mean(powers, 0) - accuracy))
        variables = network.trainable_variables
        adam.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))

    step()
    for _ in range(STEPS):
        step()


def kde_row_by_row(sample: ScoreMatrix) -> None:
    """Call R's `density` once for each point."""
    from rpy2 import robjects

    bandwidth = robjects.r("function(x) suppressWarnings(density(x, bw = 'bcv')$bw)")
    _, incorrect = split(sample)
    for row in incorrect.astype(np.float64):
        bandwidth(robjects.FloatVector(row))


def medians(sides: dict[str, Callable[[], object]]) -> list[float]:
    """Run the sides in turn, after one run each that is not counted; median seconds of each."""
    for side in sides.values():
        side()
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            started = time.perf_counter()
            side()
            times[name].append(time.perf_counter() - started)
    return [statistics.median(values) for values in times.values()]


def main() -> None:
    """Run every row, print the table, write the numbers."""
    large, small = simulated(2000, 20_000), simulated(100, 1000)
    square, points = simulated(200, 200), simulated(200, 500)
    every_k = np.arange(2, 2001)

    def cleanex(sample: ScoreMatrix) -> Callable[[], object]:
        return lambda: CleaneX(steps=STEPS).fit(sample)

    rows = {
        "average accuracy, k = 2..2000, N = 20000": {
            "ours": lambda: average_accuracy(large, every_k),
            "notebook's": lambda: average_accuracy_of_notebook(large),
        },
        f"CleaneX, N = 1000, k1 = 100, {STEPS} steps": {
            "ours": cleanex(small),
            "notebook's": lambda: train_as_notebook(small),
        },
        f"CleaneX, N = 200, k1 = 200, {STEPS} steps": {
            "ours": cleanex(square),
            "notebook's": lambda: train_as_notebook(square),
        },
        "KDE (bcv), 500 points x 199 scores": {
            "ours": lambda: KDE().fit(points),
            "row by row": lambda: kde_row_by_row(points),
        },
    }
    table = Table("what", "ours, s", "other side, s", "ratio")
    found = []
    for name, sides in rows.items():
        ours, other = medians(sides)
        found.append({"what": name, "ours": ours, "other": other, "ratio": other / ours})
        table.add_row(name, f"{ours:.3f}", f"{other:.3f}", f"{other / ours:.1f}")
    Console().print(table)
    path = Path("results/bench.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()

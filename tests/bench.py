"""Timings, both sides in one run: `make bench` prints ratios and writes results/bench.json.

The other side is the released notebook's way (CleaneX, average accuracy), one call of R's
`density` a point (KDE), both written anew, or R's package nnls (fits of curves).
"""

import json
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from accuracy_curves.accuracy import average_accuracy
from accuracy_curves.extrapolators.cleanex import CleaneX, standardised
from accuracy_curves.scores import ScoreMatrix
from bench_methods import (
    average_accuracy_memory,
    average_accuracy_rows,
    kde_rows,
    nnls_rows,
    streamed_rows,
)
from benching import Sides, medians, memory_bandwidth, sgemm_peak, simulated

STEPS = 400


def train_as_notebook(sample: ScoreMatrix) -> None:
    """Call a compiled graph once a step, with the gradient left to TensorFlow."""
    import tensorflow as tf

    inputs, k1 = tf.constant(standardised(sample)), sample.n_classes
    accuracy = tf.constant(average_accuracy(sample, range(2, k1 + 1)), tf.float32)
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


def cleanex_rows() -> dict[str, Sides]:
    """CleaneX beside a compiled graph that is called step by step."""
    small, square = simulated(100, 1000), simulated(200, 200)

    def cleanex(sample: ScoreMatrix) -> Callable[[], object]:
        return lambda: CleaneX(steps=STEPS).fit(sample)

    return {
        f"CleaneX, N = 1000, k1 = 100, {STEPS} steps": {
            "ours": cleanex(small),
            "notebook's": lambda: train_as_notebook(small),
        },
        f"CleaneX, N = 200, k1 = 200, {STEPS} steps": {
            "ours": cleanex(square),
            "notebook's": lambda: train_as_notebook(square),
        },
    }


def main() -> None:
    """Run every row, print the table, write the numbers."""
    limits = {"copy, bytes/s": memory_bandwidth(), "sgemm, FLOP/s": sgemm_peak()}
    table = Table("what", "ours", "other side", "ratio")
    found = []
    for part in (average_accuracy_rows, streamed_rows, cleanex_rows, kde_rows, nnls_rows):
        for name, sides in part().items():
            ours, other = medians(sides)
            found.append(
                {
                    "what": name,
                    "sides": list(sides),
                    "ours": ours,
                    "other": other,
                    "ratio": other / ours,
                }
            )
            table.add_row(name, _time(ours), _time(other), f"{other / ours:.1f}")
    console = Console()
    console.print(table)
    if "R's nnls" not in {side for row in found for side in row["sides"]}:
        console.print("R's package nnls is not there (r-cran-nnls): its rows are left out")
    memory = average_accuracy_memory()
    console.print(
        "Average accuracy, peak memory in score matrices: "
        + ", ".join(f"{side} {ratio:.2f}" for side, ratio in memory.items())
    )
    read = 4 * 2000 * 20_000 / found[0]["ours"]
    console.print(
        f"It reads the scores at {read / 1e9:.1f} GB/s. This machine, one thread: a copy moves "
        f"{limits['copy, bytes/s'] / 1e9:.1f} GB/s, sgemm does "
        f"{limits['sgemm, FLOP/s'] / 1e9:.0f} GFLOP/s"
    )
    path = Path("results/bench.json")
    path.parent.mkdir(exist_ok=True)
    record = {"rows": found, "memory": memory, "limits": limits}
    path.write_text(json.dumps(record, indent=2) + "\n")


def _time(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds >= 0.1 else f"{1000 * seconds:.2f} ms"


if __name__ == "__main__":
    main()

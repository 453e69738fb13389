"""Time and memory of `accuracy-curves identify` beside `predict` of the same scores, by size.

    python benchmarks/timings/bench_identify.py 300 3000 10000

Cosines of two searches for each enrolled identity. Seconds are of the processor; memory is the most
that the process holds beside mapped files.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benching import run

DIMENSION, NOISE = 64, 1.0
# What is aimed at: times of `predict`, and megabytes beside four times the file.
GOAL_TIMES, GOAL_BESIDE = 3.0, 300.0


def write_cosines(path: Path, n_classes: int) -> float:
    """Write a score matrix; give its megabytes."""
    rng = np.random.default_rng(0)
    enrolled = rng.normal(size=(n_classes, DIMENSION)).astype(np.float32)
    labels = np.repeat(np.arange(n_classes), 2)
    searches = enrolled[labels] + NOISE * rng.normal(size=(len(labels), DIMENSION))
    one, other = (x / np.linalg.norm(x, axis=1)[:, None] for x in (searches, enrolled))
    scores = (one @ other.T).astype(np.float32)
    np.savez(path, scores=scores, labels=labels, higher_is_better=True)
    return scores.nbytes / 1e6


def main() -> None:
    """Run the sizes and print the table."""
    table = Table("enrolled", "file", "predict", "identify", "times", "memory")
    sizes = [int(word) for word in sys.argv[1:]] or [300, 3000, 10_000]
    for k in track(sizes, "sizes", console=Console(stderr=True)):
        with tempfile.TemporaryDirectory() as folder:
            file = write_cosines(Path(folder) / "scores.npz", k)
            predict, _ = run(folder, "predict", "scores.npz", "--classes", str(10 * k))
            galleries = ["--gallery-size", str(10 * k), "--gallery-size", str(100 * k)]
            identify, used = run(folder, "identify", "scores.npz", *galleries, "--out", "answer")
        memory = used / 1e6
        met = identify <= GOAL_TIMES * predict and memory <= 4 * file + GOAL_BESIDE
        times = f"{identify / predict:.1f}: {'met' if met else 'missed'}"
        cells = [f"{file:.0f} MB", f"{predict:.1f} s", f"{identify:.1f} s", times]
        table.add_row(str(k), *cells, f"{memory:.0f} MB")
    Console().print(table)


if __name__ == "__main__":
    main()

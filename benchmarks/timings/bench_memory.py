"""Memory and time of `predict` and `identify` on memory-mapped matrices: `make bench-memory`.

Their default methods and splits, on distances of 20, 80, 200 and 4000 MB that are made in a
temporary folder (of TMPDIR). Memory is the process's own, without the pages of the file. Seconds
are of the processor. `python benchmarks/timings/bench_memory.py 20 800` takes these sizes alone.
`identify` holds the scores in memory, and is left out for the largest matrix.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benching import run

# Megabytes: classes, points.
SIZES = {20: (1000, 5000), 80: (2000, 10_000), 200: (5000, 10_000), 800: (10_000, 20_000)}
LARGEST = {4000: (50_000, 20_000)}
DIMENSION, VARIANCE = 5, 0.1
# What is aimed at with the largest matrix: bytes and seconds of `predict`.
GOAL_BYTES, GOAL_SECONDS = 1e9, 60.0
# And of `identify`: times of `predict`, and bytes beside four times the file.
GOAL_TIMES, GOAL_BESIDE = 3.0, 3e8


def write_distances(folder: Path, n_classes: int, n_points: int) -> None:
    """Write distances of normal points from the centres of normal classes, block by block."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(n_classes, DIMENSION))
    labels = np.arange(n_points) * max(1, n_classes // n_points) % n_classes
    points = centres[labels] + np.sqrt(VARIANCE) * rng.normal(size=(n_points, DIMENSION))
    shape = n_points, n_classes
    scores = np.lib.format.open_memmap(folder / "scores.npy", "w+", np.float32, shape)
    for start in range(0, n_points, 100):
        rows = points[start : start + 100]
        squared = (rows**2).sum(1)[:, None] - 2 * rows @ centres.T + (centres**2).sum(1)
        scores[start : start + 100] = np.sqrt(np.maximum(squared, 0))
    scores.flush()
    np.save(folder / "labels.npy", labels)
    (folder / "meta.json").write_text(json.dumps({"higher_is_better": False}))


def main() -> None:
    """Run the sizes, and print the table."""
    table = Table("scores", "classes x points", "command", "processor time", "memory", "goals")
    for size in [int(word) for word in sys.argv[1:]] or [20, 80, 200, *LARGEST]:
        n_classes, n_points = (SIZES | LARGEST)[size]
        with tempfile.TemporaryDirectory() as folder:
            scores, larger = Path(folder) / "scores", str(4 * n_classes)
            scores.mkdir()
            write_distances(scores, n_classes, n_points)
            predict = run(folder, "predict", "scores", "--classes", larger)
            found = {"predict": (*predict, GOAL_SECONDS, GOAL_BYTES)}
            if size in SIZES:
                identify = run(folder, "identify", "scores", "--gallery-size", larger)
                goals = GOAL_TIMES * predict[0], 4e6 * size + GOAL_BESIDE
                found["identify"] = *identify, *goals
        for command, (seconds, memory, longest, most) in found.items():
            met = "met" if seconds <= longest and memory <= most else "missed"
            cells = f"{seconds:.0f} s", f"{memory / 1e9:.2f} GB", met
            table.add_row(f"{size} MB", f"{n_classes} x {n_points}", command, *cells)
    Console().print(table)


if __name__ == "__main__":
    main()

"""Memory and time of `accuracy-curves predict` on memory-mapped matrices: `make bench-memory`.

Its default methods and splits, on distances of 20, 80, 200 and 4000 MB that are made in a temporary
folder (of TMPDIR). Memory is the process's own, without the pages of the file. Seconds are of the
processor. `python benchmarks/timings/bench_memory.py 20 80` takes these sizes alone.
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
SIZES = {20: (1000, 5000), 80: (2000, 10_000), 200: (5000, 10_000), 4000: (50_000, 20_000)}
DIMENSION, VARIANCE = 5, 0.1
# What is aimed at with the largest matrix: bytes and seconds.
GOAL_BYTES, GOAL_SECONDS = 1e9, 60.0


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
    table = Table("scores", "classes x points", "processor time", "most memory beside the file")
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    for size in sizes:
        n_classes, n_points = SIZES[size]
        with tempfile.TemporaryDirectory() as folder:
            scores = Path(folder) / "scores"
            scores.mkdir()
            write_distances(scores, n_classes, n_points)
            seconds, memory = run(folder, "predict", "scores", "--classes", str(4 * n_classes))
        met = seconds <= GOAL_SECONDS and memory <= GOAL_BYTES
        table.add_row(
            f"{size} MB",
            f"{n_classes} x {n_points}",
            f"{seconds:.0f} s",
            f"{memory / 1e9:.2f} GB: {'met' if met else 'missed'}",
        )
    Console().print(table)
    print(f"goal: at most {GOAL_SECONDS:.0f} s and {GOAL_BYTES / 1e9:.1f} GB")


if __name__ == "__main__":
    main()

"""Time and memory of `accuracy-curves identify` beside `predict` of the same scores, by size.

    python benchmarks/timings/bench_identify.py 300 3000 10000
    python benchmarks/timings/bench_identify.py 3000 --before OTHER_CHECKOUT/workflow

Cosines of two searches for each enrolled identity. Seconds are of the processor; memory is the most
that the process holds. With `--before` another checkout answers the same in turn.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benching import WORKFLOW

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


def run(workflow: Path, folder: str, *words: str) -> tuple[float, float]:
    """Run a command: seconds of the processor, and its largest memory in megabytes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "accuracy_curves", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(workflow)},
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"accuracy-curves {' '.join(words)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Run the sizes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("enrolled", type=int, nargs="*", default=[300, 3000, 10_000])
    parser.add_argument("--before", type=Path, help="the folder workflow of another checkout")
    given = parser.parse_args()
    sides = {"now": WORKFLOW} | ({"before": given.before.resolve()} if given.before else {})
    jobs = [(k, side) for k in given.enrolled for side in sides]
    table = Table("enrolled", "file", "", "predict", "identify", "times", "memory")
    for k, side in track(jobs, "sizes", console=Console(stderr=True)):
        with tempfile.TemporaryDirectory() as folder:
            file = write_cosines(Path(folder) / "scores.npz", k)
            predict, _ = run(sides[side], folder, "predict", "scores.npz", "--classes", str(10 * k))
            sizes = ["--gallery-size", str(10 * k), "--gallery-size", str(100 * k)]
            asked = ["scores.npz", *sizes, "--out", "answer"]
            identify, memory = run(sides[side], folder, "identify", *asked)
        met = identify <= GOAL_TIMES * predict and memory <= 4 * file + GOAL_BESIDE
        times = f"{identify / predict:.1f}: {'met' if met else 'missed'}"
        cells = [f"{file:.0f} MB", side, f"{predict:.1f} s", f"{identify:.1f} s", times]
        table.add_row(str(k), *cells, f"{memory:.0f} MB")
    Console().print(table)


if __name__ == "__main__":
    main()

"""What the benches share: samples, medians, peak memory, and a command that is watched."""

import os
import re
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accuracy_curves.scores.score_matrix import ScoreMatrix

ROUNDS = 3
WORKFLOW = Path(__file__).resolve().parents[2] / "workflow"

Sides = dict[str, Callable[[], object]]


class Row(NamedTuple):
    """Ours and then the other side of one timing, and the least ratio that is aimed at."""

    what: str
    sides: Sides
    target: float


def simulated(n_classes: int, n_points: int, seed: int = 0) -> ScoreMatrix:
    """Distances of normal points from the centres of normal classes, d = 5."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_classes, 5))
    labels = np.arange(n_points) % n_classes
    x = centres[labels] + np.sqrt(0.1) * rng.normal(size=(n_points, 5))
    squared = (x**2).sum(1)[:, None] - 2 * x @ centres.T + (centres**2).sum(1)
    return ScoreMatrix(np.sqrt(np.maximum(squared, 0)).astype(np.float32), labels, False)


def medians(sides: Sides, rounds: int = ROUNDS) -> list[float]:
    """Run the sides in turn, after one run each that is not counted; median seconds of each."""
    for side in sides.values():
        side()
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            times[name].append(seconds(side))
    return [statistics.median(values) for values in times.values()]


def seconds(side: Callable[[], object]) -> float:
    """Seconds of the processor of one call; a side that runs elsewhere returns its own."""
    started = time.process_time()
    there = side()
    return there if isinstance(there, float) else time.process_time() - started


def peak_bytes(side: Callable[[], object]) -> int:
    """Most memory that a call held beyond what was there before, as NumPy and Python allot it."""
    tracemalloc.start()
    try:
        side()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def run(folder: str, *words: str) -> tuple[float, float]:
    """Run a command in a folder: seconds of the processor, and most memory of its own, in bytes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "accuracy_curves", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(WORKFLOW)},
        stdout=subprocess.DEVNULL,
    )
    memory = 0.0
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        memory = max(memory, own_memory(process.pid))
        time.sleep(0.02)
    if status:
        raise SystemExit(f"accuracy-curves {' '.join(words)} failed")
    return used.ru_utime + used.ru_stime, memory


def own_memory(process: int) -> float:
    """Find the bytes that a process holds beside the files that it has mapped; 0 beyond Linux."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    return 1024.0 * int(found[1]) if found else 0.0

"""What the benches share: samples, medians, peak memory, the machine's limits, JSON of results."""

import json
import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accuracy_curves.scores.score_matrix import ScoreMatrix
from experiments.provenance import commit, host, versions

ROUNDS = 3
WORKFLOW = Path(__file__).resolve().parents[2] / "workflow"

Sides = dict[str, Callable[[], object]]


class Row(NamedTuple):
    """Ours and then the other side of one timing, and the least ratio that is aimed at.

    `flop` and `read` are what ours computes and how many bytes it reads, where that is counted.
    """

    what: str
    sides: Sides
    target: float | None = None
    flop: float = 0
    read: float = 0


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


def in_a_child(program: str) -> str:
    """Run a program in a process of its own, with the library; what it prints."""
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(WORKFLOW)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return ran.stdout


def memory_bandwidth(megabytes: int = 256) -> float:
    """Bytes a second of one thread's copy, counting what is read and what is written."""
    source = np.ones(megabytes * 2**17)
    target = np.empty_like(source)
    copy = medians({"copy": lambda: np.copyto(target, source)}, rounds=5)[0]
    return 2 * source.nbytes / copy


def sgemm_peak(size: int = 2048) -> float:
    """FLOP a second of NumPy's single-precision matrix product, in one thread."""
    from threadpoolctl import threadpool_limits

    left = np.random.default_rng(0).random((size, size), dtype=np.float32)
    target = np.empty_like(left)
    with threadpool_limits(1):
        product = medians({"sgemm": lambda: np.matmul(left, left, out=target)}, rounds=5)[0]
    return 2 * size**3 / product


def machine_limits() -> dict[str, float]:
    """Bytes a second of a copy, and FLOP a second of a matrix product, in one thread."""
    return {"copy, bytes/s": memory_bandwidth(), "sgemm, FLOP/s": sgemm_peak()}


def limits_said(limits: Mapping[str, float]) -> str:
    """Say the machine's limits in a sentence."""
    return (
        f"This machine, one thread: a copy moves {limits['copy, bytes/s'] / 1e9:.1f} GB/s, "
        f"sgemm does {limits['sgemm, FLOP/s'] / 1e9:.0f} GFLOP/s"
    )


def rmse(one: np.ndarray, other: np.ndarray) -> float:
    """Root mean square of the difference of two curves."""
    return float(np.sqrt(np.mean((one - other) ** 2)))


def exponent(sizes: list[float], times: list[float]) -> float:
    """Slope of log time against log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def write_record(name: str, found: Mapping[str, Any]) -> None:
    """Write a bench's numbers to results/, with the commit, machine and packages they are of."""
    path = Path("results") / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    origin = {**commit(), "host": host(), "versions": versions()}
    path.write_text(json.dumps({**origin, **found}, indent=2) + "\n")

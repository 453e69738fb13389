"""What people wait for: commands and slow fits, before and now, for `make bench`.

Processor time, user's and system's, of a command from its start to its end. Before was measured in
November 2026 on two shared cores (x86-64, AVX-512); another machine has another ratio.
Memory is what a process holds beside the files that it has mapped.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rich.table import Table

from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.scores.formats.scores import save_scores
from benching import WORKFLOW, simulated

FITS = 20


class Wait(NamedTuple):
    """Seconds of the processor, before, now and aimed at; most memory in bytes, where measured."""

    what: str
    before: float | None
    now: float
    goal: float
    memory: float = 0.0


def waits() -> Iterator[Wait]:
    """Time the commands, then the fits that were slow."""
    with tempfile.TemporaryDirectory() as folder:
        run(folder, "--help")
        yield Wait("accuracy-curves --help", 0.94, run(folder, "--help")[0], 0.3)
        for k, points, before, goal in ((338, 1, 5.9, 2.0), (500, 2, None, 2.0)):
            yield predict(folder, k, points, before, goal)
        yield predict(folder, 2000, 10, 82.0, 5.0)
    sample = simulated(100, 1000)
    for method, before in (("two_parameter", 0.14), ("pitman_yor", 0.16)):
        make_extrapolator(method).fit(sample)
        started = time.process_time()
        for _ in range(FITS):
            make_extrapolator(method).fit(sample)
        took = (time.process_time() - started) / FITS
        yield Wait(f"a fit of {method}, N = 1000, k1 = 100", before, took, 0.01)


def predict(folder: str, k: int, points: int, before: float | None, goal: float) -> Wait:
    """Time `accuracy-curves predict` with its default methods on a simulated matrix."""
    scores = Path(folder) / f"{k}.npz"
    save_scores(simulated(k, k * points), scores)
    took, memory = run(folder, "predict", scores.name, "--classes", str(4 * k))
    return Wait(f"predict, {k} classes, {k * points} points", before, took, goal, memory)


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


def as_table(found: list[Wait]) -> tuple[Table, list[dict[str, Any]]]:
    """Rows as they are printed, and as they are written."""
    table = Table("what", "before", "now", "goal", "", "most memory")
    rows = []
    for each in found:
        met = each.now <= each.goal
        memory = f"{each.memory / 1e9:.2f} GB" if each.memory else ""
        times = (
            "not measured" if seconds is None else f"{seconds:.3g} s"
            for seconds in (each.before, each.now, each.goal)
        )
        table.add_row(each.what, *times, "met" if met else "missed", memory)
        rows.append({**each._asdict(), "met": met})
    return table, rows


def main() -> None:
    """Print the table alone."""
    from rich.console import Console

    Console().print(as_table(list(waits()))[0])


if __name__ == "__main__":
    main()

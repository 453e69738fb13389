"""Timings, both sides in one run: `make bench` prints ratios and writes results/bench.json.

Seconds of the processor, so that the ratios hold on a busy machine. The other side is the released
notebook's way (CleaneX, average accuracy), one call of R's `density` a point (KDE), both written
anew, or R's package nnls (fits of curves).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

import bench_waits
from bench_cleanex import RANK, cleanex_rows, factored_input
from bench_methods import (
    MEMORY_TARGET,
    average_accuracy_memory,
    average_accuracy_rows,
    nnls_rows,
    streamed_rows,
)
from benching import Row, limits_said, machine_limits, medians, write_record

PARTS = (average_accuracy_rows, streamed_rows, cleanex_rows, nnls_rows)


def main() -> None:
    """Run every row, print the table, write the numbers."""
    console = Console()
    limits = machine_limits()
    # The rows take much longer.
    waited, waits = bench_waits.as_table(list(bench_waits.waits()))
    console.print(waited)
    found = [measured(row) for part in PARTS for row in part()]
    console.print(as_table(found))
    for line in speeds(found, limits):
        console.print(line)
    console.print(limits_said(limits))
    effect = factored_input()
    console.print(
        f"After {effect['steps']} steps, a tenth of a fit's, N = 1000, k1 = 500: an input of rank "
        f"{RANK} moves the predicted curve by {effect['factored']:.2g} RMSE, another seed by "
        f"{effect['between seeds']:.2g}"
    )
    if "R's nnls" not in {side for row in found for side in row["sides"]}:
        console.print("R's package nnls is not there (r-cran-nnls): its rows are left out")
    memory = average_accuracy_memory()
    met = memory["ours"] <= MEMORY_TARGET
    console.print(
        "Average accuracy, peak memory in score matrices: "
        + ", ".join(f"{side} {ratio:.2f}" for side, ratio in memory.items())
        + f"; target: at most {MEMORY_TARGET}, {said(met)}"
    )
    record = {
        "rows": found,
        "waits": waits,
        "memory": {**memory, "target, at most": MEMORY_TARGET, "met": met},
        "limits": limits,
        f"input of rank {RANK}": effect,
    }
    write_record("bench", record)


def measured(row: Row) -> dict[str, Any]:
    """Time a row: median seconds of each side, their ratio, and how fast ours computes or reads."""
    ours, other = medians(row.sides)
    ratio = other / ours
    found = {"what": row.what, "sides": list(row.sides), "ours": ours, "other": other}
    found |= {"ratio": ratio, "target": row.target}
    if row.target is not None:
        found["met"] = ratio >= row.target
    if row.flop:
        found["FLOP/s"] = row.flop / ours
    if row.read:
        found["bytes/s"] = row.read / ours
    return found


def as_table(found: Iterable[Mapping[str, Any]]) -> Table:
    """Rows as they are printed."""
    table = Table("what", "ours", "other side", "ratio", "target", "")
    for row in found:
        target = ("", "") if row["target"] is None else (f"{row['target']:g}", said(row["met"]))
        times = (time_said(row[side]) for side in ("ours", "other"))
        table.add_row(row["what"], *times, f"{row['ratio']:.1f}", *target)
    return table


def speeds(found: Iterable[Mapping[str, Any]], limits: Mapping[str, float]) -> Iterable[str]:
    """Say how fast ours computes and reads, where that is counted, beside the machine's limits."""
    for row in found:
        if "FLOP/s" in row:
            share = row["FLOP/s"] / limits["sgemm, FLOP/s"]
            speed = f"{row['FLOP/s'] / 1e9:.0f} GFLOP/s"
            yield f"{row['what']}: {speed}, {share:.0%} of this machine's sgemm in one thread"
        if "bytes/s" in row:
            yield f"{row['what']}: reads the scores at {row['bytes/s'] / 1e9:.1f} GB/s"


def said(met: bool) -> str:
    """Whether a target is met, in a word."""
    return "met" if met else "missed"


def time_said(seconds: float) -> str:
    """A time in seconds or milliseconds."""
    return f"{seconds:.3f} s" if seconds >= 0.1 else f"{1000 * seconds:.2f} ms"


if __name__ == "__main__":
    main()

"""Timings, both sides in one run: `make bench` prints ratios and writes results/bench.json.

The other side is the released notebook's way (CleaneX, average accuracy), one call of R's
`density` a point (KDE), both written anew, or R's package nnls (fits of curves).
"""

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench_cleanex import RANK, SHAPES, cleanex_rows, factored_input, flops_a_step
from bench_methods import (
    average_accuracy_memory,
    average_accuracy_rows,
    kde_rows,
    nnls_rows,
    streamed_rows,
)
from benching import medians, memory_bandwidth, sgemm_peak


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
    times = {row["what"]: row["ours"] for row in found}
    for (n_points, k1), steps in SHAPES.items():
        done = steps * flops_a_step(n_points, k1)
        speed = done / times[f"CleaneX, N = {n_points}, k1 = {k1}, {steps} steps"]
        share = speed / limits["sgemm, FLOP/s"]
        console.print(
            f"CleaneX, N = {n_points}, k1 = {k1}: {speed / 1e9:.0f} GFLOP/s, "
            f"{share:.0%} of this machine's sgemm in one thread"
        )
    effect = factored_input()
    console.print(
        f"Input of rank {RANK}, N = 5000, k1 = 500, 1000 steps: the predicted curve moves by "
        f"{effect['factored']:.2g} RMSE, by {effect['between seeds']:.2g} between seeds"
    )
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
    record = {"rows": found, "memory": memory, "limits": limits, "input of rank 64": effect}
    path.write_text(json.dumps(record, indent=2) + "\n")


def _time(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds >= 0.1 else f"{1000 * seconds:.2f} ms"


if __name__ == "__main__":
    main()

"""Timings, both sides in one run: `make bench` prints ratios.

Seconds of the processor, so that the ratios hold on a busy machine. The other side is the released
notebook's way (CleaneX, average accuracy), one call of R's `density` a point (KDE), both written
anew, or R's package nnls (fits of curves).
"""

from rich.console import Console
from rich.table import Table

import bench_waits
from bench_cleanex import cleanex_rows
from bench_methods import MEMORY_TARGET, average_accuracy_memory, average_accuracy_rows, nnls_rows
from benching import medians

PARTS = (average_accuracy_rows, cleanex_rows, nnls_rows)


def main() -> None:
    """Run every row, and print the tables."""
    console = Console()
    # The rows take much longer.
    console.print(bench_waits.as_table(list(bench_waits.waits())))
    table = Table("what", "ours", "other side", "ratio", "target", "")
    for row in (row for part in PARTS for row in part()):
        ours, other = medians(row.sides)
        met, times = said(other / ours >= row.target), [time_said(ours), time_said(other)]
        table.add_row(row.what, *times, f"{other / ours:.1f}", f"{row.target:g}", met)
    console.print(table)
    memory = average_accuracy_memory()
    console.print(
        "Average accuracy, peak memory in score matrices: "
        + ", ".join(f"{side} {ratio:.2f}" for side, ratio in memory.items())
        + f"; target: at most {MEMORY_TARGET}, {said(memory['ours'] <= MEMORY_TARGET)}"
    )


def said(met: bool) -> str:
    """Whether a target is met, in a word."""
    return "met" if met else "missed"


def time_said(seconds: float) -> str:
    """A time in seconds or milliseconds."""
    return f"{seconds:.3f} s" if seconds >= 0.1 else f"{1000 * seconds:.2f} ms"


if __name__ == "__main__":
    main()

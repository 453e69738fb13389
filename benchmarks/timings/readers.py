"""Seconds and processor seconds to read a million scores in each format of other tools.

    PYTHONPATH=workflow python benchmarks/timings/readers.py

1,000 probes for 1,000 identities; trials have as many lines.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import accuracy_curves as ac

N = 1000


def write_all(folder: Path) -> dict[str, Callable[[], object]]:
    """Write the files; give what reads each."""
    scores = np.random.default_rng(0).normal(size=(N, N)).round(6)
    probe, identity = np.divmod(np.arange(N * N), N)
    table = pd.DataFrame(
        {"probe": probe, "identity": identity, "score": scores.ravel(), "mate": probe == identity}
    )
    table.to_csv(folder / "long.csv", index=False)
    table.to_parquet(folder / "long.parquet")
    table[["score", "mate"]].to_csv(folder / "trials.csv", index=False)
    ids = {"query_ids": np.arange(N), "gallery_ids": np.arange(N)}
    np.savez(folder / "distmat.npz", distmat=scores, **ids)
    return {
        "long table, CSV": lambda: ac.load_searches(folder / "long.csv"),
        "long table, Parquet": lambda: ac.load_searches(folder / "long.parquet"),
        "trials": lambda: ac.load_searches(folder / "trials.csv"),
        "distance matrix": lambda: ac.load_searches(folder / "distmat.npz"),
    }


if __name__ == "__main__":
    print("| format | seconds | of processor time |")
    print("| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as place:
        for name, read in write_all(Path(place)).items():
            started, worked = time.perf_counter(), time.process_time()
            read()
            seconds, work = time.perf_counter() - started, time.process_time() - worked
            print(f"| {name} | {seconds:.2f} | {work:.2f} |", flush=True)

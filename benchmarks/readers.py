"""Seconds and processor seconds to read a million scores in each format of other tools.

    PYTHONPATH=workflow python benchmarks/readers.py

1,000 probes for 1,000 identities; two lists and trials have as many lines.
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
    text = {"sep": " ", "header": False, "index": False}
    table[["identity", "probe", "probe", "score"]].to_csv(folder / "bob", **text)
    word = np.where(table["mate"], "target", "nontarget")
    table.assign(word=word)[["identity", "probe", "word", "score"]].to_csv(folder / "kaldi", **text)
    np.savetxt(folder / "genuine", np.diagonal(scores))
    np.savetxt(folder / "impostor", scores.ravel())
    ids = {"query_ids": np.arange(N), "gallery_ids": np.arange(N)}
    np.savez(folder / "distmat.npz", distmat=scores, **ids)
    np.savez(folder / "match.npz", scores=scores, match=np.eye(N, dtype=bool))
    order = np.argsort(scores, axis=1)
    lists = np.take_along_axis(scores, order, axis=1), order
    return {
        "long table, CSV": lambda: ac.read_long_table(folder / "long.csv"),
        "long table, Parquet": lambda: ac.read_long_table(folder / "long.parquet"),
        "bob": lambda: ac.read_trials(folder / "bob", "bob"),
        "kaldi": lambda: ac.read_trials(folder / "kaldi", "kaldi"),
        "two lists": lambda: ac.read_score_lists(folder / "genuine", folder / "impostor"),
        "distance matrix": lambda: ac.read_distance_matrix(folder / "distmat.npz"),
        "match matrix": lambda: ac.read_match_matrix(folder / "match.npz"),
        "neighbours": lambda: ac.curve_of_neighbours(*lists, *ids.values()),
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

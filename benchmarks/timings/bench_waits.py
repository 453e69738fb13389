"""What people wait for: commands and the times that are aimed at, for `make bench`.

Processor time, user's and system's, of a command from its start to its end. Memory is what a
process holds beside the files that it has mapped.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.table import Table
from scipy.special import ndtri

from accuracy_curves import CandidateLists
from accuracy_curves.scores.formats.scores import save_scores
from benching import run, simulated


class Wait(NamedTuple):
    """Seconds of the processor, and those aimed at; most memory in bytes, where measured."""

    what: str
    seconds: float
    goal: float
    memory: float = 0.0


def waits() -> Iterator[Wait]:
    """Time the commands."""
    with tempfile.TemporaryDirectory() as folder:
        run(folder, "--help")
        yield Wait("accuracy-curves --help", run(folder, "--help")[0], 0.3)
        for k, points, goal in ((338, 1, 2.0), (500, 2, 2.0), (2000, 10, 5.0)):
            yield predict(folder, k, points, goal)
    with tempfile.TemporaryDirectory() as folder:
        yield from of_lists(folder)


def predict(folder: str, k: int, points: int, goal: float) -> Wait:
    """Time `accuracy-curves predict` with its default methods on a simulated matrix."""
    scores = Path(folder) / f"{k}.npz"
    save_scores(simulated(k, k * points), scores)
    took, memory = run(folder, "predict", scores.name, "--classes", str(4 * k))
    return Wait(f"predict, {k} classes, {k * points} points", took, goal, memory)


def of_lists(folder: str) -> Iterator[Wait]:
    """Time `predict` from a run of 100 x 1,000, and from 100,000 lists of 50."""
    rng, run_lines, qrels = np.random.default_rng(0), list[str](), list[str]()
    for query in range(100):
        ids, scores = rng.permutation(500_000)[:1000], -np.sort(-rng.gumbel(size=1000))
        relevant = ids[np.unique((1000 * rng.beta(0.5, 2, 60)).astype(int))]
        qrels += [f"{query} 0 d{each} 1" for each in relevant]
        scored = enumerate(zip(ids, scores, strict=True))
        run_lines += [f"{query} Q0 d{each} {rank} {score:.6f} a" for rank, (each, score) in scored]
    for name, lines in (("run.trec", run_lines), ("qrels.txt", qrels)):
        (Path(folder) / name).write_text("\n".join(lines) + "\n")
    n, k = 100_000, 1_000_000
    # The best 50 of k normal scores, and the right class's among them or behind.
    scores = -ndtri(np.cumsum(rng.exponential(size=(n, 50)), axis=1) / k)
    ids = (rng.integers(k // 2, size=(n, 1)) + 997 * np.arange(50)) % (k // 2)
    labels, own = k // 2 + rng.permutation(k // 2)[:n], rng.normal(5, 1, size=n)
    place = np.count_nonzero(scores > own[:, None], axis=1)
    found = np.flatnonzero(place < 50)
    ids[found, place[found]], scores[found, place[found]] = labels[found], own[found]
    lists = CandidateLists.from_neighbours(
        scores.astype(np.float32), ids, labels, higher_is_better=True, searched=k
    )
    save_scores(lists, Path(folder) / "lists.npz")
    commands = {
        "a run of 100 x 1,000": "run.trec --qrels qrels.txt --searched 500000 --classes 5000000",
        "100,000 lists of 50": "lists.npz --classes 10000000",
    }
    for what, words in commands.items():
        for measure in ("hit@1", "ndcg@10"):
            asked = (*words.split(), "--measure", measure, "--overwrite")
            took, memory = run(folder, "predict", *asked)
            yield Wait(f"predict, {what}, {measure}", took, 30.0, memory)


def as_table(found: list[Wait]) -> Table:
    """Rows as they are printed."""
    table = Table("what", "seconds", "goal", "", "most memory")
    for each in found:
        memory = f"{each.memory / 1e9:.2f} GB" if each.memory else ""
        times = f"{each.seconds:.3g}", f"{each.goal:.3g}"
        table.add_row(each.what, *times, "met" if each.seconds <= each.goal else "missed", memory)
    return table

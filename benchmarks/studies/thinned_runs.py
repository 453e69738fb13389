"""Runs with many relevant documents, thinned: `python benchmarks/studies/thinned_runs.py`.

15 of the 17 runs of TREC's Robust track of 2003 that trectools shows as examples (two have short
lists): 100 topics, 528,155 documents, 61 relevant ones a topic. A tenth of the documents is kept,
at random, and of each topic all that are relevant to it. `auto` predicts from these lists, of a
tenth of the documents, each measure of all of them. The run itself is the truth.

The runs are participants' data: they are downloaded to results/thinned_runs, and not committed. A
run that is done is not computed again. The table (`--table` writes
benchmarks/studies/thinned_runs.csv) has a row a run and measure.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pooch

import study
from accuracy_curves import Auto, CandidateLists, average_accuracy
from accuracy_curves.utils.seeds import derive_seed

BASE = (
    "https://raw.githubusercontent.com/joaopalotti/trectools/"
    "8a896def007e3d657eb29f820ee3de98e2f32691/examples/robust03"
)
RUNS = [
    *("InexpC2", "MU03rob01", "SABIR03BASE", "Sel50", "THUIRr0301", "UAmsT03RDesc", "UIUC03Rd1"),
    *("VTcdhgp1", "aplrob03a", "fub03IeOLKe3", "oce03noXbmD", "pircRBa1", "rutcor03100"),
    *("uic0301", "uwmtCR0"),
]
DOCUMENTS, KEPT, LENGTH = 528_155, 0.1, 20
MEASURES = ("hit@10", "mrr@10", "ndcg@10", "recall@10", "map@100", "recall@100")
FOLDER = Path("results/thinned_runs")


def fetch(name: str) -> pd.DataFrame:
    """Read a run or the judgements; both have columns of texts."""
    path = pooch.retrieve(f"{BASE}/{name}", known_hash=None, fname=Path(name).name, path=FOLDER)
    return pd.read_csv(path, sep=r"\s+", header=None, dtype=str, na_filter=False)


def lists_of(
    run: pd.DataFrame, relevant: pd.Series, kept: set[str], searched: int
) -> CandidateLists:
    """Make lists of what is kept of a run."""
    shown = []
    for topic, part in run.groupby("topic"):
        own = kept | relevant[topic]
        shown.append(part[[each in own for each in part["document"]]])
    shape = len(shown), max(map(len, shown))
    scores, ids = np.zeros(shape), np.full(shape, "", dtype=f"U{LENGTH}")
    for row, part in enumerate(shown):
        scores[row, : len(part)], ids[row, : len(part)] = part["score"], part["document"]
    right = [sorted(relevant[part["topic"].iloc[0]]) for part in shown]
    return CandidateLists.of_queries(scores, ids, right, searched=searched)


@cache
def judgements() -> pd.Series:
    """Read which documents are relevant to each topic."""
    qrels = fetch("qrel/robust03_qrels.txt")
    return qrels[qrels[3].astype(int) > 0].groupby(0)[2].apply(set)


def judged(name: str, splits: int) -> pd.DataFrame:
    """Predict from a tenth of the documents, and compare with all of them."""
    relevant = judgements()
    run = fetch(f"runs/input.{name}.gz").set_axis(
        ["topic", "", "document", "rank", "score", "system"], axis=1
    )
    run["score"] = run["score"].astype(float)
    run = run[run["topic"].isin(relevant.index)].drop_duplicates(["topic", "document"])
    run = run.sort_values(["topic", "score"], ascending=[True, False], kind="stable")
    documents = np.array(sorted({*run["document"]}))
    rng = np.random.default_rng(derive_seed("thinned runs", 0))
    kept = set(documents[rng.random(len(documents)) < KEPT])
    searched = round(KEPT * DOCUMENTS)
    whole = lists_of(run, relevant, set(documents), DOCUMENTS)
    part = lists_of(run, relevant, kept, searched)
    # A tenth of lists of 1,000 has less than three times the first 100.
    for lists in (whole, part):
        object.__setattr__(lists, "check_lengths", lambda top=1: None)
    found = study.predicted(study.fitted(part, splits, 0, Auto()), np.array([DOCUMENTS]), MEASURES)
    return found.assign(
        seen=[average_accuracy(part, searched, measure=each)[0] for each in MEASURES],
        truth=[average_accuracy(whole, DOCUMENTS, measure=each)[0] for each in MEASURES],
    )


def main() -> None:
    """Judge what is not there yet, and print the table."""
    asked = study.options(__doc__, splits=0)
    tasks = [(name, asked.splits) for name in RUNS]
    draws = study.drawn(FOLDER / "draws.csv", ["run", "splits"], tasks, judged)
    print(study.summary(draws, ["measure"], ["seen", "truth"]).round(3).to_string())
    columns = ["seen", "truth", "predicted", "lower", "upper"]
    study.show(draws.set_index(["run", "measure"])[columns], __file__, asked)


if __name__ == "__main__":
    main()

"""The three ways to grow, where the truth is known: `python benchmarks/studies/growth.py`.

Documents: 300 queries with 1 to 5 right answers among 2,000 documents. Groups: 400 searches for
classes of 100 to 200 groups of 1, 4 or 22, which correlate by .5 or .95. Candidates: 1,000 searches
of a catalogue of 1,000 items, each with 99 candidates of its own. `auto` predicts measures at 2 and
10 times the documents, classes or candidates, with 90 % intervals. The truth is the mean over new
samples of that size, whose ranks are counted one by one.

Every draw is written to results/growth once it is done, and is not computed again. The table
(`--table` writes benchmarks/studies/growth.csv) has a row a setting, measure and multiple: mean
error, root mean square error, share of the intervals that hold the truth, and their mean width.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import study
from accuracy_curves import Auto, ScoreMatrix
from accuracy_curves.utils.seeds import derive_seed

MEASURES = ("hit@1", "hit@10", "ndcg@10", "mrr@10")
# Others where a search has several right answers: of one they are hit and mrr.
OF_SEVERAL = (*MEASURES, "recall@10", "map@100")
FACTORS, SAMPLES, SEARCHES = (2, 10), 40, 1_000
DRAWS, TABLE = Path("results/growth"), Path(__file__).with_suffix(".csv")
# Scores (n, k) of n searches among k, and which are right.
Searched = tuple[np.ndarray, np.ndarray]


def documents(rng: np.random.Generator, k: int, n: int) -> Searched:
    """Draw cosines of queries and documents, of which 1 to 5 are like a query, in 16 dimensions."""
    queries, found = rng.normal(size=(n, 16)), rng.normal(size=(k, 16))
    owner = np.repeat(np.arange(n), rng.integers(1, 6, n))
    like = rng.uniform(0.6, 0.95, n)[owner, None]
    own = slice(len(owner))
    found[own] = like * queries[owner] + np.sqrt(1 - like**2) * found[own]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    right = np.zeros((n, k), dtype=bool)
    right[owner, np.arange(len(owner))] = True
    return (queries / np.linalg.norm(queries, axis=1, keepdims=True)) @ found.T, right


def groups(size: int, correlation: float) -> Callable[[np.random.Generator, int, int], Searched]:
    """Draw distances of points of unequal noise to classes of groups, in 10 dimensions."""

    def searched(rng: np.random.Generator, k: int, n: int) -> Searched:
        classes = np.sqrt(correlation) * np.repeat(rng.normal(size=(k // size, 10)), size, axis=0)
        classes += np.sqrt(1 - correlation) * rng.normal(size=classes.shape)
        labels = rng.permutation(np.arange(n) * k // n)
        points = classes[labels] + rng.normal(size=(n, 10)) * rng.lognormal(-0.9, 0.3, (n, 1))
        scores = 2 * points @ classes.T - np.square(classes).sum(axis=1)
        return scores, labels[:, None] == np.arange(k)

    return searched


def catalogue(rng: np.random.Generator, k: int, n: int) -> Searched:
    """Draw scores of users and items, of which some are popular; the right one is liked more."""
    users, items = rng.normal(size=(n, 8)), rng.normal(size=(k, 8))
    right = rng.integers(k, size=n)[:, None] == np.arange(k)
    scores = users @ items.T / 2 + rng.normal(size=k) + 2 * rng.gamma(2, 1, (n, 1)) * right
    return scores + rng.normal(size=(n, k)), right


def drawn_candidates(searched: Searched, rng: np.random.Generator) -> ScoreMatrix:
    """Draw 99 others for each search."""
    scores, right = searched
    others = scores[~right].reshape(len(scores), -1)
    return ScoreMatrix.from_drawn(scores[right], rng.permuted(others, axis=1)[:, :99])


def of_groups(size: int) -> Callable[[Searched, np.random.Generator], ScoreMatrix]:
    """Make a sample of groups of a size."""
    return lambda searched, _: ScoreMatrix(searched[0], searched[1].argmax(axis=1)).grouped(
        np.arange(searched[0].shape[1]) // size
    )


# The draw, how many the sample has, of how many they are drawn, searches, and the sample.
SETTINGS = {
    "documents": (documents, 2_000, 2_000, 300, lambda each, _: ScoreMatrix.of_queries(*each)),
    "candidates": (catalogue, 100, 1_000, 1_000, drawn_candidates),
    "groups of 1": (groups(1, 0.0), 200, 200, 400, of_groups(1)),
    "groups of 4, alike by .5": (groups(4, 0.5), 600, 600, 400, of_groups(4)),
    "groups of 4, alike by .95": (groups(4, 0.95), 600, 600, 400, of_groups(4)),
    "groups of 22, alike by .5": (groups(22, 0.5), 2_200, 2_200, 400, of_groups(22)),
    "groups of 22, alike by .95": (groups(22, 0.95), 2_200, 2_200, 400, of_groups(22)),
}


def measured(searched: Searched, measures: tuple[str, ...]) -> list[float]:
    """Take the mean of measures over searches, as trec_eval does."""
    scores, right = searched
    query, column = np.nonzero(right)
    own = scores[query, column]
    ranks = [1 + np.count_nonzero(scores[q] > score) for q, score in zip(query, own, strict=True)]
    found = pd.DataFrame({"query": query, "rank": ranks}).sort_values(["query", "rank"])
    by, rank = found.groupby("query"), found["rank"]
    place, number = by.cumcount() + 1, by["rank"].transform("size")
    gain, best = ((each <= 10) / np.log2(1 + each) for each in (rank, place))
    of_first = (place == 1) * 1.0
    counted = {
        **{"hit@1": of_first * (rank == 1), "hit@10": of_first * (rank <= 10)},
        **{"recall@10": (rank <= 10) / number, "map@100": (rank <= 100) * place / rank / number},
        "ndcg@10": gain / best.groupby(found["query"]).transform("sum"),
        "mrr@10": of_first * (rank <= 10) / rank,
    }
    return [counted[each].sum() / len(scores) for each in measures]


def asked(name: str) -> tuple[str, ...]:
    """Say what is measured in a setting."""
    return OF_SEVERAL if name == "documents" else MEASURES


def truth(name: str) -> pd.DataFrame:
    """Mean of every measure over new samples, at the multiples."""
    searched, k1, *_ = SETTINGS[name]
    rng = np.random.default_rng(derive_seed("growth", name, "truth"))
    rows = []
    for factor in FACTORS:
        new = (searched(rng, factor * k1, SEARCHES) for _ in range(SAMPLES))
        seen = np.array([measured(each, asked(name)) for each in new])
        error = seen.std(axis=0) / np.sqrt(SAMPLES)
        columns = {"measure": asked(name), "truth": seen.mean(axis=0), "truth_error": error}
        rows.append(pd.DataFrame(columns).assign(factor=factor))
    return pd.concat(rows)


def draw(name: str, number: int, splits: int) -> pd.DataFrame:
    """Predict every measure from one sample."""
    searched, k1, drawn_from, n, sample = SETTINGS[name]
    rng = np.random.default_rng(derive_seed("growth", name, number))
    intervals = study.fitted(sample(searched(rng, drawn_from, n), rng), splits, number, Auto())
    return study.predicted(intervals, np.multiply(FACTORS, k1), asked(name), factor=FACTORS)


def main() -> None:
    """Draw what is not there yet, and print the table."""
    options = study.options(__doc__, draws=30, splits=10)
    truths = study.drawn(DRAWS / "truth.csv", ["setting"], [(name,) for name in SETTINGS], truth)
    tasks = [(s, n, options.splits) for s in SETTINGS for n in range(options.draws)]
    draws = study.drawn(DRAWS / "draws.csv", ["setting", "draw", "splits"], tasks, draw)
    known = ["setting", "measure", "factor"]
    table = study.summary(draws.merge(truths, on=known), known, ["truth", "truth_error"])
    study.show(table, __file__, options)


if __name__ == "__main__":
    main()

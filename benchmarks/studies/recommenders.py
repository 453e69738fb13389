"""Recommenders tested with 99 drawn items: `python benchmarks/studies/recommenders.py DATA`.

DATA is a folder with Beauty.txt, Toys_and_Games.txt, Sports_and_Outdoors.txt, Yelp.txt and
LastFM.txt of RUCAIBox/CIKM2020-S3Rec, and Video.txt of kang205/SASRec (others' data, which are not
committed). Users with three items and more count; the last item of each is left out, and to be
found. Three models score all items that a user did not take before: EASE (on up to 13,000 items, as
it inverts a matrix of them), a truncated SVD, and ALS. The truth is the mean over all users among
all these items. A draw is of 2,000 users (half, if they are fewer) and 99 such items for each. From
these `auto` predicts the truth, with a 90 % interval.

A set and model that are done are not computed again. The table (`--table` writes
benchmarks/studies/recommenders.csv) has a row a set, model, draw and measure.
"""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.linalg import inv
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

import study
from accuracy_curves import Auto, ScoreMatrix
from accuracy_curves.observed.measures import Measure
from accuracy_curves.utils.seeds import derive_seed

SETS = ("LastFM", "Toys_and_Games", "Beauty", "Sports_and_Outdoors", "Yelp", "Video")
MEASURES = ("hit@1", "hit@10", "ndcg@10")
USERS, DRAWN, BLOCK, LARGEST = 2_000, 99, 500, 13_000
PATH = Path("results/recommenders/draws.csv")
# Scores of all items for some users.
Scores = Callable[[np.ndarray], np.ndarray]


@cache
def read(path: Path) -> tuple[csr_matrix, np.ndarray]:
    """Read which items each user took, but for the last one, and the last one."""
    rows = [line.split() for line in path.read_text().splitlines()]
    if path.stem == "Video":  # A line is a user and an item, in the order of time.
        pairs = pd.DataFrame(rows)
    else:
        pairs = pd.DataFrame([(user, item) for user, *items in rows for item in items])
    # Who took one or two shows nothing.
    pairs = pairs[pairs.groupby(0)[1].transform("size") > 2]
    user, item = (pd.factorize(pairs[column])[0] for column in pairs)
    last = ~pd.Series(user).duplicated(keep="last").to_numpy()
    taken = csr_matrix((np.ones(np.sum(~last)), (user[~last], item[~last])), dtype=np.float32)
    taken.resize((user.max() + 1, item.max() + 1))
    taken.data[:] = 1
    return taken, item[last][np.argsort(user[last])]


def ease(taken: csr_matrix, weight: float = 250.0) -> Scores:
    """Fit a linear model of each item by the others (Steck 2019)."""
    similar = (taken.T @ taken).toarray()
    similar[np.diag_indices_from(similar)] += weight
    found = np.ascontiguousarray(inv(similar, overwrite_a=True, check_finite=False))
    found /= -np.diag(found).copy()
    np.fill_diagonal(found, 0)
    return lambda users: taken[users] @ found


def svd(taken: csr_matrix, rank: int = 64) -> Scores:
    """Take the largest singular values."""
    seed = np.random.default_rng(derive_seed("recommenders", "svd"))
    _, _, items = svds(taken, rank, v0=seed.normal(size=min(taken.shape)))
    return lambda users: taken[users] @ items.T @ items


def als(taken: csr_matrix, rank: int = 32, rounds: int = 8) -> Scores:
    """Fit factors by alternating least squares, of which what was taken weighs 20 (Hu 2008)."""
    rng = np.random.default_rng(derive_seed("recommenders", "als"))
    factors = [rng.normal(scale=0.1, size=(n, rank)) for n in taken.shape]
    for _ in range(rounds):
        for side, given in ((0, taken), (1, taken.T.tocsr())):
            others = factors[1 - side]
            base = others.T @ others + np.eye(rank)
            for row, near in enumerate(np.split(given.indices, given.indptr[1:-1])):
                near = others[near]
                factors[side][row] = np.linalg.solve(
                    base + 19 * near.T @ near, 20 * near.sum(axis=0)
                )
    return lambda users: factors[0][users] @ factors[1].T


MODELS = {"EASE": ease, "SVD": svd, "ALS": als}


def of_ranks(above: np.ndarray, tied: np.ndarray, measure: Measure) -> float:
    """Mean of a measure where so many items are above and tied, whose order is by chance."""
    earned = np.append(0, np.cumsum(measure.discounts))
    first, last = (np.minimum(each, measure.top) for each in (above, above + tied + 1))
    return float(np.mean((earned[last] - earned[first]) / (tied + 1)))


def judged(folder: Path, name: str, model: str, draws: int, splits: int) -> pd.DataFrame:
    """Predict from drawn items, and compare with all."""
    taken, right = read(folder / f"{name}.txt")
    if model == "EASE" and taken.shape[1] > LARGEST:
        return pd.DataFrame()
    scores = MODELS[model](taken)
    n, items = taken.shape
    above, tied, own = np.zeros(n, int), np.zeros(n, int), np.zeros(n)
    rng = np.random.default_rng(derive_seed("recommenders", "draws"))
    drawn = np.zeros((n, draws, DRAWN))
    for users in np.split(np.arange(n), range(BLOCK, n, BLOCK)):
        block, here = scores(users).astype(np.float32), np.arange(len(users))
        own[users] = mine = block[here, right[users]]
        others = taken[users].toarray() == 0
        others[here, right[users]] = False
        above[users] = np.count_nonzero(others & (block > mine[:, None]), axis=1)
        tied[users] = np.count_nonzero(others & (block == mine[:, None]), axis=1)
        for row, user in enumerate(users):
            free = np.flatnonzero(others[row])
            drawn[user] = block[row, rng.choice(free, (draws, DRAWN), replace=False)]
    asked = [Measure.of(1, each) for each in MEASURES]
    truth = [of_ranks(above, tied, each) for each in asked]
    k = round(items - taken.sum() / n)
    rows = []
    for number in range(draws):
        users = rng.choice(n, min(USERS, n // 2), replace=False)
        sample = ScoreMatrix.from_drawn(own[users], drawn[users, number], seed=number)
        rows.append(
            study.predicted(study.fitted(sample, splits, number, Auto()), np.array([k]), MEASURES)
        )
        rows[-1] = rows[-1].assign(truth=truth, draw=number, users=n, items=items)
    return pd.concat(rows)


def main() -> None:
    """Judge what is not there yet, and print the table."""
    asked = study.options(__doc__, data=Path, draws=5, splits=10)
    tasks = [(s, m, asked.draws, asked.splits) for s in SETS for m in MODELS]
    draws = study.drawn(
        PATH, ["set", "model", "draws", "splits"], tasks, partial(judged, asked.data)
    )
    print(study.summary(draws, ["set", "model", "measure"], ["truth"]).round(4).to_string())
    columns = ["truth", "predicted", "lower", "upper"]
    keys = ["set", "model", "users", "items", "draw", "measure"]
    study.show(draws.set_index(keys)[columns], __file__, asked)


if __name__ == "__main__":
    main()

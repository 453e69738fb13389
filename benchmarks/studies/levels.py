"""False alarms of scores of few levels: `python benchmarks/studies/levels.py`.

A score is the weight of the features in which two things agree: fields of records, bits of hashes
of images, or fingerprints of recordings. Their values are random, so that the chance of each score
is known for each search. From tests of 200 identities FPIR in a gallery of 2,000 is predicted, with
90 % intervals, at the levels at which it is .05 to .1.

Every draw is written to results/levels once it is done, and is not computed again. The table
(`--table` writes levels.csv) has a row a law and method, and the geometric mean of two: mean and
root mean square of the log of the predicted rate over the true one, share of the intervals that
hold it, and mean width on that scale.
"""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import study
from accuracy_curves import Identification, Searches
from accuracy_curves.utils.seeds import derive_seed

DRAWS, METHODS = Path("results/levels/draws.csv"), ("auto", "regression")
K1, K, SPLITS, MANY = 200, 2_000, 10, 4_000
# The least rate that is distinguished from none.
LEAST = 1e-4


# Chances of the values of each feature, of which 0 agrees with nothing, and its weight.
Law = tuple[np.ndarray, np.ndarray]


def records(unit: int, *sizes: int, missing: float = 0.0) -> Law:
    """Fields of so many values, by Zipf's law; how rarely two agree weighs, in levels a halving."""
    values = np.arange(1, 1 + max(sizes))
    found = np.where(values <= np.c_[[*sizes]], values**-0.8, 0)
    found *= (1 - missing) / found.sum(axis=1, keepdims=True)
    weights = np.round(-unit * np.log2(np.square(found).sum(axis=1))).astype(int)
    return np.c_[np.full(len(sizes), missing), found], weights


def hashes(bits: int, most: float) -> Law:
    """Bits, of which some are more often 1."""
    ones = np.linspace(1 - most, most, bits)
    return np.c_[0 * ones, ones, 1 - ones], np.ones(bits, int)


def fingerprints(number: int, share: float, power: float) -> Law:
    """Fingerprints that are there, or not, some more often."""
    there = share * np.arange(1.0, 1 + number) ** -power
    return np.c_[1 - there, there], np.ones(number, int)


LAWS = {
    "records, 4 fields": records(1, 300, 200, 60, 12),
    "records, 5 fields": records(3, 800, 400, 100, 60, 30),
    "records, 7 fields, a fifth missing": records(2, 2000, 1000, 400, 200, 60, 30, 8, missing=0.2),
    "hashes, 64 equal bits": hashes(64, 0.5),
    "hashes, 64 unequal bits": hashes(64, 0.72),
    "hashes, 128 unequal bits": hashes(128, 0.7),
    "120 fingerprints": fingerprints(120, 0.4, 0.4),
    "200 fingerprints": fingerprints(200, 0.3, 0.3),
    "200 fingerprints, most of them rare": fingerprints(200, 0.5, 0.5),
}


def things(name: str, n: int, rng: study.Rng) -> np.ndarray:
    """Draw the values of n things, (features, n)."""
    return np.array([rng.choice(len(each), n, p=each) for each in LAWS[name][0]])


def levels(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Find levels at which FPIR is .05 to .1, and the rates: the mean over many searches."""
    (chances, weights), values = LAWS[name], things(name, MANY, np.random.default_rng(0))
    agree = np.take_along_axis(chances, values, axis=1) * (values > 0)
    of = np.eye(1, 1 + weights.sum()).repeat(MANY, axis=0)
    for chance, weight in zip(agree[..., None], weights, strict=True):
        of += chance * (np.roll(of, weight, axis=1) - of)
    beyond = of[:, ::-1].cumsum(axis=1)[:, ::-1].clip(0, 1)
    rates = 1 - np.mean((1 - beyond) ** K, axis=0)
    at = np.flatnonzero((rates >= 0.05) & (rates <= 0.1))
    return at, rates[at]


def draw(name: str, number: int) -> pd.DataFrame:
    rng = np.random.default_rng(derive_seed("levels", name, number))
    one, other = things(name, K1, rng)[:, :, None], things(name, K1, rng)[:, None]
    scores = np.einsum("f,fxy->xy", LAWS[name][1], (one == other) & (one > 0))
    searches, (at, rates), logs = Searches(scores, np.arange(K1)), levels(name), {}
    for method in METHODS:
        found = Identification(searches, method, splits=SPLITS).fpir_interval(K, at)
        logs[method] = np.log(np.maximum([found.value, found.lower, found.upper], LEAST))
    logs["geometric mean"] = np.mean([*logs.values()], axis=0)
    columns = ["predicted", "lower", "upper"]
    rows = [pd.DataFrame(each.T, columns=columns).assign(how=how) for how, each in logs.items()]
    return pd.concat([each.assign(level=at, truth=np.log(rates)) for each in rows])


def main() -> None:
    asked = study.options(__doc__, draws=10)
    tasks = product(LAWS, range(asked.draws))
    draws = study.drawn(DRAWS, ["law", "draw"], tasks, draw)
    study.show(study.summary(draws, ["law", "how"]), __file__, asked)


if __name__ == "__main__":
    main()

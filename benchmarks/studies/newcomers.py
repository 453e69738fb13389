"""Classes to come that are unlike the known ones: `python benchmarks/studies/newcomers.py DATA`.

Queries of 60 known classes are scored for these and for 30 or 60 newcomers of 540. `auto` predicts
the accuracy among all 600, with 90 % intervals, from the known classes alone and with newcomers.
Simulated newcomers are closer, farther, shifted, clustered, drifting or spreading. Real ones are
of other alphabets, people with one photo, or names in other scripts; each real set is also divided
at random. DATA is the folder of the sets of trained.py.

Every draw is written to results/newcomers once it is done, and is not computed again. The table
(`--table` writes newcomers.csv) has a row a population: root mean square error in points, share of
the intervals that hold the truth and mean width, from the known classes and with newcomers, and
the share of the draws whose test finds a difference.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from unicodedata import category, name

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfVectorizer

import accuracy_curves as ac
import study
from accuracy_curves.intervals.newcomers import UNLIKE, JoinedFits, against_newcomers
from accuracy_curves.utils.seeds import derive_seed
from trained import public_set

PATH = Path("results/newcomers/draws.csv")
KNOWN, EVERY, QUERIES, NEWCOMERS, DRAWS = 60, 600, 3, (30, 60), 20
DIMENSIONS, FIRST_AXIS = 8, np.eye(8)[0]
# Sizes of Omniglot's alphabets, in the order of its folders.
ALPHABETS = [20, 29, 26, 41, 40, 24, 46, 14, 26, 34, 33, 22, 26, 43, 24, 48, 22, 16, 52, 47]
ALPHABETS += [40, 26, 40, 41, 33, 14, 42, 23, 17, 55]
# Known classes and newcomers, (n, d), and queries of the known, class by class.
Drawn = tuple[np.ndarray, np.ndarray, np.ndarray]


def simulated(change: Callable[..., np.ndarray], _: Path, rng: study.Rng) -> Drawn:
    """Draw normal classes; newcomers are changed, in some way by their time, from 0 to 1."""
    classes, time = rng.normal(size=(EVERY, DIMENSIONS)), np.linspace(0, 1, EVERY - KNOWN)[:, None]
    known, new = classes[:KNOWN], change(classes[KNOWN:], time, rng)
    noise = 0.6 * rng.normal(size=(KNOWN * QUERIES, DIMENSIONS))
    return known, new, np.repeat(known, QUERIES, axis=0) + noise


def clustered(new: np.ndarray, _: np.ndarray, rng: study.Rng) -> np.ndarray:
    return rng.normal(size=(12, DIMENSIONS))[rng.integers(12, size=len(new))] + 0.4 * new


def in_order(group: np.ndarray, rng: study.Rng, *, same: bool) -> np.ndarray:
    """Order classes group by group, or at random."""
    order = rng.permutation(len(group))
    place = rng.permutation(group.max() + 1)[group[order]]
    return order if same else order[np.argsort(place, kind="stable")]


@cache
def embedded(folder: Path, name: str, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
    points, classes = public_set(folder, name)
    return PCA(dimensions, random_state=0).fit_transform(points), classes


def enrolled(points: np.ndarray, owner: np.ndarray, order: np.ndarray, rng: study.Rng) -> Drawn:
    """Enrol a point of each class, in order; others of the first ones are queries."""
    own = [rng.permutation(np.flatnonzero(owner == c))[: 1 + QUERIES] for c in order[:KNOWN]]
    new = [rng.choice(np.flatnonzero(owner == c)) for c in order[KNOWN:EVERY]]
    known, *queries = np.transpose(own)
    return points[known], points[new], points[np.transpose(queries).ravel()]


def alphabets(folder: Path, rng: study.Rng, *, same: bool = False) -> Drawn:
    order = in_order(np.arange(len(ALPHABETS)).repeat(ALPHABETS), rng, same=same)
    return enrolled(*embedded(folder, "drawn characters", 30), order, rng)


def one_photo(folder: Path, rng: study.Rng, *, same: bool = False) -> Drawn:
    """People with one photo come where the known have ten or more."""
    photos, person = embedded(folder, "faces", 14)
    counts = np.bincount(person)
    many, few = (counts > QUERIES, counts > QUERIES) if same else (counts >= 10, counts == 1)
    known = rng.permutation(np.flatnonzero(many))[:KNOWN]
    new = np.setdiff1d(rng.permutation(np.flatnonzero(few)), known, assume_unique=True)
    return enrolled(photos, person, np.r_[known, new], rng)


def scripts(_: Path, rng: study.Rng, *, same: bool = False) -> Drawn:
    """Names of letters, whose first word is the script; queries have wrong letters."""
    every = [name(each) for each in map(chr, range(0x250, 0x1F00)) if category(each)[0] == "L"]
    _, script = np.unique([each.split()[0] for each in every], return_inverse=True)
    names = [every[place] for place in in_order(script, rng, same=same)[:EVERY]]
    for each in np.repeat(names[:KNOWN], QUERIES):
        written = np.array(list(each))
        wrong = rng.random(len(written)) < 0.35
        written[wrong] = [chr(code) for code in rng.integers(65, 91, wrong.sum())]
        names.append("".join(written))
    pairs = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), use_idf=False)
    found = pairs.fit_transform(re.sub("[^A-Z]", "_", each) for each in names).toarray()
    return found[:KNOWN], found[KNOWN:EVERY], found[EVERY:]


POPULATIONS: dict[str, Callable[[Path, study.Rng], Drawn]] = {
    "closer": partial(simulated, lambda new, *_: 0.6 * new),
    "farther": partial(simulated, lambda new, *_: 1.6 * new),
    "shifted": partial(simulated, lambda new, *_: new + 2 * FIRST_AXIS),
    "clustered": partial(simulated, clustered),
    "drifting": partial(simulated, lambda new, time, _: new + 4 * time * FIRST_AXIS),
    "spreading": partial(simulated, lambda new, time, _: new * (1 + 1.5 * time)),
    "alphabets": alphabets,
    "one photo": one_photo,
    "scripts": scripts,
    "like the known": partial(simulated, lambda new, *_: new),
    "characters at random": partial(alphabets, same=True),
    "people at random": partial(one_photo, same=True),
    "names at random": partial(scripts, same=True),
}


def draw(folder: Path, name: str, number: int) -> pd.DataFrame:
    rng = np.random.default_rng(derive_seed("newcomers", name, number))
    (*of, queries), m = POPULATIONS[name](folder, rng), NEWCOMERS[number % 2]
    known, new = (-np.linalg.norm(queries[:, None] - classes, axis=2) for classes in of)
    chosen = new[:, rng.choice(new.shape[1], m, replace=False)]
    sample = ac.ScoreMatrix(known, np.repeat(np.arange(KNOWN), QUERIES))
    every = against_newcomers(sample.joined_by(new))
    (truth,) = ac.average_accuracy(every, every.n_classes)
    rows, k = [], np.array([EVERY])
    for how, tested in (("known", sample), ("newcomers", sample.joined_by(chosen))):
        fits = study.fitted(tested, 6, number)
        unlike = isinstance(fits.variation, JoinedFits) and fits.variation.difference.p <= UNLIKE
        rows.append(study.predicted(fits, k, how=how, truth=truth, unlike=unlike, m=m))
    return pd.concat(rows)


def main() -> None:
    asked = study.options(__doc__, data=Path, draws=DRAWS)
    tasks = [(name, number) for number in range(asked.draws) for name in POPULATIONS]
    draws = study.drawn(PATH, ["population", "draw"], tasks, partial(draw, asked.data))
    table = study.side_by_side(draws, "population", "how", ["rmse", "held", "width"])
    of_test = draws[draws["how"] == "newcomers"].groupby("population")["unlike"]
    table["unlike"], table["draws"] = of_test.mean(), of_test.size()
    study.show(table, __file__, asked)


if __name__ == "__main__":
    main()

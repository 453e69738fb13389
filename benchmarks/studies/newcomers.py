"""Classes to come that are unlike the known ones: `python benchmarks/studies/newcomers.py DATA`.

Queries of some known classes are scored for these and for m = 30 or 60 newcomers, which are sampled
from many. `auto` predicts the accuracy of the queries at ten times the classes, with 90 %
intervals, from the known classes alone and with the newcomers. The truth is the mean over all
subsets of the newcomers. Simulated newcomers are closer, farther, shifted, clustered, drifting or
spreading. Real ones are of other alphabets (brendenlake/omniglot), people with one photo where the
known have ten (embedded from honghuCode/mobileFacenet-ncnn), or Unicode names of other scripts,
which are found by names with wrong letters. Each real set is also divided at random. DATA is the
folder of omniglot_background.npz and lfw_mobilefacenet.npz.

Every draw is written to results/newcomers once it is done, and is not computed again. The table
(`--table` writes benchmarks/studies/newcomers.csv) has a row a population: root mean square error
in points, share of the intervals that hold the truth and their mean width, from the known classes
and with newcomers, and the share of the draws whose test finds a difference.
"""

import unicodedata
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA

import accuracy_curves as ac
import study
from accuracy_curves.intervals.newcomers import JoinedFits, against_newcomers
from accuracy_curves.utils.seeds import derive_seed

PATH = Path("results/newcomers/draws.csv")
KNOWN, TIMES, QUERIES, NEWCOMERS, DRAWS = 60, 10, 3, (30, 60), 20
DIMENSIONS, NOISE = 8, 0.6
# Sizes of Omniglot's alphabets, in the order of its folders.
ALPHABETS = [20, 29, 26, 41, 40, 24, 46, 14, 26, 34, 33, 22, 26, 43, 24, 48, 22, 16, 52, 47]
ALPHABETS += [40, 26, 40, 41, 33, 14, 42, 23, 17, 55]
Rng = np.random.Generator


class Drawn(NamedTuple):
    """Known classes and many newcomers, (n, d), and queries of the known, class by class."""

    known: np.ndarray
    new: np.ndarray
    queries: np.ndarray


def simulated(change: Callable[[np.ndarray, Rng], np.ndarray]) -> Callable[[Path, Rng], Drawn]:
    """Draw normal classes, of which the newcomers are changed."""

    def drawn(_: Path, rng: Rng) -> Drawn:
        classes = rng.normal(size=(KNOWN * TIMES, DIMENSIONS))
        known, new = classes[:KNOWN], change(classes[KNOWN:], rng)
        noise = NOISE * rng.normal(size=(KNOWN * QUERIES, DIMENSIONS))
        return Drawn(known, new, np.repeat(known, QUERIES, axis=0) + noise)

    return drawn


def clustered(new: np.ndarray, rng: Rng) -> np.ndarray:
    return rng.normal(size=(12, DIMENSIONS))[rng.integers(12, size=len(new))] + 0.4 * new


def drifting(new: np.ndarray, rng: Rng) -> np.ndarray:
    return new + np.linspace(0, 4, len(new))[:, None] * np.eye(DIMENSIONS)[0]


def spreading(new: np.ndarray, rng: Rng) -> np.ndarray:
    return new * np.linspace(1, 2.5, len(new))[:, None]


@cache
def characters(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Drawings of characters, (964, 20, d), and the alphabet of each character."""
    with np.load(folder / "omniglot_background.npz") as data:
        images = data["images"][..., ::4, ::4].reshape(964 * 20, -1).astype(np.float32)
    found = PCA(30, random_state=0).fit_transform(images).reshape(964, 20, -1)
    return found, np.repeat(np.arange(len(ALPHABETS)), ALPHABETS)


@cache
def faces(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    with np.load(folder / "lfw_mobilefacenet.npz") as data:
        photos, person = data["embeddings"], data["person"]
    return PCA(14, random_state=0).fit_transform(photos), person, np.bincount(person)


@cache
def names() -> tuple[list[str], np.ndarray]:
    """Names of letters, and the script of each, its first word."""
    letters = [chr(code) for code in range(0x250, 0x1F00)]
    known = [unicodedata.name(each) for each in letters if unicodedata.category(each)[0] == "L"]
    return known, np.array([each.split()[0] for each in known])


def other_alphabets(folder: Path, rng: Rng, *, same: bool = False) -> Drawn:
    drawings, alphabet = characters(folder)
    order = rng.permutation(len(drawings))
    if not same:
        place = rng.permutation(len(ALPHABETS))[alphabet]
        order = order[np.argsort(place[order], kind="stable")]
    chosen = rng.permuted(np.tile(np.arange(20), (len(order), 1)), axis=1)[:, : 1 + QUERIES]
    taken = drawings[order[:, None], chosen]
    queries = taken[:KNOWN, 1:].reshape(KNOWN * QUERIES, -1)
    return Drawn(taken[:KNOWN, 0], taken[KNOWN : KNOWN * TIMES, 0], queries)


def one_photo(folder: Path, rng: Rng, *, same: bool = False) -> Drawn:
    photos, person, counts = faces(folder)
    least = 1 + QUERIES
    many = rng.permutation(np.flatnonzero(counts >= (least if same else 10)))
    few = rng.permutation(np.flatnonzero(counts >= least if same else counts == 1))
    known = many[:KNOWN]
    new = np.setdiff1d(few, known, assume_unique=True)[: KNOWN * (TIMES - 1)]
    of_known = [rng.permutation(np.flatnonzero(person == each))[:least] for each in known]
    first = [rng.choice(np.flatnonzero(person == each)) for each in new]
    rows = np.array(of_known)
    return Drawn(photos[rows[:, 0]], photos[first], photos[rows[:, 1:].ravel()])


def vectors(texts: list[str]) -> np.ndarray:
    """Count pairs of letters, (n, 27 * 27), of length 1."""
    found = np.zeros((len(texts), 27 * 27))
    for row, text in zip(found, texts, strict=True):
        places = [max(ord(letter) - 64, 0) % 27 for letter in text]
        np.add.at(row, [27 * a + b for a, b in pairwise(places)], 1)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def other_scripts(_: Path, rng: Rng, *, same: bool = False) -> Drawn:
    every, script = names()
    order = rng.permutation(len(every))
    if not same:
        place = {each: rng.random() for each in np.unique(script)}
        order = order[np.argsort([place[each] for each in script[order]], kind="stable")]
    chosen = [every[place] for place in order[: KNOWN * TIMES]]
    wrong = []
    for name in np.repeat(chosen[:KNOWN], QUERIES):
        letters = np.array(list(name))
        changed = rng.random(len(letters)) < 0.35
        letters[changed] = [chr(each) for each in rng.integers(65, 91, changed.sum())]
        wrong.append("".join(letters))
    known, new, queries = map(vectors, (chosen[:KNOWN], chosen[KNOWN:], wrong))
    return Drawn(known, new, queries)


def at_random(real: Callable[..., Drawn]) -> Callable[[Path, Rng], Drawn]:
    return lambda folder, rng: real(folder, rng, same=True)


POPULATIONS = {
    "closer": simulated(lambda new, _: 0.6 * new),
    "farther": simulated(lambda new, _: 1.6 * new),
    "shifted": simulated(lambda new, _: new + 2 * np.eye(DIMENSIONS)[0]),
    "clustered": simulated(clustered),
    "drifting": simulated(drifting),
    "spreading": simulated(spreading),
    "alphabets": other_alphabets,
    "one photo": one_photo,
    "scripts": other_scripts,
    "like the known": simulated(lambda new, _: new),
    "characters at random": at_random(other_alphabets),
    "people at random": at_random(one_photo),
    "names at random": at_random(other_scripts),
}


def draw(folder: Path, name: str, number: int) -> pd.DataFrame:
    rng = np.random.default_rng(derive_seed("newcomers", name, number))
    drawn, m = POPULATIONS[name](folder, rng), NEWCOMERS[number % 2]
    known, new = (
        -np.linalg.norm(drawn.queries[:, None] - of, axis=2) for of in (drawn.known, drawn.new)
    )
    # Those that drift come in their order: newcomers are of the whole time.
    chosen = rng.choice(new.shape[1], m, replace=False)
    sample = ac.ScoreMatrix(known, np.repeat(np.arange(KNOWN), QUERIES))
    every = against_newcomers(sample.joined_by(new))
    (truth,) = ac.average_accuracy(every, every.n_classes)
    rows, k = [], np.array([KNOWN + new.shape[1]])
    for how, of in (("known", sample), ("newcomers", sample.joined_by(new[:, chosen]))):
        fits = study.fitted(of, 6, number)
        unlike = isinstance(fits.variation, JoinedFits) and fits.variation.difference.is_found
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

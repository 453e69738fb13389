"""Intervals and error rates on laws of scores: `python benchmarks/studies/laws.py --draws 100`.

A law says how the scores of any number of classes are drawn. The accuracy at 2, 10 and 100 k1 is
measured on 20,000 classes. Each draw is a test of k1 classes with some probes each, and gives a
prediction with its 90 % interval. None of the laws is a data set of this repository.
On the first nine `auto` was once wrong: bad probes, some classes unlike the others, hubs, wrong
names. So it was on the last six, which came later: names with typos, few levels, species in a tree,
classes with 1 or 30 points, wrong names with failed photos, exact matches.

Every draw is written to results/laws once it is done, and is not computed again. The table of a
law and a multiple of k1 (`--table` puts it into benchmarks/studies/laws.csv) has the share of
intervals that hold the accuracy, the mean score of the intervals (Gneiting and Raftery 2007,
Equation 43) with its standard error, in points, and the mean predicted over the true error rate.
`--code` is the name of the code that is measured: PYTHONPATH may be the `workflow` of another
commit.
"""

import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import study
from accuracy_curves import ClassIntervals, ScoreMatrix, average_accuracy
from accuracy_curves.utils.seeds import derive_seed
from experiments.evaluation.interval_coverage import interval_score
from study import Rng, Scores

FACTORS, LEVEL = np.array([2, 10, 100]), 0.9
# Classes that give the true accuracy, and probes of each.
ALL, PROBES = 20_000, 2
TABLE = Path(__file__).with_suffix(".csv")
DRAWS = Path("results/laws")

# A law draws so many classes.
Law = Callable[[int, Rng], Scores]
# So many factors of the noise of classes or points.
Factors = Callable[[int, Rng], np.ndarray]


def normal(shape: tuple[int, ...], rng: Rng) -> np.ndarray:
    return rng.standard_normal(shape, dtype=np.float32)


def equal(n: int, rng: Rng) -> np.ndarray:
    return np.ones(n)


def log_normal(sd: float) -> Factors:
    return lambda n, rng: np.exp(sd * rng.standard_normal(n))


def some(share: float, times: float) -> Factors:
    """A share has so many times the noise of the others."""
    return lambda n, rng: np.where(rng.random(n) < share, times, 1.0)


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


# Where classes are: so many of them, in so many dimensions.
Places = Callable[[int, int, Rng], np.ndarray]


def gaussian(n: int, d: int, rng: Rng) -> np.ndarray:
    return normal((n, d), rng)


def heavy_tails(n: int, d: int, rng: Rng) -> np.ndarray:
    """Student's t with 3 degrees of freedom."""
    return normal((n, d), rng) / np.sqrt(rng.chisquare(3, (n, 1)) / 3)


def clusters(number: int, within: float, zipf: float = 0.0) -> Places:
    """Classes around the centres of clusters, whose sizes follow Zipf's law."""

    def places(n: int, d: int, rng: Rng) -> np.ndarray:
        centres = np.random.default_rng(number).normal(size=(number, d))
        sizes = np.arange(1.0, number + 1) ** -zipf
        chosen = rng.choice(number, size=n, p=sizes / sizes.sum())
        return centres[chosen] + within * normal((n, d), rng)

    return places


def relatives(size: int, share: float, apart: float) -> Places:
    """A share of all classes come in groups of so many, which are near to each other."""

    def places(n: int, d: int, rng: Rng) -> np.ndarray:
        groups = int(ALL * share) // size
        first = np.arange(ALL)
        first[: groups * size] = np.repeat(np.arange(groups), size)
        found = normal((ALL, d), rng)[first] + apart * normal((ALL, d), rng)
        return found[rng.permutation(ALL)[:n]]

    return places


def crowded(share: float, sd: float) -> Places:
    """A share of the classes are crowded in one place."""

    def places(n: int, d: int, rng: Rng) -> np.ndarray:
        found = normal((n, d), rng)
        crowd = rng.random(n) < share
        found[crowd] = 2 + sd * found[crowd]
        return found

    return places


def tree(branches: tuple[int, ...], apart: tuple[float, ...]) -> Places:
    """Species in a tree: so many branches of each branch, whose lengths fall from root to leaf."""

    def places(n: int, d: int, rng: Rng) -> np.ndarray:
        fixed, genus = np.random.default_rng(1), rng.integers(np.prod(branches), size=n)
        found = apart[-1] * normal((n, d), rng)
        for depth, length in enumerate(apart[:-1]):
            nodes = normal((int(np.prod(branches[: depth + 1])), d), fixed)
            found += length * nodes[genus // int(np.prod(branches[depth + 1 :]))]
        return found

    return places


def codes(n: int, d: int, rng: Rng) -> np.ndarray:
    return rng.choice(np.float32([-1, 1]), size=(n, d))


def near(
    d: int,
    noise: float,
    *,
    places: Places = gaussian,
    of_classes: Factors = equal,
    of_points: Factors = equal,
    spread: np.ndarray | float = 1.0,
    heavy: bool = False,
) -> Law:
    """Points near their classes; scores are distances, squared and negated."""

    def law(n: int, rng: Rng) -> Scores:
        y = np.asarray(places(n, d, rng) * spread, np.float32)
        sd = noise * of_classes(n, rng)
        squares = np.square(y).sum(axis=1)

        def scores(labels: np.ndarray, rng: Rng) -> np.ndarray:
            shape = len(labels), d
            moved = rng.standard_t(3, shape) if heavy else normal(shape, rng)
            scale = sd[labels] * of_points(len(labels), rng)
            x = np.asarray(y[labels] + scale[:, None] * moved * spread, np.float32)
            return 2 * x @ y.T - squares - np.square(x).sum(axis=1)[:, None]

        return scores

    return law


def cosines(
    d: int,
    noise: float,
    *,
    of_points: Factors = equal,
    lengths: float = 0.0,
    wolves: tuple[float, float] = (0.0, 0.0),
) -> Law:
    """Points near their classes on a sphere; scores are cosines.

    Or inner products, where the lengths of the classes have a log-normal law. Some classes, the
    wolves, are nearer to all points.
    """

    def law(n: int, rng: Rng) -> Scores:
        y = unit(normal((n, d), rng))
        gallery = np.asarray(y * log_normal(lengths)(n, rng)[:, None], np.float32)
        nearer = np.where(rng.random(n) < wolves[0], np.float32(wolves[1]), np.float32(0))

        def scores(labels: np.ndarray, rng: Rng) -> np.ndarray:
            scale = noise / np.sqrt(d) * of_points(len(labels), rng)
            x = y[labels] + scale[:, None] * normal((len(labels), d), rng)
            if not lengths:
                x = unit(x)
            return np.asarray(x, np.float32) @ gallery.T + nearer

        return scores

    return law


def independent(
    mean: float, sd: float, *, of_classes: float = 0.0, hubs: float = 0.0, rows: float = 0.0
) -> Law:
    """Independent scores: N(0, 1) of incorrect classes, N(mean, sd^2) of the correct one.

    The means of the correct scores differ by class. Hubs are nearer to all points. The rows may
    have scales of their own.
    """

    def law(n: int, rng: Rng) -> Scores:
        easier, hub = of_classes * rng.standard_normal(n), hubs * normal((n,), rng)

        def scores(labels: np.ndarray, rng: Rng) -> np.ndarray:
            found = normal((len(labels), n), rng) + hub
            own = mean + easier[labels] + sd * rng.standard_normal(len(labels))
            found[np.arange(len(labels)), labels] = own
            return found * np.asarray(log_normal(rows)(len(labels), rng), np.float32)[:, None]

        return scores

    return law


def written(law: Law, way: Callable[[np.ndarray], np.ndarray]) -> Law:
    """The scores of a law, written in another way."""

    def other(n: int, rng: Rng) -> Scores:
        scores = law(n, rng)
        return lambda labels, rng: way(scores(labels, rng))

    return other


def rounded(step: float, scores: np.ndarray) -> np.ndarray:
    return np.round(scores / np.float32(step))


def levels(step: float, low: int, high: int, scores: np.ndarray) -> np.ndarray:
    return np.clip(rounded(step, scores), low, high)


def z_normalised(scores: np.ndarray) -> np.ndarray:
    return (scores - scores.mean(axis=1, keepdims=True)) / scores.std(axis=1, keepdims=True)


def from_0_to_1(scores: np.ndarray) -> np.ndarray:
    low, high = (end(axis=1, keepdims=True) for end in (scores.min, scores.max))
    return (scores - low) / (high - low)


def log_softmax(scores: np.ndarray) -> np.ndarray:
    shifted = scores - scores.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted, dtype=np.float64).sum(axis=1, keepdims=True))


def misnamed(law: Law, share: float) -> Law:
    """A share of the points have the name of another class."""

    def other(n: int, rng: Rng) -> Scores:
        scores = law(n, rng)

        def wrongly(labels: np.ndarray, rng: Rng) -> np.ndarray:
            found = scores(labels, rng)
            rows = np.flatnonzero(rng.random(len(labels)) < share)
            right, wrong = labels[rows], rng.integers(n, size=len(rows))
            found[rows, right], found[rows, wrong] = found[rows, wrong], found[rows, right]
            return found

        return wrongly

    return other


def failing(law: Law, share: float) -> Law:
    """A share of the points are photos of nobody: their scores are in random order."""

    def other(n: int, rng: Rng) -> Scores:
        scores = law(n, rng)

        def poorly(labels: np.ndarray, rng: Rng) -> np.ndarray:
            found = scores(labels, rng)
            rows = np.flatnonzero(rng.random(len(labels)) < share)
            found[rows] = rng.permuted(found[rows], axis=1)
            return found

        return poorly

    return other


def exact(law: Law, share: float, best: float) -> Law:
    """A share of the points match their class exactly, with the best score that there is."""

    def other(n: int, rng: Rng) -> Scores:
        scores = law(n, rng)

        def matched(labels: np.ndarray, rng: Rng) -> np.ndarray:
            found = scores(labels, rng)
            rows = np.flatnonzero(rng.random(len(labels)) < share)
            found[rows, labels[rows]] = best
            return found

        return matched

    return other


def characters(n: int, rng: Rng) -> Scores:
    """Names of Unicode characters, of which a query lacks a word and has a wrong letter.

    Scores are cosines of trigrams of letters, weighed by how rare they are.
    """
    # Of the extra for images.
    from sklearn.feature_extraction.text import TfidfVectorizer

    left_out = "cjk unified", "hangul syll", "cjk compat"
    every = [unicodedata.name(chr(each), "").lower() for each in range(32, 0x20000)]
    every = [each for each in every if each and not each.startswith(left_out)]
    names = [every[each] for each in rng.permutation(len(every))[:n]]
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), dtype=np.float32)
    documents = vectors.fit_transform(names).T.tocsr()

    def asked(name: str, rng: Rng) -> str:
        words = name.split()
        kept = sorted(rng.choice(len(words), max(1, len(words) - 1), replace=False))
        text = list(" ".join(words[each] for each in kept))
        text[rng.integers(len(text))] = chr(97 + rng.integers(26))
        return "".join(text)

    def scores(labels: np.ndarray, rng: Rng) -> np.ndarray:
        queries = vectors.transform([asked(names[each], rng) for each in labels])
        return (queries @ documents).toarray()

    return scores


FALLING = np.exp(-np.arange(40) / 6)
FEW_WIDE = np.array([1, 1, *[0.15] * 20])
LAWS: dict[str, Law] = {
    "3 % of the probes unusable": near(20, 0.45, of_points=some(0.03, 20)),
    "1 % of the probes unusable": near(20, 0.38, of_points=some(0.01, 20)),
    "goats: 5 % of the classes noisier": near(20, 0.4, of_classes=some(0.05, 3)),
    "probes of different quality": near(20, 0.35, of_points=log_normal(0.6)),
    "cosines, probes of different quality": cosines(128, 1.0, of_points=log_normal(0.5)),
    "z-normalised rows, different quality": written(
        near(20, 0.45, of_points=log_normal(0.5)), z_normalised
    ),
    "hubs": independent(4, 1, hubs=1),
    "inner products": cosines(64, 1.0, lengths=0.5),
    "1 % wrong names": misnamed(near(20, 0.45), 0.01),
    "Gaussian, d = 1": near(1, 0.0015),
    "Gaussian, d = 2": near(2, 0.03),
    "Gaussian, d = 5": near(5, 0.2),
    "Gaussian, d = 5, few errors": near(5, 0.08),
    "Gaussian, d = 20": near(20, 0.7),
    "Gaussian, d = 20, few errors": near(20, 0.52),
    "Gaussian, d = 100": near(100, 1.6),
    "heavy tails of the classes": near(10, 0.4, places=heavy_tails),
    "heavy tails of classes and points": near(5, 0.15, places=heavy_tails, heavy=True),
    "directions of unequal spread": near(40, 0.5, spread=FALLING),
    "two wide directions of 22": near(22, 0.8, spread=FEW_WIDE),
    "50 clusters": near(10, 0.35, places=clusters(50, 0.5)),
    "4000 clusters, Zipf's law": near(20, 0.35, places=clusters(4000, 0.3, 1.0)),
    "families of four": near(20, 0.35, places=relatives(4, 1.0, 0.12)),
    "twins, 20 % of the classes": near(20, 0.35, places=relatives(2, 0.2, 0.15)),
    "10 % of the classes crowded": near(5, 0.05, places=crowded(0.1, 0.1)),
    "classes of different noise": near(20, 0.4, of_classes=log_normal(0.5)),
    "goats: 1 % of the classes noisier": near(20, 0.35, of_classes=some(0.01, 3)),
    "every fifth probe poor": near(20, 0.4, of_points=some(0.2, 2)),
    "noise of classes and probes": near(
        20, 0.35, of_classes=log_normal(0.4), of_points=log_normal(0.4)
    ),
    "cosines": cosines(128, 2.3),
    "cosines, few errors": cosines(128, 1.7),
    "cosines, 1 % of the probes unusable": cosines(128, 1.6, of_points=some(0.01, 20)),
    "cosines in whole numbers": written(cosines(128, 2.3), partial(rounded, 1 / 127)),
    "wolves, 2 % of the classes": cosines(128, 1.8, wolves=(0.02, 0.15)),
    "inner products of like lengths": cosines(64, 1.5, lengths=0.3),
    "distances in steps": written(near(20, 0.7), partial(rounded, 3)),
    "codes of 64 bits": written(near(64, 1.45, places=codes), partial(rounded, 16)),
    "logarithms of a softmax": written(near(20, 0.7), log_softmax),
    "rows from 0 to 1": written(near(20, 0.7), from_0_to_1),
    "independent": independent(3.5, 1),
    "independent, few errors": independent(5, 1),
    "independent, wide": independent(5, 2),
    "independent, classes unlike": independent(4.5, 0.7, of_classes=1),
    "independent, some hubs": independent(4, 1, hubs=0.5),
    "independent, rows of own scale": independent(3.5, 1, rows=0.7),
    "names of characters, with typos": characters,
    "eight levels": written(near(20, 0.7), partial(levels, 6, -9, -2)),
    "species in a tree": near(20, 0.55, places=tree((20, 10, 10), (1, 0.7, 0.5, 0.35))),
    "classes with 1 or 30 points": near(20, 0.7),
    "faces, wrong names and failed photos": failing(misnamed(cosines(128, 1.7), 0.006), 0.004),
    "exact matches for half of the mates": exact(cosines(128, 2.3), 0.5, 1.0),
}
# Points of each class, where they are not the same number for all.
UNEVEN = {"classes with 1 or 30 points": (1, 30)}


def truth(name: str, k1: int) -> pd.DataFrame:
    """Accuracy at the multiples of k1, from all classes."""
    rng = np.random.default_rng(derive_seed("laws", name, "truth"))
    scores, labels = LAWS[name](ALL, rng), np.repeat(np.arange(ALL), PROBES)
    ranks = study.ranks_among(scores, labels, ALL, rng)
    return pd.DataFrame({"factor": FACTORS, "truth": average_accuracy(ranks, FACTORS * k1)})


def judged(name: str, number: int, code: str, k1: int, points: int, splits: int) -> pd.DataFrame:
    """Draw a test, and say what the intervals hold; `code` is in the table alone."""
    rng = np.random.default_rng(derive_seed("laws", name, number))
    labels = np.repeat(np.arange(k1), rng.choice(UNEVEN.get(name, (points,)), k1))
    sample = ScoreMatrix(LAWS[name](k1, rng)(labels, rng), labels)
    intervals = ClassIntervals(sample, "auto", splits=splits, seed=number)
    return study.predicted(intervals, FACTORS * k1, factor=FACTORS)


def summary(draws: pd.DataFrame) -> pd.DataFrame:
    """A row a law and factor."""
    ends, true = (draws["lower"], draws["upper"]), draws["truth"]
    draws = draws.assign(
        score=100 * interval_score(*ends, true, LEVEL), error_rate=1 - draws["predicted"]
    )
    keys = ["law", "factor"]
    table = study.summary(draws, keys, ["truth", "score", "error_rate"])
    table = table.rename(columns={"truth": "accuracy", "held": "covered"})
    table["score_error"] = draws.groupby(keys)["score"].sem()
    table["rmse"] *= 100
    table["error_ratio"] = table["error_rate"] / (1 - table["accuracy"])
    columns = ["draws", "accuracy", "covered", "score", "score_error", "rmse", "error_ratio"]
    return table[columns].reset_index()


def main() -> None:
    """Draw what is not there yet, and print the table."""
    asked = study.options(__doc__, draws=20, k1=200, points=2, splits=30, code="now")
    setting = asked.code, asked.k1, asked.points, asked.splits
    tasks = [(name, asked.k1) for name in LAWS]
    truths = study.drawn(DRAWS / "truth.csv", ["law", "k1"], tasks, truth)
    tasks = [(name, number, *setting) for name in LAWS for number in range(asked.draws)]
    keys = ["law", "draw", "code", "k1", "points", "splits"]
    draws = study.drawn(DRAWS / "draws.csv", keys, tasks, judged)
    table = summary(draws.merge(truths, on=["law", "k1", "factor"]))
    table.insert(0, "code", asked.code)
    table.insert(3, "splits", asked.splits)
    others = pd.read_csv(TABLE).query("code != @asked.code")
    study.show(pd.concat([others, table]).set_index(["code", "law", "factor"]), __file__, asked)


if __name__ == "__main__":
    main()

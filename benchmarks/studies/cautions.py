"""Which cautions earn their place: `python benchmarks/studies/cautions.py --draws 4`.

Tests in order are drawn from the populations, the laws and the random populations of the studies
beside this one, whose accuracy at 2 and 10 k1 is known. In some of them a fault is planted, one
that users make, such as labels of which a fifth is shuffled. `auto` predicts the accuracy that is
true without the fault. Each draw is a row: what was said of it, the errors in points, and whether
the 90 % intervals hold the truth.

Every draw is written to results/cautions once it is done, and is not computed again. `--table`
copies the rows to benchmarks/studies/cautions.csv, of which the benchmark's tables are.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import growth
import laws
import populations
import random_populations
import study
from accuracy_curves import Auto, CandidateLists, ScoreMatrix
from accuracy_curves.cautions import DOUBTFUL, MILD, USELESS
from accuracy_curves.exceptions import AccuracyCurvesError, AccuracyWarning
from accuracy_curves.intervals.cautions import Predicted, cautions_of_method
from accuracy_curves.observed.cautions import cautions_of_sample
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.seeds import derive_seed
from study import Rng

FACTORS, SPLITS = (2, 10), 10
DRAWS, TABLE = Path("results/cautions/draws.csv"), Path(__file__).with_suffix(".csv")
WEIGHTS = {USELESS: "useless", DOUBTFUL: "doubtful", MILD: "mild"}
NUMBERS = "truth", "predicted", "lower", "upper"
COLUMNS = ["of_sample", "of_method", *(f"{each} {k}" for k in FACTORS for each in NUMBERS)]
# Every so many-th draw in order gets each fault.
PLANTED = 12


class Test(NamedTuple):
    """A test in order, higher scores better, and the accuracy at `FACTORS` k1."""

    name: str
    scores: np.ndarray
    labels: np.ndarray
    truth: np.ndarray


def of_populations(number: int) -> Iterator[Test]:
    """Draw from every population, whose accuracy is an integral: 100 classes of two points."""
    for population in populations.POPULATIONS:
        sample = population.samples(100, 2, number)[next(iter(population.written))]
        scores = sample.scores if sample.higher_is_better else -sample.scores
        truth = population.accuracy(100 * np.array(FACTORS))
        yield Test(population.name, np.asarray(scores), sample.labels, truth)


def of_laws(number: int) -> Iterator[Test]:
    """Draw from every law but that of names: 200 classes of two points."""
    true = pd.read_csv(laws.TABLE).query("code == 'now'").set_index(["law", "factor"])["accuracy"]
    for name, law in laws.LAWS.items():
        if law is laws.characters:
            continue
        rng = np.random.default_rng(derive_seed("cautions", name, number))
        labels = np.repeat(np.arange(200), rng.choice(laws.UNEVEN.get(name, (2,)), 200))
        truth = np.array([true[name, factor] for factor in FACTORS])
        yield Test(name, law(200, rng)(labels, rng), labels, truth)


def at_random(number: int, times: int = 40) -> Iterator[Test]:
    """Draw random populations, none of those on which constants of the intervals were found."""
    for place in range(number * times, (number + 1) * times):
        test = random_populations.drawn(place)
        if test is not None:
            truth = test.truth[[1 + list(random_populations.FACTORS).index(f) for f in FACTORS]]
            yield Test(f"random, {test.kind}", test.sample.scores, test.sample.labels, truth)


Fault = Callable[[Test, Rng], Sample]


def own(test: Test) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(len(test.labels)), test.labels


def some(test: Test, share: float, rng: Rng) -> np.ndarray:
    n = len(test.labels)
    return rng.permutation(n)[: max(1, round(share * n))]


def shuffled(share: float) -> Fault:
    def plant(test: Test, rng: Rng) -> Sample:
        labels, rows = test.labels.copy(), some(test, share, rng)
        labels[rows] = rng.permutation(labels[rows])
        return ScoreMatrix(test.scores, labels)

    return plant


def numbered_as_texts(test: Test, rng: Rng) -> Sample:
    """Columns are sorted as texts, and labels are not."""
    order = np.argsort([str(j) for j in range(test.scores.shape[1])])
    return ScoreMatrix(test.scores[:, order], test.labels)


def turned(test: Test, rng: Rng) -> Sample:
    return ScoreMatrix(test.scores, test.labels, higher_is_better=False)


def own_photos(share: float) -> Fault:
    """Distances; a share of the points are the photos that they are compared with."""

    def plant(test: Test, rng: Rng) -> Sample:
        distances = test.scores.max() + 0.01 * np.ptp(test.scores) - test.scores
        rows = some(test, share, rng)
        distances[rows, test.labels[rows]] = 0
        return ScoreMatrix(distances, test.labels, higher_is_better=False)

    return plant


def odds(test: Test) -> np.ndarray:
    """Softmax at a temperature at which the best score of a row has about a half."""
    scores = test.scores - test.scores.max(axis=1, keepdims=True)
    second = np.median(np.sort(scores, axis=1)[:, -5])
    return np.exp(3 * scores / max(-second, 1e-9))


def softmax(test: Test, rng: Rng) -> Sample:
    found = odds(test)
    return ScoreMatrix(found / found.sum(axis=1, keepdims=True), test.labels)


def sinkhorn(test: Test, rng: Rng) -> Sample:
    """Normalise rows and columns in turn, as optimal transport does."""
    found = odds(test) + 1e-12
    for _ in range(200):
        found *= len(found) / found.shape[1] / found.sum(axis=0)
        found /= found.sum(axis=1, keepdims=True)
    return ScoreMatrix(found, test.labels)


def best_kept(test: Test, rng: Rng) -> Sample:
    """All but the best 20 of a row are filled with one bad score."""
    least = np.sort(test.scores, axis=1)[:, [-min(20, test.scores.shape[1] // 2)]]
    bad = test.scores.min() - np.ptp(test.scores)
    return ScoreMatrix(np.where(test.scores < least, bad, test.scores), test.labels)


def fifth_scored(test: Test, rng: Rng) -> Sample:
    known = rng.random(test.scores.shape) < 0.2
    known[own(test)] = True
    return ScoreMatrix(np.where(known, test.scores, test.scores.min() - 1), test.labels)


def failed_points(test: Test, rng: Rng) -> Sample:
    scores = test.scores.copy()
    scores[some(test, 0.05, rng)] = 0
    return ScoreMatrix(scores, test.labels)


def failed_classes(share: float, *, winning: bool = False) -> Fault:
    def plant(test: Test, rng: Rng) -> Sample:
        scores, k = test.scores.copy(), test.scores.shape[1]
        columns = rng.permutation(k)[: max(1, round(share * k))]
        scores[:, columns] = scores.max() + 1 if winning else scores.min() - 1
        return ScoreMatrix(scores, test.labels)

    return plant


def strangers(test: Test, rng: Rng) -> Sample:
    """A class "unknown" of a tenth of the points, each of another person."""
    k, rows = test.scores.shape[1], some(test, 0.1, rng)
    rows = np.resize(rows, max(len(rows), 30))
    far = test.scores[rows]
    far[np.arange(len(rows)), test.labels[rows]] = np.median(far, axis=1)
    of_them = np.r_[test.scores, far]
    column = of_them[:, rng.permutation(k)[:5]].mean(axis=1)
    return ScoreMatrix(np.c_[of_them, column], np.r_[test.labels, np.full(len(rows), k)])


def copied_columns(share: float) -> Fault:
    def plant(test: Test, rng: Rng) -> Sample:
        k = test.scores.shape[1]
        columns = rng.permutation(k)[: max(1, round(share * k))]
        return ScoreMatrix(np.c_[test.scores, test.scores[:, columns]], test.labels)

    return plant


def copied_points(test: Test, rng: Rng) -> Sample:
    rows = np.r_[np.arange(len(test.labels)), some(test, 0.05, rng)]
    return ScoreMatrix(test.scores[rows], test.labels[rows])


def lists(scores: np.ndarray, test: Test, length: int, searched: int = 0) -> CandidateLists:
    ids = np.argsort(-scores, axis=1, kind="stable")[:, :length]
    near = np.take_along_axis(scores, ids, axis=1)
    labels = test.labels
    return CandidateLists.from_neighbours(near, ids, labels, searched=searched or scores.shape[1])


def reranked(test: Test, rng: Rng) -> Sample:
    """The best fifth by another search, ordered by this one."""
    first = test.scores + test.scores.std() * rng.normal(size=test.scores.shape)
    ids = np.argsort(-first, axis=1)[:, : test.scores.shape[1] // 5]
    near = np.take_along_axis(test.scores, ids, axis=1)
    order = np.argsort(-near, axis=1, kind="stable")
    near, ids = (np.take_along_axis(each, order, axis=1) for each in (near, ids))
    return CandidateLists.from_neighbours(near, ids, test.labels, searched=test.scores.shape[1])


def not_exact(test: Test, rng: Rng) -> Sample:
    """An index misses a tenth of all classes, wherever they are."""
    scores = np.where(rng.random(test.scores.shape) < 0.1, -np.inf, test.scores)
    return lists(scores, test, test.scores.shape[1] // 2)


def of_places(test: Test, rng: Rng) -> Sample:
    ranked = 1 / (1 + np.argsort(np.argsort(-test.scores, axis=1), axis=1))
    return lists(ranked, test, test.scores.shape[1] // 2)


def cut_in_ties(test: Test, rng: Rng) -> Sample:
    low, high = np.quantile(test.scores, [0.01, 0.999])
    coarse = np.round(10 * (test.scores - low) / max(high - low, 1e-9))
    return lists(coarse, test, max(10, test.scores.shape[1] // 10))


def of_fewer(times: int) -> Fault:
    return lambda test, rng: lists(
        test.scores, test, test.scores.shape[1] // 4, times * test.scores.shape[1]
    )


FAULTS: dict[str, Fault] = {
    "all labels shuffled": shuffled(1.0),
    "a half of the labels shuffled": shuffled(0.5),
    "a fifth of the labels shuffled": shuffled(0.2),
    "columns in the order of texts": numbered_as_texts,
    "similarities read as distances": turned,
    "every point is the enrolled photo": own_photos(1.0),
    "30 % of the points are the enrolled photo": own_photos(0.3),
    "softmax": softmax,
    "doubly stochastic scores": sinkhorn,
    "all but the best 20 filled": best_kept,
    "a fifth of the scores known": fifth_scored,
    "5 % of the points failed": failed_points,
    "5 % of the enrolments failed": failed_classes(0.05),
    "an enrolment that fails and wins": failed_classes(0, winning=True),
    "a class of strangers": strangers,
    "a fifth of the columns copied": copied_columns(0.2),
    "two columns copied": copied_columns(0.01),
    "5 % of the points twice": copied_points,
    "lists that a second search ordered": reranked,
    "lists of an index that is not exact": not_exact,
    "lists of places": of_places,
    "lists cut within ties": cut_in_ties,
    "five times the classes searched": of_fewer(5),
    "twice the classes searched": of_fewer(2),
}
GROUPS = {
    "groups of 4, alike by .95, not named": "groups of 4, alike by .95",
    "groups of 22, alike by .5, not named": "groups of 22, alike by .5",
    "groups of 22, alike by .95, not named": "groups of 22, alike by .95",
}


def ungrouped(name: str, number: int) -> tuple[Sample, np.ndarray]:
    """Draw groups that nobody names, and what is true where they come as a whole."""
    searched, k, _, n, _ = growth.SETTINGS[name]
    rng = np.random.default_rng(derive_seed("cautions", name, number))
    scores, right = searched(rng, k, n)
    true = pd.read_csv(growth.TABLE).query("setting == @name and measure == 'hit@1'")
    truth = true.set_index("factor")["truth"][list(FACTORS)].to_numpy()
    return ScoreMatrix(scores, right.argmax(axis=1)), truth


def reasons(said: list[AccuracyWarning]) -> str:
    return " ".join(sorted(f"{each.reason}:{WEIGHTS[each.weight]}" for each in said))


def judged(sample: Sample, truth: np.ndarray, seed: int) -> dict[str, object]:
    """Say what is said of a test, how far `auto` is from the truth, and what its intervals hold."""
    fit, k = study.fitted(sample, SPLITS, seed, Auto()), np.array(FACTORS) * sample.counted_classes
    at, known = fit.find_interval(k, 1, 0.9), (k.tolist(), (1,), sample, fit.variation)
    of_method = cautions_of_method(Predicted(fit.fitted, fit.n_classes, *known))
    row: dict[str, object] = {"of_sample": reasons(cautions_of_sample(sample))}
    row["of_method"] = reasons(of_method)
    for place, factor in enumerate(FACTORS):
        row[f"truth {factor}"], row[f"predicted {factor}"] = truth[place], at.accuracy[place]
        row[f"lower {factor}"], row[f"upper {factor}"] = at.lower[place], at.upper[place]
    return row


Make = Callable[[], tuple[Sample, np.ndarray]]


def drawn(number: int) -> Iterator[tuple[str, str, Make]]:
    """Name the tests of a number, in order and with faults, and say how each is made."""
    tests = [*of_populations(number), *of_laws(number), *at_random(number)]
    for place, test in enumerate(tests):
        yield "", test.name, lambda test=test: (ScoreMatrix(test.scores, test.labels), test.truth)
        for fault, (name, plant) in enumerate(FAULTS.items()):
            if (place + fault) % PLANTED == number % PLANTED:
                rng = np.random.default_rng(derive_seed("cautions", name, test.name, number))
                yield name, test.name, lambda test=test, plant=plant, rng=rng: (
                    plant(test, rng), test.truth
                )  # fmt: skip
    for name, setting in GROUPS.items():
        for place in range(3):
            yield (
                name,
                f"{setting} {place}",
                lambda setting=setting, place=place: ungrouped(setting, 3 * number + place),
            )


def row_of(made: dict[tuple[int, str, str], Make], *key: Any) -> pd.DataFrame:
    """Judge a test; an input that is refused has no answer."""
    try:
        row = judged(*made[key](), derive_seed("cautions", *key))
    except AccuracyCurvesError:
        row = {"of_sample": "refused"}
    return pd.DataFrame([row]).reindex(columns=COLUMNS)


def main() -> None:
    """Draw what is not there yet."""
    asked = study.options(__doc__, draws=4)
    for number in range(asked.draws):
        tests = list(drawn(number))
        # In random order, so that a part of them is a sample.
        order = np.random.default_rng(derive_seed("cautions", number)).permutation(len(tests))
        made = {(number, tests[i][0], f"{tests[i][1]}, {i}"): tests[i][2] for i in order}
        study.drawn(DRAWS, ["draw", "fault", "source"], made, partial(row_of, made))
    if asked.table:
        rows = pd.read_csv(DRAWS, keep_default_na=False)
        rows.to_csv(TABLE, index=False, float_format="%.5g", lineterminator="\n")


if __name__ == "__main__":
    main()

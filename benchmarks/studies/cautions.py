"""Which cautions earn their place: `python benchmarks/studies/cautions.py DATA --draws 3`.

Tests in order are drawn from the populations, the laws and the random populations of the studies
beside this one, and from public sets: a tenth of their classes. The accuracy at 2 and 10 k1 is
known, and of laws and public sets FNIR where FPIR is .1. In some of them a fault is planted, one
that users make, such as labels of which a fifth is shuffled. `auto` predicts what is true without
the fault. DATA is a folder of the files that `SCORED` here and `SETS` of `trained` name.

Every draw is written to results/cautions once it is done, and is not computed again. `--table`
copies the rows to benchmarks/studies/cautions.csv, of which the benchmark's tables are: what was
said, what was predicted, and what is true, at 2 and 10 k1.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import accuracy_curves as ac
import growth
import laws
import populations
import random_populations
import study
import trained
from accuracy_curves.cautions import WEIGHTS
from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.identification.observed_rates import observed_fnir, observed_fpir
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.seeds import derive_seed
from study import Rng

FACTORS, SPLITS, FPIR = np.array([2, 10]), 10, 0.1
FOLDER, TABLE = Path("results/cautions"), Path(__file__).with_suffix(".csv")
DRAWS = FOLDER / "draws.csv"
COLUMNS = ["factor", "said", "predicted", "lower", "upper", "truth"]
# Every so many-th draw in order gets each fault.
PLANTED = 12
# Of a law: classes of a test, and those that give the rates.
K1, MANY = 200, 2_500
# Least classes of a test of a public set.
LEAST = 20
# Sets of scores. Of those of `trained` a point of each class is enrolled.
SCORED = {
    "connectomes": "hcp_fingerprint_scores",
    "fingerprints": "bssr1_finger_left",
    "logistic regression": "telugu_scores_logistic_100",
}


class Test(NamedTuple):
    """A test in order, higher scores better, and by answer what is true at factors of k1."""

    name: str
    scores: np.ndarray
    labels: np.ndarray
    truths: dict[str, np.ndarray]
    factors: np.ndarray = FACTORS


def of_populations(number: int) -> Iterator[Test]:
    """Draw from every population, whose accuracy is an integral: 100 classes of two points."""
    for population in populations.POPULATIONS:
        sample = population.samples(100, 2, number)[next(iter(population.written))]
        scores = sample.scores if sample.higher_is_better else -sample.scores
        truth = {"accuracy": population.accuracy(100 * FACTORS)}
        yield Test(population.name, scores, sample.labels, truth)


def of_laws(number: int) -> Iterator[Test]:
    """Draw from every law but that of names; every other one has rates."""
    true = pd.read_csv(laws.TABLE).query("code == 'now'").set_index(["law", "factor"])["accuracy"]
    names = [name for name, law in laws.LAWS.items() if law is not laws.characters]
    keys = [(name,) for name in names[::2]]
    rates = study.drawn(FOLDER / "rates.csv", ["law"], keys, rates_of_law).groupby("law")["fnir"]
    for name in names:
        rng = np.random.default_rng(derive_seed("cautions", name, number))
        labels = np.repeat(np.arange(K1), rng.choice(laws.UNEVEN.get(name, (2,)), K1))
        truths = {"accuracy": true[name][FACTORS].to_numpy()}
        if name in rates.groups:
            truths["rates"] = rates.get_group(name).to_numpy()
        yield Test(name, laws.LAWS[name](K1, rng)(labels, rng), labels, truths)


def rates_of_law(name: str) -> pd.DataFrame:
    rng, labels = np.random.default_rng(derive_seed("cautions", name, "truth")), np.arange(MANY)
    whole = ac.ScoreMatrix(laws.LAWS[name](MANY, rng)(labels, rng), labels)
    return pd.DataFrame({"fnir": true_rates(whole, K1 * FACTORS)})


def true_rates(whole: ac.ScoreMatrix, sizes: np.ndarray) -> np.ndarray:
    """Find FNIR where FPIR is `FPIR` in galleries of the classes of a large sample."""
    searches, rates = ac.Searches.of(whole), list[np.ndarray]()
    at = np.append(np.quantile(searches.impostor[:, -1], np.linspace(0.3, 1, 101)), np.inf)
    for k in sizes:
        met = observed_fpir(searches, np.full(len(at), k), at) <= FPIR
        rates.append(observed_fnir(searches, np.array([k]), at[[met.argmax()]]))
    return np.concatenate(rates)


def at_random(number: int, times: int = 20) -> Iterator[Test]:
    """Draw random populations, none of those on which constants of the intervals were found."""
    for place in range(number * times, (number + 1) * times):
        test = random_populations.drawn(place)
        if test is not None:
            truth = test.truth[1 + np.searchsorted(random_populations.FACTORS, FACTORS)]
            name, sample = f"random, {test.kind}, {place}", test.sample
            yield Test(name, sample.scores, sample.labels, {"accuracy": truth})


@cache
def public(folder: Path, name: str) -> tuple[ac.ScoreMatrix, int, Test]:
    """Read scores, or distances of points, and find what is true of tests of some classes."""
    if name in SCORED:
        found = ac.load_scores(folder / f"{SCORED[name]}.npz")
    else:
        points = trained.public_set(folder, name)
        found = ac.score_embeddings(*points, pca=30, points_per_class=3)
    scores = found.scores * (1 if found.higher_is_better else -1)
    whole, others = ac.ScoreMatrix(scores, found.labels), found.n_classes - 1
    k1 = max(LEAST, others // 10)
    k = np.minimum(k1 * FACTORS, others)
    truths = {"accuracy": ac.average_accuracy(whole, k), "rates": true_rates(whole, k)}
    return whole, k1, Test(name, scores, found.labels, truths, k / k1)


def of_public_sets(folder: Path, number: int) -> Iterator[Test]:
    """Draw some classes of each public set."""
    for name in (*SCORED, *trained.SETS):
        whole, k1, test = public(folder, name)
        part = ac.subsample(whole, k1, derive_seed("cautions", name, number))
        yield test._replace(scores=part.scores, labels=part.labels)


Fault = Callable[[Test, Rng], Sample]


def some(test: Test, share: float, rng: Rng) -> np.ndarray:
    n = len(test.labels)
    return rng.permutation(n)[: max(1, round(share * n))]


def shuffled(share: float, test: Test, rng: Rng) -> Sample:
    labels, rows = test.labels.copy(), some(test, share, rng)
    labels[rows] = rng.permutation(labels[rows])
    return ac.ScoreMatrix(test.scores, labels)


def numbered_as_texts(test: Test, rng: Rng) -> Sample:
    """Columns are sorted as texts, and labels are not."""
    order = np.argsort([str(j) for j in range(test.scores.shape[1])])
    return ac.ScoreMatrix(test.scores[:, order], test.labels)


def in_order(test: Test, rng: Rng) -> Sample:
    return ac.ScoreMatrix(test.scores, test.labels)


def turned(test: Test, rng: Rng) -> Sample:
    return ac.ScoreMatrix(test.scores, test.labels, higher_is_better=False)


def own_photos(share: float, test: Test, rng: Rng) -> Sample:
    """Distances; a share of the points are the photos that they are compared with."""
    distances = test.scores.max() + 0.01 * np.ptp(test.scores) - test.scores
    rows = some(test, share, rng)
    distances[rows, test.labels[rows]] = 0
    return ac.ScoreMatrix(distances, test.labels, higher_is_better=False)


def odds(test: Test) -> np.ndarray:
    """Softmax at a temperature at which the best score of a row has about a half."""
    scores = test.scores - test.scores.max(axis=1, keepdims=True)
    second = np.median(np.sort(scores, axis=1)[:, -5])
    return np.exp(3 * scores / max(-second, 1e-9))


def softmax(test: Test, rng: Rng) -> Sample:
    found = odds(test)
    return ac.ScoreMatrix(found / found.sum(axis=1, keepdims=True), test.labels)


def sinkhorn(test: Test, rng: Rng) -> Sample:
    """Normalise rows and columns in turn, as optimal transport does."""
    found = odds(test) + 1e-12
    for _ in range(200):
        found *= len(found) / found.shape[1] / found.sum(axis=0)
        found /= found.sum(axis=1, keepdims=True)
    return ac.ScoreMatrix(found, test.labels)


def best_kept(test: Test, rng: Rng) -> Sample:
    """All but the best 20 of a row are filled with one bad score."""
    least = np.sort(test.scores, axis=1)[:, [-min(20, test.scores.shape[1] // 2)]]
    bad = test.scores.min() - np.ptp(test.scores)
    return ac.ScoreMatrix(np.where(test.scores < least, bad, test.scores), test.labels)


def fifth_scored(test: Test, rng: Rng) -> Sample:
    known = rng.random(test.scores.shape) < 0.2
    known[np.arange(len(test.labels)), test.labels] = True
    return ac.ScoreMatrix(np.where(known, test.scores, test.scores.min() - 1), test.labels)


def failed_points(test: Test, rng: Rng) -> Sample:
    scores = test.scores.copy()
    scores[some(test, 0.05, rng)] = 0
    return ac.ScoreMatrix(scores, test.labels)


def failed_classes(share: float, test: Test, rng: Rng, *, winning: bool = False) -> Sample:
    scores, k = test.scores.copy(), test.scores.shape[1]
    columns = rng.permutation(k)[: max(1, round(share * k))]
    scores[:, columns] = scores.max() + 1 if winning else scores.min() - 1
    return ac.ScoreMatrix(scores, test.labels)


def strangers(test: Test, rng: Rng) -> Sample:
    """A class "unknown" of a tenth of the points, each of another person."""
    k, rows = test.scores.shape[1], some(test, 0.1, rng)
    rows = np.resize(rows, max(len(rows), 30))
    far = test.scores[rows]
    far[np.arange(len(rows)), test.labels[rows]] = np.median(far, axis=1)
    of_them = np.r_[test.scores, far]
    column = of_them[:, rng.permutation(k)[:5]].mean(axis=1)
    return ac.ScoreMatrix(np.c_[of_them, column], np.r_[test.labels, np.full(len(rows), k)])


def copied_columns(share: float, test: Test, rng: Rng) -> Sample:
    k = test.scores.shape[1]
    columns = rng.permutation(k)[: max(1, round(share * k))]
    return ac.ScoreMatrix(np.c_[test.scores, test.scores[:, columns]], test.labels)


def copied_points(test: Test, rng: Rng) -> Sample:
    rows = np.r_[np.arange(len(test.labels)), some(test, 0.05, rng)]
    return ac.ScoreMatrix(test.scores[rows], test.labels[rows])


def lists(scores: np.ndarray, test: Test, length: int, searched: int = 0) -> ac.CandidateLists:
    ids = np.argsort(-scores, axis=1, kind="stable")[:, :length]
    near = np.take_along_axis(scores, ids, axis=1)
    labels = test.labels
    return ac.CandidateLists.from_neighbours(
        near, ids, labels, searched=searched or scores.shape[1]
    )


def reranked(test: Test, rng: Rng) -> Sample:
    """The best fifth by another search, ordered by this one."""
    first = test.scores + test.scores.std() * rng.normal(size=test.scores.shape)
    ids = np.argsort(-first, axis=1)[:, : test.scores.shape[1] // 5]
    near = np.take_along_axis(test.scores, ids, axis=1)
    order = np.argsort(-near, axis=1, kind="stable")
    near, ids = (np.take_along_axis(each, order, axis=1) for each in (near, ids))
    return ac.CandidateLists.from_neighbours(near, ids, test.labels, searched=test.scores.shape[1])


def not_exact(test: Test, rng: Rng) -> Sample:
    """An index misses a tenth of all classes, wherever they are."""
    scores = np.where(rng.random(test.scores.shape) < 0.1, -np.inf, test.scores)
    return lists(scores, test, test.scores.shape[1] // 2)


def of_places(test: Test, rng: Rng) -> Sample:
    ranked = 1 / (1 + np.argsort(np.argsort(-test.scores, axis=1), axis=1))
    return lists(ranked, test, test.scores.shape[1] // 2)


def of_levels(test: Test, number: int) -> np.ndarray:
    low, high = np.quantile(test.scores, [0.01, 0.999])
    return np.round(number * (test.scores - low) / max(high - low, 1e-9))


def cut_in_ties(test: Test, rng: Rng) -> Sample:
    return lists(of_levels(test, 10), test, max(10, test.scores.shape[1] // 10))


def of_fewer(times: int, test: Test, rng: Rng) -> Sample:
    k = test.scores.shape[1]
    return lists(test.scores, test, k // 4, times * k)


def normalised(test: Test, rng: Rng) -> Sample:
    best = np.sort(test.scores, axis=1)[:, -50:]
    mean, sd = best.mean(axis=1, keepdims=True), best.std(axis=1, keepdims=True)
    return ac.ScoreMatrix((test.scores - mean) / sd, test.labels)


def few_levels(test: Test, rng: Rng) -> Sample:
    return ac.ScoreMatrix(of_levels(test, 20), test.labels)


OF_ACCURACY: dict[str, Fault] = {
    "all labels shuffled": partial(shuffled, 1.0),
    "a half of the labels shuffled": partial(shuffled, 0.5),
    "a fifth of the labels shuffled": partial(shuffled, 0.2),
    "columns in the order of texts": numbered_as_texts,
    "similarities read as distances": turned,
    "every point is the enrolled photo": partial(own_photos, 1.0),
    "30 % of the points are the enrolled photo": partial(own_photos, 0.3),
    "softmax": softmax,
    "doubly stochastic scores": sinkhorn,
    "all but the best 20 filled": best_kept,
    "a fifth of the scores known": fifth_scored,
    "5 % of the points failed": failed_points,
    "5 % of the enrolments failed": partial(failed_classes, 0.05),
    "an enrolment that fails and wins": partial(failed_classes, 0, winning=True),
    "a class of strangers": strangers,
    "a fifth of the columns copied": partial(copied_columns, 0.2),
    "two columns copied": partial(copied_columns, 0.01),
    "5 % of the points twice": copied_points,
    "lists that a second search ordered": reranked,
    "lists of an index that is not exact": not_exact,
    "lists of places": of_places,
    "lists cut within ties": cut_in_ties,
    "five times the classes searched": partial(of_fewer, 5),
    "twice the classes searched": partial(of_fewer, 2),
}
OF_RATES: dict[str, Fault] = {
    "similarities read as distances": turned,
    "a fifth of the labels shuffled": partial(shuffled, 0.2),
    "30 % of the points are the enrolled photo": partial(own_photos, 0.3),
    "softmax": softmax,
    "scores normalised by the best of the gallery": normalised,
    "scores of 20 levels": few_levels,
}
FAULTS = {"accuracy": OF_ACCURACY, "rates": OF_RATES}
# Settings of `growth` whose groups nobody names.
GROUPS = ("groups of 4, alike by .95", "groups of 22, alike by .5", "groups of 22, alike by .95")


def ungrouped(setting: str, test: Test, rng: Rng) -> Sample:
    """Draw groups that nobody names, like those of which it is known how they come as a whole."""
    searched, k, _, n, _ = growth.SETTINGS[setting]
    scores, right = searched(rng, k, n)
    return ac.ScoreMatrix(scores, right.argmax(axis=1))


def judged(answer: str, plant: Fault, test: Test, seed: int) -> pd.DataFrame:
    """Say what is said of a test with a fault, what `auto` predicts, and what is true without."""
    sample = plant(test, np.random.default_rng(seed))
    k = np.rint(test.factors * sample.counted_classes).astype(int)
    if answer == "rates":
        rates = ac.Identification(sample, splits=SPLITS, seed=seed)
        at, said = rates.fnir_at_fpir_interval(k, FPIR), rates.cautions(k, FPIR)
        rows = pd.DataFrame({"predicted": at.value, "lower": at.lower, "upper": at.upper})
    else:
        fit = study.fitted(sample, SPLITS, seed)
        given = Predicted(fit.fitted, fit.n_classes, k.tolist(), (1,), sample, fit.variation)
        rows, said = study.predicted(fit, k), cautions_of_accuracy(given)
    reasons = " ".join(f"{each.reason}:{WEIGHTS[each.weight]}" for each in said)
    rows = rows.assign(factor=test.factors, said=reasons, truth=test.truths[answer])
    return rows[COLUMNS]


# By answer, fault and test.
Tasks = dict[tuple[str, ...], tuple[Fault, Test]]


def tasks_of(folder: Path, number: int) -> Tasks:
    """Draw the tests of a number, in order and with faults."""
    tests = [*of_populations(number), *of_laws(number), *at_random(number)]
    found: Tasks = {}
    for place, test in enumerate([*tests, *of_public_sets(folder, number)]):
        for answer in test.truths:
            for fault, (name, plant) in enumerate({"": in_order, **FAULTS[answer]}.items()):
                if not name or (place + fault) % PLANTED == number % PLANTED:
                    found[answer, name, test.name] = plant, test
    of_groups = pd.read_csv(growth.TABLE).query("measure == 'hit@1'").set_index("setting")["truth"]
    for setting in GROUPS:
        test = Test(setting, np.empty(0), np.empty(0), {"accuracy": of_groups[setting].to_numpy()})
        for place in range(3):
            key = "accuracy", f"{setting}, not named", f"{setting}, {place}"
            found[key] = partial(ungrouped, setting), test
    return found


def row_of(tasks: Tasks, number: int, *key: str) -> pd.DataFrame:
    """Judge a test; an input that is refused has no answer."""
    try:
        return judged(key[0], *tasks[key], derive_seed("cautions", number, *key))
    except AccuracyCurvesError:
        return pd.DataFrame({"factor": FACTORS, "said": "refused"}, columns=COLUMNS)


def main() -> None:
    """Draw what is not there yet."""
    asked = study.options(__doc__, data=Path, draws=3)
    keys = ["draw", "answer", "fault", "source"]
    for number in range(asked.draws):
        tasks = tasks_of(asked.data, number)
        # In random order, so that a part of them is a sample.
        order = np.random.default_rng(derive_seed("cautions", number)).permutation([*tasks])
        study.drawn(DRAWS, keys, [(number, *key) for key in order], partial(row_of, tasks))
    if asked.table:
        rows = pd.read_csv(DRAWS)
        rows.to_csv(TABLE, index=False, float_format="%.5g", lineterminator="\n")


if __name__ == "__main__":
    main()

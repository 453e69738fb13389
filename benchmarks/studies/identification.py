"""How well FPIR in a larger gallery is predicted: on populations with closed forms, on real scores.

    PYTHONPATH=workflow python benchmarks/studies/identification.py simulated
    PYTHONPATH=workflow python benchmarks/studies/identification.py reach --method pareto_tail
    PYTHONPATH=workflow python benchmarks/studies/identification.py FOLDER --repetitions 50

FOLDER has lfw_mobilefacenet.npz, bssr1_face_C.npz and bssr1_finger_left.npz; what it lacks is left
out. Prints tables in Markdown.
"""

import argparse
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import beta, expon, gamma, gumbel_r, logistic, ncx2, norm, t, uniform

from accuracy_curves import Identification, ScoreMatrix, Searches, load_scores, subsample
from accuracy_curves.identification import make_open_set_method
from accuracy_curves.identification.observed_rates import (
    observed_fnir,
    observed_fpir,
    observed_threshold,
)
from accuracy_curves.utils.seeds import derive_seed
from experiments.datasets.embeddings_file import EmbeddingsFile

METHODS = (
    "binomial",
    "binomial_mixture",
    "pooled_tail",
    "gaussian_tail",
    "empirical_bayes",
    "ordinal_tail",
    "pareto_tail",
)
RATES = np.array([0.3, 0.1, 0.03, 0.01])
# Gallery sizes over k1.
TIMES = (2, 10, 100, 1000, 10_000)


class Population(NamedTuple):
    """Searches of an infinite population: scores of k1 identities, and P(S_xy >= T) of many x."""

    scores: Callable[[int, np.random.Generator], np.ndarray]
    beyond: Callable[[float], np.ndarray]
    higher_is_better: bool = True
    low: float = -20.0
    high: float = 60.0


def distances(d: int, variance: float = 0.1, searches: int = 1500) -> Population:
    """Distances from normal searches to normal identities: noncentral chi-squared."""

    def scores(k1: int, rng: np.random.Generator) -> np.ndarray:
        centres = rng.normal(size=(k1, d))
        x = centres + np.sqrt(variance) * rng.normal(size=centres.shape)
        return np.linalg.norm(x[:, None] - centres, axis=2)

    x = np.random.default_rng(0).normal(size=(searches, d)) * np.sqrt(1 + variance)
    squares = np.square(x).sum(axis=1)
    # Thresholds are on the scale of `Searches.oriented`: of a distance its negative.
    beyond = lambda at: ncx2.cdf(np.square(at), d, squares)  # noqa: E731
    return Population(scores, beyond, False, low=-60.0, high=0.0)


def shifted(law: Any, location: float, spread: float = 0.15, searches: int = 4000) -> Population:
    """Scores a_x + s_x e_xy: a normal location and a lognormal scale of each search."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return location * rng.normal(size=n), np.exp(spread * rng.normal(size=n))

    def scores(k1: int, rng: np.random.Generator) -> np.ndarray:
        a, s = draw(k1, rng)
        return a[:, None] + s[:, None] * law.rvs(size=(k1, k1), random_state=rng)

    a, s = draw(searches, np.random.default_rng(0))
    return Population(scores, lambda at: law.sf((at - a) / s))


def cosines(d: int) -> Population:
    """Cosines of uniform directions: searches do not differ, and scores end at 1."""

    def scores(k1: int, rng: np.random.Generator) -> np.ndarray:
        one, other = rng.normal(size=(2, k1, d))
        lengths = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(other, axis=1)
        return one @ other.T / lengths

    half = (d - 1) / 2
    beyond = lambda at: np.array([beta.sf((at + 1) / 2, half, half)])  # noqa: E731
    return Population(scores, beyond, low=-1, high=1)


POPULATIONS = {
    "distances, d = 5": distances(5),
    "distances, d = 16": distances(16),
    "distances, d = 64": distances(64),
    "normal": shifted(norm(scale=np.sqrt(1.2)), 0.55),
    "gamma": shifted(gamma(2.0), 1.0),
    "Student's t, 8": shifted(t(8), 0.55),
    "cosines, d = 16": cosines(16),
    "normal, all alike": shifted(norm(), 0.0, 0.0),
    "normal, scales": shifted(norm(), 0.0, 0.3),
    "normal, locations": shifted(norm(), 0.55, 0.0),
    **{
        name: shifted(law, 0.55 * law.std())
        for name, law in {
            "logistic": logistic(),
            "exponential": expon(),
            "uniform": uniform(),
            "beta(2, 4)": beta(2, 4),
            "Student's t, 3": t(3),
            "Gumbel": gumbel_r(),
        }.items()
    },
}


def true_threshold(population: Population, k: int, fpir: float) -> float:
    """Threshold at which FPIR of the population in a gallery of k is a given one."""
    low, high = population.low, population.high
    for _ in range(60):
        middle = (low + high) / 2
        none = np.exp(k * np.log1p(-np.minimum(population.beyond(middle), 1 - 1e-15)))
        low, high = (middle, high) if 1 - none.mean() > fpir else (low, middle)
    return high


def simulated(repetitions: int, methods: list[str], splits: int) -> None:
    """RMSE of FPIR over that of the formula, and coverage of the intervals of `Identification`."""
    print("| k1 | k2 / k1 | population | method | RMSE over the formula's | coverage |")
    print("| --- | --- | --- | --- | --- | --- |")
    for times in (10, 100, 1000):
        every: dict[str, list[float]] = {}
        for k1, (name, population) in itertools.product((50, 200), POPULATIONS.items()):
            at = np.array([true_threshold(population, times * k1, rate) for rate in RATES])
            sizes = np.full(len(at), times * k1)
            squares: dict[str, list[np.ndarray]] = {}
            covered = []
            for repetition in range(repetitions):
                rng = np.random.default_rng(derive_seed(0, name, k1, repetition))
                drawn = population.scores(k1, rng)
                searches = Searches(drawn, np.arange(k1), population.higher_is_better)
                for method in {"binomial", *methods}:
                    found = make_open_set_method(method).fit(searches).fpir(sizes, at)
                    squares.setdefault(method, []).append(np.square(found - RATES))
                if splits:
                    identification = Identification(searches, splits=splits)
                    rate = identification.fpir_interval(sizes, searches.as_given(at))
                    covered.append((rate.lower <= RATES) & (rate.upper >= RATES))
            formula = np.mean(squares["binomial"], axis=0)
            for method in methods:
                ratio = float(np.exp(np.log(np.mean(squares[method], axis=0) / formula).mean() / 2))
                every.setdefault(method, []).append(ratio)
                shown = f"{np.mean(covered):.2f}" if covered and method == "pareto_tail" else ""
                print(f"| {k1} | {times} | {name} | {method} | {ratio:.2f} | {shown} |", flush=True)
        for method, ratios in every.items():
            mean = np.exp(np.mean(np.log(ratios)))
            print(f"| all | {times} | all | {method} | {mean:.2f} ({max(ratios):.2f}) | |")


def real_scores(folder: Path) -> dict[str, tuple[ScoreMatrix, int]]:
    """Score matrix and k1 of each data set that is there."""
    found = {}
    if (path := folder / "lfw_mobilefacenet.npz").exists():
        faces = EmbeddingsFile(path=path, labels_key="person", points_per_class=1, pca=16)
        found["LFW PCA 16"] = faces.score_matrix(0), 200
    for name, label in (("face_C", "BSSR1 face C"), ("finger_left", "BSSR1 left finger")):
        if (path := folder / f"bssr1_{name}.npz").exists():
            found[label] = load_scores(path), 50
    return found


def reach(repetitions: int, methods: list[str], splits: int) -> None:
    """Coverage of the 90 % intervals of FPIR, at true thresholds, by how far the gallery is."""
    print("| k1 | k2 / k1 | method | samples | coverage | of the worst population | median width |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for k1 in (50, 200):
        for method in methods:
            held: dict[int, dict[str, list[np.ndarray]]] = {times: {} for times in TIMES}
            widths: dict[int, list[float]] = {times: [] for times in TIMES}
            for name, population in POPULATIONS.items():
                sizes = np.repeat([times * k1 for times in TIMES], len(RATES))
                rates = np.tile(RATES, len(TIMES))
                at = np.array(
                    [true_threshold(population, *each) for each in zip(sizes, rates, strict=True)]
                )
                for repetition in range(repetitions):
                    rng = np.random.default_rng(derive_seed(0, name, k1, repetition))
                    drawn = population.scores(k1, rng)
                    searches = Searches(drawn, np.arange(k1), population.higher_is_better)
                    found = Identification(searches, method, splits=splits)
                    rate = found.fpir_interval(sizes, searches.as_given(at))
                    inside = (rate.lower <= rates) & (rates <= rate.upper)
                    wide = rate.upper - rate.lower
                    for place, times in enumerate(TIMES):
                        here = slice(place * len(RATES), (place + 1) * len(RATES))
                        held[times].setdefault(name, []).append(inside[here])
                        widths[times].extend(wide[here])
            for times, of_each in held.items():
                shares = {name: float(np.mean(own)) for name, own in of_each.items()}
                worst = min(shares, key=lambda name: shares[name])
                n = sum(np.size(own) for own in of_each.values())
                print(
                    f"| {k1} | {times} | {method} | {n} | {np.mean(list(shares.values())):.3f} | "
                    f"{worst} {shares[worst]:.2f} | {np.median(widths[times]):.3f} |",
                    flush=True,
                )


def measured(folder: Path, repetitions: int, methods: list[str], splits: int) -> None:
    """RMSE of FPIR and of FNIR in the gallery of all K, and the coverage of 90 % intervals."""
    print("| data | quantity | method | RMSE at FPIR", *RATES, "| mean error | coverage, 90 % |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, (matrix, k1) in real_scores(folder).items():
        whole = Searches.of(matrix)
        sizes = np.full(len(RATES), matrix.n_classes - 1)
        at = observed_threshold(whole, RATES)
        truths = {"FPIR": observed_fpir(whole, sizes, at), "FNIR": observed_fnir(whole, sizes, at)}
        errors: dict[tuple[str, str], list[np.ndarray]] = {}
        covered: dict[tuple[str, str], list[np.ndarray]] = {}
        for repetition in range(repetitions):
            sample = Searches.of(subsample(matrix, k1, derive_seed(0, name, k1, repetition)))
            for method in methods:
                fitted = make_open_set_method(method).fit(sample)
                found = fitted.fpir(sizes, sample.oriented(whole.as_given(at)))
                errors.setdefault(("FPIR", method), []).append(found - truths["FPIR"])
            for method, label in (("auto", "pareto_tail"), ("binomial", "binomial")):
                if label not in methods or not splits:
                    continue
                identification = Identification(sample, method, splits=splits)
                found = identification.fnir_at_fpir(sizes, RATES)
                errors.setdefault(("FNIR", label), []).append(found - truths["FNIR"])
                intervals = {
                    "FPIR": identification.fpir_interval(sizes, whole.as_given(at)),
                    "FNIR": identification.fnir_at_fpir_interval(sizes, RATES),
                }
                for what, rate in intervals.items():
                    inside = (rate.lower <= truths[what]) & (truths[what] <= rate.upper)
                    covered.setdefault((what, label), []).append(inside)
        for what, method in errors:
            found = np.array(errors[what, method])
            rmse, mean = np.sqrt(np.square(found).mean(axis=0)), found.mean(axis=0)
            inside = covered.get((what, method))
            shown = _row(np.mean(inside, axis=0), 2) if inside else ""
            print(
                f"| {name}, {k1} -> {matrix.n_classes} | {what} | {method} | {_row(rmse)} | ",
                end="",
            )
            print(f"{_row(mean)} | {shown} |", flush=True)


def _row(values: np.ndarray, digits: int = 3) -> str:
    return " ".join(f"{value:.{digits}f}" for value in values)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", help="a folder of data, or: simulated, reach")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--splits", type=int, default=30, help="0: no intervals, no FNIR")
    parser.add_argument("--method", action="append", help="several times; all")
    given = parser.parse_args()
    chosen = given.method or METHODS
    if given.data == "reach":
        reach(given.repetitions, chosen, given.splits)
    elif given.data == "simulated":
        simulated(given.repetitions, chosen, given.splits)
    else:
        measured(Path(given.data), given.repetitions, chosen, given.splits)

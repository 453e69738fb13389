"""What `most_scores` costs in accuracy: `make bench-scores`, minutes.

RMSE between the curves that a method predicts from all incorrect scores of each point and from
some, in the paper's simulation of normal classes and points, d = 5, variance .1, k1 = 500. CleaneX
has two points of each class, not the paper's ten, or its six fits would take half an hour. They
differ by their initial weights as well: RMSE is a mean over three networks of all scores, and that
between two of these stands beside it.
`python benchmarks/bench_scores.py 500` takes another number of steps than the paper's 10,000.
"""

import sys
from itertools import combinations
from statistics import mean

import numpy as np
from rich.console import Console

import accuracy_curves as ac
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.cleanex.estimator import CleaneX
from accuracy_curves.extrapolators.kde.estimator import KDE
from accuracy_curves.scores.score_matrix import ScoreMatrix
from benching import rmse, write_record

K1, K2 = 500, 2000
PARTS = (250, 100, 50)
SEEDS = 3


def sample(points_per_class: int) -> ScoreMatrix:
    """Draw the simulation's k1 classes and their points."""
    return ac.simulate(n_classes=K1, points_per_class=points_per_class)


def curve(method: Extrapolator, scores: ScoreMatrix) -> np.ndarray:
    """Predict k = 2..k2 classes."""
    return method.fit(scores).predict(np.arange(2, K2 + 1))


def kde_errors(scores: ScoreMatrix) -> dict[str, float]:
    """RMSE between the curves of all scores and of some."""
    whole = curve(KDE(engine="numpy"), scores)
    return {
        f"{most} scores": rmse(curve(KDE(engine="numpy", most_scores=most), scores), whole)
        for most in PARTS
    }


def cleanex_errors(scores: ScoreMatrix, steps: int) -> dict[str, float]:
    """Mean RMSE between networks of all scores and one of some, and among those of all."""
    whole = [curve(CleaneX(steps=steps, seed=seed), scores) for seed in range(SEEDS)]
    found = {"two seeds": mean(rmse(one, other) for one, other in combinations(whole, 2))}
    for most in PARTS:
        some = curve(CleaneX(steps=steps, seed=SEEDS, most_scores=most), scores)
        found[f"{most} scores"] = mean(rmse(some, each) for each in whole)
    return found


def main() -> None:
    """Measure both methods, print the errors, write the numbers."""
    steps = int(sys.argv[1]) if sys.argv[1:] else 10_000
    console = Console()
    console.print(f"RMSE of predicted curves, k = 2..{K2}, between all {K1 - 1} scores and some:")
    found = {}
    for name, points_per_class in (("kde", 10), ("cleanex", 2)):
        scores = sample(points_per_class)
        kde = name == "kde"
        errors = kde_errors(scores) if kde else cleanex_errors(scores, steps)
        size = {"N": scores.n_points, "k1": K1, **({} if kde else {"steps": steps})}
        found[name] = {**size, "rmse": errors}
        of = ", ".join(f"{key} = {value}" for key, value in size.items())
        said = ", ".join(f"{what} {error:.2g}" for what, error in errors.items())
        console.print(f"{name}, {of}: {said}")
    write_record("bench_scores", found)


if __name__ == "__main__":
    main()

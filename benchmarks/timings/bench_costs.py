"""Cost of every method against N, k1 and the numbers of classes: `make bench-costs`, minutes.

Processor time of one thread, the median of three fits after one that is not counted (what a
method makes once for all repetitions of a k1 is then there). Exponents are slopes of log time on
log size. CleaneX trains for 50 steps.
"""

from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from accuracy_curves import EXTRAPOLATORS, ScoreMatrix, average_accuracy
from accuracy_curves.extrapolators import make_extrapolator
from benching import exponent, limits_said, machine_limits, medians, simulated, write_record

POINTS = (1000, 2000, 4000)  # at k1 = 100
CLASSES = (100, 200, 400)  # at N = 1000
PREDICTED = (1000, 2000, 4000)  # from N = 1000, k1 = 100, at every k = 2..K
OPTIONS = {"cleanex": {"steps": 50}, "radial_nnls": {"bandwidth": 0.4}}


def processor_seconds(side: Callable[[], object]) -> float:
    """Median of three calls after one that is not counted."""
    return medians({"": side})[0]


def costs(name: str) -> dict[str, list[float]]:
    """Seconds of a method's fits and predictions, over the sizes."""

    def fit(sample: ScoreMatrix) -> float:
        return processor_seconds(
            lambda: make_extrapolator(name, **OPTIONS.get(name, {})).fit(sample)
        )

    fitted = make_extrapolator(name, **OPTIONS.get(name, {})).fit(simulated(100, 1000))
    far = np.unique(np.geomspace(2, 10**12, 2010).astype(np.int64))
    near = np.arange(2, len(far) + 2)
    return {
        "N": [fit(simulated(100, n)) for n in POINTS],
        "k1": [fit(simulated(k1, 1000)) for k1 in CLASSES],
        "K": [
            processor_seconds(lambda k=k: fitted.predict(np.arange(2, k + 1))) for k in PREDICTED
        ],
        "near": [processor_seconds(lambda: fitted.predict(near))],
        "far": [processor_seconds(lambda: fitted.predict(far))],
    }


def average_accuracy_costs() -> dict[str, list[float]]:
    """Seconds of the average accuracies at all k."""

    def curve(matrix: ScoreMatrix) -> float:
        k = np.arange(2, matrix.n_classes + 1)
        return processor_seconds(lambda: average_accuracy(matrix, k))

    return {
        "N": [curve(simulated(1000, n)) for n in POINTS],
        "k1": [curve(simulated(k, 4000)) for k in CLASSES],
    }


def main() -> None:
    """Measure every method, print exponents and the machine's limits, write the numbers."""
    console, table = Console(), Table("method", "fit, N = 1000, k1 = 100", "N^", "k1^", "K^", "far")
    found = {}
    sizes = {"N": POINTS, "k1": CLASSES, "K": PREDICTED}
    for name in ("average accuracy", *EXTRAPOLATORS):
        seconds = average_accuracy_costs() if name == "average accuracy" else costs(name)
        exponents = {
            size: exponent(list(map(float, sizes[size])), seconds[size])
            for size in sizes
            if size in seconds
        }
        found[name] = {"seconds": seconds, "exponents": exponents}
        far = seconds["far"][0] / seconds["near"][0] if "far" in seconds else None
        table.add_row(
            name,
            f"{1000 * seconds['N'][0]:.2f} ms",
            *(f"{exponents[size]:.2f}" if size in exponents else "" for size in sizes),
            "" if far is None else f"{far:.2f}",
        )
    console.print(table)
    console.print(
        "far: time of predicting at about 2000 k up to 10^12, over that of as many from 2 on"
    )
    limits = machine_limits()
    console.print(limits_said(limits))
    write_record("bench_costs", {"sizes": sizes, "methods": found, "limits": limits})


if __name__ == "__main__":
    main()

"""Seconds of each open-set method: `PYTHONPATH=workflow python benchmarks/studies/seconds.py`.

The methods and the simulated sets are those of the preset `identification`. A method is fitted to
a draw of k1 people, and predicts the rate of misses in the whole gallery at the four rates of false
positives of the preset. Seconds are of the processor, in one thread, the median of the draws.
"""

import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from rich.console import Console
from rich.progress import track
from threadpoolctl import threadpool_limits

from accuracy_curves import Identification, simulate
from accuracy_curves.exceptions import AccuracyWarning
from experiments.published import method_of

PRESET = Path(__file__).parents[2] / "config/identification.yaml"
TABLE = Path(__file__).with_suffix(".csv")
DRAWS = 3


def main() -> None:
    """Time every method, and write seconds.csv."""
    preset, rows = yaml.safe_load(PRESET.read_text()), []
    for key in track(preset["methods"], "methods", console=Console(stderr=True)):
        method, options = method_of(preset["methods"], key)
        for name, each in preset["experiments"].items():
            if each["dataset"]["kind"] != "simulation":
                continue
            law = {part: each["dataset"][part] for part in ("dimension", "variance")}
            took = []
            for draw in range(DRAWS):
                sample = simulate(n_classes=each["k1"][0], points_per_class=1, seed=draw, **law)
                start = time.process_time()
                model = Identification(sample, method, **options)
                model.fnir_at_fpir(each["k2"], preset["fpir"])
                took.append(time.process_time() - start)
            rows.append({"method": key, "experiment": name, "seconds": float(np.median(took))})
    pd.DataFrame(rows).to_csv(TABLE, index=False, float_format="%.3g", lineterminator="\n")


if __name__ == "__main__":
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", AccuracyWarning)
        main()

"""Regret of each method: its error over that of the best mixture in hindsight.

    python benchmarks/studies/regret.py real all auto,regression,kde,...

reads the curves of a run (results/PRESET) and writes the rows of a group of its standings to
benchmarks/studies/regret.csv. The mixtures average at most three of the named methods on log odds,
with equal weights; the best is chosen for each setting.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy.special import expit, logit

from experiments.evaluation.result_files import read_curves

MOST_MIXED = 3
# Log odds of accuracies are taken between this and 1 minus it.
NEAREST_TO_CERTAIN = 1e-6
TABLE = Path(__file__).with_suffix(".csv")


def mixture_errors(predicted: pd.DataFrame, truth: pd.Series) -> pd.DataFrame:
    """RMSE of all equal mixtures in one setting: a row a repetition, a column a set of methods."""
    rows = {}
    for repetition, curves in predicted.groupby("repetition"):
        wide = curves.pivot(index="method", columns="k", values="accuracy")[truth.index]
        odds = logit(wide.clip(NEAREST_TO_CERTAIN, 1 - NEAREST_TO_CERTAIN))
        rows[repetition] = {
            parts: np.sqrt(
                np.square(
                    (wide.loc[parts[0]] if size == 1 else expit(odds.loc[[*parts]].mean())) - truth
                ).mean()
            )
            for size in range(1, MOST_MIXED + 1)
            for parts in combinations(wide.index, size)
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def regrets(folder: Path, group: dict, methods: list[str]) -> pd.Series:
    """Geometric mean over the settings of a method's mean RMSE over that of the best mixture."""
    ratios = {}
    for place in sorted(folder.glob("predicted/*/k1_*")):
        name, k1 = place.parent.name, int(place.name.removeprefix("k1_"))
        if name not in group.get("experiments", [name]) or k1 not in group.get("k1", [k1]):
            continue
        files = [str(p) for key in methods for p in sorted((place / key).glob("*.parquet"))]
        truth = read_curves([str(folder / f"true/{name}.parquet")]).set_index("k")["accuracy"]
        errors = mixture_errors(read_curves(files), truth.sort_index()).dropna().mean()
        alone = {key: errors[(key,)] for key in methods}
        ratios[name, k1] = {key: np.log(each / errors.min()) for key, each in alone.items()}
    return np.exp(pd.DataFrame(ratios).mean(axis=1))


def main() -> None:
    """Compute one group, and put its rows into the table."""
    preset, group, methods = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
    config = yaml.safe_load(Path(f"config/{preset}.yaml").read_text())
    found = regrets(Path("results") / preset, config["standings"]["groups"][group], methods)
    table = pd.read_csv(TABLE)
    table = table[(table["preset"] != preset) | (table["group"] != group)]
    rows = pd.DataFrame(
        {"preset": preset, "group": group, "method": found.index, "regret": found.to_numpy()}
    )
    pd.concat([table, rows]).to_csv(TABLE, index=False, float_format="%.9g", lineterminator="\n")
    print(rows.to_string(index=False))


if __name__ == "__main__":
    main()

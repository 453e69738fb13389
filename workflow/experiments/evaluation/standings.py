"""How methods stand against each other over groups of settings."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from experiments.evaluation.bootstrap import Resampled


def standings(
    errors: pd.DataFrame,
    groups: Mapping[str, Mapping[str, Any]],
    *,
    published: Sequence[str],
    reference: str,
    seed: int = 0,
) -> pd.DataFrame:
    """Compare the methods' mean RMSE over groups of settings.

    A group has `settings`, (experiment, k1), and `methods`, the reference among them, which are
    compared in the repetitions that they all have. Settings without errors of each of them are left
    out; a group may have none left. `published` are the methods that the others are to beat,
    `reference` is the one to divide by. Returns one row per group and method, with

    - ``settings``, how many; ``repetitions``, the smallest number;
    - ``mean_ratio``, the geometric mean over the settings of the method's mean RMSE (of the curve)
      over the reference's; ``low`` and ``high``, the 2.5 and 97.5 % quantiles of that over
      resampled repetitions;
    - ``better``, the share of the settings in which its mean RMSE is below that of every other
      published method;
    - ``worst_ratio``, the largest, over the settings, of its mean RMSE over that of the best other
      published method;
    - ``best_published``, the other published method with the smallest geometric mean of mean RMSE.
    """
    resampled = Resampled(errors, ["rmse_curve"], seed)
    rows: list[dict[str, Any]] = []
    for group, members in groups.items():
        compared = sorted(members["methods"])
        found = [resampled.of(name, k1, compared) for name, k1 in members["settings"]]
        kept = [each for each in found if each is not None]
        if not kept:
            continue
        # (settings, 1 + resamples) of each method.
        means = {
            m: np.stack([each[m]["rmse_curve"].mean(axis=-1) for each in kept]) for m in compared
        }
        repetitions = min(each[reference]["rmse_curve"].shape[-1] for each in kept)
        now = pd.DataFrame({method: means[method][:, 0] for method in compared})
        for method in compared:
            rivals = now[[r for r in published if r in compared and r != method]]
            best = rivals.min(axis=1)
            # The geometric mean over the settings.
            ratio = np.exp(np.log(means[method] / means[reference]).mean(axis=0))
            low, high = np.quantile(ratio[1:], [0.025, 0.975])
            rows.append(
                {
                    "group": group,
                    "method": method,
                    "settings": len(kept),
                    "repetitions": repetitions,
                    "mean_ratio": ratio[0],
                    "low": low,
                    "high": high,
                    "better": (now[method] < best).mean(),
                    "worst_ratio": (now[method] / best).max(),
                    "best_published": "" if rivals.empty else np.log(rivals).mean().idxmin(),
                }
            )
    return pd.DataFrame(rows)

"""How methods stand against each other over groups of settings."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, logit

from accuracy_curves.exceptions import InputError
from experiments.evaluation.bootstrap import Resampled

if TYPE_CHECKING:
    import pandas as pd

# Methods of a mixture, and how its name joins theirs.
MOST_MIXED, JOINED = 3, " + "
# Log odds of accuracies are taken between this and 1 minus it.
NEAREST_TO_CERTAIN = 1e-6


def mixture_errors(predicted: "pd.DataFrame", true: "pd.DataFrame") -> "pd.DataFrame":
    """Errors of all equal mixtures of at most three methods in one setting.

    A mixture averages the predicted curves on log odds; one of a single method is its curve.
    `predicted` has the columns method, repetition, k, accuracy, and `true` k, accuracy for every k
    = 2..k2; larger k of `predicted` are left out. Returns methods (their names, sorted and joined
    by " + "), repetition, and rmse_curve as `repetition_errors` has it, in the repetitions that all
    methods of a mixture have.
    """
    import pandas as pd

    truth = true.set_index("k")["accuracy"].sort_index()
    rows: list[pd.DataFrame] = []
    for repetition, curves in predicted.groupby("repetition"):
        wide = curves.pivot(index="method", columns="k", values="accuracy")[truth.index]
        accuracy = wide.to_numpy(np.float64)
        odds = logit(accuracy.clip(NEAREST_TO_CERTAIN, 1 - NEAREST_TO_CERTAIN))
        for size in range(1, MOST_MIXED + 1):
            parts = list(combinations(range(len(wide)), size))
            if not parts:
                continue
            mixed = sum(odds[[part[i] for part in parts]] for i in range(size)) / size
            difference = (accuracy if size == 1 else expit(mixed)) - truth.to_numpy()
            names = [JOINED.join(wide.index[[*part]]) for part in parts]
            error = np.sqrt(np.square(difference).mean(axis=1))
            columns = {"methods": names, "repetition": repetition, "rmse_curve": error}
            rows.append(pd.DataFrame(columns))
    return pd.concat(rows, ignore_index=True)


def _best_mixture(mixtures: "pd.DataFrame", methods: Sequence[str]) -> float:
    """Smallest mean RMSE of a mixture of some methods; NaN where one has no curves."""
    errors = mixtures.pivot(index="repetition", columns="methods", values="rmse_curve")
    if not set(methods) <= set(errors):
        return np.nan
    errors = errors.dropna(subset=list(methods))
    own = [name for name in errors if set(str(name).split(JOINED)) <= set(methods)]
    return float(errors[own].mean().min())


def standings(
    errors: "pd.DataFrame",
    groups: Mapping[str, Sequence[tuple[str, int]]],
    *,
    published: Sequence[str],
    reference: str,
    methods: Mapping[str, Sequence[str]] | None = None,
    mixtures: "pd.DataFrame | None" = None,
    mixed: Sequence[str] | None = None,
    seed: int = 0,
) -> "pd.DataFrame":
    """Compare the methods' mean RMSE over groups of settings, (experiment, k1).

    Settings without errors of every compared method are left out; a group may have none left.
    `published` are the methods that the others are to beat, `reference` is the one to divide by,
    and `methods` are those that a group compares, every one by default, in the repetitions that
    they all have. `mixtures` are rows of `mixture_errors` with columns experiment and k1, of the
    methods `mixed`, every one by default. Returns a row a group and method, with

    - ``settings``, how many; ``repetitions``, the smallest number;
    - ``mean_ratio``, the geometric mean over the settings of the method's mean RMSE (of the curve)
      over the reference's; ``low`` and ``high``, the 2.5 and 97.5 % quantiles of that over
      resampled repetitions;
    - ``better``, the share of the settings in which its mean RMSE is below that of every other
      published method;
    - ``worst_ratio``, the largest, over the settings, of its mean RMSE over that of the best other
      published method;
    - ``best_published``, the other published method with the smallest geometric mean of mean RMSE;
    - ``regret``, the geometric mean over the settings of its mean RMSE over that of the best
      mixture of those compared methods that are `mixed`, chosen in hindsight for each setting; NaN
      where a setting lacks the mixtures.
    """
    import pandas as pd

    resampled = Resampled(errors, ["rmse_curve"], seed)
    every = sorted(set(errors["method"]))
    chosen = methods or {}
    for method in (reference, *published, *(m for group in chosen.values() for m in group)):
        if method not in every:
            raise InputError(f"there are no errors of {method!r}, only of {', '.join(every)}")
    of_settings = {} if mixtures is None else dict(list(mixtures.groupby(["experiment", "k1"])))
    rows: list[dict[str, Any]] = []
    for group, members in groups.items():
        compared = sorted(chosen.get(group, every))
        if reference not in compared:
            raise InputError(f"the group {group!r} does not compare the reference {reference!r}")
        found = [resampled.of(name, k1, compared) for name, k1 in members]
        kept = [each for each in found if each is not None]
        if not kept:
            continue
        # (settings, 1 + resamples) of each method.
        means = {
            m: np.stack([each[m]["rmse_curve"].mean(axis=-1) for each in kept]) for m in compared
        }
        of_mixture = compared if mixed is None else [m for m in compared if m in mixed]
        oracle = np.array(
            [
                _best_mixture(of_settings[each], of_mixture) if each in of_settings else np.nan
                for each, errors_there in zip(members, found, strict=True)
                if errors_there is not None
            ]
        )
        repetitions = min(each[reference]["rmse_curve"].shape[-1] for each in kept)
        for method in compared:
            rivals = {r: means[r][:, 0] for r in published if r in compared and r != method}
            best = np.min([*rivals.values()], axis=0) if rivals else np.full(len(kept), np.nan)
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
                    "better": float((means[method][:, 0] < best).mean()),
                    "worst_ratio": float((means[method][:, 0] / best).max()),
                    "best_published": min(
                        rivals, key=lambda r: float(np.log(rivals[r]).mean()), default=""
                    ),
                    "regret": float(np.exp(np.log(means[method][:, 0] / oracle).mean())),
                }
            )
    return pd.DataFrame(rows)

"""What a run found, in three sentences for the front page of its report."""

import os

import pandas as pd

from accuracy_curves.cautions import listed, share
from accuracy_curves.utils.files import written_whole


def write_findings(
    path: str | os.PathLike[str],
    errors: pd.DataFrame,
    setting: list[str],
    error: str,
    of_what: str,
) -> None:
    """Write which method errs least over the settings, where it is best, and where it errs most.

    `errors` has a row for each method and setting, whose columns are `setting`. A method that
    lacks a setting which others have is not compared.
    """
    table = errors.pivot(index=setting, columns="method", values=error)
    table = table.loc[:, table.notna().sum() == table.notna().sum().max()].dropna()
    means = table.mean().sort_values(kind="stable")
    best = means.index[0]
    wins, worst = int((table.idxmin(axis=1) == best).sum()), table[best].idxmax()
    place = ", ".join(f"{name} {value}" for name, value in zip(setting, worst, strict=True))
    others = [f"``{name}`` ({share(value)})" for name, value in means[1:3].items()]
    following = f" Next: {listed(others)}." if others else ""
    sentences = (
        f"``{best}`` has the smallest mean RMSE {of_what}: {share(means[best])} "
        f"(settings: {len(table)}, methods: {len(means)}).{following} It is best in {wins} of "
        f"{len(table)}, and its largest RMSE is {share(table.loc[worst, best])} ({place})."
    )
    with written_whole(path) as partial:
        partial.write_text(sentences + "\n", encoding="utf-8")

"""What a figure of the preset shows, in the terms of the library's figures."""

from collections import Counter
from typing import Any

from accuracy_curves.figures.labelled_settings import LabelledSetting


def plan_settings(plan: dict[str, Any]) -> list[LabelledSetting]:
    """Turn a figure's plan into its settings.

    Parameters
    ----------
    plan : dict
        What `pipeline.preset.figure_plans.figure_plan` returns.

    Returns
    -------
    list of LabelledSetting
        Where several settings share each k1, box plots get a panel a k1, as in ICLR 2021,
        Figure 2.
    """
    shared = Counter(k1 for _, k1 in plan["settings"])
    by_k1 = min(shared.values(), default=0) > 1
    return [
        LabelledSetting(
            experiment, k1, plan["labels"][experiment], f"$k_1 = {k1}$" if by_k1 else ""
        )
        for experiment, k1 in plan["settings"]
    ]

"""Parts of README.md: a finding, the first answer, and how far off predictions were."""

from functools import cache

import accuracy_curves as ac
import claimed
import measured
from substitutions import WORDS


def finding() -> str:
    """Say in how many simulations CleaneX is better than its rivals, here and in print."""
    rows = claimed.counted().set_index("name")
    cases = {
        name: rows.loc[name, "ours"].split(" (")[0] for name in ("kde_d5", "regression_d5_k100")
    }
    return (
        f"CleaneX has a smaller median error than KDE in {cases['kde_d5']} of these settings. "
        f"Its error is smaller than the regression's in {cases['regression_d5_k100']} at "
        f"k1 = 100, in print in {rows.loc['regression_d5_k100', 'printed']}."
    ).replace("16 of 16", "all 16")


@cache
def first_answer() -> str:
    """Print the answer of the first example."""
    matrix = ac.simulate(n_classes=200, variance=0.2)
    return f"```text\n{ac.predict(matrix, [400, 2000])}\n```"


def measured_errors() -> str:
    """Say how far off `auto` was on what was kept apart, and how often its intervals held."""
    groups = measured.random_groups()
    kept = groups.loc[measured.KEPT_APART]
    errors = measured.table("real/errors.csv").query("method == 'auto'")
    errors = errors[~errors["experiment"].isin(measured.TUNED_ON)]
    sizes = 100 * errors["error_at_k2"].abs().groupby(errors["experiment"]).mean()
    return (
        f"We simulated {groups.loc['all', 'populations']:.0f} random populations of classes, and "
        f"kept {kept['populations']:.0f} of them apart until the\nmethod was final. On these the "
        f"prediction was on average {100 * kept['error_2']:.1f} points of accuracy off at 2 k1 and "
        f"{100 * kept['error_10']:.1f}\nat 10 k1 (k1 is the number of known classes). Its 90 % "
        f"intervals held the truth in {measured.per_cent(kept['covered_2_at_0.9'])} and "
        f"{measured.per_cent(kept['covered_10_at_0.9'])} %.\nOn {WORDS[len(sizes)]} real data "
        f"sets that chose none of its constants, it was on average {sizes.min():.1f} to "
        f"{sizes.max():.1f} points off at the\nlargest number of classes."
    )

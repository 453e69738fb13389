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
        f"CleaneX has a smaller median error than KDE in {cases['kde_d5']} of these settings. It "
        f"has a smaller one than the regression in {cases['regression_d5_k100']} at k1 = 100; in "
        f"print it is {rows.loc['regression_d5_k100', 'printed']}."
    ).replace("16 of 16", "all 16")


@cache
def first_answer() -> str:
    """Print the answer of the first example."""
    matrix = ac.simulate(n_classes=200, variance=0.2)
    return f"```text\n{ac.predict(matrix, [400, 2000])}\n```"


def measured_errors() -> str:
    """Say how far off `auto` was in simulations and on real data, and how often intervals held."""
    groups = measured.random_populations().query("level == 0.9").groupby("factor")
    error, held = 100 * groups["error"].mean(), 100 * groups["held"].mean()
    errors = measured.table("real/errors.csv").query("method == 'auto'")
    sizes = 100 * errors["error_at_k2"].abs().groupby(errors["experiment"]).mean()
    return (
        "In simulations that it was not tuned on, the prediction was on average "
        f"{error[2]:.1f} points of accuracy off at 2 k1 and {error[10]:.1f}\nat 10 k1 (k1 is the "
        "number of known classes). Its 90 % intervals held the truth in "
        f"{held[2]:.0f} and {held[10]:.0f} %. On {WORDS[len(sizes)]} real data\nsets it was on "
        f"average {sizes.min():.1f} to {sizes.max():.1f} points off at the largest number of "
        "classes."
    )

"""Numbers within sentences of the pages, each made from the published tables."""

import numpy as np

import claimed
import measured

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def printed_beside_ours() -> dict[str, str]:
    """Give rows of the papers' tables and ours, by the figure, method and column."""
    rows = {}
    for (figure, method, column), part in measured.PRINTED.groupby(["figure", "method", "column"]):
        name = f"{figure.rsplit('/', 1)[1]}_{method}_{column}"
        for key, values in ((name, measured.beside(part)), (f"printed_{name}", part["printed"])):
            rows[key] = ", ".join(f"{each:.3f}".lstrip("0") for each in values)
    return rows


def largest_difference() -> float:
    """Largest difference of our root mean square errors from those of Zheng et al. in print."""
    errors = measured.PRINTED.query("column == 'rmse'")
    parts = (part for _, part in errors.groupby(["table", "method"]))
    return max(float(abs(part["printed"] - measured.beside(part)).max()) for part in parts)


def numbers() -> dict[str, str]:
    """Give each number as pages print it."""
    held = [
        measured.coverage(["simulations, held out"], 10, level, "empirical_bayes")[0]
        for level in (0.8, 0.9, 0.95)
    ]
    datasets = [
        each["dataset"] for each in measured.preset("identification")["experiments"].values()
    ]
    simulated = sum(each["kind"] == "simulation" for each in datasets)
    claims = claimed.claims().set_index("name")
    took = measured.table("paper/methods.csv").set_index("method")
    hours = (took["seconds"] * took["repetitions"]).groupby("method").sum() / 3600
    in_order = measured.faults().xs("none", level="fault")
    doubted = round((in_order["doubted"] * in_order["draws"]).sum())
    tests = measured.cautioned().query("answer == 'accuracy' and fault == ''")
    tests = tests[~tests["source"].str.contains("wrong names")]
    misnamed = measured.laws().loc["1 % wrong names", "rmse"]
    over_cleanex = measured.table("paper/summary.csv").pivot(
        index=["experiment", "k1"], columns="method", values="rmse_curve_mean_ratio"
    )
    of_images = measured.table("paper/errors.csv").groupby(["experiment", "method"])["rmse_curve"]
    cifar, nearest = (of_images.mean()[name] for name in ("cifar100", "cifar100_nearest"))
    in_cases = claims["ours"].str.extract(r"^(\d+ of \d+)")[0].dropna()
    of_claims = {f"claim_{name}": ours for name, ours in in_cases.items()}
    of_claims |= claims["printed"].add_prefix("printed_").to_dict()
    ratios = np.exp(np.log(over_cleanex.dropna()).mean()).map("{:.2f}".format)
    shown = measured.preset("real")["figures"]["comparison"]
    return of_claims | {
        **{f"error_{method}": ratio for method, ratio in ratios.items()},
        **{
            f"cifar_{name}": f"{cifar[name] / cifar['cleanex']:.2f}"
            for name in ("regression", "kde")
        },
        "cifar_nearest_regression": f"{nearest['regression'] / nearest['cleanex']:.2f}",
        "zheng_beyond_print": f"{largest_difference():.3f}".lstrip("0"),
        "settings": str(len(over_cleanex.dropna())),
        "cleanex_hours": f"{hours['cleanex']:.0f}",
        "other_hours": f"{hours.drop('cleanex').sum():.0f}",
        "cautioned_tests": str(len(measured.cautioned())),
        "doubted_falsely": f"{doubted} of {in_order['draws'].sum():,}",
        "named_falsely": f"{tests['said'].str.contains('wrong_names').sum()} of {len(tests)}",
        "off_at_few_levels": f"{measured.levels().loc[('all', 'auto'), 'factor']:.1f}",
        "errors_of_wrong_names": "{:.1f}, {:.1f} and {:.1f}".format(*misnamed),
        "sets_of_figure_3": WORDS[len(shown["figure3"]["experiments"])],
        "choices_of_characters": WORDS[measured.preset("telugu")["repetitions"]],
        "draws_of_zheng": str(measured.preset("zheng")["repetitions"]),
        "empirical_bayes": "{}, {} and {}".format(*map(measured.per_cent, held)),
        "draw_alone": f"{measured.draw_alone():.2f}",
        "kde_least_100": f"{1 / measured.least_of_bandwidths(100, 50):.1f}",
        "real_sets": WORDS[len(measured.labels("real"))],
        "open_real": WORDS[len(datasets) - simulated],
        "open_simulated": WORDS[simulated],
    }

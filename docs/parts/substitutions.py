"""Numbers within sentences of the pages, each made from the published tables."""

import claimed
import measured

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def printed_beside_ours() -> dict[str, str]:
    """Give our numbers of rows of the papers' tables, by the figure, method and column."""
    ours = {}
    for (figure, method, column), part in measured.PRINTED.groupby(["figure", "method", "column"]):
        name = f"{figure.rsplit('/', 1)[1]}_{method}_{column}"
        ours[name] = ", ".join(f"{each:.3f}".lstrip("0") for each in measured.beside(part))
    return ours


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
    claims = claimed.claims().set_index("name")["ours"]
    standings = measured.table("paper/standings.csv").query("group == 'all'").set_index("method")
    of_images = measured.table("paper/errors.csv").groupby(["experiment", "method"])["rmse_curve"]
    cifar, nearest = (of_images.mean()[name] for name in ("cifar100", "cifar100_nearest"))
    faces = measured.table("zheng/sweep/lfw_k1.csv")
    in_cases = claims.str.extract(r"^(\d+ of \d+)")[0].dropna()
    ratios = standings["mean_ratio"].map("{:.2f}".format)
    return {f"claim_{name}": ours for name, ours in in_cases.items()} | {
        **{f"error_{method}": ratio for method, ratio in ratios.items()},
        **{
            f"cifar_{name}": f"{cifar[name] / cifar['cleanex']:.2f}"
            for name in ("regression", "kde")
        },
        "cifar_nearest_regression": f"{nearest['regression'] / nearest['cleanex']:.2f}",
        "zheng_beyond_print": f"{largest_difference():.3f}".lstrip("0"),
        "faces_accuracy": f"{faces['true_accuracy'].iloc[0]:.3f}".lstrip("0"),
        "settings": str(standings["settings"].max()),
        "empirical_bayes": "{}, {} and {}".format(*map(measured.per_cent, held)),
        "draw_alone": f"{measured.draw_alone():.2f}",
        "kde_least_100": f"{1 / measured.least_of_bandwidths(100, 50):.1f}",
        "real_sets": WORDS[len(measured.labels("real"))],
        "open_real": WORDS[len(datasets) - simulated],
        "open_simulated": WORDS[simulated],
    }

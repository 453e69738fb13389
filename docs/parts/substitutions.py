"""Numbers within sentences of the pages, each made from the published tables."""

import measured

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


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
    return {
        "empirical_bayes": "{}, {} and {}".format(*map(measured.per_cent, held)),
        "draw_alone": f"{measured.draw_alone():.2f}",
        "kde_least_100": f"{1 / measured.least_of_bandwidths(100, 50):.1f}",
        "real_sets": WORDS[len(measured.labels("real"))],
        "open_real": WORDS[len(datasets) - simulated],
        "open_simulated": WORDS[simulated],
    }

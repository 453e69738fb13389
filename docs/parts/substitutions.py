"""Numbers that pages name as {{ name }}, each made from the published tables."""

import measured

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def numbers() -> dict[str, str]:
    """Give each number as pages print it."""
    found: dict[str, str] = {}
    groups = list(measured.COVERAGE)
    for multiple in (2, 4, 10):
        for level in (0.8, 0.9, 0.95):
            share, samples = measured.coverage(groups, multiple, level)
            found[f"covered_{multiple}_{100 * level:.0f}"] = measured.per_cent(share)
            found[f"covered_{multiple}_samples"] = str(samples)
    for level in (0.8, 0.9, 0.95):
        held = measured.coverage(["simulations, held out"], 10, level, "empirical_bayes")
        found[f"empirical_bayes_10_{100 * level:.0f}"] = measured.per_cent(held[0])
    found |= {
        "draw_alone": f"{measured.draw_alone():.2f}",
        "kde_least_100": f"{1 / measured.least_of_bandwidths(100, 50):.1f}",
    }
    verdicts = measured.verdicts()
    found |= {
        "claims": str(int(verdicts.sum())),
        "claims_reproduced": str(verdicts["reproduced"]),
        "claims_not_reproduced": str(verdicts["not reproduced"]),
        "claims_undecided": str(verdicts["undecided"]),
        "claims_untestable": str(verdicts["not testable here"]),
        "claims_tested": str(int(verdicts.drop("not testable here").sum())),
    }
    datasets = [
        each["dataset"] for each in measured.preset("identification")["experiments"].values()
    ]
    simulated = sum(each["kind"] == "simulation" for each in datasets)
    found |= {
        "real_sets": WORDS[len(measured.labels("real"))],
        "open_real": WORDS[len(datasets) - simulated],
        "open_simulated": WORDS[simulated],
    }
    return found

"""Numbers that pages name as {{ name }}, each made from the committed results."""

import measured


def numbers() -> dict[str, str]:
    """Give each number as pages print it."""
    found: dict[str, str] = {}
    for name in ("real", "paper"):
        for how in ("mean", "median"):
            ratios = measured.against_best(name, how)
            found |= {
                f"{name}_{how}_wins": str(int((ratios < 1).sum())),
                f"{name}_{how}_worst": f"{ratios.max():.2f}",
            }
        found[f"{name}_settings"] = str(len(ratios))
    for group in ("all", "d5_k100", "d5_k500", "d3", "d10"):
        row = measured.standing("paper", group)
        found |= {
            f"paper_{group}": f"{row['mean_ratio']:.2f}",
            f"paper_{group}_low": f"{row['low']:.2f}",
            f"paper_{group}_high": f"{row['high']:.2f}",
        }
    for method in ("cleanex_5", "cleanex_stopped", "auto"):
        found[f"variant_{method}"] = _ratio("real", "variants", method)
    for multiple in (2, 4, 10):
        for level in (0.8, 0.9, 0.95):
            share, samples = measured.coverage_of_all(multiple, level)
            found[f"covered_{multiple}_{100 * level:.0f}"] = measured.per_cent(share)
        if multiple != 4:  # Those of 2 k1.
            found[f"covered_{multiple}_samples"] = str(samples)
    for level in (0.8, 0.9, 0.95):
        share, _ = measured.coverage("simulations, held out", 10, level, "empirical_bayes")
        found[f"empirical_bayes_10_{100 * level:.0f}"] = measured.per_cent(share)
    found["mixed"] = str(len(measured.preset("real")["standings"]["mixed"]))
    low, high = measured.range_over_sets(2, 0.8)
    share, samples, narrow, wide = measured.cleanex_intervals()
    found |= {
        "covered_2_80_low": measured.per_cent(low),
        "covered_2_80_high": measured.per_cent(high),
        "cleanex_covered": measured.per_cent(share),
        "cleanex_samples": str(samples),
        "cleanex_narrow": f"{narrow:.1f}",
        "cleanex_wide": f"{wide:.1f}",
        "draw_alone": f"{measured.draw_alone():.2f}",
        "draw_rivals": f"{measured.rivals_over_points('real'):.2f}",
        "draw_rivals_simulated": f"{measured.rivals_over_points('paper'):.2f}",
        "variant_glyphs_stopped": _ratio("glyphs", "variants", "cleanex_stopped"),
        "variant_glyphs_auto": _ratio("glyphs", "variants", "auto"),
    }
    verdicts = measured.verdicts()
    found |= {
        "claims": str(int(verdicts.sum())),
        "claims_reproduced": str(verdicts["reproduced"]),
        "claims_not_reproduced": str(verdicts["not reproduced"]),
        "claims_undecided": str(verdicts["undecided"]),
        "claims_derived": str(
            int((measured.table("paper/claims.csv")["basis"] == "derived").sum())
        ),
        "claims_untestable": str(verdicts["not testable here"]),
        "kde_least_100": f"{measured.least_of_bandwidths(100, 50):.2f}",
        "kde_least_500": f"{measured.least_of_bandwidths(500, 50):.2f}",
        "speed": f"{measured.speed():.0f}",
        "without_interval": " and ".join(measured.without_interval()),
    }
    return found


def _ratio(name: str, group: str, method: str) -> str:
    return f"{measured.standing(name, group, method)['mean_ratio']:.2f}"

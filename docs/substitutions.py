"""Numbers that pages name as {{ name }}, each made from the committed results."""

import measured


def numbers() -> dict[str, str]:
    """Give each number as pages print it."""
    found: dict[str, str] = {}
    for kind in measured.SETTINGS:
        row, key = measured.ranking(kind).loc["auto"], kind.replace(" ", "_")
        found |= {
            f"auto_{key}": f"{row['mean_ratio']:.2f}",
            f"auto_{key}_low": f"{row['low']:.2f}",
            f"auto_{key}_high": f"{row['high']:.2f}",
        }
    for name in ("real", "glyphs", "paper"):
        for how in ("mean", "median"):
            ratios = measured.against_best(name, how)
            found |= {
                f"{name}_{how}_wins": str(int((ratios < 1).sum())),
                f"{name}_{how}_worst": f"{ratios.max():.2f}",
            }
        found[f"{name}_settings"] = str(len(ratios))
    for group in ("all", "d5_k100", "d5_k500", "d3", "d10", "tuned", "held"):
        row = measured.standing("paper", group)
        found |= {
            f"paper_{group}": f"{row['mean_ratio']:.2f}",
            f"paper_{group}_low": f"{row['low']:.2f}",
            f"paper_{group}_high": f"{row['high']:.2f}",
        }
    for method in ("cleanex_5", "cleanex_stopped", "auto"):
        found[f"variant_{method}"] = (
            f"{measured.standing('real', 'variants', method)['mean_ratio']:.2f}"
        )
    for multiple in (2, 4, 10):
        for level in (0.8, 0.9, 0.95):
            share, samples = measured.coverage_of_all(multiple, level)
            found[f"covered_{multiple}_{100 * level:.0f}"] = measured.per_cent(share)
        found[f"covered_{multiple}_samples"] = str(samples)
    verdicts = measured.verdicts()
    found |= {
        "claims": str(int(verdicts.sum())),
        "claims_reproduced": str(verdicts["reproduced"]),
        "claims_not_reproduced": str(verdicts["not reproduced"]),
        "claims_untestable": str(verdicts["not testable here"]),
        "speed": f"{measured.speed():.0f}",
        "without_interval": " and ".join(measured.without_interval()),
    }
    return found

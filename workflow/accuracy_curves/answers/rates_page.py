"""The page of `identify`: error rates at any threshold, in a gallery of any size."""

from typing import Any

import numpy as np

from accuracy_curves.answers.answer import Made
from accuracy_curves.answers.page import Where, plain, render
from accuracy_curves.answers.rates import RatesAnswer, gallery_grid
from accuracy_curves.answers.rates_wording import SENTENCES, cut
from accuracy_curves.answers.wording import percent
from accuracy_curves.cautions import place
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.identification.identification import Rate, quantile_spread

# Of the grid that the page interpolates in, on log odds.
THRESHOLDS = 20
# The slider goes to so many times the enrolled, or as far as was asked for.
FARTHEST = 100
LOWEST_FPIR, LEAST_ODDS = 1e-4, 1e-9


def rates_page(answer: RatesAnswer, made: Made, curves: bytes) -> str:
    """Write the page; `curves` is the PNG of the figure."""
    searches = answer.fit.searches
    rows = answer.rates.to_dict("records")
    asked = [row for row in rows if row["method"] != "observed"]
    return render(
        "rates.html",
        answer,
        made,
        exploration(answer),
        curves,
        searches=searches,
        strangers=len(searches.non_mated),
        largest=searches.impostor.shape[1],
        rates=rows,
        rank=answer.question.rank,
        level=percent(answer.question.level),
        method=OPEN_SET_METHODS[answer.fit.method].label,
        spread=quantile_spread(searches),
        cut=cut,
        set_anew=any(row["target_fpir"] == row["target_fpir"] for row in asked),
    )


def cautions_at(answer: RatesAnswer) -> list[Where]:
    """Say what speaks against the rates, the gravest first, and in which galleries."""
    fit = answer.fit
    # Where no threshold meets a target, none does in larger galleries.
    least = {"no_threshold": max(answer.question.sizes) - 1}
    found = [
        Where(each, above=least.get(each.reason, 0))
        for each in answer.cautions
        if each.reason != "too_far"
    ]
    if np.isfinite(fit.farthest):
        found.append(Where(fit.too_far_caution("{k} people"), above=fit.farthest))
    return sorted(found, key=lambda each: place(each.caution))


def exploration(answer: RatesAnswer) -> dict[str, Any]:
    """Give the arrays of `explore.js`: rates with intervals by gallery size and threshold, (S, T).

    The thresholds go from an FPIR of .5 among the enrolled to one of .0001 in the largest gallery,
    or to the largest score. Intervals of FNIR are those of a threshold that is set for an FPIR,
    unless only thresholds were asked for.
    """
    found, rates = answer.fit, answer.rates
    asked = rates[rates["method"] != "observed"]
    enrolled = found.searches.impostor.shape[1]
    grid = gallery_grid(
        max(enrolled, 2), max(FARTHEST * enrolled, int(asked["gallery_size"].max()))
    )
    sizes, farthest = np.unique([*grid, *asked["gallery_size"]]), int(grid[-1])
    searches = found.searches
    ends = found.threshold([enrolled, farthest], [0.5, LOWEST_FPIR])
    # Where there is no threshold the scores themselves end.
    sign = 1 if searches.higher_is_better else -1
    of_scores = searches.oriented(
        sign * np.array([searches.impostor[:, 0].min(), searches.largest])
    )
    loose, strict = np.where(np.isfinite(ends), searches.oriented(ends), of_scores).tolist()
    some = searches.as_given(np.linspace(loose, strict, THRESHOLDS))
    at_asked = asked["threshold"].to_numpy()
    thresholds = np.unique([*some, *at_asked[np.isfinite(at_asked)]])
    if not searches.higher_is_better:
        thresholds = thresholds[::-1]  # The strictest one stands last.
    k, at = (each.ravel() for each in np.meshgrid(sizes, thresholds, indexing="ij"))
    rank = answer.question.rank
    fpir = found.fpir_interval(k, at, answer.question.level)
    if asked["target_fpir"].notna().any():
        targets = fpir.value.clip(LEAST_ODDS, 1 - LEAST_ODDS)
        fnir = found.fnir_at_fpir_interval(k, targets, rank, answer.question.level)
        value = found.fnir(k, at, rank)
        fnir = Rate(value, np.fmin(fnir.lower, value), np.fmax(fnir.upper, value))
    else:
        fnir = found.fnir_interval(k, at, rank, answer.question.level)
    both = {"fpir": fpir, "fnir": fnir}
    shape = len(sizes), len(thresholds)
    first = asked.iloc[0]
    return {
        "kind": "rates",
        "sentences": SENTENCES,
        "sizes": sizes.tolist(),
        "thresholds": thresholds.tolist(),
        "level": percent(answer.question.level),
        "enrolled": enrolled,
        "cautions": [each.plain() for each in cautions_at(answer)],
        "rates": {
            name: {
                "value": plain(rate.value.reshape(shape)),
                "lower": plain(rate.lower.reshape(shape)),
                "upper": plain(rate.upper.reshape(shape)),
            }
            for name, rate in both.items()
        },
        "start": {
            "k": int(first["gallery_size"]),
            "threshold": float(np.clip(first["threshold"], min(thresholds), max(thresholds))),
        },
    }

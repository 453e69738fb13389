"""A page of HTML with predicted open-set rates, with nothing outside it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from accuracy_curves.identification.identification_warnings import quantile_spread
from accuracy_curves.identification.methods import KINDS
from accuracy_curves.prediction.identify import RatesAnswer
from accuracy_curves.prediction.report.page import TEMPLATES, base64_of
from accuracy_curves.prediction.wording import printable, sentences

# Sentences of more answers than this would be read by nobody.
MOST_SENTENCES = 4


def identification_page(
    answer: RatesAnswer, source: str, said: Sequence[str], curves: bytes
) -> str:
    """Write the page: HTML with style and the figure, `curves`, a PNG with a text alternative.

    `source` is the name of the score file, `said` how its embeddings became scores.
    """
    searches = answer.found.searches
    rows = answer.rates.to_dict("records")
    return TEMPLATES.get_template("identification.html").render(
        answer=answer,
        searches=searches,
        strangers=len(searches.non_mated),
        source=printable(source),
        said=sentences(said),
        conclusion=conclusion(answer),
        refused=False,
        warnings=sentences(map(str, answer.warnings)),
        curves=base64_of(curves),
        largest=searches.impostor.shape[1],
        rates=rows,
        rank=rows[0]["rank"],
        method=KINDS[answer.found.method].label,
        spread=quantile_spread(searches),
    )


def conclusion(answer: RatesAnswer) -> list[str]:
    """Say the answers in sentences, the first few."""
    asked = answer.rates[answer.rates["method"] != "observed"].to_dict("records")
    return [_sentence(row, answer.level) for row in asked[:MOST_SENTENCES]]


def _sentence(row: Mapping[Hashable, Any], level: float) -> str:
    set_for = "" if np.isnan(row["target_fpir"]) else f", set for an FPIR of {row['target_fpir']:g}"
    alarms = f"{row['fpir']:.2%} of the searches by strangers return somebody"
    alarms = "" if set_for else f"{alarms}{_ends(row, 'fpir')}, and "
    return (
        f"With {row['gallery_size']:,} enrolled, at the threshold {row['threshold']:.4g}{set_for}: "
        f"{alarms}{row['fnir']:.1%} of the searches by enrolled people miss them"
        f"{_ends(row, 'fnir', f'{100 * level:g} % interval ')}."
    )


def _ends(row: Mapping[Hashable, Any], name: str, what: str = "") -> str:
    """Write an interval in brackets; nothing where there is none."""
    low, high = row[f"{name}_lower"], row[f"{name}_upper"]
    return "" if np.isnan(low) else f" ({what}{low:.1%} to {high:.1%})"

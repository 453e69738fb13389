"""The page of `identify`: both error rates, and the files beside it."""

from accuracy_curves.answers.answer import Made
from accuracy_curves.answers.page import render, round_sizes
from accuracy_curves.answers.rates import RatesAnswer, predict_rates
from accuracy_curves.answers.rates_wording import cut, printed_rate
from accuracy_curves.answers.wording import percent
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.identification.rate_cautions import quantile_spread


def rates_page(answer: RatesAnswer, made: Made, curves: bytes) -> str:
    """Write the page; `curves` is the PNG of the figure."""
    searches, question = answer.fit.searches, answer.question
    largest = searches.impostor.shape[1]
    beyond = predict_rates(answer.fit, question, round_sizes(largest))
    return render(
        "rates.html",
        answer,
        made,
        curves,
        searches=searches,
        strangers=len(searches.non_mated),
        largest=largest,
        rates=answer.rows,
        at_round_sizes=[row for row in beyond if not row.is_observed],
        rate=printed_rate,
        rank=question.rank,
        level=percent(question.level),
        method=OPEN_SET_METHODS[answer.fit.method].label,
        spread=quantile_spread(searches),
        cut=cut,
        counted=answer.counted,
        confidence=question.confidence and percent(question.confidence),
    )

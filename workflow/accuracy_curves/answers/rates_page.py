"""The page of `identify`: both error rates, and the files beside it."""

from accuracy_curves.answers.answer import Made
from accuracy_curves.answers.page import render, round_sizes
from accuracy_curves.answers.rates import RatesAnswer, rates_table
from accuracy_curves.answers.rates_wording import cut
from accuracy_curves.answers.wording import percent
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.identification.identification import quantile_spread


def rates_page(answer: RatesAnswer, made: Made, curves: bytes) -> str:
    """Write the page; `curves` is the PNG of the figure."""
    searches, question = answer.fit.searches, answer.question
    largest = searches.impostor.shape[1]
    beyond = rates_table(
        answer.fit,
        round_sizes(largest),
        question.targets,
        question.thresholds,
        question.rank,
        question.level,
    )
    return render(
        "rates.html",
        answer,
        made,
        curves,
        searches=searches,
        strangers=len(searches.non_mated),
        largest=largest,
        rates=answer.rates.to_dict("records"),
        at_round_sizes=beyond[beyond["method"] != "observed"].to_dict("records"),
        rank=question.rank,
        level=percent(question.level),
        method=OPEN_SET_METHODS[answer.fit.method].label,
        spread=quantile_spread(searches),
        cut=cut,
    )

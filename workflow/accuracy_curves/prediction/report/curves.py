"""The figure of an answer's curves, and what is written below it in the report."""

from matplotlib.figure import Figure

from accuracy_curves.figures.style import method_styles
from accuracy_curves.prediction.question_answer import Answer
from accuracy_curves.prediction.report.curve_panels import predicted_curves_figure
from accuracy_curves.prediction.wording import accuracy_name


def curves_of_answer(answer: Answer) -> Figure:
    """Draw the accuracy curves of an answer, a panel a top.

    Parameters
    ----------
    answer : Answer

    Returns
    -------
    Figure
    """
    return predicted_curves_figure(
        answer.observed,
        answer.predicted,
        method_styles({name: name for name in answer.methods}),
        answer.sample.n_classes,
        classes=answer.question.classes,
    )


def curves_caption(answer: Answer) -> str:
    """Say what the curves are.

    Parameters
    ----------
    answer : Answer

    Returns
    -------
    str
    """
    question = answer.question
    which = " and ".join(map(accuracy_name, question.tops))
    key, label = next(iter(answer.methods.items()))
    band = ""
    if answer.intervals[key] is not None:
        band = f" the band is the {100 * question.level:g} % interval of the first, {label};"
    return (
        f"Average {which} over all subsets of k of the observed classes (grey), and as the methods "
        f"predict;{band} dots are the numbers of classes that were asked for, the dotted line is "
        "k1."
    )

import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from experiments.figures.verdicts import MARKS, verdicts_figure


def row(choice, name, verdict, group="", label=""):
    claim = f"{name} is smaller (in words)"
    return {
        **{"choice": choice, "group": group, "label": label},
        **{"name": name, "claim": claim, "verdict": verdict},
    }


TABLE = pd.DataFrame(
    [
        row("as_they_are", "one", "reproduced"),
        row("as_they_are", "two", "undecided"),
        row("as_they_are", "unchanged", "reproduced"),
        row("nrd0", "one", "not reproduced", "KDE", "nrd0"),
        row("sj", "one", "undecided", "KDE", "SJ"),
        row("h02", "one", "reproduced", "Regression", "h = 0.2"),
        row("h02", "two", "not testable here", "Regression", "h = 0.2"),
    ]
)


def marks(figure):
    """(column, row) -> marker and its filling."""
    drawn = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
    return {
        (int(line.get_xdata()[0]), int(line.get_ydata()[0])): (
            line.get_marker(),
            line.get_markerfacecolor(),
        )
        for line in drawn
    }


def test_a_mark_a_verdict_and_none_where_a_choice_changes_nothing():
    figure = verdicts_figure(TABLE)
    found = marks(figure)
    filled, cross, open_circle, _ = MARKS.values()
    assert found[0, 0] == (filled["marker"], filled["color"])
    assert found[1, 0][0] == cross["marker"]
    assert found[2, 0] == found[0, 1] == (open_circle["marker"], "none")
    assert (1, 1) not in found
    assert len(found) == 7
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        "one is smaller",
        "two is smaller",
        "unchanged is smaller",
    ]
    heads = ["as in the preset", "nrd0", "SJ", "h = 0.2"]
    assert [text.get_text() for text in axes.get_xticklabels()] == heads
    assert [text.get_text() for text in axes.texts] == ["KDE", "Regression"]
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["reproduced", "not reproduced", "undecided", "not testable here"]


def test_claims_are_shown_in_the_order_asked():
    figure = verdicts_figure(TABLE, ["unchanged", "one"])
    assert marks(figure)[0, 0][0] == "o"
    assert (1, 1) in marks(figure)
    with pytest.raises(InputError, match="no verdict on three"):
        verdicts_figure(TABLE, ["three"])
    with pytest.raises(InputError, match="nothing to draw"):
        verdicts_figure(TABLE[-1:])

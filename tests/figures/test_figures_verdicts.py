import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from experiments.figures.verdicts import MARKS, Verdicts


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
    places = [(int(line.get_xdata()[0]), int(line.get_ydata()[0])) for line in drawn]
    looks = [(line.get_marker(), line.get_markerfacecolor()) for line in drawn]
    return dict(zip(places, looks, strict=True))


def test_a_mark_a_verdict_and_none_where_a_choice_changes_nothing():
    figure = Verdicts().draw(TABLE)
    found = marks(figure)
    filled, cross, *_ = MARKS.values()
    assert found[0, 0] == (filled["marker"], filled["color"])
    assert found[1, 0][0] == cross["marker"]
    assert found[2, 0] == found[0, 1] == ("o", "none")
    # Without (1, 1).
    assert set(found) == {(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (3, 0), (3, 1)}
    axes = figure.axes[0]
    rows = [text.get_text() for text in axes.get_yticklabels()]
    assert rows == ["one is smaller", "two is smaller", "unchanged is smaller"]
    heads = [text.get_text() for text in axes.get_xticklabels()]
    assert heads == ["as in the preset", "nrd0", "SJ", "h = 0.2"]
    assert [text.get_text() for text in axes.texts] == ["KDE", "Regression"]


def test_where_no_claim_is_testable_nothing_is_drawn():
    with pytest.raises(InputError, match="nothing"):
        Verdicts().draw(TABLE[-1:])

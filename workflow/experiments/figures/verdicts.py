"""The verdict on each claim under each choice that a paper does not print."""

from typing import Any

import pandas as pd

from accuracy_curves.answers.plots import SMALL_SIZE, TEXT_WIDTH
from accuracy_curves.exceptions import InputError
from experiments.evaluation.verdicts import (
    NOT_JUDGED,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    UNDECIDED,
)
from experiments.figures.base import FigureKind
from experiments.figures.panels import Figure, as_table, empty_figure, key_line, text_width

ROW = 0.15
COLUMN = 0.15
# Room for the key below, and for the names of the groups above.
BELOW = 0.3
GROUPS = 0.2
# Different without colour: a filled circle, a cross, an open circle, a point.
MARKS: dict[str, dict[str, Any]] = {
    REPRODUCED: {"marker": "o", "color": "#0072B2"},
    NOT_REPRODUCED: {"marker": "x", "color": "#D55E00"},
    UNDECIDED: {"marker": "o", "color": "#5c5c5c", "markerfacecolor": "none"},
    NOT_JUDGED: {"marker": "_", "color": "#8c8c8c"},
    NOT_TESTABLE: {"marker": "o", "color": "#8c8c8c", "markersize": 1.0},
}


class Verdicts(FigureKind):
    """The verdict on each claim that is testable (rows) under each of the choices (columns).

    The verdict on each claim (rows) under each choice that the paper does not print (columns). A
    filled circle is reproduced, a cross not reproduced, and an open circle undecided. A line is not
    judged yet. A dot is not testable, as errors are missing. Where a cell is empty, the choice does
    not change the claim.
    """

    kind = "verdicts"

    def draw(self, choices: pd.DataFrame) -> Figure:
        """Draw the verdict on each claim (rows) under each choice (columns).

        `choices` is what `judge_choices` returns, the rows of the claims as they are first. An
        empty cell is of a choice that does not change the claim.
        """
        testable = choices.loc[choices["verdict"] != NOT_TESTABLE, "name"]
        shown = list(dict.fromkeys(testable))
        words = choices.drop_duplicates("name").set_index("name")["claim"]
        if not shown:
            raise InputError("no claim is testable: there is nothing to draw")
        columns = choices.drop_duplicates("choice")
        names, groups = list(columns["choice"]), list(columns["group"])
        rows = [words[name].partition(" (")[0] for name in shown]
        heads = [label or "as in the preset" for label in columns["label"]]
        left, above = (max(text_width(t, SMALL_SIZE) for t in texts) for texts in (rows, heads))
        above, high = above + GROUPS, ROW * len(rows)
        width = max(TEXT_WIDTH, left + COLUMN * len(names) + 0.22)
        figure = empty_figure(width, above + high + BELOW)
        axes = figure.add_subplot()
        axes.set(xlim=(-0.6, len(names) - 0.4), ylim=(len(rows) - 0.4, -0.6))
        for row, name in enumerate(shown):
            axes.axhline(row, color="#e4e4e4", lw=0.5, zorder=0)
            for _, found in choices[choices["name"] == name].iterrows():
                axes.plot(names.index(found["choice"]), row, **_mark(found["verdict"]))
        as_table(axes, rows, heads)
        top = 1 + (above - 0.04) / high
        for place, group in enumerate(groups):
            if place and group != groups[place - 1]:
                axes.axvline(place - 0.5, color="#8c8c8c", lw=0.5, ymax=top, clip_on=False)
                look: dict[str, Any] = {"fontsize": SMALL_SIZE, "fontweight": "bold", "va": "top"}
                where = axes.get_xaxis_transform()
                axes.text(place - 0.35, top, group, transform=where, **look)
        verdicts = [verdict for verdict in MARKS if verdict in set(choices["verdict"])]
        keys = [key_line(label=verdict, **_mark(verdict)) for verdict in verdicts]
        figure.legend(handles=keys, loc="outside lower right", ncols=len(keys), handletextpad=0.1)
        return figure


def _mark(verdict: str) -> dict[str, Any]:
    return {"linestyle": "none", "markersize": 4.0, "markeredgewidth": 0.9, **MARKS[verdict]}

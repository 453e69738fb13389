"""Files of an answer: the table of its curves, the figure, the report."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from accuracy_curves.answers import Answer
from accuracy_curves.figures.style import save_figure
from accuracy_curves.files import written_whole
from accuracy_curves.report import report_page
from accuracy_curves.report_curves import curves_of_answer
from accuracy_curves.tables import write_csv


def write_answer(answer: Answer, folder: Path, source: str, said: Sequence[str] = ()) -> list[Path]:
    """Write curves.csv, curves.pdf, curves.png and report.html.

    Parameters
    ----------
    answer : Answer
    folder : Path
        Where.
    source : str
        Name of the score file, for the report.
    said : sequence of str
        What the report says of how its embeddings became scores.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    InputError
        If one cannot be written.
    """
    question = answer.question
    figure = curves_of_answer(answer)
    table = pd.concat([answer.observed, answer.predicted])
    if question.tops == (1,):
        table = table.drop(columns="top")
    page = report_page(answer, source, said)
    write_csv(table, folder / "curves.csv")
    figures = save_figure(figure, folder / "curves")
    with written_whole(folder / "report.html") as beside:
        beside.write_text(page, encoding="utf-8")
    return [folder / "curves.csv", *figures, folder / "report.html"]

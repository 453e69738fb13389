"""A page of HTML that says what was predicted and how far to trust it, with nothing outside it."""

import base64
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

import jinja2
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.observed.sample_warnings import tied_share
from accuracy_curves.prediction.plots.style import PNG_DPI, method_styles, paper_style, save_figure
from accuracy_curves.prediction.predict import Answer
from accuracy_curves.prediction.report.explorer import exploration, packed, plotting_library
from accuracy_curves.prediction.report.figures import (
    disagreement_figure,
    favorability_figure,
    predicted_curves_figure,
)
from accuracy_curves.prediction.wording import (
    conclusion,
    curves_caption,
    differing_sentence,
    group_sizes,
    printable,
    refusal,
    sentences,
)
from accuracy_curves.utils.files import written_whole
from accuracy_curves.utils.tables import write_csv

TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
EXPLORER = Path(__file__).with_name("templates") / "explorer.js"


def report_page(
    answer: Answer, source: str, said: Sequence[str] = (), curves: bytes | None = None
) -> str:
    """Write the page: HTML with style, figures (PNG with text alternatives) and scripts.

    It is complete without scripts; they let one ask for other numbers of classes, tops, methods and
    levels.

    `source` is the name of the score file, `said` how its embeddings became scores, and `curves`
    the PNG of `curves_of_answer`, where it is drawn already.
    """
    question, sample = answer.question, answer.sample
    several = len(answer.methods) > 1
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    points = np.sort(points[points > 0])
    explored = exploration(answer)
    return TEMPLATES.get_template("report.html").render(
        answer=answer,
        question=question,
        sample=sample,
        source=printable(source),
        said=sentences(said),
        conclusion=conclusion(answer),
        refused=bool(refusal(answer.warnings)),
        warnings=sentences(map(str, answer.warnings)),
        other_warnings=sentences(map(str, answer.other_warnings)),
        explored=explored,
        answers=packed(explored),
        scripts=[
            _script(text) for text in [*plotting_library(), EXPLORER.read_text(encoding="utf-8")]
        ],
        asked=[(k, top) for k in question.classes for top in question.tops],
        curves=base64_of(curves or _png(curves_of_answer(answer))),
        caption=curves_caption(answer),
        apart=differing_sentence(answer) if several else "",
        methods=base64_of(_png(disagreement_of_answer(answer))) if several else "",
        favorability=base64_of(_png(favorability_figure(sample, question.seed))),
        points=points.tolist(),
        median=float(np.median(points)),
        tied=tied_share(sample),
        groups=group_sizes(answer),
    )


def _script(text: str) -> dict[str, str]:
    """Give a script with its digest, by which the page allows it and no other."""
    digest = hashlib.sha256(text.encode()).digest()
    return {"text": text, "digest": f"sha256-{base64.b64encode(digest).decode('ascii')}"}


def curves_of_answer(answer: Answer) -> Figure:
    """Draw the accuracy curves of an answer, a panel a top."""
    return predicted_curves_figure(
        answer.observed,
        answer.predicted,
        method_styles({name: name for name in answer.methods}),
        answer.sample.n_classes,
        classes=answer.question.classes,
    )


def disagreement_of_answer(answer: Answer) -> Figure:
    """Draw what each method predicts at each number of classes, of the first top."""
    question, top = answer.question, answer.question.tops[0]
    found = {
        (k, name): answer.at(name, k, top) for k in question.classes for name in answer.methods
    }
    styles = method_styles({name: name for name in answer.methods})
    return disagreement_figure(found, styles, question.classes, top)


def _png(figure: Figure) -> bytes:
    drawn = io.BytesIO()
    with paper_style():
        figure.savefig(drawn, format="png", dpi=PNG_DPI)
    return drawn.getvalue()


def base64_of(content: bytes) -> str:
    """Write bytes as a data URL takes them."""
    return base64.b64encode(content).decode("ascii")


FILES = ("curves.csv", "curves.pdf", "curves.png", "report.html")


def write_answer(answer: Answer, folder: Path, source: str, said: Sequence[str] = ()) -> list[Path]:
    """Write curves.csv, curves.pdf, curves.png and report.html; for the last see `report_page`."""
    table = pd.concat([answer.observed, answer.predicted])
    if answer.question.tops == (1,):
        table = table.drop(columns="top")
    write_csv(table, folder / "curves.csv")
    _, png = save_figure(curves_of_answer(answer), folder / "curves")
    page = report_page(answer, source, said, png.read_bytes())
    with written_whole(folder / "report.html") as beside:
        beside.write_text(page, encoding="utf-8")
    return [folder / name for name in FILES]

"""A page of HTML that says what was predicted and how far to trust it, with nothing outside it."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import pandas as pd

from accuracy_curves.figures.style import method_styles, save_figure
from accuracy_curves.observed import reversed_roc as roc
from accuracy_curves.prediction.question_answer import Answer
from accuracy_curves.prediction.report.curves import curves_caption, curves_of_answer
from accuracy_curves.prediction.report.figures import disagreement_figure, favorability_figure
from accuracy_curves.prediction.report.svg import inline_svg
from accuracy_curves.prediction.report.tables import diagnostics_table, predictions_table
from accuracy_curves.prediction.wording import accuracy_name, conclusion, doubts_as_notes
from accuracy_curves.utils.files import written_whole
from accuracy_curves.utils.tables import write_csv

# No script, no font and no picture from elsewhere; a browser that obeys it asks nobody anything.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

STYLE = """
body { margin: 0 auto; padding: 1rem; max-width: 46rem; color: #1a1a1a; background: #fff;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; }
.source, figcaption, .note { color: #555; font-size: .875rem; }
.answer { border-left: .3rem solid #0072B2; padding: .1rem 0 .1rem .8rem; }
.doubts { border-left: .3rem solid #D55E00; padding: .1rem 0 .1rem .8rem; }
.doubts ul { margin: 0; padding-left: 1.1rem; }
figure { margin: 1rem 0; }
figure svg { display: block; width: 100%; max-width: 34rem; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: right; padding: .2rem .4rem; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tbody th { font-weight: normal; }
tbody th[colspan] { font-weight: bold; padding-top: .7rem; }
"""


def report_page(answer: Answer, source: str, said: Sequence[str] = ()) -> str:
    """Write the page.

    Parameters
    ----------
    answer : Answer
        What the methods say.
    source : str
        Name of the score file.
    said : sequence of str
        How its embeddings became scores.

    Returns
    -------
    str
        HTML with its style and figures (SVG with text alternatives) inside, without scripts.
    """
    sample, question = answer.sample, answer.question
    curve = curves_of_answer(answer)
    concluded = conclusion(answer)
    parts = [
        "<h1>How accurate on more classes?</h1>"
        f'<p class="source">{escape(source)}: {sample.n_points:,} data points, '
        f"k<sub>1</sub> = {sample.n_classes:,} classes</p>"
        + "".join(f'<p class="source">{escape(each[:1].upper() + each[1:])}.</p>' for each in said),
        f'<div class="answer">{_paragraphs(concluded)}</div>',
        _doubts(answer),
        "<h2>Accuracy curve</h2>",
        _figure(
            inline_svg(curve, "curve", "Accuracy curve", " ".join(concluded)),
            curves_caption(answer),
        ),
        "<h2>Predictions</h2>",
        predictions_table(answer),
        "<h2>Do the methods agree?</h2>",
        *_disagreement(answer),
        "<h2>Behind the curve</h2>",
        _figure(
            inline_svg(
                favorability_figure(sample, question.seed),
                "favorability",
                "Reversed ROC and D(u)",
                f"The area under the average reversed ROC is "
                f"{roc.reversed_auc(sample, question.seed):.4f}.",
            ),
            "Left: the average reversed ROC; its area, rAUC, is the accuracy at two classes. "
            "Right: D(u), the share of data points whose correct class outscores at most a share "
            "u of the other classes. Accuracy on many classes is decided near u = 1, where few "
            "observed classes tell little.",
        ),
        "<h2>Diagnostics</h2>",
        diagnostics_table(answer),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>Accuracy on more classes: {escape(source)}</title>\n"
        f'<link rel="icon" href="data:,">\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n'
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def _paragraphs(sentences: list[str]) -> str:
    return "".join(f"<p>{escape(each)}</p>" for each in sentences)


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _doubts(answer: Answer) -> str:
    """List the reasons for caution, if there are any."""
    if not answer.doubts:
        return ""
    items = "".join(f"<li>{escape(each)}</li>" for each in doubts_as_notes(answer.doubts))
    return f'<h2>Reasons for caution</h2><div class="doubts"><ul>{items}</ul></div>'


def _disagreement(answer: Answer) -> list[str]:
    """Draw and say how far the methods are from each other at the largest number of classes."""
    question = answer.question
    if len(answer.methods) == 1:
        return ["<p>One method was fitted: give several to see whether they agree.</p>"]
    largest, top = max(question.classes), question.tops[0]
    styles = method_styles({name: name for name in answer.methods})
    found = {
        (k, name): answer.at(name, k, top) for k in question.classes for name in answer.methods
    }
    at = {name: found[largest, name].accuracy for name in answer.methods}
    low, high = min(at, key=lambda name: at[name]), max(at, key=lambda name: at[name])
    of = "" if question.tops == (1,) else f" of the {accuracy_name(top)}"
    said = (
        f"At {largest:,} classes the predictions{of} go from "
        f"{at[low]:.3f} ({answer.methods[low]}) to {at[high]:.3f} ({answer.methods[high]})."
    )
    figure = disagreement_figure(found, styles, question.classes, top)
    svg = inline_svg(figure, "methods", "The methods", said)
    return [f"<p>{escape(said)}</p>", _figure(svg, "Each method's prediction and its interval.")]


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

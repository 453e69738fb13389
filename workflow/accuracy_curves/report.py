"""A page of HTML that says what was predicted and how far to trust it, with nothing outside it."""

from html import escape

import numpy as np

from accuracy_curves import roc
from accuracy_curves.answers import Answer
from accuracy_curves.figures.answers import disagreement_figure, favorability_figure
from accuracy_curves.figures.prediction import predicted_curves_figure
from accuracy_curves.figures.style import method_styles
from accuracy_curves.figures.svg import inline_svg
from accuracy_curves.sentences import conclusion, doubts_as_notes

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


def report_page(answer: Answer, source: str) -> str:
    """Write the page.

    Parameters
    ----------
    answer : Answer
        What the methods say.
    source : str
        Name of the score file.

    Returns
    -------
    str
        HTML with its style and figures (SVG with text alternatives) inside, without scripts.
    """
    sample, question = answer.sample, answer.question
    styles = method_styles({name: name for name in answer.methods})
    first = question.tops[0]
    drawn, shown = (t[t["top"] == first] for t in (answer.observed, answer.predicted))
    # One band: those of several methods hide each other.
    chosen = shown["method"] == next(iter(answer.methods))
    shown = shown.assign(lower=shown["lower"].where(chosen), upper=shown["upper"].where(chosen))
    curve = predicted_curves_figure(
        drawn, shown, styles, sample.n_classes, classes=question.classes
    )
    said = conclusion(answer)
    which = "accuracy" if first == 1 else f"top-{first} accuracy"
    level = f"{100 * question.level:g} %"
    parts = [
        "<h1>How accurate on more classes?</h1>"
        f'<p class="source">{escape(source)}: {sample.n_points:,} data points, '
        f"k<sub>1</sub> = {sample.n_classes:,} classes</p>",
        f'<div class="answer">{_paragraphs(said)}</div>',
        _doubts(answer),
        "<h2>Accuracy curve</h2>",
        _figure(
            inline_svg(curve, "curve", "Accuracy curve", " ".join(said)),
            f"Average {which} over all subsets of k of the observed classes (grey), and the "
            f"predicted {which}, with the {level} intervals of the first method; dots are the "
            "numbers of classes that were asked for, the dotted line is k1.",
        ),
        "<h2>Predictions</h2>",
        _predictions(answer),
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
        _diagnostics(answer),
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


def _predictions(answer: Answer) -> str:
    """Write a block of rows for each number of classes: a row a method."""
    question = answer.question
    rows = []
    for k in question.classes:
        for top in question.tops:
            title = f"{k:,} classes" + (f", top {top}" if question.tops != (1,) else "")
            rows.append(f'<tr><th colspan="4" scope="rowgroup">{title}</th></tr>')
            for name, label in answer.methods.items():
                found = answer.at(name, k, top)
                ends = [
                    f"{low:.3f}–{high:.3f}" if np.isfinite(low) else "–"
                    for low, high in (found[1:3], found[3:5])
                ]
                cells = "".join(f"<td>{each}</td>" for each in (f"{found.accuracy:.4f}", *ends))
                rows.append(f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>')
    level = f"{100 * question.level:g} %"
    heads = ("method", "accuracy", f"{level} interval", "one new set")
    return (
        f'<div class="wide"><table>{_head(heads)}<tbody>{"".join(rows)}</tbody></table></div>'
        f'<p class="note">The interval is of the expected accuracy, for the draw of the '
        f"k<sub>1</sub> classes; the last column is the {level} prediction interval of the "
        "accuracy on one particular new set of that many classes, with as many points a class. "
        "Neither knows of a method's bias.</p>"
    )


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
    said = (
        f"At {largest:,} classes the predictions go from {at[low]:.3f} ({answer.methods[low]}) to "
        f"{at[high]:.3f} ({answer.methods[high]})."
    )
    svg = inline_svg(
        disagreement_figure(found, styles, question.classes), "methods", "The methods", said
    )
    return [f"<p>{escape(said)}</p>", _figure(svg, "Each method's prediction and its interval.")]


def _diagnostics(answer: Answer) -> str:
    """Write what the sample is like, and how each method did from halves of it."""
    sample = answer.sample
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    own = points[points > 0]
    rows = [
        ("classes with points of their own", f"{len(own):,} of {sample.n_classes:,}"),
        ("points of a class", f"{own.min()} to {own.max()}, {np.median(own):g} in the middle"),
        ("scores", "higher is better" if sample.higher_is_better else "lower is better"),
        ("accuracy at two classes (rAUC)", f"{answer.seen[0]:.4f}"),
        (f"accuracy at {sample.n_classes:,} classes", f"{answer.seen[-1]:.4f}"),
        ("points that tie with an incorrect class", f"{100 * answer.tied:.1f} %"),
    ]
    if answer.compared is not None:
        sizes = zip(answer.compared.groups, answer.compared.sizes, strict=True)
        rows.append(("groups of classes", ", ".join(f"{name} ({size})" for name, size in sizes)))
        p_value = f"p = {answer.compared.p_value:.3g}"
        rows.append(("are they exchangeable? (permutation test)", p_value))
    for name, each in answer.intervals.items():
        if each is not None:
            error = f"{each.backtest:+.4f}"
            rows.append((f"error at k1 when fitted to halves: {answer.methods[name]}", error))
    cells = "".join(
        f'<tr><th scope="row">{escape(what)}</th><td>{escape(value)}</td></tr>'
        for what, value in rows
    )
    return f'<div class="wide"><table><tbody>{cells}</tbody></table></div>'


def _head(names: tuple[str, ...]) -> str:
    cells = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    return f"<thead><tr>{cells}</tr></thead>"

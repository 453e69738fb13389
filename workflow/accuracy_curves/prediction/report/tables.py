"""Tables of the report: predictions and diagnostics."""

from html import escape

import numpy as np

from accuracy_curves.prediction.question_answer import Answer
from accuracy_curves.utils.arrays import IntArray


def predictions_table(answer: Answer) -> str:
    """Write a block of rows for each number of classes: a row a method.

    Parameters
    ----------
    answer : Answer

    Returns
    -------
    str
        HTML.
    """
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
        "Of a method's bias they know what fits to halves of the classes miss at k<sub>1</sub>.</p>"
    )


def diagnostics_table(answer: Answer) -> str:
    """Write what the sample is like, and how each method did from halves of it.

    Parameters
    ----------
    answer : Answer

    Returns
    -------
    str
        HTML.
    """
    sample = answer.sample
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    own = points[points > 0]
    rows = [
        ("classes with points of their own", f"{len(own):,} of {sample.n_classes:,}"),
        ("points of a class", _range(own)),
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


def _range(counts: IntArray) -> str:
    """Write the least, the largest and the median, or the one number that all are."""
    least, largest = counts.min(), counts.max()
    if least == largest:
        return f"{least:,}"
    return f"{least:,} to {largest:,}, {np.median(counts):,g} in the middle"


def _head(names: tuple[str, ...]) -> str:
    cells = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    return f"<thead><tr>{cells}</tr></thead>"

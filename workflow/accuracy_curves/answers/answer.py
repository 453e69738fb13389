"""An answer: its text, its figure, its page and its files, in one order for every question."""

import base64
import datetime
import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import zip_longest
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import jinja2
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from accuracy_curves.answers.plots import COLUMN_WIDTH, paper_style, save_figure
from accuracy_curves.cautions import WEIGHTS, gravest, in_words, share, values_in
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.utils.files import write_csv, written_together
from accuracy_curves.vocabulary import CLASSES, Vocabulary

# A longer list of notes is read by nobody: the page and `cautions` have all.
MOST_NOTES = 3
GUIDE = "docs/guide/cautions.md"
PANEL_HEIGHT = 2.6
WRONG_NAMES = "wrong_names.csv"


def span(lower: Any, upper: Any, write: Callable[[Any], str] = share) -> str:
    """Write an interval; ends that read the same once."""
    return " to ".join(dict.fromkeys([write(lower), write(upper)]))


def signed(difference: float) -> str:
    """Write a difference of shares with its sign, as +.023 or −.023."""
    return ("−" if difference < 0 else "+") + f"{abs(difference):.3f}".removeprefix("0")


def percent(level: float) -> str:
    """Write a level, as 90 %."""
    return f"{100 * level:g} %"


def in_cell(value: Any, lower: Any, upper: Any, write: Callable[[Any], str] = share) -> str:
    """Write a number for a table, its interval on a second line, if it has one."""
    if _is_missing(value):
        return "not known"
    return write(value) + ("" if _is_missing(lower) else f"\n{span(lower, upper, write)}")


def interval_in_words(
    lower: Any, upper: Any, level: float, write: Callable[[Any], str] = share
) -> str:
    """Write an interval in brackets for a sentence; nothing where there is none."""
    return "" if _is_missing(lower) else f" ({percent(level)} interval {span(lower, upper, write)})"


def count(n: int | None, most: str) -> str:
    """Write a number of classes; None is beyond the `most` that were tried."""
    return f"beyond {most}" if n is None else f"{n:,}"


def _is_missing(end: float | None) -> bool:
    return end is not None and isnan(end)


def sentence(text: str, name: object = None) -> str:
    """Start a text with a capital, unless a user's name stands first, and end it with a point."""
    return (text[:1] if name else text[:1].upper()) + text[1:].rstrip(".") + "."


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table no wider than the terminal: further columns follow below, beside the first."""
    lines = [
        line
        for row in rows
        for line in zip_longest(*(cell.split("\n") for cell in row), fillvalue="")
    ]
    table = pd.DataFrame(lines, columns=list(heads), dtype=object).set_index(heads[0])
    table = table.rename_axis(index=None, columns=heads[0])
    text = table.to_string(line_width=shutil.get_terminal_size().columns)
    # Without the mark of lines that go on.
    return "\n".join(line.rstrip(" \\") for line in text.split("\n"))


# Pages have nothing outside them.
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["sentence"] = sentence
TEMPLATES.globals |= {"percent": percent, "span": span}


# A reason to doubt, and its sentence.
Doubt = tuple[AccuracyWarning, str]


@dataclass(frozen=True)
class Provenance:
    """Where an answer comes from: the name of the file, and the command as it was typed.

    `origin` says how embeddings became scores, and `left_out` which rows are not in them.
    """

    source: str = "scores given in Python"
    command: str = ""
    origin: Sequence[str] = ()
    left_out: Sequence[AccuracyWarning] = ()


class Answer(ABC):
    """An answer to a question about scores.

    It is printed in one order: what makes it useless or doubtful, the conclusion, the table, notes.

    Attributes
    ----------
    cautions : list of AccuracyWarning
        Reasons to doubt it, the gravest first.
    table : DataFrame
        The numbers that are printed, in tidy form.
    """

    # Of all tables that it may write, then of its figure; and the question, as the page asks it.
    tables_written: ClassVar[tuple[str, ...]]
    stem: ClassVar[str]
    title: ClassVar[str]
    # What the page alone says: of the figure, and, a template, when it is valid and how it counts.
    caption: ClassVar[str] = ""
    assumptions: ClassVar[str] = ""
    words: Vocabulary = CLASSES

    @property
    @abstractmethod
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt it, the gravest first."""

    @property
    @abstractmethod
    def table(self) -> pd.DataFrame:
        """The numbers that are printed, in tidy form."""

    @abstractmethod
    def conclusion(self) -> list[str]:
        """Say what is expected, a sentence each."""

    @abstractmethod
    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: its heads, and its rows; lines of a cell are parted."""

    @abstractmethod
    def panels(self) -> list[Callable[[Axes], None]]:
        """Give what draws each panel of the figure."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give its tables by the names of their files."""
        return {self.tables_written[0]: self.table}

    def data(self) -> list[str]:
        """Describe the scores that it comes from, a sentence each."""
        return []

    def others_from(self) -> int:
        """Give the first column of the printed table that is not the answer's."""
        return len(self.printed()[0])

    @classmethod
    def files(cls) -> tuple[str, ...]:
        """Name all files that it may write."""
        of_figure = f"{cls.stem}.png", f"{cls.stem}.pdf"
        return "report.html", "report.json", *cls.tables_written, *of_figure

    def plot(self, ax: Axes | Sequence[Axes] | None = None) -> Axes:
        """Draw the figure of the page.

        Parameters
        ----------
        ax : matplotlib Axes, or a sequence of them, optional
            Axes to draw its panels on, in their order; by default those of a new figure. Drawing
            takes the style of Matplotlib that is set.

        Returns
        -------
        matplotlib Axes
            The first panel. Its `figure` has all.
        """
        panels = self.panels()
        if ax is None:
            import matplotlib.pyplot as plt

            size = 2 * COLUMN_WIDTH, 2 * PANEL_HEIGHT * len(panels)
            ax = plt.figure(figsize=size, layout="constrained").subplots(len(panels))
        axes = np.ravel(np.asarray(ax, dtype=object))
        for panel, draw in zip(axes, panels, strict=False):
            draw(panel)
        return axes[0]

    @paper_style()
    def figure(self) -> Figure:
        """Draw the figure of the files, in a style of its own."""
        panels = len(self.panels())
        figure = Figure(figsize=(COLUMN_WIDTH, PANEL_HEIGHT * panels), layout="constrained")
        self.plot(figure.subplots(panels))
        return figure

    def _doubts(self, provenance: Provenance) -> tuple[list[Doubt], list[Doubt]]:
        """Give the caution for which it is doubtful, or useless, if one is; and all others."""
        every = [*self.cautions, *provenance.left_out]
        doubts = [(doubt, in_words(doubt, self.words)) for doubt in every]
        graver = gravest(every) is not None
        return doubts[:graver], doubts[graver:]

    def text(self, provenance: Provenance = Provenance(), more: str = "answer.cautions") -> str:
        """Write what is printed; `more` has the notes that are not."""
        verdict, others = self._doubts(provenance)
        above, notes = (
            [f"{doubt.weight or 'Note'}: {text} [{doubt.reason}]" for doubt, text in doubts]
            for doubts in (verdict, others)
        )
        rest = len(notes) - MOST_NOTES
        below = [*notes[:MOST_NOTES], *([f"{rest} more in {more}"] if rest > 0 else [])]
        table = text_table(*self.printed())
        return "\n".join([*above, *self.conclusion(), "", table, "", *below]).rstrip()

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Write what a notebook shows: the page without its figure and what is below it."""
        return self._rendered("answer.html", Provenance())

    def _rendered(self, template: str, provenance: Provenance, **values: Any) -> str:
        (verdict, others), (heads, rows) = self._doubts(provenance), self.printed()
        first = [sentence(f"{doubt.weight}: {text}") for doubt, text in verdict]
        large, *rest = [*first, *self.conclusion()]
        return TEMPLATES.get_template(template).render(
            {"png": "", "provenance": provenance, "title": self.title.format(w=self.words)}
            | {"large": large, "rest": rest, "verdict": verdict, "cautions": others}
            | {"heads": heads, "rows": rows, "others": self.others_from()}
            | values
        )

    def page(self, provenance: Provenance, png: bytes) -> str:
        """Write the page; the bytes are the PNG of the figure."""
        return self._rendered(
            "page.html",
            provenance,
            png=base64.b64encode(png).decode("ascii"),
            caption=self.caption.format(w=self.words),
            answer=self,
            w=self.words,
            data=[*self.data(), *provenance.origin],
            guide=GUIDE,
            version=version("accuracy-curves"),
            date=datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        )

    def as_json(self, provenance: Provenance) -> str:
        """Write what is printed, for programs."""
        verdict, others = self._doubts(provenance)
        content = {
            "version": version("accuracy-curves"),
            "source": provenance.source,
            "command": provenance.command,
            "weight": WEIGHTS[verdict[0][0].weight if verdict else ""],
            "conclusion": self.conclusion(),
            "table": json.loads(self.table.to_json(orient="records", double_precision=12)),
            "cautions": [
                {
                    "reason": doubt.reason,
                    "weight": WEIGHTS[doubt.weight],
                    "sentence": sentence(text, doubt.values.get("system")),
                    "values": values_in(doubt.values, self.words),
                    "link": f"{GUIDE}#{doubt.reason}",
                }
                for doubt, text in (*verdict, *others)
            ],
        }
        return json.dumps(content, indent=1, default=lambda number: number.item()) + "\n"

    def write(self, folder: Path, provenance: Provenance) -> None:
        """Write tables, figure and page into a folder."""
        for name, table in self.tables().items():
            write_csv(table, folder / name)
        _, png = save_figure(self.figure(), folder / self.stem)
        page = self.page(provenance, png.read_bytes())
        # A name of a file may hold bytes that are no text.
        (folder / "report.html").write_text(page, encoding="utf-8", errors="replace")
        (folder / "report.json").write_text(self.as_json(provenance), "utf-8", errors="replace")

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the files that the command writes: tables, the figure, and report.html.

        Parameters
        ----------
        folder : str or path
            Must be empty or absent, unless `overwrite`.
        overwrite : bool
            Whether an answer that is there is replaced. Other files stay.

        Raises
        ------
        InputError
            If the folder cannot be written to.
        """
        with written_together(Path(folder), self.files(), overwrite=overwrite) as staged:
            self.write(staged, Provenance())

"""An answer: its text, its figure, its page and its files, in one order for every question."""

import base64
import datetime
import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, ParamSpec, TypeVar

import jinja2
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from accuracy_curves.answers.style import COLUMN_WIDTH, paper_style, save_figure
from accuracy_curves.answers.wording import TEXT_OF_PAGE, sentence, text_table
from accuracy_curves.cautions import WEIGHTS, gravest, warn
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.utils.files import write_csv, written_whole
from accuracy_curves.utils.folders import written_together
from accuracy_curves.utils.validation import name_here

# A longer list of notes is read by nobody: the page and `cautions` have all.
MOST_NOTES = 3
GUIDE = "docs/guide/cautions.md"
PANEL_HEIGHT = 2.6
WRONG_NAMES = "wrong_names.csv"
# Pages have nothing outside them.
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["sentence"] = sentence


P = ParamSpec("P")
A = TypeVar("A", bound="Answer")


@dataclass(frozen=True, kw_only=True)
class Question:
    """What all questions have: the nominal coverage, the splits of the intervals, and a seed."""

    level: float = LEVEL
    splits: int = 30
    seed: int = 0


@dataclass(frozen=True)
class Made:
    """What an answer was made of: the score file's name, and the command as it was typed.

    `origin` says how embeddings became scores, and `left_out` which rows are not in them.
    """

    source: str = "scores given in Python"
    command: str = ""
    origin: Sequence[str] = ()
    left_out: Sequence[AccuracyWarning] = ()


def answering(function: Callable[P, A]) -> Callable[P, A]:
    """Refuse unknown arguments with their names here; warn of what is useless or doubtful."""
    known = inspect.signature(function).parameters

    @wraps(function)
    def answered(*arguments: P.args, **named: P.kwargs) -> A:
        for name in named:
            if name not in known and "options" not in known:
                here = name_here(name, known) or f": it takes {', '.join(known)}"
                raise InputError(f"{function.__name__} takes no {name}{here}")
        answer = function(*arguments, **named)
        warn(answer.cautions)
        return answer

    return answered


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

    @abstractmethod
    def tables(self) -> dict[str, pd.DataFrame]:
        """Give its tables by the names of their files."""

    # What the page alone says.
    caption: ClassVar[str] = ""

    def assumptions(self) -> list[str]:
        """Say when it is valid and how it counts, a sentence each."""
        return []

    def facts(self) -> dict[str, str]:
        """Describe the scores that it comes from."""
        return {}

    def others_from(self) -> int:
        """Give the first column of the printed table that is not the answer's."""
        return len(self.printed()[0])

    def say(self, text: str) -> str:
        """Put a text into the words of those who ask."""
        return text

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
            _, grid = plt.subplots(len(panels), squeeze=False, figsize=size, layout="constrained")
            ax = list(grid[:, 0])
        axes = list(np.atleast_1d(np.asarray(ax, dtype=object)))
        for panel, draw in zip(axes, panels, strict=False):
            draw(panel)
        return axes[0]

    @paper_style()
    def figure(self) -> Figure:
        """Draw the figure of the files, in a style of its own."""
        panels = self.panels()
        size = COLUMN_WIDTH, PANEL_HEIGHT * len(panels)
        figure = Figure(figsize=size, layout="constrained")
        self.plot(list(figure.subplots(len(panels), squeeze=False)[:, 0]))
        return figure

    def text(
        self,
        more: str = "answer.cautions",
        written: Callable[[AccuracyWarning], str] = str,
        left_out: Sequence[AccuracyWarning] = (),
    ) -> str:
        """Write what is printed; `more` has the notes that are not, `written` writes a caution."""
        worst = gravest(self.cautions)
        verdict = [] if worst is None else [f"{worst.weight}: {written(worst)} [{worst.reason}]"]
        others = [each for each in (*self.cautions, *left_out) if each is not worst]
        notes = [f"Note: {written(caution)} [{caution.reason}]" for caution in others[:MOST_NOTES]]
        left = len(others) - len(notes)
        rest = [f"{left} more in {more}"] if left else []
        heads, rows = self.printed()
        table = text_table([self.say(head) for head in heads], rows)
        above, below = [*verdict, *self.conclusion()], [*notes, *rest]
        return "\n".join([*map(self.say, above), "", table, "", *map(self.say, below)]).rstrip()

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Write what a notebook shows: the page without its figure and what is below it."""
        return self._rendered("answer.html")

    def _rendered(self, template: str, png: str = "", **values: Any) -> str:
        worst, (heads, rows) = gravest(self.cautions), self.printed()
        verdict = [] if worst is None else [sentence(f"{worst.weight}: {worst}")]
        large, *rest = [*verdict, *self.conclusion()]
        values |= {"answer": self, "verdict": worst, "large": large, "rest": rest}
        values |= {"heads": heads, "rows": rows, "others": self.others_from(), "png": png}
        left_out = values["made"].left_out if "made" in values else ()
        cautions = [each for each in (*self.cautions, *left_out) if each is not worst]
        page = TEMPLATES.get_template(template).render(values, cautions=cautions)
        return TEXT_OF_PAGE.sub(lambda text: self.say(text[0]), page)

    def page(self, made: Made, png: bytes) -> str:
        """Write the page; the bytes are the PNG of the figure."""
        date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        return self._rendered(
            "page.html",
            base64.b64encode(png).decode("ascii"),
            version=version("accuracy-curves"),
            date=date,
            guide=GUIDE,
            made=made,
            assumptions=self.assumptions(),
            facts=self.facts(),
        )

    def as_json(self, made: Made) -> str:
        """Write what is printed, for programs."""
        worst = gravest(self.cautions)
        content = {
            "version": version("accuracy-curves"),
            "source": made.source,
            "command": made.command,
            "weight": WEIGHTS[worst.weight if worst else ""],
            "conclusion": self.conclusion(),
            "table": json.loads(self.table.to_json(orient="records", double_precision=12)),
            "cautions": [
                {
                    "reason": each.reason,
                    "weight": WEIGHTS[each.weight],
                    "sentence": sentence(str(each)),
                    "values": each.values,
                    "link": f"{GUIDE}#{each.reason}",
                }
                for each in (*self.cautions, *made.left_out)
            ],
        }
        return json.dumps(content, indent=1, default=lambda number: number.item()) + "\n"

    def write(self, folder: Path, made: Made) -> None:
        """Write tables, figure and page into a folder."""
        for name, table in self.tables().items():
            write_csv(table, folder / name)
        _, png = save_figure(self.figure(), folder / self.stem)
        texts = {
            "report.html": self.page(made, png.read_bytes()),
            "report.json": self.as_json(made),
        }
        for name, text in texts.items():
            with written_whole(folder / name) as beside:
                # A name of a file may hold bytes that are no text.
                beside.write_text(text, encoding="utf-8", errors="replace")

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
            self.write(staged, Made())

"""A question and its answer: what those of accuracy and of rates say alike, and their files."""

import base64
import datetime
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import jinja2
import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.answers.style import save_figure
from accuracy_curves.answers.wording import TEXT_OF_PAGE, percent, sentences
from accuracy_curves.cautions import gravest, share
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.utils.files import write_csv, written_whole
from accuracy_curves.utils.folders import written_together

WRONG_NAMES = "wrong_names.csv"
# Pages have nothing outside them.
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["share"] = share


@dataclass(frozen=True, kw_only=True)
class Question:
    """What both questions ask: the nominal coverage, the splits that tell it, and a seed."""

    level: float = LEVEL
    splits: int = 30
    seed: int = 0


@dataclass(frozen=True)
class Made:
    """What an answer was made of: the score file's name, and the command as it was typed.

    `origin` tells how embeddings became scores.
    """

    source: str = "scores given in Python"
    command: str = ""
    origin: Sequence[str] = field(default_factory=list)


class Answer(ABC):
    """What an answer says: to a terminal, to its page, and in files.

    `files` are the names of all files that it may write, `stem` is that of its figure, and
    `template` that of its page.
    """

    files: ClassVar[tuple[str, ...]]
    stem: ClassVar[str]
    template: ClassVar[str]
    question: Question

    def say(self, text: str) -> str:
        """Put a text into the words of those who ask."""
        return text

    @property
    @abstractmethod
    def cautions(self) -> list[AccuracyWarning]:
        """What speaks against it, the gravest first."""

    @property
    def other_cautions(self) -> list[AccuracyWarning]:
        """What speaks against what stands beside it."""
        return []

    @abstractmethod
    def about(self) -> str:
        """Say what it was made of."""

    @abstractmethod
    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: its heads, and its rows."""

    @abstractmethod
    def legends(self) -> list[str]:
        """Say what stands below the printed table, a line each."""

    @abstractmethod
    def conclusion(self) -> list[str]:
        """Say in plain words what is predicted, a sentence each."""

    @abstractmethod
    def tables(self) -> dict[str, pd.DataFrame]:
        """Give its tables by the names of their files."""

    @abstractmethod
    def figure(self) -> Figure:
        """Draw it."""

    def refusal(self) -> list[str]:
        """Say that it is doubtful, or should not be used, and why; empty where it may be."""
        worst = gravest(self.cautions)
        return [] if worst is None else sentences([f"{worst.weight}: {worst}"])

    @abstractmethod
    def on_page(self) -> dict[str, Any]:
        """Give what only its own template shows."""

    def page(self, made: Made, png: bytes) -> str:
        """Write the page; the bytes are the PNG of the figure."""
        values = {
            "version": version("accuracy-curves"),
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "answer": self,
            "question": self.question,
            "level": percent(self.question.level),
            "made": made,
            "origin": sentences(made.origin),
            "refusal": self.refusal(),
            "conclusion": self.conclusion(),
            "cautions": [(*sentences([str(each)]), each.reason) for each in self.cautions],
            "other_cautions": sentences(map(str, self.other_cautions)),
            "curves": base64.b64encode(png).decode("ascii"),
        }
        page = TEMPLATES.get_template(self.template).render(values | self.on_page())
        return TEXT_OF_PAGE.sub(lambda text: self.say(text[0]), page)

    def write(self, folder: Path, made: Made) -> None:
        """Write tables, figure and page into a folder."""
        write_files(folder, self.tables(), self.figure(), self.stem)
        page = self.page(made, (folder / f"{self.stem}.png").read_bytes())
        with written_whole(folder / "report.html") as beside:
            # A name of a file may hold bytes that are no text.
            beside.write_text(page, encoding="utf-8", errors="replace")

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
        with written_together(Path(folder), self.files, overwrite=overwrite) as staged:
            self.write(staged, Made())

    def __str__(self) -> str:
        """Say whether to trust it, and what is predicted, a sentence a line."""
        return "\n".join(map(self.say, [*self.refusal(), *self.conclusion()]))


def write_files(
    folder: Path, tables: Mapping[str, pd.DataFrame], figure: Figure, stem: str
) -> None:
    """Write tables by their names, and the figure as STEM.pdf and STEM.png."""
    for name, table in tables.items():
        write_csv(table, folder / name)
    save_figure(figure, folder / stem)

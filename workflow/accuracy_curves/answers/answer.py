"""A question and its answer: what those of accuracy and of rates say alike, and their files."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.answers.style import save_figure
from accuracy_curves.answers.wording import sentences
from accuracy_curves.cautions import gravest
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.utils.files import write_csv, written_whole

WRONG_NAMES = "wrong_names.csv"


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

    source: str
    command: str = ""
    origin: Sequence[str] = field(default_factory=list)


class Answer(ABC):
    """What an answer says: to a terminal, to its page, and in files.

    `files` are the names of all files that it may write, and `stem` is that of its figure.
    """

    files: ClassVar[tuple[str, ...]]
    stem: ClassVar[str]
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

    def write(
        self, folder: Path, page: Callable[[Self, Made, bytes], str], made: Made
    ) -> list[str]:
        """Write tables, figure and page into a folder; give their names.

        `page` writes the page; the bytes are the PNG of the figure.
        """
        *written, png = write_files(folder, self.tables(), self.figure(), self.stem)
        with written_whole(folder / "report.html") as beside:
            # A name of a file may hold bytes that are no text.
            text = page(self, made, (folder / png).read_bytes())
            beside.write_text(text, encoding="utf-8", errors="replace")
        return [name for name in self.files if name in ("report.html", png, *written)]


def write_files(
    folder: Path, tables: Mapping[str, pd.DataFrame], figure: Figure, stem: str
) -> list[str]:
    """Write tables by their names, and the figure as STEM.pdf and STEM.png; give all names."""
    for name, table in tables.items():
        write_csv(table, folder / name)
    return [*tables, *(path.name for path in save_figure(figure, folder / stem))]

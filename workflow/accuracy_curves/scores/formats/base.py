"""What the readers of files share: a file that is opened once, and what they give."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from numpy.lib.npyio import NpzFile

from accuracy_curves.scores.formats.columns import first_lines, is_table
from accuracy_curves.scores.given_arrays import AnyArray
from accuracy_curves.utils.files import opened_npz, readable, take_arrays


@dataclass
class Source:
    """A file or folder that is read, opened once, and what is said of it besides.

    `names` are what its arrays or columns are called, where they are not called as their reader
    says; `qrels` and `searched` are of candidate lists. `said` is what its reader says of it.
    `InputError` if it is not there, is empty, or is an npz file by its name alone.
    """

    path: Path
    higher_is_better: bool | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    combine: str | None = None
    qrels: Path | None = None
    searched: int | None = None
    said: list[str] = field(default_factory=list, init=False)
    loaded: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self._open = ExitStack()
        with readable(self.path):
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        # Without the error, of which `readable` would say that the file cannot be read.
        self._open.close()

    @cached_property
    def npz(self) -> NpzFile | None:
        """The open archive, where the file is an npz file by its name."""
        is_npz = self.path.suffix.lower() == ".npz" and self.path.is_file()
        return self._open.enter_context(opened_npz(self.path)) if is_npz else None

    @cached_property
    def lines(self) -> list[list[str]]:
        """The names of the columns and the first row, where the file is a table by its name."""
        return first_lines(self.path) if is_table(self.path) else []

    @property
    def columns(self) -> list[str]:
        """The names of the columns of a table; else none."""
        return self.lines[0] if self.lines else []

    def has(self, what: str) -> bool:
        """Tell whether it is an npz file with an array, or one that is said to have it."""
        return self.npz is not None and (what in self.names or what in self.npz.files)

    def load(self, *what: str) -> tuple[AnyArray, ...]:
        """Load arrays of an npz file, by the names that they are called."""
        assert self.npz is not None
        called = [self.names.get(each, each) for each in what]
        self.loaded.update(called)
        return take_arrays(self.npz, self.path, *called)

    def unused(self) -> list[str]:
        """Name the arrays of an npz file that were not loaded."""
        return [name for name in self.npz.files if name not in self.loaded] if self.npz else []


class GivenScores(NamedTuple):
    """The fields of a `ScoreMatrix`, or of `Searches`, as a file has them: nothing is checked."""

    scores: AnyArray
    labels: AnyArray
    higher_is_better: bool
    classes: AnyArray | None = None


class Embeddings(NamedTuple):
    """Embeddings of photos, (M, d), and their labels, (M,)."""

    embeddings: AnyArray
    labels: AnyArray


class Reader(Protocol):
    """A module that reads a format.

    `gives` is the type of what `read` returns; `parts` are the arrays or columns that may be called
    otherwise in a file.
    """

    gives: type
    parts: tuple[str, ...]

    def recognises(self, source: Source) -> bool:
        """Tell whether a file is of this format, without reading all of it."""

    def read(self, source: Source) -> Any:
        """Read the file."""

"""What the readers of files share: a file that is opened once, and what they give."""

import json
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.formats.columns import first_lines, is_table, read_columns
from accuracy_curves.scores.given_arrays import TEXTS
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import AnyArray, Float64Array, IntArray
from accuracy_curves.utils.files import opened_npz, readable, take_arrays

JSON = (".json", ".jsonl")
DIRECTION = "higher_is_better"
# Arrays that JSON may hold.
OF_JSON = ("scores", "embeddings", "labels", "classes", DIRECTION)
FOLDER_FILES = ("scores.npy", "labels.npy", "meta.json")


@dataclass
class Source:
    """A file or folder that is read, opened once, and what is said of it besides.

    `keys` are the names of embeddings and their labels, where the user says that it holds some.
    `qrels`, `searched` and `own_candidates` are for candidate lists, `metric` is for embeddings of
    two sets, and `top` for ranks. `InputError` if the file is absent, empty, or an npz file by its
    name alone.
    """

    path: Path
    higher_is_better: bool | None = None
    keys: tuple[str, str] | None = None
    qrels: Path | None = None
    searched: int | None = None
    own_candidates: bool = False
    metric: str | None = None
    top: int = 1

    def __post_init__(self) -> None:
        self._open = ExitStack()
        with readable(self.path):
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        # Without the error, which `readable` would report as a file that cannot be read.
        self._open.close()

    @cached_property
    def arrays(self) -> Mapping[str, AnyArray] | None:
        """The open archive, where it is an npz or .mat file by its name, a folder, or JSON."""
        if self.path.is_dir():
            return read_folder(self.path)
        if self.path.suffix.lower() == ".mat":
            return read_mat(self.path)
        if isinstance(self.json, dict) and {*OF_JSON[:2]} & {*self.json}:
            with readable(self.path):
                found = {name: self.json[name] for name in OF_JSON if name in self.json}
                if isinstance(labels := found.get("labels"), list) and np.ndim(labels) == 1:
                    return {name: np.array(each) for name, each in found.items()}
                return None
        is_npz = self.path.suffix.lower() == ".npz" and self.path.is_file()
        return self._open.enter_context(opened_npz(self.path)) if is_npz else None

    @cached_property
    def json(self) -> Any:
        """What the file holds, where it is JSON by its name."""
        return read_json(self.path) if self.path.suffix.lower() in JSON else None

    @cached_property
    def lines(self) -> list[list[str]]:
        """The names of the columns and the first row, where the file is a table by its name."""
        return first_lines(self.path) if is_table(self.path) else []

    @property
    def columns(self) -> list[str]:
        """The names of the columns of a table; else none."""
        return self.lines[0] if self.lines else []

    def has(self, what: str) -> bool:
        """Whether it is a file with an array."""
        return self.arrays is not None and what in self.arrays

    @cached_property
    def better(self) -> bool:
        """Whether higher is better: as is said of the file, or in it; else it is."""
        stored = self.load(DIRECTION)[0] if self.has(DIRECTION) else np.array(True)
        if self.higher_is_better is not None:
            return self.higher_is_better
        if stored.dtype != bool or stored.size != 1:
            raise InputError(f"{self.path} must say whether {DIRECTION}: true or false")
        return bool(stored)

    def table(self, *columns: str, scores: Collection[str] = ()) -> pd.DataFrame:
        """Read columns, as `read_columns`."""
        return read_columns(self.path, columns, scores)

    def load(self, *names: str) -> tuple[AnyArray, ...]:
        """Load arrays."""
        assert self.arrays is not None
        found = take_arrays(self.arrays, self.path, *names)
        return tuple(np.char.strip(each) if each.dtype.kind in TEXTS else each for each in found)


def read_json(path: Path) -> Any:
    """Read JSON, or a list of lines of it."""
    with readable(path):
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == JSON[0]:
            return json.loads(text)
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def read_folder(path: Path) -> dict[str, AnyArray]:
    """Read scores and labels, memory-mapped, and what meta.json says of their orientation."""
    arrays = dict[str, AnyArray]()
    for name in FOLDER_FILES[:2]:
        with readable(path / name):
            arrays[name[:-4]] = np.load(path / name, mmap_mode="r", allow_pickle=False)
    meta = read_json(path / FOLDER_FILES[2])
    said = meta.get(DIRECTION) if isinstance(meta, dict) else None
    return {**arrays, DIRECTION: np.array(said)}


def read_mat(path: Path) -> dict[str, AnyArray]:
    """Read the arrays of a MATLAB file."""
    from scipy.io import loadmat

    with readable(path):
        try:
            found = {name: each for name, each in loadmat(path).items() if name[:2] != "__"}
        except NotImplementedError as error:
            raise InputError(f"{path} is of MATLAB 7.3: save it with -v7, or as .npz") from error
    if DIRECTION in found:
        found[DIRECTION] = found[DIRECTION].astype(bool)  # Truths are small numbers there.
    # Cells of texts.
    cells = {name: each for name, each in found.items() if each.dtype == object}
    return found | {name: np.array([*map(np.squeeze, each.flat)]) for name, each in cells.items()}


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


class Curve(NamedTuple):
    """Accuracies at several numbers of classes.

    Attributes
    ----------
    k : (n,) array of int
    accuracy : (n,) array of float
    counts : (n,) array of float, or None
        How many trials are behind each. Lines of one k are pooled by them.
    of_first : Curve, optional
        That of the top 1, where these are of the top t of known ranks.
    runs : Curve, optional
        The lines as they are, where each is a run of its own.
    """

    k: IntArray
    accuracy: Float64Array
    counts: Float64Array | None
    of_first: "Curve | None" = None
    runs: "Curve | None" = None


@dataclass(frozen=True)
class Given:
    """What a file holds: one of the kinds of `accuracy_curves.scores.formats.KINDS`.

    The others are None. `names` are those of the listed candidates, `how` says what its reader made
    of it, and `used` names what it took of the options of embeddings.
    """

    scores: GivenScores | None = None
    drawn: ScoreMatrix | None = None
    searches: Searches | None = None
    lists: CandidateLists | None = None
    embeddings: Embeddings | None = None
    curve: Curve | None = None
    names: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    @property
    def said(self) -> list[str]:
        """How a sample was made, and what was left out of it."""
        sample = self.lists or self.searches
        return [*self.how, *(sample.origin if sample else ())]

"""Lists of verification trials: a line a comparison, genuine or impostor."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.columns import (
    BLANKS,
    as_bools,
    as_scores,
    encode,
    first_fields,
    read_lines,
)
from accuracy_curves.scores.formats.gallery_scores import SEVERAL, GalleryScores
from accuracy_curves.scores.formats.pairs import gallery_scores
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

LAYOUTS = ("bob", "kaldi")
BOB = (
    ["claimed_id", "real_id", "test_label", "score"],
    ["claimed_id", "model_label", "real_id", "test_label", "score"],
)
KALDI = ["enrol", "test", "target", "score"]
TARGET = {"target": True, "nontarget": False}


@dataclass(frozen=True, eq=False)
class Trials:
    """Scores of verification trials.

    Attributes
    ----------
    genuine, impostor : (n,) and (m,) arrays of float
        Scores of the trials of the same person and of different ones. Higher is better: distances
        are negated.
    full : GalleryScores, or None
        The same as a matrix, where every probe was compared with every identity.
    gap : str
        Why there is no matrix; empty where there is one.
    """

    genuine: Float64Array
    impostor: Float64Array
    full: GalleryScores | None
    gap: str

    def gallery_scores(self) -> GalleryScores:
        """Give the matrix.

        Returns
        -------
        GalleryScores

        Raises
        ------
        InputError
            If the list is none.
        """
        if self.full is None:
            raise InputError(
                f"{self.gap}. Only methods that pool genuine and impostor scores can use such a "
                "list (accuracy_curves.PooledScores)"
            )
        return self.full


def read_trials(
    path: str | os.PathLike[str],
    layout: str,
    *,
    targets: str | os.PathLike[str] | None = None,
    several: str | None = None,
    higher_is_better: bool = True,
) -> Trials:
    r"""Read scores of verification trials.

    Most lists compare each probe with few identities. They tell the scores of genuine and of
    impostor trials, and no more. Where each probe is compared with all identities, they are also
    a matrix.

    Parameters
    ----------
    path : path-like
        A text without a header, with blanks between the fields.
    layout : {"bob", "kaldi"}
        "bob": ``claimed_id real_id test_label score``, or five columns, with ``model_label`` after
        the first; a trial is genuine where claimed_id is real_id. "kaldi": ``enrol test score``
        with `targets`, or ``enrol test target|nontarget score``.
    targets : path-like, optional
        Of "kaldi": the file of the trials, ``enrol test target|nontarget``, in any order.
    several : {"best", "mean"}, optional
        Which score several models of an identity give a probe; by default such a list is no
        matrix.
    higher_is_better : bool
        False for distances.

    Returns
    -------
    Trials

    Raises
    ------
    InputError
        If a file is absent or is not such a list, a score is not finite, or a trial is in one file
        only.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> lines = ["ann ann p1 0.9", "ben ann p1 0.2", "ann ben p2 0.1", "ben ben p2 0.7"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores-dev"
    ...     _ = path.write_text("\n".join(lines))
    ...     trials = ac.read_trials(path, "bob")
    >>> trials.genuine.tolist(), trials.impostor.tolist()
    ([0.9, 0.7], [0.2, 0.1])
    >>> trials.gallery_scores().labels.tolist()
    [0, 1]
    """
    check_choice("layout", layout, LAYOUTS)
    if several is not None:
        check_choice("several", several, SEVERAL)
    source = Path(path)
    if layout == "bob":
        if targets is not None:
            raise InputError("a file of targets belongs to the layout kaldi, not to bob")
        return _read_bob(source, several, higher_is_better)
    return _read_kaldi(
        source, None if targets is None else Path(targets), several, higher_is_better
    )


def read_score_lists(
    genuine: str | os.PathLike[str],
    impostor: str | os.PathLike[str],
    *,
    higher_is_better: bool = True,
) -> Trials:
    r"""Read two files of scores: of genuine trials, and of impostor trials.

    They say nothing of probes and identities, so that there is never a matrix: only the methods
    that pool all scores can use them (`accuracy_curves.PooledScores`).

    Parameters
    ----------
    genuine, impostor : path-like
        Texts with a score a line, as they are or packed by gzip.
    higher_is_better : bool
        False for distances.

    Returns
    -------
    Trials

    Raises
    ------
    InputError
        If a file is absent, has more than a score in a line, or a score is not finite.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     one, other = Path(folder) / "genuine.txt", Path(folder) / "impostor.txt"
    ...     _ = one.write_text("3.1\n2.4\n"), other.write_text("0.1\n-0.4\n0.9\n")
    ...     trials = ac.read_score_lists(one, other)
    >>> trials.genuine.tolist(), len(trials.impostor)
    ([3.1, 2.4], 3)
    """
    found = []
    for path in map(Path, (genuine, impostor)):
        table = read_lines(path, ["score"], "score", separator=BLANKS, header=False)
        with located(path):
            score = as_scores(table["score"], "line")
        found.append(score if higher_is_better else -score)
    gap = f"{genuine} and {impostor} say nothing of probes and identities"
    return Trials(found[0], found[1], None, gap)


def _read_bob(source: Path, several: str | None, higher_is_better: bool) -> Trials:
    fields = len(first_fields(source, BLANKS))
    table = read_lines(source, BOB[fields == 5], "score", separator=BLANKS, header=False)
    same = (table["claimed_id"] == table["real_id"]).to_numpy(dtype=bool)
    return _trials(table, "test_label", "claimed_id", same, source, several, higher_is_better)


def _read_kaldi(
    source: Path, targets: Path | None, several: str | None, higher_is_better: bool
) -> Trials:
    if targets is None:
        table = read_lines(source, KALDI, "score", separator=BLANKS, header=False)
        named, told = source, table["target"]
    else:
        columns = ["enrol", "test", "score"]
        table = read_lines(source, columns, "score", separator=BLANKS, header=False)
        told = _joined(table, source, targets)
        named = targets
    with located(named):
        same = as_bools(told, "line", TARGET)
    return _trials(table, "test", "enrol", same, source, several, higher_is_better)


def _joined(table: "pd.DataFrame", source: Path, targets: Path) -> "pd.Series[str]":
    """Find each score's trial in the other file; the index is the line there."""
    trials = read_lines(targets, KALDI[:3], None, separator=BLANKS, header=False)
    scored, listed = np.split(_numbered(table, trials), [len(table)])
    order = np.argsort(listed, kind="stable")
    ranked = listed[order]
    twice = np.flatnonzero(ranked[1:] == ranked[:-1])
    if len(twice):
        line = trials.index[int(order[twice + 1].min())]
        raise InputError(f"{targets}: line {line}: this trial stands there twice")
    place = order[np.searchsorted(ranked, scored).clip(max=len(ranked) - 1)]
    absent = listed[place] != scored
    if absent.any():
        line = table.index[int(absent.argmax())]
        raise InputError(f"{source}: line {line}: this trial is not in {targets}")
    unscored = np.bincount(place, minlength=len(listed)) == 0
    if unscored.any():
        line = trials.index[int(unscored.argmax())]
        raise InputError(f"{targets}: line {line}: this trial has no score in {source}")
    told: pd.Series[str] = trials["target"].iloc[place]
    return told


def _numbered(*tables: "pd.DataFrame") -> IntArray:
    """Give equal pairs of enrol and test equal numbers, over all rows of the tables."""
    import pandas as pd

    enrol, test = (
        pd.factorize(pd.concat([table[key] for table in tables]))[0].astype(np.int64)
        for key in KALDI[:2]
    )
    return np.asarray(enrol * (test.max() + 1) + test)


def _trials(
    table: "pd.DataFrame",
    probe: str,
    identity: str,
    same: npt.NDArray[np.bool_],
    source: Path,
    several: str | None,
    higher_is_better: bool,
) -> Trials:
    """Pool the scores, and arrange them as a matrix if they are one."""
    with located(source):
        score = as_scores(table["score"], "line")
        if same.all() or not same.any():
            raise InputError(
                f"all trials are {'genuine' if same.all() else 'impostor'} ones: both are needed"
            )
        probes, identities = (
            encode(table[probe], "line"),
            encode(table[identity], "line", ascending=True),
        )
    oriented = score if higher_is_better else -score
    full, gap = None, ""
    try:
        with located(source):
            full = gallery_scores(
                probes,
                identities,
                score,
                lambda row: f"line {table.index[row]}",
                mate=same,
                several=several,
                higher_is_better=higher_is_better,
            )
    except InputError as error:
        gap = str(error)
    return Trials(oriented[same], oriented[~same], full, gap)

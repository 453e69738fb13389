"""The door for files: one function finds the reader of a file, which is opened once."""

import os
from pathlib import Path
from typing import cast

import numpy as np

from accuracy_curves.cautions import warn_left_out
from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.formats.base import Curve, Given, Source
from accuracy_curves.scores.formats.registry import FORMATS, KINDS, description, reader
from accuracy_curves.scores.given_arrays import are_marks, as_labels, of_nobody
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches

# Fewer rows may be of one class by chance.
LEAST_ROWS = 10


def read_file(source: Source, *kinds: str) -> Given:
    """Read a file of one of some `KINDS`; the reader of the last one says what it lacks.

    `InputError` if the file is of another kind.
    """
    able = [name for name, kind in FORMATS.items() if kind in kinds]
    name = next((name for name in FORMATS if reader(name).recognises(source)), able[-1])
    if (kind := FORMATS[name]) not in kinds:
        commands, loader = KINDS[kind]
        raise InputError(
            f"{source.path} holds {description(name)[0]}: {', '.join(commands)} of "
            f"accuracy-curves take them, and {loader} in Python"
        )
    return cast(Given, reader(name).read(source))


def sample_of(given: Given) -> ScoreMatrix:
    """Make a sample of a file's scores, with several right answers if it has them.

    `InputError` as of `ScoreMatrix`.
    """
    if given.drawn is not None:
        return given.drawn
    if given.searches is not None:
        return given.searches.mated.weighing_points(False)
    assert given.scores is not None
    scores, labels, better, classes = given.scores
    labels = as_labels(labels)
    nobody = of_nobody(labels)
    if labels.ndim == 1 and 0 < nobody.sum() < len(nobody):
        warn_left_out("points of the label -1", f"{nobody.sum():,} of {len(nobody):,}")
        return Searches(*given.scores).mated.weighing_points(None)
    if are_marks(labels, scores.shape) and labels.sum(axis=-1).max() > 1:
        return ScoreMatrix.of_queries(scores, labels, higher_is_better=better)
    if classes is None and len(labels) >= LEAST_ROWS and len(np.unique(labels)) == 1:
        own = int(labels[0])
        others = np.delete(scores, own, axis=1)
        return ScoreMatrix.from_drawn(scores[:, own], others, higher_is_better=better)
    return ScoreMatrix(scores, labels, better, classes)


def load_scores(path: str | os.PathLike[str], higher_is_better: bool | None = None) -> ScoreMatrix:
    r"""Load a score matrix.

    Parameters
    ----------
    path : path-like
        One of

        - an ``.npz`` file with the arrays ``scores`` (N, K), ``labels`` (N,),
          ``higher_is_better`` (one bool; True where it is absent) and, where labels are names,
          ``classes`` (K,), the names of the columns in their order;
        - a folder with ``scores.npy``, which is memory-mapped, ``labels.npy`` and ``meta.json``,
          which says ``{"higher_is_better": true}`` or ``false``;
        - a ``.csv`` file in UTF-8 whose first line is ``label,<class name>,<class name>,...``;
          every other line is a data point: the name of its correct class, then its score for
          each class. Higher scores are better unless `higher_is_better` says otherwise.
    higher_is_better : bool, optional
        True for similarities, False for distances; overrides the file. Give the
        logarithms of probabilities, or the scores before the softmax: a probability depends on the
        other classes.

    Returns
    -------
    ScoreMatrix
        N points, K classes.

    Raises
    ------
    InputError
        If the file is absent, damaged, lacks a part, or does not hold a score matrix.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("label,ann,ben,cat\nann,0.9,0.1,0.3\ncat,0.2,0.4,0.8\n")
    ...     matrix = ac.load_scores(path)
    >>> matrix.n_points, matrix.n_classes
    (2, 3)
    """
    with Source(Path(path), higher_is_better) as source:
        given = read_file(source, "scores", "drawn")
    with located(path):
        return sample_of(given)


def load_searches(
    path: str | os.PathLike[str],
    higher_is_better: bool | None = None,
) -> Searches:
    r"""Load searches of a gallery, with or without a mate there, or verification trials.

    Parameters
    ----------
    path : path-like
        One of

        - what `accuracy_curves.load_scores` reads; the label -1 marks a search without a mate;
        - a table with a row for each pair of a probe and an identity: ``.csv`` or ``.tsv`` in UTF-8
          whose first line names the columns, as it is or packed (``.csv.gz``). Columns ``probe``,
          ``identity``, ``score``, and ``mate`` (true or false, 1 or 0) or ``probe_identity``
          (empty, or not among the identities: no mate). Other columns are passed over. In a text
          ``1`` is not ``01``;
        - a list of verification trials: such a table with ``score`` and ``mate`` alone;
        - an ``.npz`` file with ``distmat`` (queries x photos), ``query_ids`` and ``gallery_ids``,
          see `accuracy_curves.score_identities`.
    higher_is_better : bool, optional
        False for distances. By default what the file says; a ``distmat`` holds distances.

    Returns
    -------
    Searches
        A table gives a row for each probe, in its order, and a column for each identity, ascending.

    Raises
    ------
    InputError
        If the file is absent, damaged or lacks a part, a score is not finite, a pair is missing or
        repeated, or a probe has two mates.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> rows = ["probe,identity,score,mate"]
    >>> rows += ["p,ann,0.9,true", "p,ben,0.1,false", "p,cat,0.3,false"]
    >>> rows += ["q,ann,0.3,false", "q,ben,0.2,false", "q,cat,0.4,false"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("\n".join(rows))
    ...     found = ac.load_searches(path)
    >>> found.scores.tolist(), found.labels.tolist()
    ([[0.9, 0.1, 0.3], [0.3, 0.2, 0.4]], [0, -1])
    """
    with Source(Path(path), higher_is_better) as source:
        given = read_file(source, "searches", "scores")
    with located(path):
        return Searches(*given.scores) if given.scores else cast(Searches, given.searches)


def load_candidates(
    path: str | os.PathLike[str],
    higher_is_better: bool | None = None,
    *,
    searched: int | None = None,
    qrels: str | os.PathLike[str] | None = None,
) -> CandidateLists:
    r"""Load lists of candidates: the best classes of each search, with scores.

    Parameters
    ----------
    path : path-like
        One of

        - a TREC run, whose lines are ``query Q0 document rank score name``, with its `qrels`;
        - a table, ``.csv`` or ``.tsv``, with one row per candidate: ``probe``,
          ``identity``, ``score``, ``rank`` and ``mate``, the right identity of the probe, listed or
          not, empty where it was not searched;
        - an ``.npz`` file with ``distances``, ``indices``, ``query_ids`` and ``gallery_ids``, as of
          `CandidateLists.from_neighbours`.
    higher_is_better : bool, optional
        By default what the file says: ``distances`` are, runs and tables have similarities.
    searched : int
        Number of classes that were searched; of runs and tables.
    qrels : path-like, optional
        Judgements, ``query 0 document relevance``. Of several relevant documents the best-placed
        one counts, so that an accuracy is the hit rate, and each query weighs the same.

    Returns
    -------
    CandidateLists
        Its ``origin`` says what was left out.

    Raises
    ------
    InputError
        If the file is absent or damaged, or lists cannot be used, see `CandidateLists`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> run = [f"q{q} Q0 d{q + r} {r} {30 - r} bm25" for q in range(9) for r in range(25)]
    >>> qrels = [f"q{q} 0 d{q + q * q} 1" for q in range(9)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "run.trec").write_text("\n".join(run))
    ...     _ = Path(folder, "qrels.txt").write_text("\n".join(qrels))
    ...     ac.load_candidates(f"{folder}/run.trec", searched=90, qrels=f"{folder}/qrels.txt")
    <CandidateLists: 9 searches, lists of 24 to 25 of 90 classes, similarities>
    """
    judged = None if qrels is None else Path(qrels)
    with Source(Path(path), higher_is_better, qrels=judged, searched=searched) as source:
        return cast(CandidateLists, read_file(source, "lists").lists)


def read_curve(path: str | os.PathLike[str], *, top: int = 1, searched: int | None = None) -> Curve:
    r"""Read a curve of accuracies.

    Parameters
    ----------
    path : path-like
        A CSV file whose first line names the columns: ``k``, ``accuracy`` and, if it is known how
        many trials are behind each accuracy, ``counts``. Other columns are passed over. Or ranks
        of right answers, or a CMC: ``rank``, and ``candidates`` or ``cmc``.
    top : int
        Of ranks: t of the top-t accuracies.
    searched : int, optional
        Of ranks: among how many candidates, where no column says so.

    Returns
    -------
    Curve
        For `accuracy_curves.fit_curve`, which says whether it can be used.

    Raises
    ------
    InputError
        If the file is absent, lacks a column, or a field is not a finite number.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "curve.csv"
    ...     _ = path.write_text("k,accuracy\n10,0.98\n50,0.95\n100,0.93\n")
    ...     curve = ac.read_curve(path)
    >>> ac.fit_curve(curve.k, curve.accuracy, "pitman_yor").predict(1000).round(2)
    array([0.86])
    """
    with Source(Path(path), searched=searched, top=top) as source:
        return cast(Curve, read_file(source, "curve").curve)

"""Searches from files, whichever tool wrote them."""

import os
from collections.abc import Mapping
from pathlib import Path

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.columns import column_names, is_table
from accuracy_curves.scores.formats.gallery_photos import ARRAYS, COMBINE, read_distance_matrix
from accuracy_curves.scores.score_files import read_score_file
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.files import array_names
from accuracy_curves.utils.validation import check_choice


def load_searches(
    path: str | os.PathLike[str],
    higher_is_better: bool | None = None,
    *,
    names: Mapping[str, str] | None = None,
    combine: str | None = None,
) -> Searches:
    r"""Load searches of a gallery, with or without a mate there, or verification trials.

    Parameters
    ----------
    path : path-like
        One of

        - what `accuracy_curves.load_scores` reads; the label -1 marks a search without a mate;
        - a table with a row for each pair of a probe and an identity: ``.csv`` or ``.tsv`` in UTF-8
          whose first line names the columns, as it is or packed (``.csv.gz``), or ``.parquet``,
          which needs pyarrow. Columns ``probe``, ``identity``, ``score``, and ``mate`` (true or
          false, 1 or 0) or ``probe_identity`` (empty, or not among the identities: no mate). Other
          columns are passed over. In a text ``1`` is not ``01``;
        - a list of verification trials: such a table with ``score`` and ``mate`` alone;
        - an ``.npz`` file with ``distmat`` (queries x photos), ``query_ids`` and ``gallery_ids``,
          see `accuracy_curves.score_identities`.
    higher_is_better : bool, optional
        False for distances. By default what the file says; a ``distmat`` holds distances.
    names : dict of str to str, optional
        Names of columns or arrays in the file: ``{"probe": "query"}``.
    combine : {"best", "mean"}, optional
        Which score an identity with several photos gets: by default the best in a ``distmat``. A
        table may have one row a pair by default, as a second one may also be a mistake.

    Returns
    -------
    Searches
        A table gives a row for each probe, in its order, and a column for each identity, ascending.

    Raises
    ------
    InputError
        If the file is absent, damaged or lacks a part, a score is not finite, a pair is missing or
        stands twice, or a probe has two mates.
    MissingDependencyError
        If the file is Parquet and pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import accuracy_curves as ac
    >>> rows = ["query,person,score,mate", "p,ann,0.9,true", "p,ben,0.1,false", "p,cat,0.3,false"]
    >>> rows += ["q,ann,0.3,false", "q,ben,0.2,false", "q,cat,0.4,false"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("\n".join(rows))
    ...     found = ac.load_searches(path, names={"probe": "query", "identity": "person"})
    >>> found.scores.tolist(), found.labels.tolist()
    ([[0.9, 0.1, 0.3], [0.3, 0.2, 0.4]], [0, -1])
    """
    source, called = Path(path), dict(names or {})
    if combine is not None:
        check_choice("combine", combine, COMBINE)
    if is_table(source) and column_names(source)[0] != "label":
        # Deferred, as pandas takes long to import.
        from accuracy_curves.scores.formats.long_table import COLUMNS, read_long_table

        _check_names(source, called, COLUMNS)
        better = True if higher_is_better is None else higher_is_better
        return read_long_table(source, called, combine, better)
    if is_npz(source) and called.get("distmat", "distmat") in array_names(source):
        _check_names(source, called, ARRAYS)
        return read_distance_matrix(source, called, combine or "best", bool(higher_is_better))
    if called or combine is not None:
        raise InputError(f"{source} is a score matrix: names and combine are for other files")
    scores, labels, orientation, classes = read_score_file(source, higher_is_better)
    with located(source):
        return Searches(scores, labels, orientation, classes)


def is_npz(source: Path) -> bool:
    """Tell whether a file is there and an npz file by its name."""
    return source.suffix.lower() == ".npz" and source.is_file()


def _check_names(source: Path, names: Mapping[str, str], known: tuple[str, ...]) -> None:
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"{source} has no {unknown[0]!r} to name: it has {', '.join(known)}")

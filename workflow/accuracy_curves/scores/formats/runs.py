"""A run, and the right answers in another file.

A run and its right answers, `--qrels`, with `--searched`: texts of TREC, tables with columns such
as `qid`, `docno`, `score` (PyTerrier) or `query-id`, `corpus-id`, `score` (BEIR), JSON of
`{query: {document: score}}` (ranx, pytrec_eval), or sparse matrices of SciPy in `.npz` (queries x
documents).
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Given, Source, read_json
from accuracy_curves.scores.formats.columns import as_scores, first_lines, is_table, read_columns
from accuracy_curves.scores.formats.lists import judged_lists
from accuracy_curves.utils.files import opened_npz, readable

if TYPE_CHECKING:
    import pandas as pd

# What columns are called; the first that is there counts.
CALLED = {
    "probe": ("qid", "query-id", "query_id", "q_id", "query", "probe"),
    "identity": ("docno", "docid", "corpus-id", "doc_id", "document", "identity"),
    "score": ("score", "label", "relevance", "rel"),
    "rank": ("rank",),
}
# Fields of a text of TREC, which has no line of names.
RUN = ("probe", "", "identity", "rank", "score", "")
QRELS = ("probe", "", "identity", "score")

parts: tuple[str, ...] = tuple(CALLED)


def recognises(source: Source) -> bool:
    """Tell qrels, JSON of queries, a sparse matrix, or columns that only a run has."""
    if source.qrels is not None or source.has("indptr"):
        return True
    if source.columns:
        return not {*source.columns}.isdisjoint(CALLED["identity"][:-1])
    return isinstance(source.json, dict)


def read(source: Source) -> Given:
    """Read a run; scores are similarities if nothing else is said."""
    if source.qrels is None:
        raise InputError(f"{source.path} is a run: give the right answers (--qrels FILE)")
    run, searched = _pairs(source.path, RUN, source.names)
    judged, _ = _pairs(source.qrels, QRELS, {})
    relevant = judged[judged["score"] > 0]
    twice = judged.drop_duplicates().duplicated(["probe", "identity"])
    if twice.any():
        probe, identity = judged.drop_duplicates()[["probe", "identity"]][twice].iloc[0]
        raise InputError(
            f"{source.qrels}: {identity!r} is judged twice for the query {probe!r}, and not the "
            "same: keep one of the lines"
        )
    better = True if source.higher_is_better is None else source.higher_is_better
    with located(source.path):
        source.searched = source.searched or searched
        lists = judged_lists(run, relevant, better, source)
    return Given(lists=lists, said=lists.origin)


def _pairs(
    path: Path, fields: tuple[str, ...], names: Mapping[str, str]
) -> tuple["pd.DataFrame", int | None]:
    """Read probe, identity, score and rank of each pair; and of how many documents, if known."""
    import pandas as pd

    searched, unit = None, "line"
    if path.suffix.lower() == ".npz":
        table, searched = _sparse(path)
    elif path.suffix.lower().startswith(".json"):
        nested = read_json(path)
        if not isinstance(nested, dict) or not all(isinstance(of, dict) for of in nested.values()):
            raise InputError(f"{path} must hold {{query: {{document: number}}}}")
        rows = [(probe, each, n) for probe, of in nested.items() for each, n in of.items()]
        table, unit = pd.DataFrame(rows, columns=["probe", "identity", "score"]), "pair"
    else:
        table, unit = _table(path, fields, names)
    with located(path):
        for name in {"score", "rank"} & {*table.columns}:
            table[name] = as_scores(table[name], unit)
    return table, searched


def _table(
    path: Path, fields: tuple[str, ...], names: Mapping[str, str]
) -> tuple["pd.DataFrame", str]:
    """Read a table by the names of its columns, or a text of TREC, which has none."""
    import pandas as pd

    there = first_lines(path)[0] if is_table(path) else []
    called = {
        what: next((each for each in (names.get(what), *known) if each in there), None)
        for what, known in CALLED.items()
    }
    if called["probe"] and called["identity"] and called["score"]:
        columns = {column: what for what, column in called.items() if column}
        table, unit = read_columns(path, [*columns])
        return table.rename(columns=columns), unit
    with readable(path):
        table = pd.read_csv(
            path, sep=r"\s+", header=None, dtype=str, na_filter=False, quoting=csv.QUOTE_NONE
        )
    if table.shape[1] != len(fields):
        kind = "run" if fields == RUN else "file of right answers"
        raise InputError(
            f"{path} is no {kind}: a line of TREC has {len(fields)} fields and not "
            f"{table.shape[1]}, and a table names its columns, such as qid, docno, score"
        )
    table.index += 1
    return table.set_axis([*fields], axis=1)[[name for name in fields if name]], "line"


def _sparse(path: Path) -> tuple["pd.DataFrame", int]:
    """Read what a sparse matrix holds: rows and columns are named by their numbers."""
    import pandas as pd
    from scipy import sparse

    with opened_npz(path):
        matrix = sparse.coo_array(sparse.load_npz(path))
    columns = {"probe": matrix.coords[0].astype(str), "identity": matrix.coords[1].astype(str)}
    return pd.DataFrame({**columns, "score": matrix.data}), matrix.shape[1]

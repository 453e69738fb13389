"""A run, and the right answers in another file.

A run and its right answers, `--qrels`, with `--searched`. They are texts of TREC, or tables with
columns such as `qid`, `docno`, `score` (PyTerrier) or `query-id`, `corpus-id`, `score` (BEIR). JSON
of `{query: {document: score}}` (ranx, pytrec_eval) and sparse matrices of SciPy in `.npz` (queries
x documents) are read, too.
"""

import csv
from pathlib import Path

import pandas as pd

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.candidates import drawn_for_each, judged_lists
from accuracy_curves.scores.formats.columns import as_numbers, only_one
from accuracy_curves.utils.files import readable

# What columns are called; the first that is there counts.
CALLED = {
    "probe": ("qid", "query-id", "query_id", "q_id", "query", "probe"),
    "identity": ("docno", "docid", "corpus-id", "doc_id", "document", "identity"),
    "score": ("score", "label", "relevance", "rel"),
    "rank": ("rank",),
}
PAIR = ("probe", "identity")
# Fields of a text of TREC, which has no line of names.
RUN = ("probe", "", "identity", "rank", "score", "")
QRELS = ("probe", "", "identity", "score")


def recognises(source: Source) -> bool:
    """Whether there are qrels, JSON of queries, a sparse matrix, or columns that only a run has."""
    if source.qrels is not None or source.has("indptr"):
        return True
    if source.columns:
        return not {*source.columns}.isdisjoint(CALLED["identity"][:-1])
    return isinstance(source.json, dict) and source.arrays is None


def read(source: Source) -> Given:
    """Read a run; scores are similarities if nothing else is said."""
    if source.qrels is None:
        raise InputError(f"{source.path} is a run: give the right answers (--qrels FILE)")
    run = _pairs(source, RUN)
    right = read_qrels(source.qrels)
    with located(source.path):
        if source.own_candidates:
            return Given(drawn=drawn_for_each(run, right, source))
        return judged_lists(run, right, source)


def read_qrels(path: Path) -> pd.DataFrame:
    """Read the pairs of a query and a relevant document."""
    with Source(path) as source:
        judged = _pairs(source, QRELS)
    with located(path):
        only_one(judged, "score", "probe", "identity")
    return judged[judged["score"] > 0]


def _pairs(source: Source, fields: tuple[str, ...]) -> pd.DataFrame:
    """Read probe, identity, score and rank of each pair; and of how many documents, if known."""
    if source.has("indptr"):
        from scipy import sparse

        # Rows and columns are named by their numbers.
        matrix = sparse.coo_array(sparse.load_npz(source.path))
        pairs = (each.astype(str) for each in matrix.coords)
        source.searched = source.searched or matrix.shape[1]
        return pd.DataFrame(dict(zip(PAIR, pairs, strict=True))).assign(score=matrix.data)
    if source.json is not None:
        nested = source.json
        if not isinstance(nested, dict) or not all(isinstance(of, dict) for of in nested.values()):
            raise InputError(f"{source.path} must hold {{query: {{document: number}}}}")
        rows = [(probe, each, n) for probe, of in nested.items() for each, n in of.items()]
        table = pd.DataFrame(rows, columns=[*PAIR, "score"]).rename_axis("pair")
    else:
        table = _table(source, fields)
    with located(source.path):
        numbers = {name: as_numbers(table[name]) for name in {"score", "rank"} & {*table.columns}}
    return table.assign(**numbers)


def _table(source: Source, fields: tuple[str, ...]) -> pd.DataFrame:
    """Read a table by the names of its columns, or a text of TREC, which has none."""
    called = {
        what: next((column for column in known if column in source.columns), None)
        for what, known in CALLED.items()
    }
    there = {column: what for what, column in called.items() if column}
    if {*PAIR, "score"} <= {*there.values()}:
        return source.table(*there).rename(columns=there)
    with readable(source.path):
        table = pd.read_csv(
            source.path, sep=r"\s+", header=None, dtype=str, na_filter=False, quoting=csv.QUOTE_NONE
        )
    if table.shape[1] != len(fields):
        raise InputError(
            f"{source.path} has {table.shape[1]} fields a line: of TREC it has {len(fields)}, and "
            "a table names its columns, such as qid, docno, score"
        )
    table = table.set_axis(table.index.rename("line") + 1).set_axis([*fields], axis=1)
    return table[[name for name in fields if name]]

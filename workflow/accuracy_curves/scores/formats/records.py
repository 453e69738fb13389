"""One record per query, with its candidates.

JSON, or one line of it per query (JSONL). Candidates are records, such as `id` and `score`, or two
lists, such as `labels` and `scores`. The right one is a field such as `gold` or `true_label`, or a
mark such as `has_answer`, or in `--qrels`: qrels, or one label per line. `--searched` where not all
are listed. Lines of fastText's `predict-prob` and of libsvm's `-b 1` are read too, with `--qrels`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import JSON, Given, Source
from accuracy_curves.scores.formats.candidates import judged_lists
from accuracy_curves.scores.formats.columns import as_numbers
from accuracy_curves.scores.formats.runs import CALLED as COLUMNS
from accuracy_curves.scores.formats.runs import QRELS, read_qrels
from accuracy_curves.utils.files import readable

# What fields of records and of candidates are called besides; the first that is there counts.
CALLED = {
    "query": ("question", "sequence", "text", "query_id", "qid", "probe"),
    "gold": ("true_label", "true_intent", "intent", "target", "truth", "expected", "label"),
    "retrieved": ("labels", "ids", "candidates", "documents", "names"),
    "scores": ("similarities", "confidences", "probabilities", "distances"),
    "id": ("_id", "corpus_id", "docid", "doc_id", "label", "name", "document"),
    "score": ("_score", "confidence", "probability", "similarity", "distance"),
    "mark": ("has_answer", "relevant", "is_relevant", "correct"),
}
DISTANCES = ("distance", "distances")
# How lines of fastText and of libsvm begin; the input of libsvm goes on with numbers.
FASTTEXT, LIBSVM, NUMBERED = "__label__", "labels ", re.compile(r"\S+ +\d+:")
# Qrels by their names.
PACKED = (*JSON, ".npz")
# A right answer that is not among the candidates; so much shows what lines are.
ELSEWHERE, READ = "(elsewhere)", 500
NEEDED = "gold, and candidates: records of id and score, or two lists, retrieved and scores"


class Record(NamedTuple):
    """A query, its right answers and its candidates, best first; None for what is not there."""

    query: str | None
    gold: list[str] | None
    ids: list[str]
    scores: list[Any] | None
    are_distances: bool = False


def recognises(source: Source) -> bool:
    """Whether it is JSON with candidates, or lines of fastText or libsvm."""
    if source.json is not None:
        return source.arrays is None and (
            isinstance(source.json, list) or next(records_of(source), None) is not None
        )
    return source.path.is_file() and _first_line(source.path).startswith((FASTTEXT, LIBSVM))


def read(source: Source) -> Given:
    """Read the records: similarities if nothing else is said, but what is called distances."""
    with located(source.path):
        records = list[Record]()
        for place, record in enumerate(records_of(source)):
            if record is None or len(record.scores or ()) != len(record.ids):
                raise InputError(f"record {place} needs {NEEDED}, as many of both")
            records.append(record)
        names = [str(record.query) for record in records]
        if len({*names}) < len(names):
            names = [*map(str, range(len(names)))]
        unjudged = sum(record.gold is None for record in records)
        if source.qrels is None and unjudged:
            raise InputError(
                f"{unjudged:,} of {len(records):,} records do not say which candidate is right: "
                "add a field gold, or give the labels, one line per record (--qrels FILE)"
            )
        if source.higher_is_better is None and any(each.are_distances for each in records):
            source.higher_is_better = False
        known = [*dict.fromkeys(one for record in records for one in record.ids)]
        rows, pairs = list[tuple[str, str, Any]](), list[tuple[str, str]]()
        for place, (query, record) in enumerate(zip(names, records, strict=True)):
            both = zip(record.ids, record.scores or (), strict=True)
            rows += [(query, *each) for each in both]
            others = (
                each for each in known[place % len(known) :] + known if each not in record.ids
            )
            elsewhere = next(others, ELSEWHERE) if record.gold == [ELSEWHERE] else ""
            pairs += [(query, elsewhere or each) for each in record.gold or ()]
        run = pd.DataFrame(rows, columns=["probe", "identity", "score"]).rename_axis("candidate")
        run = run.assign(score=as_numbers(run["score"]), rank=range(len(run)))
        right = pd.DataFrame(pairs, columns=["probe", "identity"])
        if source.qrels is not None:
            right = _right_answers(source.qrels, names)
        return judged_lists(run, right, source)


def records_of(source: Source) -> Iterator[Record | None]:
    """Find the records, None for what is none."""
    if source.json is None:
        yield from _of_lines(source.path)
        return
    for query, value in _values(source.json):
        yield _record(query, value)


def _field(record: Any, what: str) -> Any:
    """Name the field that a record has of a kind; None where there is none."""
    return next((name for name in (what, *CALLED[what]) if name in record), None)


def _values(json: Any) -> Iterator[tuple[str | None, Any]]:
    """Find what may be records, of names that are keys."""
    if isinstance(json, list):
        yield from ((None, value) for value in json)
        return
    listed = json.get(_field(json, "retrieved"))
    lists = [value for value in json.values() if isinstance(value, list)]
    if listed and isinstance(listed[0], list):
        names = [name for name, value in json.items() if isinstance(value, list)]
        for each in zip(*lists, strict=True):
            yield None, dict(zip(names, each, strict=True))
    elif len(lists) == 1 and not listed:
        yield from ((None, value) for value in lists[0])
    else:
        yield from [(None, json)] if listed else json.items()


def _record(query: str | None, value: Any) -> Record | None:
    """Read a record; where candidates have marks and none is right, one elsewhere is."""
    if (candidates := _candidates(value)) is None:
        return None
    ids, scores, marks, are_distances = candidates
    gold: Any = None
    if marks is not None:
        gold = [one for one, mark in zip(ids, marks, strict=True) if mark] or [ELSEWHERE]
    if isinstance(value, dict):
        query = value.get(_field(value, "query")) if query is None else query
        if marks is None and (name := _field(value, "gold")) is not None:
            gold = value[name] if isinstance(value[name], list) else [value[name]]
            gold = [_name(each) for each in gold if each is not None]
    gold = None if gold is None else [*map(str, gold)]
    return Record(query, gold, [*map(str, ids)], scores, are_distances)


def _name(gold: Any) -> Any:
    return gold.get(_field(gold, "id")) if isinstance(gold, dict) else gold


def _candidates(value: Any) -> tuple[list[Any], Any, Any, bool] | None:
    """Find the candidates of a record, at any depth: ids, scores, marks, whether of distances."""
    children = value
    if isinstance(value, dict):
        ids, scores = (_field(value, what) for what in ("retrieved", "scores"))
        listed = value.get(ids)
        if isinstance(listed, list) and not (listed and isinstance(listed[0], dict | list)):
            given = value.get(scores)
            return listed, given if isinstance(given, list) else None, None, scores in DISTANCES
        children = value.values()
    elif not isinstance(value, list):
        return None
    elif value and all(isinstance(each, dict) for each in value):
        names = [_field(value[0], what) for what in ("id", "score", "mark")]
        columns = [[each.get(name) for each in value] if name else None for name in names]
        if columns[0] and columns[1]:
            return columns[0], columns[1], columns[2], names[1] in DISTANCES
    found = (_candidates(each) for each in children)
    return next((each for each in found if each is not None), None)


def _first_line(path: Path) -> str:
    with readable(path), path.open("rb") as file:
        return file.readline(READ).decode("utf-8-sig", "replace")


def _of_lines(path: Path) -> Iterator[Record]:
    """Read lines of fastText, label and probability in turn, or of libsvm, after their names."""
    with readable(path):
        first, *others = [line.split() for line in path.read_text("utf-8").splitlines()]
        if first[0] == LIBSVM.strip():
            for line in others:
                best = sorted(
                    zip(first[1:], line[1:], strict=True), key=lambda each: -float(each[1])
                )
                yield Record(None, None, [name for name, _ in best], [one for _, one in best])
        else:
            yield from (Record(None, None, line[::2], line[1::2]) for line in (first, *others))


def _right_answers(path: Path, names: list[str]) -> pd.DataFrame:
    """Read qrels, or labels in the order of the records: the lines that the classifier was given.

    `InputError` if there are not as many.
    """
    first = _first_line(path).strip()
    fields = re.split(r"[\s,;]+", first)
    of_fasttext = first.startswith(FASTTEXT)
    of_trec = len(fields) == len(QRELS) and fields[-1].isdecimal() and not of_fasttext
    if of_trec or {*fields} & {*COLUMNS["identity"]} or path.suffix.lower() in PACKED:
        return read_qrels(path)
    with readable(path):
        lines = [line for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
    if len(lines) != len(names):
        raise InputError(
            f"{path} has {len(lines):,} labels, a line each, for {len(names):,} records"
        )
    if of_fasttext or NUMBERED.match(first):
        lines = [line.split()[0] for line in lines]
    return pd.DataFrame({"probe": names, "identity": [line.strip() for line in lines]})

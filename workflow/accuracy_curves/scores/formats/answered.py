"""A record a query, with its right answers.

JSON, or a line of it a query (JSONL), with `--searched`: `query`, `gold` (the right document or
several), `retrieved` (documents, best first) and `scores`; or what DPR writes, `question` and
`ctxs` with `id`, `score` and `has_answer`.
"""

from collections.abc import Iterator
from typing import Any

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import as_scores
from accuracy_curves.scores.formats.lists import judged_lists

parts: tuple[str, ...] = ("query", "gold", "retrieved", "scores")


def recognises(source: Source) -> bool:
    """Tell JSON with a record a query, where its right answers are not elsewhere."""
    return isinstance(source.json, list) and source.qrels is None


def read(source: Source) -> Given:
    """Read the records; scores are similarities if nothing else is said."""
    import pandas as pd

    better = True if source.higher_is_better is None else source.higher_is_better
    called = [source.names.get(what, what) for what in parts]
    rows, right = list[Any](), list[Any]()
    with located(source.path):
        for place, record in enumerate(_of_dpr(source.json, called)):
            absent = [name for name in called if not isinstance(record, dict) or name not in record]
            if absent:
                needed = ", ".join(called)
                raise InputError(f"record {place} has no {absent[0]!r}: {needed} are needed")
            query, gold, retrieved, scores = (record[name] for name in called)
            if len(retrieved) != len(scores):
                raise InputError(
                    f"record {place} has {len(retrieved)} documents and {len(scores)} scores: one "
                    "score a document is needed"
                )
            right += [(str(query), str(each)) for each in (gold if type(gold) is list else [gold])]
            found = zip(retrieved, scores, strict=True)
            rows += [(str(query), str(each), n, rank) for rank, (each, n) in enumerate(found)]
        run = pd.DataFrame(rows, columns=["probe", "identity", "score", "rank"])
        run["score"] = as_scores(run["score"], "candidate")
        relevant = pd.DataFrame(right, columns=["probe", "identity"])
        lists = judged_lists(run, relevant, better, source)
    return Given(lists=lists, said=lists.origin)


def _of_dpr(records: list[Any], called: list[str]) -> Iterator[Any]:
    """Take the fields of DPR's records, by the names that others have; leave others as they are.

    Where no document that is listed has the answer, one that is not listed has it, any one.
    """
    found = [record.get("ctxs") if isinstance(record, dict) else None for record in records]
    known = [*dict.fromkeys(each["id"] for listed in found for each in listed or ())]
    for place, (record, listed) in enumerate(zip(records, found, strict=True)):
        if listed is None:
            yield record
            continue
        ids = [each["id"] for each in listed]
        gold = [each["id"] for each in listed if each["has_answer"]]
        others = (known[(place + step) % len(known)] for step in range(len(known)))
        gold = gold or [next((each for each in others if each not in ids), f"(none of {place})")]
        scores = [each["score"] for each in listed]
        yield dict(zip(called, (record["question"], gold, ids, scores), strict=True))

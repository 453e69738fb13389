"""A record a query, with its right answers.

JSON, or a line of it a query (JSONL), with `--searched`: `query`, `gold` (the right document or
several), `retrieved` (documents, best first) and `scores`; or what DPR writes, `question` and
`ctxs` with `id`, `score` and `has_answer`.
"""

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

    called = source.called(*parts)
    try:
        records = _of_dpr(source.json, called)
    except (KeyError, TypeError) as error:
        needed = "a question, and ctxs with id, score and has_answer"
        raise InputError(f"{source.path}: a record of DPR has {needed}: {error}") from error
    for place, record in enumerate(records):
        wrong = [name for name in called if not isinstance(record, dict) or name not in record]
        both = [record[name] for name in called[2:] if not wrong]
        if both and {*map(type, both)} == {list} and len(both[0]) == len(both[1]):
            continue
        needed = f"{', '.join(called)} are needed, and a score for each document"
        what = f"has no {wrong[0]!r}" if wrong else "has not as many documents as scores, in lists"
        raise InputError(f"{source.path}: record {place} {what}: {needed}")
    table = pd.DataFrame(records, dtype=object)[called]
    table.columns = pd.Index(["probe", "gold", "identity", "score"])
    some = table[table["identity"].str.len() > 0]
    run = some.explode(["identity", "score"], ignore_index=True).rename_axis("candidate")
    right = table[["probe", "gold"]].explode("gold").dropna()
    right.columns = pd.Index(["probe", "identity"])
    with located(source.path):
        run = run.assign(score=as_scores(run["score"]), rank=range(len(run)))
        names = {"probe": str, "identity": str}
        return Given(lists=judged_lists(run.astype(names), right.astype(names), source))


def _of_dpr(records: list[Any], called: list[str]) -> list[Any]:
    """Name the fields of DPR's records as others are; leave other records as they are.

    Where no document that is listed has the answer, one that is not listed has it, any one.
    """
    lists = [record.get("ctxs") if isinstance(record, dict) else None for record in records]
    known = [*dict.fromkeys(each["id"] for listed in lists for each in listed or ())]
    found = list(records)
    for place, listed in enumerate(lists):
        if listed is not None:
            ids, scores = ([each[name] for each in listed] for name in ("id", "score"))
            others = (known[(place + step) % len(known)] for step in range(len(known)))
            other = next((each for each in others if each not in ids), f"(none of {place})")
            gold = [each["id"] for each in listed if each["has_answer"]] or [other]
            fields = records[place]["question"], gold, ids, scores
            found[place] = dict(zip(called, fields, strict=True))
    return found

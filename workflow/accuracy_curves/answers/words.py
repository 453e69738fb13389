"""The words of those who ask: people and photos, documents and queries, items and searches."""

import re
from collections.abc import Callable

HITS = {r"top-(\d+) accuracy": r"hit rate at \1", "accuracy": "hit rate"}
# What each word of ours is called, where it is called otherwise.
WORDS = {
    "classes": {},
    "people": {"classes": "people", "class": "person", "points": "photos", "point": "photo"},
    "documents": HITS
    | {"classes": "documents", "class": "document", "points": "queries", "point": "query"},
    "items": HITS
    | {"a class": "an item", "classes": "items", "class": "item"}
    | {"points": "searches", "point": "search"},
}
TEXT_OF_PAGE = re.compile(r"(?<=>)[^<>]+(?=<)")


def speaker(words: str, *, of_measures: bool = False) -> Callable[[str], str]:
    """Make what puts a text into such words; names of files and of options stay.

    Where another measure than the accuracy is asked for, it is no accuracy.
    """
    called = WORDS[words] | ({"accuracy": "measure"} if of_measures else {})
    if not called:
        return str

    def say(found: re.Match[str]) -> str:
        text = found[0].removeprefix("data ").removeprefix("Data ")
        for ours, theirs in called.items():
            if re.fullmatch(ours, text, re.IGNORECASE):
                said = re.sub(ours, theirs, text, flags=re.IGNORECASE)
                return said[:1].upper() + said[1:] if found[0][:1].isupper() else said
        return found[0]

    pattern = "|".join(called)
    ours = re.compile(rf"(?<![-\w./=])(data )?({pattern})(?![-\w/=]|\.\w)", re.IGNORECASE)
    return lambda text: ours.sub(say, text)

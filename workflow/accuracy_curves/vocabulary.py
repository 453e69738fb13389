"""The nouns of whoever asks, as data: sentences have places for them, and no text is changed."""

from dataclasses import dataclass

# What the field calls its measures.
FIELD = {"ndcg": "nDCG", "mrr": "MRR", "map": "MAP"}


@dataclass(frozen=True)
class Vocabulary:
    """What a class, a point, and the accuracy are called; `top` is the top-t accuracy's name."""

    class_: str = "class"
    classes: str = "classes"
    point: str = "point"
    points: str = "points"
    accuracy: str = "accuracy"
    top: str = "top-{} accuracy"

    @property
    def a_class(self) -> str:
        """A class with its article."""
        return with_article(self.class_)

    def measure(self, top: int | str) -> str:
        """Name the top-t accuracy, or a measure such as ``"ndcg@10"``."""
        if isinstance(top, str):
            name, at, t = top.partition("@")
            return FIELD.get(name, name) + at + t
        return self.accuracy if top == 1 else self.top.format(top)


class Phrase(str):
    """Words of ours with places for nouns, such as ``"{w.points}"``, as a value of a sentence."""


def with_article(noun: str) -> str:
    """Put its article before a noun."""
    return f"{'an' if noun.startswith((*'aei', 'nDCG', 'MRR')) else 'a'} {noun}"


VOCABULARIES = {
    "classes": Vocabulary(),
    "people": Vocabulary("person", "people", "photo", "photos"),
    "documents": Vocabulary(
        "document", "documents", "query", "queries", "hit rate", "hit rate at {}"
    ),
    "items": Vocabulary("item", "items", "search", "searches", "hit rate", "hit rate at {}"),
}
CLASSES = VOCABULARIES["classes"]

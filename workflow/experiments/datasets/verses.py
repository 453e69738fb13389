"""Verses of the King James Bible, searched by some of their words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from accuracy_curves.utils.files import readable
from accuracy_curves.utils.validation import Count
from experiments.datasets.retrieval import Retrieval


class Verses(Retrieval):
    """Verses, each searched by words of it that are sampled at random.

    Parameters
    ----------
    path : path-like
        Folder of a JSON file a book.
    words : int
        Words of a query.
    n_documents
        See `experiments.datasets.retrieval.Retrieval`.
    """

    kind = "verses"
    originals: ClassVar = {"path": "king_james"}

    path: Path
    words: Count = 4

    def pairs(self, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
        """Yield each verse and its query, in the order of the files' names."""
        for file in sorted(self.path.glob("*.json")):
            with readable(file):
                book = json.loads(file.read_text(encoding="utf-8"))
                verses = [verse for chapter in book["chapters"] for verse in chapter["verses"]]
            for verse in verses:
                text = verse["text"]
                yield text, " ".join(rng.permutation(text.split())[: self.words])

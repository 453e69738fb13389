"""WordNet: what words mean, searched by a sentence that uses them (McCrae et al. 2020)."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import yaml

from accuracy_curves.utils.files import readable
from experiments.datasets.retrieval import Retrieval


class WordNet(Retrieval):
    """Synsets of the Open English WordNet that have an example.

    The document is the words of a synset and their definition, the query its first example.

    Parameters
    ----------
    path : path-like
        Folder of its files ``noun.act.yaml``, ``verb.motion.yaml`` and so on.
    n_documents
        See `experiments.datasets.retrieval.Retrieval`.
    """

    kind = "wordnet"
    originals: ClassVar = {"path": "wordnet"}

    path: Path

    def pairs(self, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
        """Yield each document and its query, in the order of the files' names."""
        for file in sorted(self.path.glob("*.yaml")):
            with readable(file):
                synsets = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
            for each in synsets.values():
                for example in each.get("example", [])[:1]:
                    # One with a source is a mapping.
                    text = example if isinstance(example, str) else example["text"]
                    yield " ".join([*each["members"], *each["definition"][:1]]), text

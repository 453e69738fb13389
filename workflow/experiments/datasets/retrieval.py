"""What data sets of texts share: documents that are found by queries, scored by BM25."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.extras import needed_by
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Whole
from experiments.datasets.base import Dataset


class Retrieval(Dataset):
    """Base of the data sets of texts: a document is a class, its query the one point of it.

    A subclass implements `pairs`. The index is of all sampled documents, whatever number of
    them is searched later, so that a score does not depend on the other documents of a subsample.

    Parameters
    ----------
    n_documents : int
        Documents that are sampled at random; K.
    """

    n_documents: Annotated[int, Whole(3)] = 10_000

    @abstractmethod
    def pairs(self, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
        """Yield each document and its query."""

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Score every query for every document, (K, K), by Lucene's BM25; `seed` draws both."""
        with needed_by("a data set of texts", "pipeline"):
            import bm25s
        rng = np.random.default_rng(derive_seed(seed, self.kind, "documents"))
        every = list(self.pairs(rng))
        if len(every) < self.n_documents:
            raise InputError(
                f"n_documents is {self.n_documents:,}, but there are {len(every):,} documents"
            )
        drawn = np.sort(rng.choice(len(every), self.n_documents, replace=False))
        documents, queries = zip(*(every[place] for place in drawn), strict=True)
        # Of stop words, too: without them most documents have no word of a query.
        how: dict[str, Any] = {"stopwords": [], "return_ids": False, "show_progress": False}
        index = bm25s.BM25()
        index.index(bm25s.tokenize(list(documents), **how), show_progress=False)
        words = bm25s.tokenize(list(queries), **how)
        scores = np.stack([index.get_scores(query) for query in words])
        return ScoreMatrix(scores, np.arange(self.n_documents))

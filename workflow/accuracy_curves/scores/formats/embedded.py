"""Embeddings of photos.

`.npz` with `embeddings` (photos x dimensions) and `labels`; `--gallery` and `--metric` make scores
of them.
"""

from accuracy_curves.scores.formats.base import Embeddings, Given, Source

parts: tuple[str, ...] = ("embeddings", "labels")


def recognises(source: Source) -> bool:
    """Whether there is the array ``embeddings``, in a file without ``scores``."""
    return source.has("embeddings") and "scores" not in (source.arrays or ())


def read(source: Source) -> Given:
    """Read both arrays."""
    photos, labels = source.load(*parts)
    return Given(embeddings=Embeddings(photos, labels))

"""Embeddings of photos and their labels, in an npz file."""

from accuracy_curves.scores.formats.base import Embeddings, Source

gives: type = Embeddings
parts: tuple[str, ...] = Embeddings._fields


def recognises(source: Source) -> bool:
    """Tell the array ``embeddings``, in a file without ``scores``."""
    return source.has("embeddings") and not (source.npz and "scores" in source.npz.files)


def read(source: Source) -> Embeddings:
    """Read both arrays."""
    return Embeddings(*source.load(*parts))

"""Lists of nearest neighbours, as the search of a vector index gives them, in an npz file."""

from accuracy_curves.scores.formats.base import Lists, Source

gives: type = Lists
parts: tuple[str, ...] = Lists._fields


def recognises(source: Source) -> bool:
    """Tell the array ``indices``."""
    return source.has("indices")


def read(source: Source) -> Lists:
    """Read the arrays of `ranks_of_neighbours`."""
    return Lists(*source.load(*parts))

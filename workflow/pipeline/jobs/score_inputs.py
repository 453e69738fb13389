"""Which scores each repetition draws its classes from."""

from collections.abc import Sequence


def scores_of_repetitions(
    files: Sequence[str], repetitions: Sequence[int]
) -> list[tuple[str, Sequence[int]]]:
    """Pair files of scores with the repetitions that draw their classes from them.

    That is one file of all classes; or, where the classifier is trained anew on each repetition's
    classes, a file for each repetition, of which all classes are drawn.
    """
    if len(files) == 1:
        return [(files[0], repetitions)]
    return [(path, [drawn]) for path, drawn in zip(files, repetitions, strict=True)]

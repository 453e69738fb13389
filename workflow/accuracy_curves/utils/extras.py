"""Packages that only some methods and data sets need, each group of them an extra to install."""

from collections.abc import Iterator
from contextlib import contextmanager

from accuracy_curves.exceptions import MissingDependencyError


def how_to_install(extra: str) -> str:
    """Say which command installs an extra, or several with commas between them.

    >>> how_to_install("kde")
    "pip install 'accuracy-curves[kde]'"
    """
    return f"pip install 'accuracy-curves[{extra}]'"


@contextmanager
def needed_by(user: str, extra: str) -> Iterator[None]:
    """Import what an extra brings, or say in one sentence what to install for `user`."""
    try:
        yield
    except ImportError as error:
        package = (error.name or "a package").partition(".")[0]
        raise MissingDependencyError(
            f"{user} needs {package}, which cannot be imported ({error}): {how_to_install(extra)}"
        ) from error

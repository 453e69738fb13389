"""One thread for linear algebra: the same bits on any number of cores."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep BLAS and LAPACK to one thread; sums over threads round differently."""
    with _threads().limit(limits=1):
        yield


@lru_cache
def _threads() -> Any:
    """Find the libraries' thread pools, once; looking for them takes milliseconds."""
    # Both load only when needed; only the libraries of what is loaded are found.
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()

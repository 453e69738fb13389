"""Linear algebra of embeddings, in one thread: the same bits on any number of cores."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray, Float64Array
from accuracy_curves.utils.extras import needed_by


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


def principal_components(
    embeddings: AnyArray, n_components: int, fitted_on: AnyArray | None = None
) -> Float64Array:
    """Reduce embeddings, (M, d), to their first principal components, not whitened.

    They are fitted on `fitted_on`, (n, d), or on the embeddings themselves. Their signs are
    arbitrary; distances do not depend on them. `InputError` if there are not that many.
    """
    with needed_by("pca", "images"):
        from sklearn.decomposition import PCA
    with one_thread():
        sample = np.asarray(embeddings if fitted_on is None else fitted_on, dtype=np.float64)
        if n_components > min(sample.shape):
            raise InputError(
                f"pca is {n_components}, but {sample.shape[0]} embeddings of {sample.shape[1]} "
                f"components give at most {min(sample.shape)}"
            )
        # The eigenvectors of the covariance of many embeddings cost far less memory and time.
        solver = "covariance_eigh" if sample.shape[0] >= sample.shape[1] else "full"
        fitted = PCA(n_components, svd_solver=solver).fit(sample)
        reduced: Float64Array = fitted.transform(np.asarray(embeddings, dtype=np.float64))
    return reduced

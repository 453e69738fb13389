"""Linear algebra of embeddings, in one thread: the same bits on any number of cores."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import Float64Array
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
    embeddings: npt.NDArray[Any], n_components: int, fitted_on: npt.NDArray[Any] | None = None
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


def pooled_covariance(
    gallery: npt.NDArray[Any], gallery_classes: npt.NDArray[np.int64]
) -> Float64Array:
    """Pool the covariance within classes, (d, d), shrunk as Ledoit and Wolf (2004) do.

    Embeddings, (G, d), are of classes 0..K - 1. `InputError` if no class has two different photos.
    """
    counts = np.bincount(gallery_classes)
    means = np.zeros((len(counts), gallery.shape[1]))
    np.add.at(means, gallery_classes, gallery)
    means /= np.maximum(counts, 1)[:, None]
    several = counts[gallery_classes] > 1
    residuals = (gallery - means[gallery_classes])[several]
    if not residuals.any():
        raise InputError(
            "the mahalanobis metric needs classes of two or more gallery photos: take a "
            "larger gallery_size, or another metric"
        )
    with needed_by("the covariance of mahalanobis", "images"):
        from sklearn.covariance import LedoitWolf
    with one_thread():
        covariance: Float64Array = LedoitWolf(assume_centered=True).fit(residuals).covariance_
    return covariance


def whitened(embeddings: npt.NDArray[Any], covariance: npt.NDArray[Any]) -> Float64Array:
    """Transform embeddings, (M, d), so that a covariance, (d, d), becomes the identity.

    Their euclidean distances then are the mahalanobis distances.
    """
    from scipy.linalg import solve_triangular

    with one_thread():
        lower = np.linalg.cholesky(covariance.astype(np.float64))
        result: Float64Array = solve_triangular(lower, embeddings.T, lower=True).T
    return np.ascontiguousarray(result)

import numpy as np
import pytest

from accuracy_curves.utils.numerics import principal_components


@pytest.mark.parametrize("n", [40, 5])
def test_principal_components_equal_the_singular_value_decomposition(n):
    rng = np.random.default_rng(0)
    fitted_on, embeddings = rng.normal(size=(n, 8)) * np.arange(1, 9), rng.normal(size=(11, 8))
    reduced = principal_components(embeddings, 3, fitted_on=fitted_on)
    mean = fitted_on.mean(axis=0)
    axes = np.linalg.svd(fitted_on - mean, full_matrices=False)[2][:3]
    expected = (embeddings - mean) @ axes.T
    np.testing.assert_allclose(np.abs(reduced), np.abs(expected), atol=1e-10)


def test_number_of_threads_does_not_change_a_bit():
    from threadpoolctl import threadpool_limits

    rng = np.random.default_rng(0)
    embeddings = rng.normal(size=(3000, 200))
    results = set()
    for threads in (1, 2, 3):
        with threadpool_limits(threads):
            results.add(principal_components(embeddings, 20).tobytes())
    assert len(results) == 1

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accuracy_curves import EXTRAPOLATORS, DistanceMatrix, InputError, Ranks
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.observed.accuracy import attracting_classes
from accuracy_curves.utils import arrays

METRICS = ["euclidean", "sqeuclidean", "cosine"]


def drawn(seed, n_points, n_classes, d, *, photos=1, metric="euclidean", whole=False, scale=1.0):
    """Embeddings around class centres; whole numbers have many ties."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, photos + 1, size=n_classes)
    centres = scale * rng.normal(size=(n_classes, d))
    gallery = np.repeat(centres, sizes, axis=0)
    if photos > 1:
        gallery = gallery + 0.3 * scale * rng.normal(size=gallery.shape)
    labels = rng.integers(0, n_classes, size=n_points)
    points = centres[labels] + scale * rng.normal(size=(n_points, d))
    if whole:
        points, gallery = np.round(points) + 0.5, np.round(gallery) + 0.25
    starts = np.cumsum(sizes) - sizes if photos > 1 else None
    return DistanceMatrix(points, gallery, labels, metric, starts)


@given(
    seed=st.integers(0, 10_000),
    sizes=st.tuples(st.integers(1, 40), st.integers(3, 60), st.integers(1, 9)),
    photos=st.sampled_from([1, 4]),
    metric=st.sampled_from(METRICS),
    whole=st.booleans(),
    scale=st.sampled_from([1.0, 1e-20, 1e12]),
    block=st.sampled_from([2**23, 500, 1]),
)
@example(0, (1, 3, 2), 4, "sqeuclidean", False, 1e-20, 2**23)  # Subnormal distances.
def test_ranks_and_ties_are_those_of_the_stored_matrix(
    seed, sizes, photos, metric, whole, scale, block
):
    scale = 1.0 if whole else scale
    if metric == "sqeuclidean":
        scale = min(scale, 1.0)  # the stored float32 would overflow
    matrix = drawn(seed, *sizes, photos=photos, metric=metric, whole=whole, scale=scale)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "BLOCK_BYTES", block)
        found, attracting = matrix.outscored_and_tied(), attracting_classes(matrix)
    stored = matrix.stored()
    np.testing.assert_array_equal(found, stored.outscored_and_tied())
    assert attracting == pytest.approx(attracting_classes(stored), rel=1e-12)


@pytest.mark.parametrize("photos", [1, 3])
def test_selected_classes_are_those_of_the_stored_matrix(photos):
    matrix = drawn(2, 80, 20, 3, photos=photos)
    classes = np.array([11, 2, 3, 17, 5])
    part = matrix.select_classes(classes).stored()
    expected = matrix.stored().select_classes(classes)
    np.testing.assert_array_equal(part.scores, expected.scores)
    np.testing.assert_array_equal(part.labels, expected.labels)


def options_of(name):
    return {"bandwidth": 0.4} if name == "radial_nnls" else {}


RANK_BASED = [
    name for name in EXTRAPOLATORS if make_extrapolator(name, **options_of(name)).needs == "ranks"
]


@pytest.mark.parametrize("name", RANK_BASED)
def test_methods_that_need_only_ranks_predict_the_same_from_them(name):
    matrix = drawn(5, 200, 40, 4)
    stored = matrix.stored()
    alone = Ranks(*matrix.outscored_and_tied(), matrix.labels, 40)
    k = [2, 40, 1000, 10**12]
    expected, *found = (
        make_extrapolator(name, seed=3, **options_of(name)).fit(sample).predict(k)
        for sample in (stored, matrix, alone)
    )
    for each in found:
        np.testing.assert_array_equal(each, expected)


@pytest.mark.parametrize(
    ("labels", "n_classes", "sentence"),
    [
        ([0, 1], 2, "there are 2 classes"),
        ([0], 4, "labels have shape"),
        ([0, 4], 4, "columns are from 0 to 3"),
    ],
)
def test_what_is_no_matrix_of_distances(labels, n_classes, sentence):
    with pytest.raises(InputError, match=sentence):
        DistanceMatrix(np.zeros((2, 2)), np.zeros((n_classes, 2)), np.array(labels))


def test_embeddings_that_have_no_distances():
    points, gallery, labels = np.ones((2, 2)), np.ones((4, 2)), np.array([0, 1])
    with pytest.raises(InputError, match="metric is 'manhattan'"):
        DistanceMatrix(points, gallery, labels, "manhattan")
    with pytest.raises(InputError, match="one of the points is zero in all components"):
        DistanceMatrix(0 * points, gallery, labels, "cosine")
    with pytest.raises(InputError, match="of the gallery is not finite"):
        DistanceMatrix(points, gallery * np.inf, labels)

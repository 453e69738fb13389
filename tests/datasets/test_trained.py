import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.parts import draw_classes as training_classes
from accuracy_curves.scores.parts import subsample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.seeds import derive_seed
from conftest import shared_data
from experiments.datasets import make_dataset
from experiments.datasets.classifiers import make_classifier
from experiments.datasets.typefaces import printed, shrunk


@pytest.fixture
def images_file(tmp_path):
    """Eight classes of 12 binary images of 8 x 8 pixels; the last has 3 images only."""
    rng = np.random.default_rng(0)
    labels = rng.permutation(np.r_[np.repeat(np.arange(7), 12), [7] * 3])
    means = rng.random((8, 8, 8))
    images = rng.random((len(labels), 8, 8)) < means[labels]
    path = tmp_path / "images.npz"
    names = np.array([f"c{i}" for i in range(8)])
    packed = np.packbits(images.reshape(len(images), -1), axis=1)
    np.savez(path, images=images, packed=packed, grey=images * np.uint8(255), names=names[labels])
    return path, images, labels


def options_of(path, **more):
    return {"path": path, "labels_key": "names", "n_classes": 7, "test_per_class": 4, **more}


def test_scores_are_those_of_a_classifier_trained_on_the_other_images(images_file):
    path, _, _ = images_file
    dataset = make_dataset("images", **options_of(path))
    matrix = dataset.score_matrix(5)
    assert matrix.higher_is_better
    np.testing.assert_array_equal(matrix.labels, np.repeat(np.arange(7), 4))
    train, test = [], []
    for own, members in enumerate(dataset.class_images(5, np.arange(7))):
        order = np.random.default_rng(derive_seed(5, "trained", "split", own)).permutation(12)
        test.append(members[order[:4]])
        train.append(members[order[4:]])
    fitted = make_classifier("naive_bayes").fit(np.concatenate(train), np.repeat(np.arange(7), 8))
    np.testing.assert_array_equal(matrix.scores, fitted.scores(np.concatenate(test)))


@pytest.mark.parametrize(
    "more", [{"images_key": "packed", "packed_side": 8}, {"images_key": "grey"}]
)
def test_packed_and_grey_images_are_the_same_images(images_file, more):
    path, _, _ = images_file
    plain = make_dataset("images", **options_of(path, scale=2)).score_matrix(1)
    other = make_dataset("images", **options_of(path, scale=2, **more)).score_matrix(1)
    np.testing.assert_allclose(other.scores, plain.scores, rtol=1e-5)


def test_scale_averages_squares(images_file):
    path, images, labels = images_file
    (first,) = make_dataset("images", **options_of(path, scale=4)).class_images(0, np.array([2]))
    members = images[labels == 2]
    expected = [[[x[r : r + 4, c : c + 4].mean() for c in (0, 4)] for r in (0, 4)] for x in members]
    np.testing.assert_allclose(first, expected)
    assert first.dtype == np.float32


def test_classes_with_too_few_images_are_never_drawn(images_file):
    path, _, _ = images_file
    with pytest.raises(InputError, match=r"only 7 classes have more than test_per_class = 4"):
        make_dataset("images", **options_of(path, n_classes=8)).score_matrix(0)
    assert (
        make_dataset("images", **options_of(path, n_classes=8, test_per_class=2))
        .score_matrix(0)
        .n_classes
        == 8
    )


@pytest.mark.parametrize("classifier", ["naive_bayes", "qda"])
def test_scores_of_a_marginal_classifier_are_columns(images_file, classifier):
    path, _, _ = images_file
    dataset = make_dataset("images", **options_of(path, classifier=classifier))
    classes = training_classes(7, 4, seed=3)
    assert dataset.marginal
    columns = dataset.score_matrix(2).select_classes(classes)
    alone = dataset.trained_scores(2, classes)
    np.testing.assert_allclose(alone.scores, columns.scores, rtol=1e-6)
    np.testing.assert_array_equal(alone.labels, columns.labels)


def test_other_classifiers_are_trained_anew_on_the_same_images(images_file):
    path, _, _ = images_file
    options = options_of(path, classifier="epsilon_nn", classifier_options={"epsilon": 1})
    dataset = make_dataset("images", **options)
    assert not dataset.marginal
    # Every image votes: a class's share is 1 / k.
    np.testing.assert_allclose(dataset.score_matrix(0).scores, 1 / 7)
    np.testing.assert_allclose(dataset.trained_scores(0, np.array([1, 4, 5])).scores, 1 / 3)


def test_training_classes_are_those_that_subsample_draws():
    matrix = ScoreMatrix(np.arange(90.0).reshape(3, 30), np.array([3, 9, 27]))
    for seed in range(20):
        classes = training_classes(30, 25, seed)
        np.testing.assert_array_equal(
            matrix.select_classes(classes).scores, subsample(matrix, 25, seed).scores
        )


def test_glyph_images_are_prints_of_the_characters():
    dataset = make_dataset(
        "glyph_images", n_classes=4, prints_per_face=2, distortion=0, size=24, test_per_class=1
    )
    prints = dataset.class_images(0, np.array([3, 1]))
    assert [part.shape for part in prints] == [(24, 24, 24)] * 2
    everyone = dataset.class_images(0, np.arange(4))
    np.testing.assert_array_equal(prints[0], everyone[3])
    np.testing.assert_array_equal(prints[1], everyone[1])
    from experiments.datasets.glyphs import Glyphs

    characters, _ = Glyphs(n_classes=4, size=24).characters(0)
    expected = shrunk(printed("DejaVuSans", [characters[3]], 24))[0]
    np.testing.assert_array_equal(prints[0][:2], [expected, expected])


def test_glyph_images_are_distorted_each_in_its_own_way():
    dataset = make_dataset("glyph_images", n_classes=4, size=24)
    (one,) = dataset.class_images(0, np.array([2]))
    (again,) = dataset.class_images(0, np.array([2]))
    np.testing.assert_array_equal(one, again)
    assert len({image.tobytes() for image in one}) == 36


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"classifier_options": {"seed": 1}}, "multiple values for keyword argument 'seed'"),
        ({"test_per_class": 36}, "test_per_class is 36: it must be below the 36 prints"),
    ],
)
def test_bad_options(options, sentence):
    with pytest.raises(InputError, match=sentence):
        make_dataset("glyph_images", **options)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"scale": 3}, "scale is 3: it must divide the images' size, 8 x 8"),
        ({"images_key": "packed"}, r"must be bool, uint8 or float \(M, height, width\)"),
        ({"images_key": "packed", "packed_side": 9}, "not packed ones of 9 x 9 pixels"),
        ({"images_key": "names"}, "must be bool, uint8 or float"),
        ({"images_key": "nothing"}, "has no array 'nothing'"),
    ],
)
def test_bad_files(images_file, more, sentence):
    path, _, _ = images_file
    with pytest.raises(InputError, match=sentence):
        make_dataset("images", **options_of(path, **more)).score_matrix(0)


def test_telugu_characters_are_as_hard_as_printed():
    # Zheng (2017), Table 1: the accuracy of epsilon-NN is .951 on one choice of 20 classes.
    dataset = make_dataset(
        "images",
        path=shared_data("telugu48.npz"),
        images_key="images_packed",
        packed_side=48,
        scale=2,
        classifier="epsilon_nn",
    )
    found = [
        average_accuracy(dataset.trained_scores(0, training_classes(400, 20, seed)), 20)[0]
        for seed in range(5)
    ]
    assert np.mean(found) == pytest.approx(0.951, abs=3 * np.std(found, ddof=1))
    assert make_classifier("epsilon_nn").epsilon == 0.002

import sys

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.classifiers import make_classifier


def scores_of(name, train, labels, test, **options):
    return make_classifier(name, **options).fit(train, labels).scores(test)


def strokes(per_class, seed):
    """A vertical, a horizontal and a diagonal stroke, shifted at random, 48 x 48."""
    rng = np.random.default_rng(seed)
    labels = np.tile(np.arange(3), per_class)
    images = np.zeros((len(labels), 48, 48), dtype=np.float32)
    for image, label in zip(images, labels, strict=True):
        i = np.arange(12, 36)
        column = [np.full(24, 24), i, i][label] + rng.integers(-9, 10)
        row = [i, np.full(24, 24), i][label] + rng.integers(-9, 10)
        image[row, column] = 1
    return images, labels


def test_layers_are_those_of_the_printed_architecture():
    network = make_classifier("deep_cnn").network(400)
    shapes = [tuple(layer.output.shape[1:]) for layer in network.layers]
    assert shapes == [
        (46, 46, 4),
        (23, 23, 4),
        (21, 21, 6),
        (19, 19, 8),
        (10, 10, 8),
        (8, 8, 32),
        (6, 6, 50),
        (3, 3, 50),
        (1, 1, 200),
        (200,),
        (400,),
    ]
    kernels = [(1, 4), (4, 6), (6, 8), (8, 32), (32, 50), (50, 200)]
    expected = sum((9 * before + 1) * after for before, after in kernels) + 201 * 400
    assert network.count_params() == expected


def test_network_learns():
    train, test = strokes(40, 0), strokes(10, 1)
    scores = scores_of("deep_cnn", *train, test[0], epochs=5, batch=8, learning_rate=0.005)
    np.testing.assert_allclose(np.exp(scores.astype(float)).sum(axis=1), 1, rtol=1e-5)
    assert (scores.argmax(axis=1) == test[1]).mean() > 0.8


def test_network_gives_the_same_bits_for_a_seed():
    images, labels = strokes(4, 0)
    first, again = (
        scores_of("deep_cnn", images, labels, images, epochs=2, batch=6, seed=1) for _ in range(2)
    )
    assert first.tobytes() == again.tobytes()
    weights = [make_classifier("deep_cnn", seed=seed).network(3).get_weights() for seed in (1, 2)]
    assert not np.array_equal(weights[0][0], weights[1][0])


def test_parts_of_an_epoch_go_through_every_image(monkeypatch):
    seen = []
    train, labels = strokes(7, 0)
    monkeypatch.setattr("experiments.datasets.classifiers.deep_cnn.STEPS_A_CALL", 2)
    classifier = make_classifier("deep_cnn", epochs=2, batch=4)
    build = classifier.network

    def watched(n_classes):
        network = build(n_classes)
        fit = network.fit
        network.fit = lambda x, y, **options: (seen.append(np.array(x)), fit(x, y, **options))[1]
        return network

    monkeypatch.setattr(classifier, "network", watched)
    classifier.fit(train, labels)
    assert [len(part) for part in seen] == [8, 8, 5, 8, 8, 5]
    epoch = np.concatenate(seen[:3])[..., 0]
    assert sorted(x.tobytes() for x in epoch) == sorted(x.tobytes() for x in train)
    assert int(classifier._network.optimizer.iterations) == 2 * 6


def test_network_refuses_other_sizes():
    with pytest.raises(InputError, match="deep_cnn needs images of 48 x 48 pixels, these have"):
        make_classifier("deep_cnn").fit(np.ones((6, 3, 2)), [0, 0, 0, 1, 1, 1])


def test_tensorflow_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    with pytest.raises(ImportError, match="deep_cnn needs tensorflow, which cannot be imported"):
        make_classifier("deep_cnn").network(3)

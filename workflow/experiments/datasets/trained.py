"""Images whose scores come from a classifier trained on some of them and tested on the rest."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import IntArray
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Count, Whole
from experiments.datasets.base import Dataset
from experiments.datasets.classifiers import make_classifier
from experiments.datasets.classifiers.base import Classifier

Images = npt.NDArray[np.float32]


class TrainedDataset(Dataset):
    """Base of the data sets that train a classifier.

    A subclass implements `class_images`.

    Parameters
    ----------
    classifier : str
        A key of `experiments.datasets.classifiers.CLASSIFIERS`.
    classifier_options : mapping
        Its options; its seed is derived.
    n_classes : int
        K.
    test_per_class : int
        Images of a class that are tested, at random; the classifier is trained on others.
    """

    classifier: str = "naive_bayes"
    classifier_options: Mapping[str, Any] = field(default_factory=dict)
    n_classes: Annotated[int, Whole(3)] = 400
    test_per_class: Count = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        self._classifier(0)

    @property
    def marginal(self) -> bool:
        """Whether the scores of k1 classes are columns of those of all K classes."""
        return self._classifier(0).marginal

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Train on all K classes and score their test images, K * test_per_class; higher is better.

        `seed` decides which classes, which images are tested, and the training.
        """
        return self.trained_scores(seed, np.arange(self.n_classes))

    def trained_scores(self, seed: int, classes: IntArray) -> ScoreMatrix:
        """Train on some of the K classes alone and score their test images.

        `classes` are columns of `score_matrix`; here column j is ``classes[j]``. With the same seed
        a class has the same images for training and test, whatever the other classes are.
        """
        train, test = [], []
        for index, images in zip(classes, self.class_images(seed, classes), strict=True):
            split = np.random.default_rng(derive_seed(seed, "trained", "split", int(index)))
            order = split.permutation(len(images))
            train.append(images[order[self.test_per_class :]])
            test.append(images[order[: self.test_per_class]])
        columns = np.arange(len(classes))
        classifier = self._classifier(
            derive_seed(seed, "trained", "classifier", np.asarray(classes).tolist())
        )
        classifier.fit(np.concatenate(train), np.repeat(columns, [*map(len, train)]))
        scores = classifier.scores(np.concatenate(test))
        return ScoreMatrix(scores, np.repeat(columns, self.test_per_class))

    @abstractmethod
    def class_images(self, seed: int, classes: IntArray) -> list[Images]:
        """Give the images of some of the K classes, (n, height, width) each, pixels from 0 to 1.

        `seed` decides which classes the K are, and what else is drawn: the order of a class's
        images is always the same for a class and a seed.
        """

    def _classifier(self, seed: int) -> Classifier:
        return make_classifier(self.classifier, seed=seed, **self.classifier_options)

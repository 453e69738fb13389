"""Classifiers: one module a classifier, found by its `name`; trained images become scores."""

from typing import Any

from accuracy_curves.utils.discovery import Registry, choose
from experiments.datasets.classifiers.base import Classifier

CLASSIFIERS = Registry(__name__, Classifier, "name")


def make_classifier(classifier: str, **options: Any) -> Classifier:
    """Construct a classifier from its name, a key of `CLASSIFIERS`, and its options."""
    return choose(CLASSIFIERS, "classifier", classifier, options)(**options)

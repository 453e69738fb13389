"""Classifiers: one module a classifier, found by its `name`; trained images become scores."""

from accuracy_curves.datasets.classifiers.base import Classifier
from accuracy_curves.utils.discovery import Registry, choose

CLASSIFIERS = Registry(__name__, Classifier, "name")


def make_classifier(classifier: str, **options: object) -> Classifier:
    """Construct a classifier from its name and options.

    Parameters
    ----------
    classifier : str
        A key of `CLASSIFIERS`.
    **options
        The classifier's options, see its class.

    Returns
    -------
    Classifier

    Raises
    ------
    InputError
        If the classifier or an option does not exist, or an option is out of range.
    """
    return choose(CLASSIFIERS, "classifier", classifier, options)(**options)

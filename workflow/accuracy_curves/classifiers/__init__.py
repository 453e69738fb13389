"""Classifiers: one module a classifier, found by its `name`; trained images become scores."""

import inspect
import sys

from accuracy_curves.classifiers.base import Classifier
from accuracy_curves.discovery import discover
from accuracy_curves.errors import InputError

CLASSIFIERS: dict[str, type[Classifier]] = discover(sys.modules[__name__], Classifier, "name")


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
    if classifier not in CLASSIFIERS:
        raise InputError(
            f"no classifier is called {classifier!r}: there are {', '.join(CLASSIFIERS)}"
        )
    kind = CLASSIFIERS[classifier]
    known = list(inspect.signature(kind).parameters)
    for option in options:
        if option not in known:
            raise InputError(f"{classifier} has no option {option!r}: it has {', '.join(known)}")
    return kind(**options)

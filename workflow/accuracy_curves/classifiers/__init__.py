"""Classifiers: one module a classifier, found by its `name`; trained images become scores."""

import importlib
import inspect
import pkgutil

from accuracy_curves.classifiers.base import Classifier
from accuracy_curves.errors import InputError


def _discover() -> dict[str, type[Classifier]]:
    """Import every module of this folder and collect the classifiers by name."""
    found: dict[str, type[Classifier]] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        for _, member in inspect.getmembers(loaded, inspect.isclass):
            if member.__module__ != loaded.__name__ or "name" not in vars(member):
                continue
            if issubclass(member, Classifier):
                found[member.name] = member
    return found


CLASSIFIERS: dict[str, type[Classifier]] = _discover()


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

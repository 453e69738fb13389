"""Find what a folder of modules offers: one module a method, a data set, a classifier."""

import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import TypeVar

T = TypeVar("T")


def discover(package: ModuleType, base: type[T], key: str) -> dict[str, type[T]]:
    """Import every module of a package and collect the classes that it defines.

    Parameters
    ----------
    package : module
        The package whose modules are searched.
    base : type
        Only its subclasses count.
    key : str
        The class attribute that names a class, for instance ``"name"``; a class that does not set
        it itself is a base of others and is left out.

    Returns
    -------
    dict of str to type
        Name -> class, in the order of the modules' names.
    """
    found: dict[str, type[T]] = {}
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        loaded = importlib.import_module(f"{package.__name__}.{module.name}")
        for _, member in inspect.getmembers(loaded, inspect.isclass):
            if member.__module__ != loaded.__name__ or key not in vars(member):
                continue
            if issubclass(member, base):
                found[getattr(member, key)] = member
    return found

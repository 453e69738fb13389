"""Find what a folder of modules offers: one module a method, a data set, a classifier."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import TypeVar

from accuracy_curves.exceptions import InputError

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
            if key not in vars(member):
                continue
            if not f"{member.__module__}.".startswith(f"{loaded.__name__}."):
                continue  # Imported from elsewhere; a package may show a class of its modules.
            if issubclass(member, base):
                found[getattr(member, key)] = member
    return found


def choose(
    found: Mapping[str, type[T]], what: str, name: str, options: Iterable[str], prefix: str = ""
) -> type[T]:
    """Look up a class by its name, and check that it takes the options.

    Parameters
    ----------
    found : mapping of str to type
        What `discover` returns.
    what : str
        What they are, for the message: "method".
    name : str
        A key of `found`.
    options : iterable of str
        Names of keyword arguments.
    prefix : str
        What stands before the name where an option is wrong.

    Returns
    -------
    type

    Raises
    ------
    InputError
        If there is no such class, or it takes no such option.
    """
    if name not in found:
        raise InputError(f"no {what} is called {name!r}: there are {', '.join(found)}")
    known = list(inspect.signature(found[name]).parameters)
    for option in options:
        if option not in known:
            raise InputError(
                f"{prefix}{name} has no option {option!r}: "
                f"it has {', '.join(known) or 'no options'}"
            )
    return found[name]

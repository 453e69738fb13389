"""Find what a folder of modules, and other packages, offer: methods, data sets, classifiers."""

import importlib
import inspect
import logging
import pkgutil
from collections import UserDict
from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from accuracy_curves.exceptions import InputError, MissingDependencyError
from accuracy_curves.utils.validation import name_here

T = TypeVar("T")

log = logging.getLogger(__name__)


class Registry(UserDict[str, Any], Generic[T]):
    """Classes by their name, found at the first look-up.

    Every module of `package` is imported, and the subclasses of `base` that it defines are
    collected, under the name in their class attribute `key`: a class that does not set it itself is
    a base of others and is left out. Other packages add theirs as entry points of `group`, which
    are loaded one by one, when their name is looked up: a package that is broken harms no other.
    """

    def __init__(self, package: str, base: type[T], key: str, group: str | None = None) -> None:
        self._package, self._base, self._key, self._group = package, base, key, group

    @cached_property
    def data(self) -> dict[str, Any]:  # type: ignore[override]
        """What was found."""
        classes = dict[str, Any](self._of_the_package())
        for entry in entry_points(group=self._group) if self._group else ():
            if classes.setdefault(entry.name, entry) is not entry:
                text = "the entry point %s = %s is left out: its name is taken"
                log.warning(text, entry.name, entry.value)
        return classes

    def _of_the_package(self) -> dict[str, type[T]]:
        """Collect the classes of the package, in the order of its modules' names."""
        classes: dict[str, type[T]] = {}
        folder = importlib.import_module(self._package).__path__
        for module in sorted(pkgutil.iter_modules(folder), key=lambda module: module.name):
            loaded = importlib.import_module(f"{self._package}.{module.name}")
            for _, member in inspect.getmembers(loaded, inspect.isclass):
                # Others are imported from elsewhere; a package may show a class of its modules.
                own = f"{member.__module__}.".startswith(f"{loaded.__name__}.")
                if own and self._key in vars(member) and issubclass(member, self._base):
                    classes[getattr(member, self._key)] = member
        return classes

    def _loaded(self, entry: EntryPoint) -> type[T]:
        """Load a class that another package registers."""
        whose = f"the entry point {entry.name} = {entry.value}"
        try:
            kind = entry.load()
        except Exception as error:  # another package's import may raise anything
            raise MissingDependencyError(
                f"{whose} cannot be loaded ({error}): install its package again, or remove it"
            ) from error
        named = getattr(kind, self._key, None) == entry.name
        if not (named and isinstance(kind, type) and issubclass(kind, self._base)):
            must = f"a subclass of {self._base.__name__}, registered under its {self._key}"
            raise InputError(f"{whose} must be {must}: it is {kind!r}")
        return kind

    def __getitem__(self, name: str) -> type[T]:
        kind: Any = self.data[self._key_of(name)]
        if isinstance(kind, EntryPoint):
            kind = self.data[kind.name] = self._loaded(kind)
        return kind

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._key_of(name) in self.data

    def _key_of(self, name: str) -> str:
        """Find the key of a name that is written as a class or a label, such as Gaussian tail."""
        return name if name in self.data else name.lower().replace(" ", "_").replace("-", "_")


def choose(
    kinds: Mapping[str, type[T]], what: str, name: str, options: Mapping[str, Any], prefix: str = ""
) -> type[T]:
    """Look up a class by its name; `InputError` if there is none, or options are not its own.

    It must take all that are given, and those without a default must be given. For the sentence,
    `what` says what they are ("method"), and `prefix` stands before the name.
    """
    if name not in kinds:
        raise InputError(f"no {what} is called {name!r}: there are {', '.join(kinds)}")
    signature = inspect.signature(kinds[name])
    try:
        signature.bind(**options)
    except TypeError as error:
        known = ", ".join(signature.parameters) or "nothing"
        where = "; the level belongs to the interval: interval(k, level=0.95)"
        said = f"{prefix}{name} takes {known}: {error}{where * ('level' in options)}"
        meant = [name_here(option, signature.parameters) for option in options]
        raise InputError(said + "".join(meant)) from error
    return kinds[name]

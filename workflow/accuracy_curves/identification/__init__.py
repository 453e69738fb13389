"""Open set: false positives and false negatives at a threshold, in a gallery of any size.

One module a method, found by its `name`.
"""

from collections import ChainMap
from typing import Any

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.identification.base import AtEachThreshold, OpenSetMethod
from accuracy_curves.utils.discovery import Registry, choose

# Methods for accuracies that have no namesake here are methods too.
OPEN_SET_METHODS: ChainMap[str, type[Any]] = ChainMap(
    Registry(__name__, OpenSetMethod, "name"), EXTRAPOLATORS
)


def make_open_set_method(method: str, **options: Any) -> OpenSetMethod:
    """Construct a method from its name, a key of `OPEN_SET_METHODS`, and its options.

    `InputError` if the method or an option does not exist, or an option is out of range.
    """
    made = choose(OPEN_SET_METHODS, "method", method, options)(**options)
    return AtEachThreshold(made) if isinstance(made, Extrapolator) else made

"""Extrapolators: one module a method, found by their `name`.

Examples
--------
>>> import accuracy_curves as ac
>>> ac.EXTRAPOLATORS["kde"]
<class 'accuracy_curves.extrapolators.kde.estimator.KDE'>
>>> [name for name, method in ac.EXTRAPOLATORS.items() if method.slow]
['cleanex']
"""

from typing import Any

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.utils.discovery import Registry, choose

# Other packages add theirs to the group, each under its `name`.
EXTRAPOLATORS = Registry(__name__, Extrapolator, "name", group="accuracy_curves.extrapolators")


def make_extrapolator(method: str, **options: Any) -> Extrapolator:
    """Construct an extrapolator from its name, a key of `EXTRAPOLATORS`, and its options.

    `InputError` if the method or an option does not exist, or an option is out of range.
    """
    return choose(EXTRAPOLATORS, "method", method, options)(**options)

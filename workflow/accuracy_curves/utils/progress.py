"""Progress of long work."""

import os
import sys
import warnings
from collections.abc import Iterable
from importlib import import_module
from typing import TypeVar

T = TypeVar("T")

# Work that is done before has no bar.
DELAY_SECONDS = 2.0


def tracked(steps: Iterable[T], what: str, total: int) -> Iterable[T]:
    """Pass on the steps of long work, with a bar on a terminal or in a notebook.

    `what` names the work in a few words, such as "halves of the classes". The environment variable
    ``TQDM_DISABLE=1`` keeps the bar away.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A notebook without widgets warns.
        notebook = "ipykernel" in sys.modules
        tqdm = import_module("tqdm.auto" if notebook else "tqdm").tqdm
        off = True if os.environ.get("TQDM_DISABLE") else None  # None: where there is no terminal.
        return tqdm(steps, desc=what, total=total, delay=DELAY_SECONDS, leave=False, disable=off)

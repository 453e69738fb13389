"""Long work: a bar on a terminal, and processes that give the same results in the same order."""

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TypeVar

from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.utils.validation import Whole, check

Item = TypeVar("Item")
Result = TypeVar("Result")

# Work that is done before has no bar.
DELAY_SECONDS = 2.0


def tracked(steps: Iterable[Item], what: str, total: int) -> Iterable[Item]:
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


def in_processes(
    function: Callable[..., Result], items: Sequence[Item], *constants: object, jobs: int = 1
) -> Iterator[Result]:
    """Yield ``function(*constants, item)`` of each item, in their order, as soon as it is there.

    With `jobs` above 1 so many processes take the items; large arrays among the constants are
    memory-mapped. Errors of the function are raised here. `AccuracyCurvesError` if a process ends
    before its work does.
    """
    check("jobs", jobs, Whole(1))
    if jobs == 1 or len(items) < 2:
        yield from (function(*constants, item) for item in items)
        return
    # Deferred, as it takes a while.
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    work = (delayed(function)(*constants, item) for item in items)
    workers = Parallel(min(jobs, len(items)), return_as="generator", initializer=_without_bar)
    try:
        yield from workers(work)
    except TerminatedWorkerError as error:
        raise AccuracyCurvesError(
            f"one of {jobs} processes ended before its work did: is there memory for so many? "
            "Take fewer jobs"
        ) from error


def _without_bar() -> None:
    """Begin a process, which has no bar of its own."""
    os.environ["TQDM_DISABLE"] = "1"

"""Work that is spread over processes: the same results, in the same order."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.utils.validation import Whole, check

Item = TypeVar("Item")
Result = TypeVar("Result")


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

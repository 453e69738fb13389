"""Work that is spread over processes: the same results, in the same order."""

import mmap
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.utils.validation import check_whole

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_processes(
    function: Callable[..., Result], items: Sequence[Item], *constants: object, jobs: int = 1
) -> Iterator[Result]:
    """Yield ``function(*constants, item)`` of each item, in their order, as soon as it is there.

    With `jobs` above 1 so many processes take the items; the constants go to each process once,
    memory-mapped arrays as the names of their files. The function is one of a module, and a script
    needs ``if __name__ == "__main__":``, as the processes are started afresh. Errors of the
    function are raised here. `AccuracyCurvesError` if a process ends before its work does.
    """
    check_whole("jobs", jobs, 1)
    if jobs == 1 or len(items) < 2:
        yield from (function(*constants, item) for item in items)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context
    from multiprocessing.reduction import ForkingPickler

    ForkingPickler.register(np.memmap, _by_file)
    pool = ProcessPoolExecutor(
        min(jobs, len(items)),
        mp_context=get_context("spawn"),  # A fork would copy the threads' locks, not the threads.
        initializer=_keep,
        initargs=constants,
    )
    try:
        yield from pool.map(partial(_call, function), items)
    except BrokenProcessPool as error:
        raise AccuracyCurvesError(
            f"one of {jobs} processes ended before its work did: is there memory for so many? "
            "Take fewer jobs"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


_constants: tuple[Any, ...] = ()


def _keep(*constants: object) -> None:
    """Take what all items share, when a process starts."""
    global _constants  # A process has no other place for it.
    # An interrupt goes to all processes: the parent's answer is enough, and so is its bar.
    signal.signal(signal.SIGINT, lambda *_: os._exit(1))
    os.environ["TQDM_DISABLE"] = "1"
    _constants = constants


def _call(function: Callable[..., Result], item: object) -> Result:
    return function(*_constants, item)


def _by_file(found: "np.memmap[Any, Any]") -> Any:
    """Send a memory-mapped array as the place of its file; what is written to it stays private."""
    # A part of a map has the offset of the whole.
    if not isinstance(found.base, mmap.mmap):
        return found.__reduce_ex__(4)
    order = "C" if found.flags.c_contiguous else "F"
    place = str(found.filename), found.dtype, "c", found.offset, found.shape, order
    return np.memmap, place

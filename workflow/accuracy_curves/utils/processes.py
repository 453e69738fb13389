"""Work that is spread over processes: the same results, in the same order."""

import io
import mmap
import os
import pickle
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
    needs ``if __name__ == "__main__":``, as the processes are started afresh. What the function
    raises is raised here. `AccuracyCurvesError` if a process ends before its work does.
    """
    check_whole("jobs", jobs, 1)
    if jobs == 1 or len(items) < 2:
        yield from (function(*constants, item) for item in items)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(
        min(jobs, len(items)),
        mp_context=get_context("spawn"),  # A fork would copy the threads' locks, not the threads.
        initializer=_keep,
        initargs=(_pickled(constants),),
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


def _keep(pickled: bytes) -> None:
    """Take what all items share, when a process starts."""
    global _constants  # A process has no other place for it.
    # An interrupt goes to all processes: the parent's answer is enough, and so is its bar.
    signal.signal(signal.SIGINT, lambda *_: os._exit(1))
    os.environ["TQDM_DISABLE"] = "1"
    _constants = pickle.loads(pickled)  # Of the parent.


def _call(function: Callable[..., Result], item: object) -> Result:
    return function(*_constants, item)


class _Pickler(pickle.Pickler):
    """Pickles a memory-mapped array as the place of its file."""

    def reducer_override(self, found: object) -> Any:
        """Give a function and its arguments that make the object again."""
        # A part of a map has the offset of the whole.
        if isinstance(found, np.memmap) and isinstance(found.base, mmap.mmap):
            order = "C" if found.flags.c_contiguous else "F"
            place = str(found.filename), found.dtype, "r", found.offset, found.shape, order
            return np.memmap, place
        return NotImplemented


def _pickled(constants: tuple[object, ...]) -> bytes:
    content = io.BytesIO()
    _Pickler(content, protocol=pickle.HIGHEST_PROTOCOL).dump(constants)
    return content.getvalue()

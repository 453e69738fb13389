"""R in this process, through rpy2: start it quietly, call the function of an R file."""

import functools
import logging
import os
import shutil
import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from accuracy_curves.exceptions import FitError, MissingDependencyError
from accuracy_curves.utils.arrays import AnyArray, Float64Array
from accuracy_curves.utils.extras import how_to_install

INSTALL_R = (
    "install R with `apt install r-base-core` (Debian, Ubuntu), `brew install r` (macOS) or "
    "`conda install -c conda-forge r-base` (conda)"
)


def call_r(path: Path, points: Float64Array, rule: str) -> list[AnyArray]:
    """Call the R function that an R file, read once, evaluates to: the vectors of its list.

    It takes the numbers, point after point, how many points they are, and the rule. R starts at the
    first call and lives as long as the process. Ctrl-C waits for it. `MissingDependencyError` if R
    is missing or rpy2 cannot load it, `FitError` if R stops with an error.
    """
    ri, function = _r_function(path)
    from rpy2.rinterface_lib import embedded, openrlib

    with openrlib.rlock, _silent(), _interrupted_after():
        try:
            numbers = ri.FloatSexpVector.from_memoryview(points.ravel().data)
            result = function(numbers, ri.IntSexpVector([len(points)]), ri.StrSexpVector([rule]))
        except embedded.RRuntimeError as error:
            raise FitError(f"R stopped with an error: {_last_line(error)}") from error
        return [np.array(part) for part in result]


@functools.cache
def _r_function(path: Path) -> tuple[Any, Any]:
    """Rpy2's interface to the running R, and the function of a file."""
    ri = _start_r()
    source = ri.parse(path.read_text(encoding="utf-8"))
    return ri, ri.baseenv["eval"](source, ri.baseenv["new.env"]())


def _start_r() -> Any:
    """Import rpy2 and start R in this process, or say in one sentence why not."""
    try:
        with _silent(), _own_environment():
            from rpy2 import rinterface
            from rpy2.rinterface_lib import embedded

            if not embedded.isinitialized():
                # No profile and no saved workspace, whatever the working folder.
                embedded.set_initoptions(("rpy2", "--quiet", "--vanilla"))
                rinterface.initr()
    except Exception as error:  # each way of failing raises its own kind
        no_r = shutil.which("R") is None and not os.environ.get("R_HOME")
        if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("rpy2"):
            raise MissingDependencyError(
                f"kde needs rpy2, which is not installed: {how_to_install('kde')}"
                + (f", and {INSTALL_R}" if no_r else "")
                + "; the bandwidths nrd0 and mlcv need neither"
            ) from error
        if no_r:
            raise MissingDependencyError(f"kde needs R, which is not here: {INSTALL_R}") from error
        raise MissingDependencyError(
            f"kde needs R, but rpy2 cannot load it ({_last_line(error)}): "
            "check R_HOME, and install rpy2 3.6 for the R that `R --version` shows"
        ) from error
    return rinterface


def _last_line(error: Exception) -> str:
    """Last line of an error's text, or its kind if it has none."""
    return (str(error).strip() or type(error).__name__).splitlines()[-1].strip()


@contextmanager
def _silent() -> Iterator[None]:
    """Keep rpy2 from logging, which is where R's console goes."""
    logger = logging.getLogger("rpy2")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


@contextmanager
def _own_environment() -> Iterator[None]:
    """Keep rpy2 from running the user's R profile and from leaving marks on this process.

    R's LD_LIBRARY_PATH would make children of this process load other libraries, for instance
    the system's libpython; R itself needs it only while it starts.
    """
    changed = ("R_PROFILE_USER", "LD_LIBRARY_PATH")
    before = {name: os.environ.get(name) for name in changed}
    os.environ["R_PROFILE_USER"] = os.devnull
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if main else None
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        if handler is not None:
            signal.signal(signal.SIGINT, handler)


@contextmanager
def _interrupted_after() -> Iterator[None]:
    """Let Ctrl-C wait for R, which takes a second or two at a time.

    Python's own handler would raise inside rpy2's callback, where the exception is lost.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        for number in pressed[:1]:
            signal.raise_signal(number)

"""Stop at once when told to, and leave no job running that nobody waits for."""

import os
import platform
import signal
import threading
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn

PARENT = "ACCURACY_CURVES_SNAKEMAKE"
LOCKS = Path(".snakemake/locks")
LOCKED = (
    "Another run uses this folder, or was killed in it. Two presets may run in it at once, one "
    "preset not. If none runs, release it with `make unlock` (`snakemake --unlock`)."
)
SCRIPTS = ".snakemake/scripts"
SECONDS = 1.0


def locked() -> bool:
    """Whether Snakemake's lock is on the working directory."""
    return LOCKS.is_dir() and any(LOCKS.iterdir())


def stop_at_once_on_signals() -> None:
    """In Snakemake: SIGTERM and SIGINT end the running scripts and then Snakemake, cleanly.

    Without this, SIGTERM waits for the running jobs, which take minutes; so does SIGINT where it
    is sent to Snakemake alone. Jobs of a cluster are cancelled by their executor.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    import psutil  # Snakemake needs it; a job's environment may not have it.

    for child in psutil.Process().children(recursive=True):
        try:
            if any(SCRIPTS in word for word in child.cmdline()):
                child.terminate()
        except psutil.Error:  # It has ended meanwhile.
            continue
    raise KeyboardInterrupt


def end_with_snakemake() -> None:
    """In a job: end at once on a signal, and soon after the Snakemake that started it is gone.

    A long step inside TensorFlow or R would hold back Python's own handler of SIGINT. A job that
    outlives a killed Snakemake would write beside the same job of the next run.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    place, _, parent = os.environ.get(PARENT, "").rpartition(" ")
    # It may be gone already. Of another machine's, a number says nothing here.
    if parent.isdigit() and place == _place():
        threading.Thread(target=_watch, args=(int(parent),), daemon=True).start()


def name_process(number: int) -> str:
    """Name a process of this machine, for `PARENT`."""
    return f"{_place()} {number}"


def _place() -> str:
    """Name the machine, and the namespace where a number means one process."""
    try:
        return f"{platform.node()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return platform.node()


def _watch(parent: int) -> None:
    while _runs(parent):
        time.sleep(SECONDS)
    os._exit(1)


def _runs(process: int) -> bool:
    """Whether a process is there and is no zombie; where /proc is missing, whether it is there."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        if Path("/proc/self").exists():
            return False
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return True
    return state not in "ZX"

"""What every script of the workflow does: log to its file, check its input, fail in a sentence."""

import atexit
import gc
import logging
import os
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from accuracy_curves.exceptions import AccuracyCurvesError
from pipeline.jobs.results import check_results, stamp_result
from pipeline.jobs.stopping import end_with_snakemake


@contextmanager
def job(snakemake: Any) -> Iterator[str]:
    """Run the body of a rule's script, logged, with its input checked.

    Yields what its score matrix or table of curves is to say of itself; "" for other jobs.
    """
    end_with_snakemake()
    # Else Python looks for cycles among all objects when the process ends: for a fifth of a short
    # job's time.
    atexit.register(gc.freeze)
    with logged(snakemake.log[0]):
        made_from = check_results(snakemake.input)
        date_back(snakemake.input)
        first = next(iter(snakemake.output), "")
        carries = str(first).endswith((".npz", ".parquet"))
        options = snakemake.params.get("options")
        yield stamp_result(snakemake.config, first, made_from, options) if carries else ""


def date_back(paths: Iterable[str | Path]) -> None:
    """Date input that is in the future now: Snakemake refuses an output older than its input.

    So it is after the clock was set back. Files of the user, which no job wrote, are left alone.
    """
    for path in map(Path, paths):
        ours = path.parts[0] in ("results", "figures")
        if ours and os.stat(path).st_mtime > (now := time.time()):
            logging.info("%s was dated in the future, and is dated now", path)
            with suppress(OSError):  # Another user's file: Snakemake says what is wrong.
                os.utime(path, (now, now))


@contextmanager
def logged(path: str) -> Iterator[None]:
    """Send everything that a script says to its log file.

    An error that this project raises on purpose ends the job with its one sentence, in the log and
    on the terminal; any other error leaves its traceback in the log.
    """
    terminal = sys.stderr
    with open(path, "w", encoding="utf-8", buffering=1) as file:
        sys.stdout = sys.stderr = file
        logging.basicConfig(stream=file, level=logging.INFO, format="%(asctime)s %(message)s")
        try:
            yield
        except AccuracyCurvesError as error:
            print(error, file=file)
            print(error, file=terminal)
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=file)
            print(traceback.format_exc(limit=-1), file=terminal)
            sys.exit(1)
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
            # R still logs its end when the interpreter exits, after the file is closed.
            logging.getLogger().handlers.clear()

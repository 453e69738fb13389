"""What every script of the workflow does: log to its file, check its files, fail in a sentence."""

import logging
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accuracy_curves.errors import AccuracyCurvesError
from pipeline.checksums import check_files, record_checksums
from pipeline.stopping import end_with_snakemake


@contextmanager
def job(snakemake: Any) -> Iterator[None]:
    """Run the body of a rule's script, logged, with its input checked and its output recorded.

    Parameters
    ----------
    snakemake : object
        What Snakemake gives to a script: its input, output and log.

    Yields
    ------
    None
    """
    end_with_snakemake()
    with logged(snakemake.log[0]):
        check_files(snakemake.input)
        yield
        record_checksums(snakemake.output)
        keep_order(snakemake.input, snakemake.output)


def keep_order(inputs: Iterable[str | Path], outputs: Iterable[str | Path]) -> None:
    """Date no output before an input: after the clock was set back, Snakemake would refuse it.

    Parameters
    ----------
    inputs, outputs : iterable of path-like
        Files that a job read, and those that it wrote.
    """
    newest = max((os.stat(path).st_mtime_ns for path in inputs), default=0)
    for path in outputs:
        if os.stat(path).st_mtime_ns < newest:
            logging.info("%s is dated as its newest input, which is in the future", path)
            os.utime(path, ns=(newest, newest))


@contextmanager
def logged(path: str) -> Iterator[None]:
    """Send everything that a script says to its log file.

    Parameters
    ----------
    path : str
        The log file.

    Yields
    ------
    None

    Notes
    -----
    An error that this project raises on purpose ends the job with its one sentence, in the log
    and on the terminal; any other error leaves its traceback in the log.
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

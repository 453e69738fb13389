"""What every script of the workflow does: log to its file, fail in a sentence, say what made it."""

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from accuracy_curves.exceptions import AccuracyCurvesError
from experiments.provenance import stamp


@contextmanager
def job(snakemake: Any) -> Iterator[str]:
    """Run the body of a rule's script; what it says goes to its log.

    Yields the line of provenance that its results carry. An error that this project raises on
    purpose ends the job with its one sentence, in the log and on the terminal; any other error
    leaves its traceback in the log.
    """
    terminal = sys.stderr
    with open(snakemake.log[0], "w", encoding="utf-8", buffering=1) as file:
        sys.stdout = sys.stderr = file
        logging.basicConfig(stream=file, level=logging.INFO, format="%(asctime)s %(message)s")
        try:
            yield stamp(snakemake.config)
        except Exception as error:
            expected = isinstance(error, AccuracyCurvesError)
            print(error if expected else traceback.format_exc(), file=file)
            print(error if expected else traceback.format_exc(limit=-1), file=terminal)
            sys.exit(1)
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
            # R still logs its end when the interpreter exits, after the file is closed.
            logging.getLogger().handlers.clear()

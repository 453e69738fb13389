"""Progress of long work: whoever runs it decides how it is shown."""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Protocol, TypeVar

T = TypeVar("T")

# Work that is done before has no bar.
DELAY_SECONDS = 2.0


class Show(Protocol):
    """Pass steps on, one by one, and show how many are done."""

    def __call__(self, steps: Iterable[T], what: str, total: int) -> Iterable[T]:
        """Of `total` steps; `what` names the work in a few words."""


def bar(steps: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Draw a bar, a notebook's in a notebook, once the work has taken 2 seconds.

    Elsewhere only a terminal gets it. The environment variable ``TQDM_DISABLE=1`` keeps it away.
    """
    if not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        yield from steps
        return
    start, drawn = monotonic(), None
    try:
        for done, step in enumerate(steps):
            if drawn is None and monotonic() - start >= DELAY_SECONDS:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # Of a notebook without widgets.
                    from tqdm.auto import tqdm

                    drawn = tqdm(total=total, initial=done, desc=what, leave=False)
            yield step
            if drawn is not None:
                drawn.update()
    finally:
        if drawn is not None:
            drawn.close()


def silent(steps: Iterable[T], what: str, total: int) -> Iterable[T]:
    """Show nothing."""
    return steps


_show: ContextVar[Show] = ContextVar("show", default=bar)


def tracked(steps: Iterable[T], what: str, total: int) -> Iterable[T]:
    """Pass on the steps of long work, and show their progress as `shown_by` says.

    `what` names the work in a few words, such as "halves of the classes".
    """
    return _show.get()(steps, what, total)


@contextmanager
def shown_by(show: Show) -> Iterator[None]:
    """Let `show` show the progress of all work inside; by default it is `bar`."""
    token = _show.set(show)
    try:
        yield
    finally:
        _show.reset(token)

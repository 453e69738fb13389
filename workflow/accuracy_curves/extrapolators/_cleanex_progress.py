"""The progress bar of CleaneX's training."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Report(Protocol):
    """Take the steps done before, how many networks train now, their steps, and the loss."""

    def __call__(self, before: int, networks: int, done: int, loss: float) -> None: ...


@contextmanager
def progress_bar(steps: int, shown: bool) -> Iterator[Report]:
    """Yield a function that reports the steps done and the loss."""
    if not shown:
        yield lambda before, networks, done, loss: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    loss_column = TextColumn("steps, loss {task.fields[loss]}")
    columns = ("CleaneX", BarColumn(), MofNCompleteColumn(), loss_column, Remaining())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=steps, loss="?")

        def report(before: int, networks: int, done: int, loss: float) -> None:
            bar.update(task, completed=before + networks * done, loss=f"{loss:.2e}")

        yield report

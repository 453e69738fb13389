"""How much of a run is not estimators: `python -m pipeline.overhead results/PRESET`."""

import csv
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import click

from accuracy_curves.errors import AccuracyCurvesError, InputError

ESTIMATING = ("extrapolate", "intervals")
# What `accuracy_curves.repetitions.predict` logs of each repetition: draw, fit and predict; and
# `accuracy_curves.coverage.interval_draws`.
REPETITION = re.compile(r"repetition \d+: \d+ points, ([0-9.]+) s$", re.MULTILINE)


class Spent(NamedTuple):
    """Jobs of a rule, or of a method's rule: how many, their wall time and their estimators'."""

    jobs: int
    seconds: float
    estimator_seconds: float


def time_spent(run: Path) -> dict[str, Spent]:
    """Sum the wall time of a run's jobs, and what of it was an estimator's.

    Parameters
    ----------
    run : Path
        ``results/PRESET`` of a run, with its benchmarks and logs; it need not be finished.

    Returns
    -------
    dict
        By rule, and by ``extrapolate/METHOD`` and ``intervals/METHOD``. Starting Python,
        TensorFlow and R, reading, writing and checking files are in the wall time alone.

    Raises
    ------
    InputError
        If there are no benchmarks, one is not as Snakemake writes it, or a job of an estimator
        has no log.
    """
    found: dict[str, list[Spent]] = defaultdict(list)
    for path in sorted((run / "benchmarks").rglob("*.tsv")):
        parts = path.relative_to(run / "benchmarks").with_suffix("").parts
        try:
            with path.open(newline="", encoding="utf-8") as lines:
                seconds = sum(float(row["s"]) for row in csv.DictReader(lines, delimiter="\t"))
            estimating = 0.0
            if parts[0] in ESTIMATING:
                log = (run / "logs").joinpath(*parts).with_suffix(".log")
                text = log.read_text(encoding="utf-8")
                estimating = sum(float(each) for each in REPETITION.findall(text))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} has no readable time or log: run the preset again") from error
        kind = f"{parts[0]}/{parts[3]}" if parts[0] in ESTIMATING else parts[0]
        found[kind].append(Spent(1, seconds, estimating))
    if not found:
        raise InputError(f"{run} has no benchmarks: run its preset first")
    return {kind: Spent(*map(sum, zip(*jobs, strict=True))) for kind, jobs in found.items()}


def report(spent: dict[str, Spent]) -> str:
    """Tabulate the time spent, and the share of it that is not an estimator's."""
    total = Spent(*map(sum, zip(*spent.values(), strict=True)))
    lines = [f"{'rule':<32}{'jobs':>8}{'wall, s':>14}{'estimators, s':>16}"]
    for kind, row in [*spent.items(), ("all", total)]:
        lines.append(f"{kind:<32}{row.jobs:>8}{row.seconds:>14.1f}{row.estimator_seconds:>16.1f}")
    share = 1.0 - total.estimator_seconds / total.seconds if total.seconds else 0.0
    return "\n".join([*lines, "", f"not in an estimator: {100 * share:.1f} % of the jobs' time"])


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", type=click.Path(path_type=Path))
def main(run: Path) -> None:
    """Print what of the jobs' time of RUN (a folder results/PRESET) was not an estimator's."""
    try:
        click.echo(report(time_spent(run)))
    except AccuracyCurvesError as error:
        raise SystemExit(f"Error: {error}") from None


if __name__ == "__main__":
    main()

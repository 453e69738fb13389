"""How much of a run is not estimators: `python -m pipeline.cost.overhead results/PRESET`."""

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import click

from accuracy_curves.exceptions import AccuracyCurvesError, InputError
from pipeline.cost.benchmark_files import config_of_run, planned_benchmarks

ESTIMATING = ("extrapolate", "intervals")
# What `evaluation.subsampling.predict` logs of each repetition: draw, fit and predict; and
# `evaluation.interval_coverage.interval_draws`.
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
        ``results/PRESET`` of a finished run, with its benchmarks and logs.

    Returns
    -------
    dict
        By rule, and by ``extrapolate/METHOD`` and ``intervals/METHOD``. Starting Python,
        TensorFlow and R, reading, writing and checking files are in the wall time alone.

    Raises
    ------
    InputError
        If there is no provenance or no benchmark, one is not as Snakemake writes it, or a job of
        an estimator has no log.
    """
    config = config_of_run(run)
    found: dict[str, list[Spent]] = defaultdict(list)
    for parts, seconds in planned_benchmarks(run / "benchmarks", config):
        estimating = 0.0
        if parts[0] in ESTIMATING:
            log = (run / "logs").joinpath(*parts[:-1], f"{parts[-1]}.log")
            try:
                text = log.read_text(encoding="utf-8")
            except OSError as error:
                raise InputError(f"{log} is not readable: run the preset again") from error
            estimating = sum(float(each) for each in REPETITION.findall(text))
        kind = f"{parts[0]}/{parts[3]}" if parts[0] in ESTIMATING else parts[0]
        found[kind].append(Spent(1, seconds, estimating))
    if not found:
        raise InputError(f"{run} has no benchmarks: run its preset first")
    return {kind: Spent(*map(sum, zip(*jobs, strict=True))) for kind, jobs in found.items()}


def report(spent: dict[str, Spent], wall: float | None = None, cores: int = 1) -> str:
    """Tabulate the time spent, and the share of it that is not an estimator's.

    Parameters
    ----------
    spent : dict
        What `time_spent` returns.
    wall : float, optional
        Seconds that the whole run took, with Snakemake's start and its waits.
    cores : int
        That it had for so long.

    Returns
    -------
    str
        Several lines.
    """
    total = Spent(*map(sum, zip(*spent.values(), strict=True)))
    lines = [f"{'rule':<32}{'jobs':>8}{'wall, s':>14}{'estimators, s':>16}"]
    for kind, row in [*spent.items(), ("all", total)]:
        lines.append(f"{kind:<32}{row.jobs:>8}{row.seconds:>14.1f}{row.estimator_seconds:>16.1f}")
    lines += ["", f"not in an estimator: {_beside(total, total.seconds)} of the jobs' time"]
    if wall is not None:
        whole = _beside(total, cores * wall)
        lines += [f"not in an estimator: {whole} of {cores} x {wall:.0f} s, idle cores included"]
    return "\n".join(lines)


def _beside(total: Spent, seconds: float) -> str:
    """Share of the time that was no estimator's, in per cent."""
    share = 1.0 - total.estimator_seconds / seconds if seconds else 0.0
    return f"{100 * share:.1f} %"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--wall", type=click.FloatRange(min=0, min_open=True), help="Seconds of the run.")
@click.option("--cores", type=click.IntRange(min=1), default=1, help="That the run had.")
def main(run: Path, wall: float | None, cores: int) -> None:
    """Print what of the jobs' time of RUN (a folder results/PRESET) was not an estimator's."""
    try:
        click.echo(report(time_spent(run), wall, cores))
    except AccuracyCurvesError as error:
        raise SystemExit(f"Error: {error}") from None


if __name__ == "__main__":
    main()

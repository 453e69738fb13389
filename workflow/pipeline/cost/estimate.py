"""What a preset costs, from the benchmark files of a run: `python -m pipeline.cost.estimate`."""

import heapq
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import pandas as pd
import yaml
from scipy.optimize import nnls

from accuracy_curves.exceptions import AccuracyCurvesError, InputError
from accuracy_curves.utils.arrays import Float64Array
from pipeline.cost.work import work_of
from pipeline.preset.configuration import check_config
from pipeline.preset.settings import Config
from pipeline.provenance import ROOT

CORES = (1, 2, 16, 128, 1000)
OVERHEAD = 2.0  # Seconds that Snakemake adds to a job on a workstation.
Measured = tuple[str, float, float]
JOB = re.compile(r"^(?:local)?rule (\w+):\n((?:    .*\n)+)", re.MULTILINE)


class Job(NamedTuple):
    """One job: its wall time in seconds, its threads, its priority, and what jobs it waits for."""

    seconds: float
    threads: int = 1
    after: tuple[str, ...] = ()
    priority: int = 0


def read_benchmarks(folder: Path, config: Config) -> Iterator[Measured]:
    """Read kind, work and seconds of a run's jobs, but for those that its preset has no more."""
    for path in sorted(folder.rglob("*.tsv")):
        try:
            kind, work = work_of(path.relative_to(folder), config)
        except (KeyError, ValueError):
            continue
        try:
            seconds = float(pd.read_csv(path, sep="\t", keep_default_na=False)["s"].sum())
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"{path} has no readable time: run the preset again") from error
        yield kind, work, seconds


def planned_jobs(configfile: Path, *changes: str) -> dict[str, dict[str, str]]:
    """Ask Snakemake for all jobs of a preset: what a dry run prints of each, by its name."""
    words = ["snakemake", "--dry-run", "--forceall", "--snakefile", str(ROOT / "Snakefile")]
    words += ["--cores", "100000", "--configfile", str(configfile)]
    words += ["--config", *changes] if changes else []
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise InputError(f"Snakemake cannot plan {configfile}: {done.stderr[-500:]}")
    jobs = {}
    for rule, printed in JOB.findall(done.stdout):
        job = dict(re.findall(r"^    (\w+): (.*)$", printed, re.MULTILINE))
        job["benchmark"] = job.get("benchmark", "").partition("benchmarks/")[2]
        if "output" in job:  # The rule all has none.
            jobs[" ".join([rule, *job["benchmark"].removesuffix(".tsv").split("/")[1:]])] = job
    return jobs


def estimate(
    planned: dict[str, dict[str, str]], config: Config, measured: Iterable[Measured]
) -> tuple[dict[str, Job], list[str]]:
    """Estimate planned jobs from what was measured; name the kinds that were not."""
    points = pd.DataFrame(measured, columns=["kind", "work", "seconds"]).set_index("kind")
    lines = {kind: fit_line(points.loc[[kind]].to_numpy()) for kind in points.index.unique()}
    made_by = {path: name for name, job in planned.items() for path in job["output"].split(", ")}
    jobs, unknown = {}, set()
    for name, job in planned.items():
        seconds = OVERHEAD
        if job["benchmark"]:
            kind, work = work_of(Path(job["benchmark"]), config)
            fixed, unit = lines.get(kind, (0.0, 0.0))
            seconds += fixed + unit * work
            unknown |= {kind} - set(lines)
        after = {made_by[path] for path in job.get("input", "").split(", ") if path in made_by}
        threads, priority = int(job.get("threads", 1)), int(job.get("priority", 0))
        jobs[name] = Job(seconds, threads, tuple(sorted(after)), priority)
    return jobs, sorted(unknown)


def fit_line(points: Float64Array) -> tuple[float, float]:
    """Fit seconds = fixed + unit * work, no part negative; of equal work all are taken to grow."""
    work, seconds = np.maximum(points, 1e-3).T
    if np.ptp(work) == 0:
        return 0.0, float(seconds.mean() / work[0])
    design = np.column_stack([1.0 / seconds, work / work.max() / seconds])
    fixed, unit = nnls(design, np.ones(len(work)))[0]
    return float(fixed), float(unit / work.max())


def wall_seconds(jobs: Mapping[str, Job], cores: int) -> float:
    """Simulate a run, first jobs first; one that asks for more cores takes them all.

    Snakemake starts what is ready by its priority, and of equal ones any.
    """
    sorter = TopologicalSorter({name: job.after for name, job in jobs.items()})
    sorter.prepare()
    ready, running = list[tuple[int, str]](), list[tuple[float, str, int]]()
    now, free = 0.0, cores
    while sorter.is_active():
        for name in sorter.get_ready():
            heapq.heappush(ready, (-jobs[name].priority, name))
        while ready and (threads := min(jobs[ready[0][1]].threads, cores)) <= free:
            name = heapq.heappop(ready)[1]
            heapq.heappush(running, (now + jobs[name].seconds, name, threads))
            free -= threads
        now, name, threads = heapq.heappop(running)
        free += threads
        sorter.done(name)
    return now


def tabulate(jobs: Mapping[str, Job], title: str) -> str:
    """Tabulate jobs and core-hours by rule and method, and the wall time by number of cores."""
    groups: dict[str, list[Job]] = defaultdict(list)
    for name, job in jobs.items():
        words = name.split()
        method = words[3:4] if words[0].startswith(("extrapolate", "find_intervals")) else []
        groups[" ".join([words[0], *method])].append(job)
    lines = [title, "", f"{'rule':<36}{'jobs':>6}{'core-hours':>12}{'longest, s':>12}"]
    for name, each in [*groups.items(), ("all", list(jobs.values()))]:
        hours = sum(job.seconds * job.threads for job in each) / 3600
        longest = max(job.seconds for job in each)
        lines.append(f"{name:<36}{len(each):>6}{hours:>12.2f}{longest:>12.0f}")
    lines += ["", f"{'cores':>6}{'wall time, h':>14}{'idle':>8}"]
    for cores in CORES:
        wall = wall_seconds(jobs, cores) / 3600
        lines.append(f"{cores:>6}{wall:>14.2f}{max(0.0, 1 - hours / (cores * wall)):>8.0%}")
    return "\n".join(lines)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("configfile", type=click.Path(path_type=Path))
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("changes", nargs=-1)
def main(configfile: Path, run: Path, changes: tuple[str, ...]) -> None:
    """Print what the preset CONFIGFILE costs, with CHANGES (KEY=VALUE), by RUN's benchmarks."""
    try:
        if not (run / "provenance.json").is_file() or not (run / "benchmarks").is_dir():
            advice = "`make demo` makes one; RUN=results/PRESET names another"
            raise InputError(f"there is no finished run in {run}: {advice}")
        config_of_run = json.loads((run / "provenance.json").read_bytes())["config"]
        measured = list(read_benchmarks(run / "benchmarks", config_of_run))
        asked = yaml.safe_load(configfile.read_text("utf-8"))
        config = check_config({**asked, **dict(change.split("=", 1) for change in changes)})
        jobs, unknown = estimate(planned_jobs(configfile, *changes), config, measured)
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError, AccuracyCurvesError) as error:
        raise SystemExit(f"Error: {' '.join(str(error).split())}") from None
    missing = f"; NOT MEASURED, not counted: {', '.join(unknown)}" if unknown else ""
    click.echo(tabulate(jobs, f"{config['preset']}, by the benchmarks of {run}{missing}"))


if __name__ == "__main__":
    main()

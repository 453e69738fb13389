"""What a preset costs, from the benchmark files of a run: `python -m pipeline.scale`."""

import csv
import json
import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import click
import yaml

from accuracy_curves.datasets import make_dataset
from accuracy_curves.errors import AccuracyCurvesError, InputError
from accuracy_curves.extrapolators import make_extrapolator
from pipeline.config import (
    Config,
    Setting,
    check_config,
    chunk_repetitions,
    chunks,
    figure_settings,
    figures,
    method_of,
    settings,
)
from pipeline.schedule import Job, core_seconds, critical_path, wall_seconds

CORES = (1, 2, 16, 128, 1000)


class Measured(NamedTuple):
    """One benchmark: its work, in the units of `_work`, and its wall time in seconds."""

    work: float
    seconds: float


def read_benchmarks(run: Path) -> dict[str, list[Measured]]:
    """Read what a finished run measured.

    Parameters
    ----------
    run : Path
        ``results/PRESET`` of a run, with its provenance and benchmarks.

    Returns
    -------
    dict
        By rule, and by ``extrapolate/METHOD`` for the methods' classes.

    Raises
    ------
    InputError
        If the run has no provenance or a benchmark is not as Snakemake writes it.
    """
    try:
        config = json.loads((run / "provenance.json").read_text(encoding="utf-8"))["config"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{run} has no readable provenance.json: name the results folder of a finished run"
        ) from error
    found: dict[str, list[Measured]] = defaultdict(list)
    for path in sorted((run / "benchmarks").rglob("*.tsv")):
        try:
            with path.open(newline="", encoding="utf-8") as lines:
                seconds = [float(row["s"]) for row in csv.DictReader(lines, delimiter="\t")]
            parts = path.relative_to(run / "benchmarks").with_suffix("").parts
            kind, work = _kind_and_work(parts, config)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(f"{path} is not a benchmark of the run's preset: delete it") from error
        found[kind] += [Measured(work, each) for each in seconds]
    if not found:
        raise InputError(f"{run} has no benchmarks: run its preset first")
    return dict(found)


def _kind_and_work(parts: tuple[str, ...], config: Config) -> tuple[str, float]:
    """Say what a benchmark file measured, from its place in the folder of benchmarks."""
    match parts:
        case ("extrapolate", experiment, k1, method, chunk):
            setting = Setting(experiment, int(k1.removeprefix("k1_")))
            name, options = method_of(config, method)
            repetitions = len(chunk_repetitions(chunk))
            return f"extrapolate/{name}", repetitions * _work(config, setting, name, options)
        case ("observe", experiment, k1):
            setting = Setting(experiment, int(k1.removeprefix("k1_")))
            return "observe", config["repetitions"] * _work(config, setting)
        case ("class_draw", experiment, _):
            k2 = config["experiments"][experiment]["k2"]
            return "class_draw", config["repetitions"] * _work(config, Setting(experiment, k2))
        case (("scores" | "true_curve") as rule, experiment):
            k2 = config["experiments"][experiment]["k2"]
            return rule, _work(config, Setting(experiment, k2))
        case (rule, *_):
            return rule, 1.0
    raise IndexError


def _work(
    config: Config, setting: Setting, method: str = "", options: Mapping[str, Any] | None = None
) -> float:
    """Entries of a score matrix of k1 classes; for CleaneX, multiplications of its training."""
    dataset = config["experiments"][setting.experiment]["dataset"]
    made = make_dataset(data_dir=config["data_dir"], **dataset)
    points = setting.k1 * (getattr(made, "points_per_class", None) or 1)
    if method != "cleanex":
        return float(points * setting.k1)
    network = make_extrapolator("cleanex", **dict(options or {}))
    widths = [setting.k1, *vars(network)["hidden"], 1]
    products = sum(a * b for a, b in pairwise(widths))
    return float(vars(network)["steps"] * points * products)


def preset_jobs(
    config: Config, measured: Mapping[str, list[Measured]], startup: float = 8.0
) -> dict[str, Job]:
    """Estimate every job of a preset.

    Parameters
    ----------
    config : dict
        A checked preset.
    measured : mapping
        As `read_benchmarks` returns.
    startup : float
        Seconds of a job that do not grow with its work: starting Python, TensorFlow, R.

    Returns
    -------
    dict of str to Job
        Each job after those it waits for. Beyond `startup`, the seconds of the measurement whose
        work is nearest are scaled in proportion to the work; without one, `startup` is taken.

    Raises
    ------
    InputError
        If a method of the preset was not measured.
    """

    def seconds(*parts: str) -> float:
        kind, work = _kind_and_work(parts, config)
        if kind not in measured:
            if parts[0] == "extrapolate":
                raise InputError(
                    f"the run has no benchmark of the method {kind.split('/')[1]}: "
                    "measure a preset that has it"
                )
            return startup
        nearest = min(measured[kind], key=lambda one: abs(math.log(one.work / work))).work
        times = [one.seconds for one in measured[kind] if one.work == nearest]
        return startup + max(sum(times) / len(times) - startup, 0.0) * work / nearest

    jobs: dict[str, Job] = {}
    for experiment in config["experiments"]:
        scores = f"scores {experiment}"
        jobs[scores] = Job(seconds("scores", experiment))
        jobs[f"true_curve {experiment}"] = Job(seconds("true_curve", experiment), after=(scores,))
    for experiment, k1 in settings(config):
        place = (experiment, f"k1_{k1}")
        wanted = [f"true_curve {experiment}"]
        jobs[f"observe {experiment} {k1}"] = Job(
            seconds("observe", *place), after=(f"scores {experiment}",)
        )
        for method in config["methods"]:
            threads = method_of(config, method)[1].get("threads", 1)
            for chunk in chunks(config, experiment):
                name = f"extrapolate {experiment} {k1} {method} {chunk}"
                took = seconds("extrapolate", *place, method, chunk)
                jobs[name] = Job(took, threads, (f"scores {experiment}",))
                wanted.append(name)
        jobs[f"evaluate {experiment} {k1}"] = Job(seconds("evaluate", *place), after=tuple(wanted))
        jobs[f"class_draw {experiment} {k1}"] = Job(
            seconds("class_draw", *place), after=(f"scores {experiment}",)
        )
    evaluated = tuple(f"evaluate {experiment} {k1}" for experiment, k1 in settings(config))
    jobs["summary"] = Job(seconds("summary", "summary"), after=evaluated)
    draws = tuple(f"class_draw {experiment} {k1}" for experiment, k1 in settings(config))
    jobs["class_draws"] = Job(seconds("class_draws", "class_draws"), after=(*evaluated, *draws))
    last = ["summary", "class_draws"]
    for kind, name in figures(config):
        figure = config["figures"][kind][name]
        shown = figure_settings(config, figure) if "experiment" not in figure else []
        needed = ("evaluate", "observe", "class_draw")
        after = [f"{rule} {e} {k1}" for e, k1 in shown for rule in needed]
        jobs[f"{kind} {name}"] = Job(
            seconds(kind, name), after=tuple(after or [f"scores {figure['experiment']}"])
        )
        last.append(f"{kind} {name}")
    jobs["provenance"] = Job(seconds("provenance"), after=tuple(last))
    return jobs


def report(jobs: Mapping[str, Job], title: str) -> str:
    """Tabulate jobs, core-hours, the critical path, and the wall time by number of cores."""
    by_rule: dict[str, list[Job]] = defaultdict(list)
    for name, job in jobs.items():
        words = name.split()
        by_rule[" ".join([words[0], *words[3:4]]) if words[0] == "extrapolate" else words[0]] += [
            job
        ]
    lines = [title, "", f"{'rule':<28}{'jobs':>8}{'core-hours':>14}{'longest':>12}"]
    for rule, group in by_rule.items():
        hours = sum(job.seconds * job.threads for job in group) / 3600
        longest = max(job.seconds for job in group)
        lines.append(f"{rule:<28}{len(group):>8}{hours:>14.2f}{_time(longest):>12}")
    total = core_seconds(jobs) / 3600
    lines += [f"{'all':<28}{len(jobs):>8}{total:>14.2f}", "", f"{'cores':>8}{'wall time':>14}"]
    lines += [f"{cores:>8}{_time(wall_seconds(jobs, cores)):>14}" for cores in CORES]
    chain = critical_path(jobs)
    lines += ["", f"critical path: {_time(sum(jobs[name].seconds for name in chain))}"]
    lines += [f"  {_time(jobs[name].seconds):>10}  {name}" for name in chain]
    return "\n".join(lines)


def _time(seconds: float) -> str:
    """Write seconds in the unit that a reader would choose."""
    for unit, length, above in (("d", 86400, 2 * 86400), ("h", 3600, 7200), ("min", 60, 120)):
        if seconds >= above:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--configfile", type=click.Path(path_type=Path), help="Preset.  [default: RUN's own]")
@click.option("--startup", type=click.FloatRange(min=0), default=8.0, show_default=True)
def main(run: Path, configfile: Path | None, startup: float) -> None:
    """Print what a preset costs, from the benchmarks of RUN (a folder results/PRESET)."""
    try:
        measured = read_benchmarks(run)
        if configfile is None:
            asked = json.loads((run / "provenance.json").read_text(encoding="utf-8"))["config"]
        else:
            asked = yaml.safe_load(configfile.read_text(encoding="utf-8"))
        if not isinstance(asked, dict):
            raise InputError(f"{configfile} is not a preset: it must be a YAML mapping")
        config = check_config(asked)
        jobs = preset_jobs(config, measured, startup)
        click.echo(report(jobs, f"Preset {config['preset']}, from the benchmarks of {run}"))
    except (OSError, yaml.YAMLError, AccuracyCurvesError) as error:
        raise SystemExit(f"Error: {' '.join(str(error).split())}") from None


if __name__ == "__main__":
    main()

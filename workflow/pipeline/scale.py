"""What a preset costs, from the benchmark files of a run: `python -m pipeline.scale`."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import click
import yaml

from accuracy_curves.errors import AccuracyCurvesError, InputError
from pipeline import originals
from pipeline.benchmarks import Cost, read_benchmarks, work_of
from pipeline.chunks import chunk_repetitions, chunks, repetitions_of
from pipeline.config import check_config
from pipeline.coverage_plans import judged
from pipeline.figure_plans import figure_methods, figure_settings, figures
from pipeline.schedule import Job, core_seconds, critical_path, wall_seconds
from pipeline.settings import Config, Setting, method_of, settings, trained_anew

CORES = (1, 2, 16, 128, 1000)


def preset_jobs(
    config: Config, costs: Mapping[str, Cost], overhead: float = 0.0
) -> tuple[dict[str, Job], list[str]]:
    """Estimate every job of a preset.

    Parameters
    ----------
    config : dict
        A checked preset.
    costs : mapping
        As `pipeline.benchmarks.read_benchmarks` returns.
    overhead : float
        Seconds that Snakemake and a scheduler add to a job.

    Returns
    -------
    jobs : dict of str to Job
        Each job after those it waits for. Its name is its rule and wildcards.
    unknown : list of str
        Kinds of jobs that were not measured; they are taken to cost `overhead` alone.
    """
    unknown: dict[str, None] = {}
    jobs: dict[str, Job] = {}

    def add(*parts: str, after: Iterable[str] = (), threads: int = 1, rule: str = "") -> str:
        kind, work = work_of(parts, config)
        cost = costs.get(kind)
        if cost is None and not _beside(kind):
            unknown[kind] = None
        seconds = cost.seconds(work) if cost else 0.0
        name = " ".join([rule or parts[0], *parts[1:]])
        jobs[name] = Job(overhead + seconds, threads, tuple(dict.fromkeys(after)))
        return name

    curves: dict[Setting, dict[str, list[str]]] = {}
    evaluated: dict[Setting, str] = {}
    draws: dict[Setting, str] = {}
    fetched = [add(f"download_{download.name}") for download in originals.downloads(config)]
    for name in originals.embeddings(config):
        add("embed", name, after=fetched)
    for experiment in config["experiments"]:
        embedding = originals.embedding_of(config, experiment)
        add("scores", experiment, after=[f"embed {embedding}"] if embedding else [])
        add("true_curve", experiment, after=[f"scores {experiment}"])
    for setting in settings(config):
        curves[setting] = _add_curves(config, setting, add)
        evaluated[setting] = add(
            "evaluate",
            setting.experiment,
            f"k1_{setting.k1}",
            after=[
                f"true_curve {setting.experiment}",
                *chain.from_iterable(curves[setting][method] for method in config["methods"]),
            ],
        )
        draws[setting] = add(
            "class_draw",
            setting.experiment,
            f"k1_{setting.k1}",
            after=[f"scores {setting.experiment}"],
        )
    for setting, method in dict.fromkeys(
        pair for figure in config["figures"]["coverage"].values() for pair in judged(config, figure)
    ):
        add(
            *("intervals", setting.experiment, f"k1_{setting.k1}", method),
            after=[f"scores {setting.experiment}"],
            threads=method_of(config, method)[1].get("threads", 1),
        )
    add("summary", "summary", after=evaluated.values())
    add("class_draws", "class_draws", after=[*evaluated.values(), *draws.values()])

    def drawn_from(rule: str, drawn: Mapping[str, Any]) -> list[str]:
        if rule == "bivariate_normal":
            return []
        if rule == "coverage":
            pairs = judged(config, drawn)
            return [f"intervals {name} k1_{k1} {method}" for (name, k1), method in pairs]
        shown = [] if "experiment" in drawn else figure_settings(config, drawn)
        if rule in ("reversed_roc", "distributions"):
            names = [drawn["experiment"]] if "experiment" in drawn else [e for e, _ in shown]
            return [f"scores {name}" for name in names]
        errors = [evaluated[setting] for setting in shown]
        noise = [draws[setting] for setting in shown]
        if rule == "matrix":
            return errors
        if rule == "boxplots":
            return errors + noise
        methods = figure_methods(config, drawn)
        wanted = [
            name
            for setting in shown
            for name in (
                f"true_curve {setting.experiment}",
                *curves[setting]["observed"],
                *chain.from_iterable(curves[setting][method] for method in methods),
            )
        ]
        if rule == "comparison":
            return wanted + errors + noise
        return wanted if rule in ("accuracies", "sweep") else wanted + errors

    last = ["summary summary", "class_draws class_draws"]
    for rule, name, drawn in [
        *(("accuracies", name, table) for name, table in config["tables"].items()),
        *((kind, name, config["figures"][kind][name]) for kind, name in figures(config)),
    ]:
        last.append(add(rule, name, after=drawn_from(rule, drawn)))
    for rule, wanted in (
        ("claims", config["claims"]),
        ("standings", config["standings"]["groups"]),
    ):
        if wanted:
            last.append(add(rule, after=["summary summary"]))
    add("provenance", after=last)
    return jobs, list(unknown)


def _beside(kind: str) -> bool:
    """Say whether Snakemake does it itself, so that no benchmark tells its time."""
    return kind == "provenance" or kind.startswith("download_")


def _add_curves(config: Config, setting: Setting, add: Callable[..., str]) -> dict[str, list[str]]:
    """Add the jobs of a setting's observed and predicted curves; their names by method."""
    experiment, k1 = setting.experiment, f"k1_{setting.k1}"
    trained = experiment in trained_anew(config)
    names = {}
    if trained:
        names = {
            repetition: add("train", experiment, k1, f"{repetition:04d}")
            for repetition in range(repetitions_of(config, experiment))
        }

    def scores(repetitions: Iterable[int]) -> list[str]:
        return [names[each] for each in repetitions] if trained else [f"scores {experiment}"]

    observed = add(
        *("observe", experiment, k1),
        after=scores(range(repetitions_of(config, experiment))),
        rule="observe_trained" if trained else "",
    )
    return {"observed": [observed]} | {
        method: [
            add(
                *("extrapolate", experiment, k1, method, chunk),
                after=scores(chunk_repetitions(chunk)),
                threads=method_of(config, method)[1].get("threads", 1),
                rule="extrapolate_trained" if trained else "",
            )
            for chunk in chunks(config, setting, method)
        ]
        for method in config["methods"]
    }


def report(jobs: Mapping[str, Job], title: str, unknown: Iterable[str] = ()) -> str:
    """Tabulate jobs, core-hours, the critical path, and the wall time by number of cores.

    Parameters
    ----------
    jobs : mapping of str to Job
        As `preset_jobs` returns.
    title : str
        The first line.
    unknown : iterable of str
        Kinds of jobs that were not measured.

    Returns
    -------
    str
        Several lines.
    """
    by_rule: dict[str, list[Job]] = defaultdict(list)
    for name, job in jobs.items():
        rule, *wildcards = name.split()
        method = wildcards[2:3] if rule.startswith(("extrapolate", "intervals")) else []
        by_rule[" ".join([rule, *method])].append(job)
    lines = [title, "", f"{'rule':<28}{'jobs':>8}{'core-hours':>14}{'longest':>12}"]
    for rule, group in by_rule.items():
        hours = sum(job.seconds * job.threads for job in group) / 3600
        longest = max(job.seconds for job in group)
        lines.append(f"{rule:<28}{len(group):>8}{hours:>14.2f}{_time(longest):>12}")
    total = core_seconds(jobs) / 3600
    lines += [f"{'all':<28}{len(jobs):>8}{total:>14.2f}", "", f"{'cores':>8}{'wall time':>14}"]
    lines += [f"{cores:>8}{_time(wall_seconds(jobs, cores)):>14}" for cores in CORES]
    longest_way = critical_path(jobs)
    way = sum(jobs[name].seconds for name in longest_way)
    lines += ["", f"critical path: {_time(way)}"]
    lines += [f"  {_time(jobs[name].seconds):>10}  {name}" for name in longest_way]
    if unknown:
        lines += ["", f"not measured, and not counted: {', '.join(unknown)}"]
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
@click.option(
    "--overhead",
    type=click.FloatRange(min=0),
    default=2.0,
    show_default=True,
    help="Seconds that Snakemake adds to a job; with Slurm about 20.",
)
def main(run: Path, configfile: Path | None, overhead: float) -> None:
    """Print what a preset costs, from the benchmarks of RUN (a folder results/PRESET)."""
    try:
        costs = read_benchmarks(run)
        if configfile is None:
            asked = json.loads((run / "provenance.json").read_text(encoding="utf-8"))["config"]
        else:
            asked = yaml.safe_load(configfile.read_text(encoding="utf-8"))
        if not isinstance(asked, dict):
            raise InputError(f"{configfile} is not a preset: it must be a YAML mapping")
        config = check_config(asked)
        jobs, unknown = preset_jobs(config, costs, overhead)
        title = f"Preset {config['preset']}, from the benchmarks of {run}"
        click.echo(report(jobs, title, unknown))
    except (OSError, yaml.YAMLError, AccuracyCurvesError) as error:
        raise SystemExit(f"Error: {' '.join(str(error).split())}") from None


if __name__ == "__main__":
    main()

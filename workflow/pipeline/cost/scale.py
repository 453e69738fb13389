"""What a preset costs, from the benchmark files of a run: `python -m pipeline.cost.scale`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import click
import yaml

from accuracy_curves.exceptions import AccuracyCurvesError, InputError
from pipeline.cost.benchmark_files import config_of_run
from pipeline.cost.benchmarks import read_benchmarks
from pipeline.cost.preset_jobs import preset_jobs
from pipeline.cost.schedule import Job, core_seconds, critical_path, wall_seconds
from pipeline.preset.configuration import check_config

CORES = (1, 2, 16, 128, 1000)


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
@click.option(
    "--data-dir", type=click.Path(), help="Folder of the preset's files.  [default: as it says]"
)
def main(run: Path, configfile: Path | None, overhead: float, data_dir: str | None) -> None:
    """Print what a preset costs, from the benchmarks of RUN (a folder results/PRESET)."""
    try:
        costs = read_benchmarks(run)
        if configfile is None:
            asked = config_of_run(run)
        else:
            asked = yaml.safe_load(configfile.read_text(encoding="utf-8"))
        if not isinstance(asked, dict):
            raise InputError(f"{configfile} is not a preset: it must be a YAML mapping")
        config = check_config(asked if data_dir is None else {**asked, "data_dir": data_dir})
        jobs, unknown = preset_jobs(config, costs, overhead)
        title = f"Preset {config['preset']}, from the benchmarks of {run}"
        click.echo(report(jobs, title, unknown))
    except (OSError, yaml.YAMLError, AccuracyCurvesError) as error:
        raise SystemExit(f"Error: {' '.join(str(error).split())}") from None


if __name__ == "__main__":
    main()

"""Wall times of a run's jobs, from the files that Snakemake leaves of each."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from accuracy_curves.exceptions import InputError
from pipeline.preset.chunks import chunks
from pipeline.preset.settings import Config, Setting, settings


class Benchmark(NamedTuple):
    """A job's rule and wildcards, and its wall time in seconds."""

    parts: tuple[str, ...]
    seconds: float


def config_of_run(run: Path) -> Config:
    """Read the preset of a finished run from its provenance.

    Parameters
    ----------
    run : Path
        ``results/PRESET``.

    Returns
    -------
    dict
        Without the data folder.

    Raises
    ------
    InputError
        If there is no provenance, or it is not readable.
    """
    try:
        text = (run / "provenance.json").read_text(encoding="utf-8")
        return dict(json.loads(text)["config"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{run} has no readable provenance.json: name the results folder of a finished run"
        ) from error


def planned_benchmarks(folder: Path, config: Config) -> Iterator[Benchmark]:
    """Read the benchmark files of a preset's jobs.

    Parameters
    ----------
    folder : Path
        ``results/PRESET/benchmarks``; it need not be complete.
    config : dict
        The checked preset. Files of jobs that it no longer has are left out.

    Yields
    ------
    Benchmark
        In the order of their names.

    Raises
    ------
    InputError
        If a file is not as Snakemake writes it.
    """
    for path in sorted(folder.rglob("*.tsv")):
        parts = path.relative_to(folder).with_suffix("").parts
        if not _planned(parts, config):
            continue
        try:
            with path.open(newline="", encoding="utf-8") as lines:
                seconds = sum(float(row["s"]) for row in csv.DictReader(lines, delimiter="\t"))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} has no readable time: run the preset again") from error
        yield Benchmark(parts, seconds)


def _planned(parts: tuple[str, ...], config: Config) -> bool:
    """Whether a preset has the job with these rule and wildcards."""
    match parts:
        case (kind, name) if kind in config["figures"]:
            return name in config["figures"][kind]
        case ("accuracies", name):
            return name in config["tables"]
        case (("scores" | "true_curve"), experiment):
            return experiment in config["experiments"]
        case (_, experiment, k1, *rest) if k1.startswith("k1_"):
            setting = Setting(experiment, int(k1.removeprefix("k1_")))
            if setting not in settings(config):
                return False
            if parts[0] not in ("extrapolate", "intervals"):
                return True
            method, *chunk = rest
            known = method in config["methods"]
            return known and (not chunk or chunk[0] in chunks(config, setting, method))
    return True

"""What jobs cost, from the benchmark files of a run: seconds against work, for each kind of job."""

import csv
from collections import defaultdict
from collections.abc import Mapping
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import nnls

from accuracy_curves.datasets import DATASETS
from accuracy_curves.datasets.base import Dataset
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.cleanex.estimator import CleaneX
from pipeline.cost.benchmark_files import config_of_run
from pipeline.preset.chunks import (
    chunk_repetitions,
    interval_repetitions,
    method_repetitions,
    repetitions_of,
)
from pipeline.preset.figure_plans import interval_splits
from pipeline.preset.settings import Config, Setting, method_of


class Measured(NamedTuple):
    """One benchmark: its work, in the units of `work_of`, and its wall time in seconds."""

    work: float
    seconds: float


class Cost(NamedTuple):
    """Seconds of a kind of job: those of every job, and those for a unit of work."""

    fixed: float
    unit: float

    def seconds(self, work: float) -> float:
        """Seconds of a job with this work."""
        return self.fixed + self.unit * work


def read_benchmarks(run: Path) -> dict[str, Cost]:
    """Read what a finished run measured.

    Parameters
    ----------
    run : Path
        ``results/PRESET`` of a run, with its provenance and benchmarks.

    Returns
    -------
    dict of str to Cost
        By kind of job, as `work_of` names it.

    Raises
    ------
    InputError
        If the run has no provenance or a benchmark is not as Snakemake writes it.
    """
    config = config_of_run(run)
    found: dict[str, list[Measured]] = defaultdict(list)
    for path in sorted((run / "benchmarks").rglob("*.tsv")):
        try:
            with path.open(newline="", encoding="utf-8") as lines:
                seconds = [float(row["s"]) for row in csv.DictReader(lines, delimiter="\t")]
            parts = path.relative_to(run / "benchmarks").with_suffix("").parts
            kind, work = work_of(parts, config)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(f"{path} is not a benchmark of the run's preset: delete it") from error
        found[kind] += [Measured(work, each) for each in seconds]
    if not found:
        raise InputError(f"{run} has no benchmarks: run its preset first")
    return {kind: fit(measured) for kind, measured in found.items()}


def fit(measured: list[Measured]) -> Cost:
    """Fit a line with non-negative parts to seconds against work.

    Parameters
    ----------
    measured : list of Measured
        At least one.

    Returns
    -------
    Cost
        Of least squared relative error. Measurements of a single amount of work cannot tell the
        parts apart: all their seconds are then taken to grow with the work.
    """
    work, seconds = np.array(measured, dtype=float).T
    seconds = np.maximum(seconds, 1e-3)
    if np.ptp(work) == 0:
        return Cost(0.0, float(seconds.mean() / work[0]))
    scale = work.max()
    design = np.column_stack([1.0 / seconds, work / scale / seconds])
    fixed, unit = nnls(design, np.ones(len(work)))[0]
    return Cost(float(fixed), float(unit / scale))


def work_of(parts: tuple[str, ...], config: Config) -> tuple[str, float]:
    """Say what a job does.

    Parameters
    ----------
    parts : tuple of str
        Its place in the folder of benchmarks: the rule, then its wildcards.
    config : dict
        The checked preset.

    Returns
    -------
    kind : str
        Jobs of a kind take time in proportion to their work, beside a fixed part: the rule, with
        the method, data set or classifier that decides its time.
    work : float
        Entries of its score matrices, multiplications of CleaneX's training, or points of its
        curves; 1 for tables and figures.

    Raises
    ------
    IndexError, KeyError, ValueError
        If the preset has no such job.
    """
    match parts:
        case ("extrapolate", experiment, k1, method, chunk):
            name, options = method_of(config, method)
            each = _entries(config, _setting(experiment, k1), name, options)
            return f"extrapolate/{name}", len(chunk_repetitions(chunk)) * each
        case ("intervals", experiment, k1, method):
            name, options = method_of(config, method)
            each = _entries(config, _setting(experiment, k1), name, options)
            # A half has a quarter of the entries, and there are two a split.
            fits = 1 + interval_splits(config, method) / 2
            repetitions = interval_repetitions(config, _setting(experiment, k1), method)
            return f"intervals/{name}", repetitions * fits * each
        case ("observe", experiment, k1):
            each = _entries(config, _setting(experiment, k1))
            return "observe", repetitions_of(config, experiment) * each
        case ("class_draw", experiment, _):
            setting = Setting(experiment, config["experiments"][experiment]["k2"])
            return "class_draw", repetitions_of(config, experiment) * _entries(config, setting)
        case ("train", experiment, k1, _):
            classifier = config["experiments"][experiment]["dataset"]["classifier"]
            return f"train/{classifier}", _entries(config, _setting(experiment, k1))
        case (("scores" | "true_curve") as rule, experiment):
            known = config["experiments"][experiment]
            kind = f"scores/{known['dataset']['kind']}" if rule == "scores" else rule
            return kind, _entries(config, Setting(experiment, known["k2"]))
        case ("evaluate", experiment, k1):
            setting = _setting(experiment, k1)
            curves = sum(method_repetitions(config, setting, m) for m in config["methods"])
            return "evaluate", float(curves * config["experiments"][experiment]["k2"])
        case (rule, *_):
            return rule, 1.0
    raise IndexError


def _setting(experiment: str, k1: str) -> Setting:
    return Setting(experiment, int(k1.removeprefix("k1_")))


def _defaults(kind: type[Dataset]) -> dict[str, Any]:
    return {name: each.default for name, each in signature(kind).parameters.items()}


def _entries(
    config: Config, setting: Setting, method: str = "", options: Mapping[str, Any] | None = None
) -> float:
    """Entries of a score matrix of k1 classes; for CleaneX, multiplications of its training."""
    dataset = config["experiments"][setting.experiment]["dataset"]
    # Not the data set itself: a run's preset does not say where the files were.
    known = {**_defaults(DATASETS[dataset["kind"]]), **dataset}
    points = setting.k1 * (known.get("points_per_class") or known.get("test_per_class") or 1)
    if method != "cleanex":
        return float(points * setting.k1)
    network = CleaneX(**dict(options or {}))
    widths = [network.input_width(setting.k1), *network.hidden, 1]
    products = sum(a * b for a, b in pairwise(widths))
    return float(network.networks * network.steps * points * products)

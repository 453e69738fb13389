"""Which options decide a result, and whether a file was made with those of the preset."""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.tables import table_provenance
from pipeline.preset import figure_plans
from pipeline.preset.chunks import interval_repetitions, method_repetitions, repetitions_of
from pipeline.preset.missing_files import deciding_options, embeddings
from pipeline.preset.settings import (
    Config,
    Setting,
    asks_identification,
    method_of,
    stores_matrix,
)


def options_hash(config: Config, path: str | Path) -> str:
    """Hash the options that decide a file of results/PRESET or figures/PRESET, and no others.

    `KeyError` if the preset has no such result.
    """
    text = json.dumps(_options(config, PurePath(path)), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:16]


def _options(config: Config, path: PurePath) -> dict[str, Any]:
    match path.with_suffix("").parts[2:]:
        case ("embeddings", name):
            return {"dataset": deciding_options(config, embeddings(config)[name])}
        case ("scores", name):
            return {**_data(config, name), "stored": stores_matrix(config, name)}
        case ("scores", name, _, _):
            return _data(config, name)
        case ("true", name):
            return {**_data(config, name), "k2": config["experiments"][name]["k2"]}
        case ("observed", name, _):
            return {**_data(config, name), "repetitions": repetitions_of(config, name)}
        case ("class_draw", name, _):
            k2, repetitions = config["experiments"][name]["k2"], repetitions_of(config, name)
            return {**_data(config, name), "k2": k2, "repetitions": repetitions}
        case ("predicted", name, _, method, _):
            return _predicted(config, name, method)
        case ("intervals", name, k1, method):
            return {
                **_predicted(config, name, method),
                "splits": figure_plans.interval_splits(config, method),
                "repetitions": interval_repetitions(config, _setting(name, k1), method),
            }
        case ("truth", name):
            k2 = config["experiments"][name]["k2"]
            return {**_data(config, name), "k2": k2, "fpir": config["fpir"]}
        case ("rates", name, _, method):
            return {**_rates(config, name, method), "repetitions": repetitions_of(config, name)}
        case ("rate_intervals", name, k1, method):
            return {
                **_rates(config, name, method),
                "splits": config["intervals"]["splits"],
                "repetitions": interval_repetitions(config, _setting(name, k1), method),
            }
        case ("errors" | "mixtures", name, k1):
            return options_of_errors(config, [_setting(name, k1)], config["methods"])
        case ("tables" as kind, name):
            return _shown(config, config[kind][name])
        case (kind, name):
            figure = config["figures"][kind][name]
            reads_scores = figure_plans.INPUTS[kind] in ((), ("scores",))
            of_scores = reads_scores and not figure_plans.fitted_in_figure(config, kind, name)
            return _shown(config, {**figure, "methods": []} if of_scores else figure)
        case (("standings" | "claims") as table,):
            return {**_shown(config, {}), "own": config[table]}
        case _:
            return _shown(config, {})


def _setting(experiment: str, k1: str) -> Setting:
    return Setting(experiment, int(k1.removeprefix("k1_")))


def _data(config: Config, experiment: str) -> dict[str, Any]:
    return {"seed": config["seed"], "dataset": config["experiments"][experiment]["dataset"]}


def _predicted(config: Config, experiment: str, method: str) -> dict[str, Any]:
    k2 = config["experiments"][experiment]["k2"]
    return {**_data(config, experiment), "k2": k2, "method": method_of(config, method)}


def _rates(config: Config, experiment: str, method: str) -> dict[str, Any]:
    return {**_predicted(config, experiment, method), "fpir": config["fpir"]}


def options_of_errors(
    config: Config, settings: Iterable[Setting], methods: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """Collect, by setting and method, the options that decide its errors."""
    return {
        f"{setting} {method}": {
            **_predicted(config, setting.experiment, method),
            "repetitions": method_repetitions(config, setting, method),
        }
        for setting in settings
        for method in methods
    }


def _shown(config: Config, figure: dict[str, Any]) -> dict[str, Any]:
    """Options behind what a figure or table shows, and its own."""
    if "part" in figure:  # Of no experiment.
        return {"own": figure, "seed": config["seed"]}
    settings = figure_plans.figure_settings(config, figure)
    labels = {name: config["experiments"][name].get("label") for name, _ in settings}
    errors = options_of_errors(config, settings, figure_plans.figure_methods(config, figure))
    data = {name: _data(config, name) for name in labels}
    reference = config["reference"]
    found = {**errors, "data": data, "own": figure, "labels": labels, "reference": reference}
    return {**found, "fpir": config["fpir"]} if asks_identification(config) else found


def is_stale(config: Config, path: str | Path) -> bool:
    """Say whether a result file was made with other options than the preset's.

    A result says with which options it was made; of what does not (tables for readers, figures,
    results of older versions), the record of the run does, ``provenance.json``. False where the
    file is absent, or nothing is known of its options.
    """
    path = Path(path)
    if not path.exists():
        return False
    stamp = _stamp(path)
    made = stamp.get("options") or _recorded(f"results/{config['preset']}", path, stamp)
    return made is not None and made != options_hash(config, path)


def _stamp(path: Path) -> dict[str, Any]:
    """Read what a score matrix or a table of curves says of itself."""
    try:
        if path.suffix == ".parquet":
            return dict(json.loads(table_provenance(path)))
        if path.suffix == ".npz":
            with np.load(path) as arrays:
                return dict(json.loads(str(arrays["provenance"])))
    except (InputError, OSError, ValueError, KeyError):
        pass  # The job that reads the file says what is wrong with it.
    return {}


def _recorded(results: str, path: Path, stamp: dict[str, Any]) -> str | None:
    """Hash the options that the last whole run had for a file, if the file is of that run."""
    record = _record(Path(results, "provenance.json"))
    if stamp:
        keys = ("commit", "config_sha256")
        runs = [[run.get(key) for key in keys] for run in record.get("predicted_by", [])]
        known = [stamp.get(key) for key in keys] in runs
    else:
        digest = record.get("sha256", {}).get(str(path))
        known = digest is not None and digest == sha256(path.read_bytes()).hexdigest()
    try:
        return options_hash(record["config"], path) if known else None
    except (KeyError, TypeError, InputError):  # The run had no such result.
        return None


@cache
def _record(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}

"""Committed results: which of their rows stand beside what a run computes, with `compute`."""

import hashlib
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from accuracy_curves.exceptions import InputError
from experiments.evaluation.curve_errors import SETTING
from pipeline.preset import figure_plans
from pipeline.preset.chunks import method_repetitions
from pipeline.preset.made_with import options_hash, options_of_errors
from pipeline.preset.settings import Config, Setting, settings
from pipeline.provenance import git, show

Pair = tuple[Setting, str]
# Figures and tables of what stands in the committed tables, too.
JOINED = ("coverage", "sweep")


def taken(config: Config) -> frozenset[Pair]:
    """List the settings and methods whose committed errors stand, as they are not computed.

    Without `compute` in the configuration, none. With it, every method that it does not name, in
    every setting that is committed, and there every method if k1 is not `compute_k1`; a setting
    that is not committed is computed with all methods.
    `InputError` if a committed method was made with other options, or there is nothing committed.
    """
    if "compute" not in config:
        return frozenset()
    before = _record(config)["config"]
    known = set(settings(before))
    return frozenset(
        (setting, method)
        for setting in settings(config)
        if setting in known
        for method in config["methods"]
        if (method not in config["compute"] or setting.k1 != config.get("compute_k1", setting.k1))
        and _belongs(config, before, setting, method)
    )


def _belongs(config: Config, before: Config, setting: Setting, method: str) -> bool:
    """Refuse a committed setting whose errors by a method this preset would not have made."""
    where = f"{method} in {setting.experiment}, k1 = {setting.k1}"
    if method not in before["methods"]:
        raise InputError(f"there are no committed errors of {where}: name {method} in compute")
    made, wanted = (
        options_of_errors(each, [setting], [method])[f"{setting} {method}"]
        for each in (before, config)
    )
    for key, value in wanted.items():
        if made[key] != value:
            raise InputError(
                f"the committed errors of {where} were made with {key} = {made[key]} and not "
                f"{value}: leave that as it was, or compute all methods, without compute"
            )
    return True


def check_committed(config: Config, pairs: frozenset[Pair]) -> None:
    """Check that the committed tables hold every row that is taken from them.

    `InputError` if a row is absent, or a table is not that of its record.
    """
    if not pairs:
        return
    errors = _table(config, "errors")
    found = errors.groupby(SETTING)["repetition"].agg(sorted).to_dict()
    for setting, method in sorted(pairs):
        every = list(range(method_repetitions(config, setting, method)))
        if found.get((*setting, method), []) != every:
            raise InputError(
                f"results/{config['preset']}/errors.csv, as committed, has not the {len(every)} "
                f"repetitions of {method} in {setting.experiment}, k1 = {setting.k1}: "
                f"name {method} in compute"
            )
    before = _record(config)["config"]
    for name, figure in config["figures"]["coverage"].items():
        wanted = rows(config, "coverage", figure) & pairs
        for (experiment, k1), method in sorted(wanted):
            path = f"results/NAME/intervals/{experiment}/k1_{k1}/{method}.parquet"
            if options_hash(before, path) != options_hash(config, path):
                raise InputError(
                    f"the committed coverage of {method} in {experiment}, k1 = {k1} was made with "
                    f"other options of the intervals: name {method} in compute"
                )
        _require_rows(config, f"coverage/{name}", wanted)
    for name, figure in config["figures"]["sweep"].items():
        _require_rows(config, f"sweep/{name}", rows(config, "sweep", figure) & pairs)


def _require_rows(config: Config, name: str, pairs: frozenset[Pair]) -> None:
    if not pairs:
        return
    table = _table(config, name)
    found = set(map(tuple, table.dropna(subset=["k1"])[SETTING].astype({"k1": int}).to_numpy()))
    for (experiment, k1), method in sorted(pairs):
        if (experiment, k1, method) not in found:
            raise InputError(
                f"results/{config['preset']}/{name}.csv, as committed, has no row of {method} in "
                f"{experiment}, k1 = {k1}: name {method} in compute"
            )


def rows(config: Config, kind: str, figure: dict[str, Any]) -> frozenset[Pair]:
    """List the settings and methods of which a figure's table has rows."""
    if kind == "coverage":
        return frozenset(figure_plans.judged(config, figure))
    return _shown(config, figure) if kind in JOINED else frozenset()


def has_committed(config: Config, name: str) -> bool:
    """Say whether a table of a preset, for instance ``methods``, is committed."""
    return show(_path(config, name)) is not None


def commit_of_results(config: Config) -> str | None:
    """Find the last commit that changed the results of a preset."""
    return git("log", "-1", "--format=%H", "--", f"results/{config['preset']}", folder=Path())


def can_be_made(config: Config, kind: str, figure: dict[str, Any], pairs: frozenset[Pair]) -> bool:
    """Say whether a run has what a figure or table (of a kind, or ``tables``) is made from.

    Curves are those that are computed or committed, and scores those of experiments of which
    something is computed.
    """
    read = figure_plans.INPUTS.get(kind, ("curves",))
    if not pairs or "part" in figure or kind in JOINED or not {"curves", "scores"} & {*read}:
        return True
    if "curves" in read:
        shown = figure_plans.figure_curves(config, figure)
        return all(
            _path(config, path) in _committed_curves(config["preset"])
            for pair in shown.keys() & pairs
            for path in shown[pair]
        )
    return all(
        any((setting, method) not in pairs for method in config["methods"])
        for setting in figure_plans.figure_settings(config, figure)
    )


def _shown(config: Config, figure: dict[str, Any]) -> frozenset[Pair]:
    return frozenset(
        (setting, method)
        for setting in figure_plans.figure_settings(config, figure)
        for method in figure_plans.figure_methods(config, figure)
    )


def _path(config: Config, name: str) -> str:
    return f"results/{config['preset']}/{name}"


def recorded(config: Config) -> dict[str, str]:
    """Look up the SHA-256 of the committed results and figures, as their record has them."""
    return dict(_record(config).get("sha256", {}))


@cache
def _committed_curves(preset: str) -> frozenset[str]:
    """List the files of predicted curves that are committed."""
    listed = git(
        "ls-tree", "-r", "--name-only", "HEAD", f"results/{preset}/predicted/", folder=Path()
    )
    return frozenset((listed or "").splitlines())


@cache
def _committed(path: str) -> bytes:
    content = show(path)
    if content is None:
        raise InputError(
            f"{path} is not committed here, so that no method's errors can be taken from it: "
            "leave compute out"
        )
    return content


def _record(config: Config) -> dict[str, Any]:
    """Read what the committed results were made with."""
    path = _path(config, "provenance.json")
    content = _committed(path)
    try:
        record = json.loads(content)
        # Older records lack a key that had no entry.
        return {**record, "config": {"jobs": [], **record["config"]}}
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"{path}, as committed, is no record of a run: leave compute out"
        ) from None


def _table(config: Config, name: str) -> pd.DataFrame:
    path = _path(config, f"{name}.csv")
    content = _committed(path)
    if recorded(config).get(path) not in (None, hashlib.sha256(content).hexdigest()):
        raise InputError(
            f"{path}, as committed, is not the one that provenance.json beside it records: "
            "leave compute out"
        )
    return pd.read_csv(io.BytesIO(content))

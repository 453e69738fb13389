"""Curves that are published: whole ones of slow methods, and thinned ones of a figure's others."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from experiments.evaluation.thinning import thinned
from experiments.stored import read_table, table_provenance, write_table

# Equal bytes of neighbouring numbers lie together: a third is saved.
SMALL = {"use_dictionary": ["repetition", "k"], "use_byte_stream_split": ["accuracy"]}
KEYS = ["method", "repetition", "k"]
# What of a stamp differs between curves.
MADE_BY = ("commit", "dirty", "gpus", "trained_on")


def curve_stamps(path: str | Path) -> dict[int, dict[str, Any]]:
    """Say what made each repetition in a file of curves: a chunk, or several that are merged."""
    said = json.loads(table_provenance(path))
    if isinstance(said, dict):
        table = read_table(path)
        # The true curve has no repetitions.
        numbers = table["repetition"].unique().tolist() if "repetition" in table else [-1]
        said = [[said, numbers]]
    return {repetition: stamp for stamp, repetitions in said for repetition in repetitions}


def merge_curves(paths: Sequence[Path], folder: Path) -> None:
    """Make files of the curves of a setting and method one, in place of those in a folder.

    Of a repetition that is in several files the last one counts. Its rows stay the same to the bit,
    and the file says what made each.
    """
    table, stamps = _latest((read_table(path), curve_stamps(path)) for path in paths)
    merged = folder / f"{min(stamps):04d}-{max(stamps):04d}.parquet"
    write_table(table, merged, json.dumps(_grouped(stamps)), **SMALL)
    for path in set(folder.glob("*.parquet")) - {merged}:
        path.unlink()


def thin_curves(files: Mapping[str, Iterable[Path]], k1: int, place: Path) -> None:
    """Add curves of a setting to the published ones in one file, at few k and in 32 bits.

    `files` has, by method, ``true`` and ``observed`` among them, files of whole curves, of which
    the last counts. A repetition that the published file has already is replaced.
    """
    parts: dict[str, list[Any]] = {}
    if place.exists():
        known = json.loads(table_provenance(place))
        for method, table in read_table(place).groupby("method"):
            stamps = {number: stamp for stamp, numbers in known[method] for number in numbers}
            parts[str(method)] = [(table, stamps)]
    for method, paths in files.items():
        for path in paths:
            table = read_table(path)
            kept = thinned(np.unique(table["k"].to_numpy()), k1)
            here = table[table["k"].isin(kept)]
            # The true curve is of no repetition: a null would be a float.
            here = here.assign(method=method, repetition=here.get("repetition", -1))
            parts.setdefault(method, []).append((here, curve_stamps(path)))
    latest = {method: _latest(parts[method]) for method in sorted(parts)}
    types = {"repetition": "int32", "k": "int32", "accuracy": "float32"}
    table = pd.concat([table for table, _ in latest.values()])[[*KEYS, "accuracy"]].astype(types)
    said = {method: _grouped(stamps) for method, (_, stamps) in latest.items()}
    options = {**SMALL, "use_dictionary": KEYS}
    write_table(table.sort_values(KEYS, ignore_index=True), place, json.dumps(said), **options)


def _latest(parts: Iterable[tuple[pd.DataFrame, dict[int, Any]]]) -> tuple[Any, dict[int, Any]]:
    """Take each repetition of several tables from the last that has it, and what made it."""
    curves: dict[Any, pd.DataFrame] = {}
    stamps: dict[int, Any] = {}
    for table, said in parts:
        curves |= dict(iter(table.groupby("repetition")))
        stamps |= said
    return pd.concat([curves[n] for n in sorted(curves)], ignore_index=True), stamps


def _grouped(stamps: Mapping[int, Any]) -> list[Any]:
    """List each stamp once, with its repetitions."""
    texts: dict[str, list[int]] = {}
    for number in sorted(stamps):
        texts.setdefault(json.dumps(stamps[number], sort_keys=True), []).append(number)
    return [[json.loads(text), numbers] for text, numbers in texts.items()]


def computed_by(
    curves: Iterable[str], intervals: Iterable[str], known: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Say which commit made the curves and intervals of which methods, an entry a commit.

    `curves` are files ``METHOD/CHUNK.parquet``, `intervals` ``METHOD.parquet``. Of the entries that
    are `known` of published results, those of other methods are added.
    """
    files = [(Path(path).parent.name, "curves", path) for path in curves]
    files += [(Path(path).stem, "intervals", path) for path in intervals]
    own = {method for method, *_ in files}
    entries = [
        {**stamp, "methods": [method], kind: 1}
        for method, kind, path in files
        for stamp in curve_stamps(path).values()
    ]
    entries += [{**entry, "methods": {*entry["methods"]} - own} for entry in known]
    made: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if entry["methods"]:
            about = {key: entry[key] for key in MADE_BY if key in entry}
            empty = {**about, "methods": set(), "curves": 0, "intervals": 0}
            found = made.setdefault(json.dumps(about, sort_keys=True), empty)
            found["methods"] |= {*entry["methods"]}
            for kind in ("curves", "intervals"):
                found[kind] += entry.get(kind, 0)
    return [{**made[key], "methods": sorted(made[key]["methods"])} for key in sorted(made)]

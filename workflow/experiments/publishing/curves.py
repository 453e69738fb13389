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
    curves: dict[Any, pd.DataFrame] = {}
    stamps: dict[int, Any] = {}
    for path in paths:
        curves |= dict(iter(read_table(path).groupby("repetition")))
        stamps |= curve_stamps(path)
    repetitions = sorted(curves)
    table = pd.concat([curves[number] for number in repetitions], ignore_index=True)
    merged = folder / f"{repetitions[0]:04d}-{repetitions[-1]:04d}.parquet"
    merged.parent.mkdir(parents=True, exist_ok=True)
    write_table(table, merged, json.dumps(_grouped(stamps)), **SMALL)
    for path in set(folder.glob("*.parquet")) - {merged}:
        path.unlink()


def thin_curves(files: Mapping[str, Iterable[Path]], k1: int, place: Path) -> None:
    """Add curves of a setting to the published ones in one file, at few k and in 32 bits.

    `files` has, by method, ``true`` and ``observed`` among them, files of whole curves, of which
    the last counts. A repetition that the published file has already is replaced.
    """
    tables, stamps = [], {}
    if place.exists():
        tables, stamps = [read_table(place)], json.loads(table_provenance(place))
    stamps = {method: _each(said) for method, said in stamps.items()}
    for method, paths in files.items():
        for path in paths:
            table = read_table(path)
            kept = thinned(np.unique(table["k"].to_numpy()), k1)
            here = table[table["k"].isin(kept)]
            # The true curve is of no repetition: a null would be a float.
            tables.append(here.assign(method=method, repetition=here.get("repetition", -1)))
            stamps.setdefault(method, {}).update(curve_stamps(path))
    types = {"repetition": "int32", "k": "int32", "accuracy": "float32"}
    table = pd.concat(tables, ignore_index=True)[[*KEYS, "accuracy"]].astype(types)
    # Rows of one curve are of one file, whose k may be others than those before.
    newest = pd.Series(np.repeat(range(len(tables)), [*map(len, tables)]), name="file")
    last = newest.groupby([table["method"], table["repetition"]]).transform("max")
    table = table[newest == last].sort_values(KEYS, ignore_index=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    said = {method: _grouped(known) for method, known in sorted(stamps.items())}
    options = {**SMALL, "use_dictionary": KEYS}
    write_table(table, place, json.dumps(said), **options)


def _grouped(stamps: Mapping[int, Any]) -> list[Any]:
    """List each stamp once, with its repetitions."""
    texts: dict[str, list[int]] = {}
    for number in sorted(stamps):
        texts.setdefault(json.dumps(stamps[number], sort_keys=True), []).append(number)
    return [[json.loads(text), numbers] for text, numbers in texts.items()]


def _each(grouped: Iterable[Any]) -> dict[int, Any]:
    return {number: stamp for stamp, numbers in grouped for number in numbers}


def computed_by(
    curves: Iterable[str], intervals: Iterable[str], known: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Say which commit made the curves and intervals of which methods, an entry a commit.

    `curves` are files ``METHOD/CHUNK.parquet``, `intervals` ``METHOD.parquet``. Of the entries that
    are `known` of published results, those of other methods are added.
    """
    made: dict[str, dict[str, Any]] = {}

    def count(kind: str, methods: set[str], stamp: Mapping[str, Any], number: int = 1) -> None:
        about = {key: stamp[key] for key in MADE_BY if key in stamp}
        empty = {**about, "methods": set(), "curves": 0, "intervals": 0}
        entry = made.setdefault(json.dumps(about, sort_keys=True), empty)
        entry["methods"] |= methods
        entry[kind] += number

    for path in map(Path, curves):
        for stamp in curve_stamps(path).values():
            count("curves", {path.parent.name}, stamp)
    for path in map(Path, intervals):
        for stamp in curve_stamps(path).values():
            count("intervals", {path.stem}, stamp)
    own = set().union(*(entry["methods"] for entry in made.values()))
    for entry in known:
        if methods := {*entry["methods"]} - own:
            for kind in ("curves", "intervals"):
                count(kind, methods, entry, entry[kind])
    return [{**made[key], "methods": sorted(made[key]["methods"])} for key in sorted(made)]

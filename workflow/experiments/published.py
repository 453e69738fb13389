"""What is published: tables, curves and figures that are committed, and sources of later runs."""

import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import pandas as pd

from accuracy_curves.exceptions import AccuracyCurvesError, InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from experiments.datasets import DATASETS
from experiments.provenance import curve_stamps
from experiments.stored import read_table, write_table

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results/published"
RECORD = "provenance.json"
# Curves that take minutes are published too; those of quick methods are computed again.
# A hidden file is not whole.
KEPT = ("[!.]*.csv", "*/[!.]*.csv", RECORD)
# Bytes of neighbouring numbers that are alike lie together: a third is saved.
SMALL = {"use_dictionary": ["repetition", "k"], "use_byte_stream_split": ["accuracy"]}


def is_published(name: str) -> bool:
    """Tell whether results of a preset are published."""
    return (RESULTS / name / RECORD).is_file()


class Published:
    """The published results of a preset, in ``results/published/NAME``.

    `InputError` if there are none.
    """

    def __init__(self, name: str) -> None:
        self.name, self.folder = name, RESULTS / name
        record = self.folder / RECORD
        if not is_published(name):
            known = sorted(path.parent.name for path in RESULTS.glob("*/provenance.json"))
            raise InputError(f"nothing is published of {name!r}: there are {', '.join(known)}")
        self.record: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
        self.config: dict[str, Any] = self.record["config"]

    @cached_property
    def rows(self) -> set[tuple[str, int, str]]:
        """The (experiment, k1, method) that have errors."""
        name = "rate_errors.csv" if _identifies(self.config) else "errors.csv"
        errors = pd.read_csv(self.folder / name, usecols=["experiment", "k1", "method"])
        return set(errors.drop_duplicates().itertuples(index=False, name=None))

    def has(self, setting: tuple[str, int], method: str, wanted: Mapping[str, Any]) -> bool:
        """Whether errors of a method in a setting are published.

        `InputError`, which says what differs, if they were not made with what is `wanted`.
        """
        if (*setting, method) not in self.rows:
            return False
        made = configuration_of(self.config, setting[0], method)
        for key, value in wanted.items():
            if made.get(key) != value:
                raise InputError(
                    f"{self.name} has {method} in {setting[0]}, k1 = {setting[1]}, with "
                    f"{key} = {made.get(key)} and not {value}: compute it, or give it another name"
                )
        return True

    def files(self, pattern: str) -> list[str]:
        """Paths of published files that match a pattern."""
        return [str(path) for path in sorted(self.folder.glob(pattern))]


def method_of(methods: Mapping[str, Any], key: str) -> tuple[str, dict[str, Any]]:
    """Name and options of the extrapolator that a key of `methods` stands for."""
    return methods[key].get("method", key), dict(methods[key].get("options", {}))


def configuration_of(config: Mapping[str, Any], experiment: str, method: str) -> dict[str, Any]:
    """Pick from a preset all that decides a method's curve in an experiment, besides the code.

    Defaults of the method's and the data set's class are filled in.
    """
    name, options = method_of(config["methods"], method)
    entry = config["experiments"][experiment]
    decisive = {
        "seed": config["seed"],
        "fpir": config["fpir"] if _identifies(config) else None,
        "k2": entry["k2"],
        "lists": entry.get("lists"),
        **data_of(entry["dataset"]),
        "method": name,
        **{f"{method}.{key}": value for key, value in _filled(EXTRAPOLATORS, name, options)},
    }
    # As in provenance.json.
    return dict(json.loads(json.dumps(decisive, default=str)))


def data_of(dataset: Mapping[str, Any]) -> dict[str, Any]:
    """Pick from a preset's entry of a data set all that decides its scores, with defaults.

    Where its originals lie, and under which names, decides nothing: provenance has their checksums.
    """
    kind = dataset["kind"]
    apart = {"kind", *(DATASETS[kind].originals if kind in DATASETS else ())}
    options = {key: value for key, value in dataset.items() if key not in apart}
    filled = {f"dataset.{key}": value for key, value in _filled(DATASETS, kind, options)}
    return {"kind": kind, **filled}


def _identifies(config: Mapping[str, Any]) -> bool:
    return config.get("question") == "identification"


def _filled(
    known: Mapping[str, type], name: str, options: Mapping[str, Any]
) -> Iterable[tuple[str, Any]]:
    """Options of a class, with its defaults."""
    parameters = signature(known[name]).parameters.values() if name in known else ()
    usual = {each.name: each.default for each in parameters if each.default is not each.empty}
    usual.pop("seed", None)
    return (usual | dict(options)).items()


def publish(name: str) -> int:
    """Copy a run's tables, figures, provenance and curves of slow methods to what is published.

    Curves are added, in one file a setting and method; all else is replaced. A run that has curves
    alone adds to a published preset. Returns how many files are written. `InputError` where the run
    is not whole.
    """
    results, figures = Path("results") / name, Path("figures") / name
    record = results / RECORD
    if not record.is_file() and not any(results.glob("*.csv")):
        record = RESULTS / name / RECORD
    if not record.is_file() or not results.is_dir():
        raise InputError(f"{results} is not whole: run the preset first")
    methods = json.loads(record.read_text(encoding="utf-8"))["config"]["methods"]
    kinds = {key: EXTRAPOLATORS.get(method_of(methods, key)[0]) for key in methods}
    slow = [key for key, kind in kinds.items() if kind and kind.slow]
    files = [path for pattern in KEPT for path in results.glob(pattern)]
    files += [path for kind in ("pdf", "png") for path in figures.rglob(f"[!.]*.{kind}")]
    for path in files:
        top, *rest = path.parts
        place = ROOT.joinpath(top, "published", *rest)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    curves = {
        folder: RESULTS / name / folder.relative_to(results)
        for key in slow
        for folder in results.glob(f"predicted/*/*/{key}")
    }
    for own, place in curves.items():
        merge_curves([*sorted(place.glob("*.parquet")), *sorted(own.glob("[!.]*.parquet"))], place)
    return len(files) + len(curves)


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
    made: dict[str, list[int]] = {}
    for number in repetitions:
        made.setdefault(json.dumps(stamps[number], sort_keys=True), []).append(number)
    said = json.dumps([[json.loads(stamp), numbers] for stamp, numbers in made.items()])
    table = pd.concat([curves[number] for number in repetitions], ignore_index=True)
    merged = folder / f"{repetitions[0]:04d}-{repetitions[-1]:04d}.parquet"
    merged.parent.mkdir(parents=True, exist_ok=True)
    write_table(table, merged, said, **SMALL)
    for path in set(folder.glob("*.parquet")) - {merged}:
        path.unlink()


if __name__ == "__main__":
    try:
        print(f"{publish(sys.argv[1])} files are in {RESULTS / sys.argv[1]}, and its figures")
    except AccuracyCurvesError as error:
        sys.exit(f"Error: {error}")

"""What is published: tables, curves and figures that are committed, and sources of later runs."""

import json
import shutil
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from accuracy_curves.exceptions import AccuracyCurvesError, InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results/published"
FIGURES = ROOT / "figures/published"
# Curves that take minutes are published too; those of quick methods are computed again.
KEPT = ("*.csv", "*/*.csv", "provenance.json")


class Published:
    """The published results of a preset, in ``results/published/NAME``.

    `InputError` if there are none.
    """

    def __init__(self, name: str) -> None:
        self.name, self.folder = name, RESULTS / name
        self.record = self.folder / "provenance.json"
        if not self.record.is_file():
            known = ", ".join(
                sorted(path.parent.name for path in RESULTS.glob("*/provenance.json"))
            )
            raise InputError(f"nothing is published of {name!r}: there are {known}")

    @cached_property
    def config(self) -> dict[str, Any]:
        """The preset that was run."""
        return dict(json.loads(self.record.read_text(encoding="utf-8"))["config"])

    @cached_property
    def rows(self) -> set[tuple[str, int, str]]:
        """The (experiment, k1, method) that have errors."""
        errors = pd.read_csv(self.folder / "errors.csv", usecols=["experiment", "k1", "method"])
        return set(errors.drop_duplicates().itertuples(index=False, name=None))

    def has(self, setting: tuple[str, int], method: str, wanted: Mapping[str, Any]) -> bool:
        """Whether errors of a method in a setting are published, and made with the same options."""
        if (*setting, method) not in self.rows:
            return False
        return made_with(self.config, setting[0], method) == wanted

    def files(self, pattern: str) -> list[str]:
        """Paths of published files that match a pattern."""
        return [str(path) for path in sorted(self.folder.glob(pattern))]


def made_with(config: Mapping[str, Any], experiment: str, method: str) -> dict[str, Any]:
    """Pick from a preset all that decides a method's curve in an experiment, besides the code."""
    options = dict(config["methods"][method])
    each = config["experiments"][experiment]
    return {
        "seed": config["seed"],
        "dataset": each["dataset"],
        "k2": each["k2"],
        "method": [options.pop("method", method), options],
    }


def publish(name: str) -> int:
    """Copy a run's tables, figures, provenance and curves of slow methods to what is published.

    Curves are added, as one more repetition is one more file; all else is replaced. Returns how
    many files are copied. `InputError` where the run is not whole.
    """
    results, figures = Path("results") / name, Path("figures") / name
    if not (results / "provenance.json").is_file():
        raise InputError(f"{results} is not whole: run the preset first")
    methods = json.loads((results / "provenance.json").read_text())["config"]["methods"]
    slow = {key for key, options in methods.items() if _is_slow(options.get("method", key))}
    curves = [p for p in results.glob("predicted/*/*/*/*.parquet") if p.parent.name in slow]
    tables = [path for pattern in KEPT for path in results.glob(pattern)]
    copied = 0
    for source, target, files in (
        (results, RESULTS / name, [*tables, *curves]),
        (figures, FIGURES / name, [p for p in figures.rglob("*") if p.suffix in (".pdf", ".png")]),
    ):
        for path in files:
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
            copied += 1
    return copied


def _is_slow(method: str) -> bool:
    return method in EXTRAPOLATORS and EXTRAPOLATORS[method].slow


if __name__ == "__main__":
    try:
        print(f"{publish(sys.argv[1])} files are in {RESULTS / sys.argv[1]}, and its figures")
    except AccuracyCurvesError as error:
        sys.exit(f"Error: {error}")

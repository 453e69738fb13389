"""Make the tables of options in config/README.md from the classes: `make options`."""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from numpydoc.docscrape import NumpyDocString

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.utils.validation import ranges_of
from experiments.datasets import DATASETS
from experiments.datasets.classifiers import CLASSIFIERS

README = Path(__file__).resolve().parents[3] / "config" / "README.md"
# The workflow derives the one and has no terminal for the other.
OF_THE_WORKFLOW = {"seed", "progress"}
KINDS: Mapping[str, Mapping[str, type]] = {
    "methods": EXTRAPOLATORS,
    "data sets": DATASETS,
    "classifiers": CLASSIFIERS,
}
MOST_NAMES = 6


def with_tables(text: str) -> str:
    """Put the tables of options where their marks are on a page.

    They replace what is between the lines ``<!-- options of WHAT -->`` and ``<!-- end of options
    -->``, for each WHAT of `KINDS`.
    """
    for what, found in KINDS.items():
        start, end = f"<!-- options of {what} -->\n", "<!-- end of options -->"
        before, _, rest = text.partition(start)
        after = rest.partition(end)[2]
        text = f"{before}{start}\n{table(found)}\n{end}{after}"
    return text


def table(found: Mapping[str, type]) -> str:
    """Make the table of the options of classes whose docstrings describe all, a row an option."""
    lines = ["| name | option | range | meaning | default |", "| --- | --- | --- | --- | --- |"]
    for name, kind in found.items():
        shown = f"`{name}`"
        rows = list(_rows(kind)) or [("", "", "no options", "")]
        for row in rows:
            lines.append(f"| {' | '.join((shown, *row))} |")
            shown = ""
    return "\n".join(line.replace("|  |", "| |").replace("|  |", "| |") for line in lines) + "\n"


def _rows(kind: type) -> Iterator[tuple[str, str, str, str]]:
    """Option, range, meaning and default of each option of a class."""
    described, ranges = dict(_described(kind)), ranges_of(kind)
    for option, parameter in inspect.signature(kind).parameters.items():
        if option not in OF_THE_WORKFLOW:
            choices, meaning = described[option]
            allowed = str(ranges[option][0]).removeprefix("a ") if option in ranges else choices
            yield f"`{option}`", allowed, meaning, _default(parameter.default)


def _described(kind: type) -> Iterator[tuple[str, tuple[str, str]]]:
    """Option, choices and meaning of each parameter in the docstrings of a class and its bases."""
    for each in reversed(kind.__mro__):
        if not vars(each).get("__doc__"):
            continue
        for parameter in NumpyDocString(inspect.cleandoc(each.__doc__ or ""))["Parameters"]:
            meaning = " ".join(parameter.desc).strip()
            choices = re.match(r"\{(.*)\}", parameter.type)
            words = f"one of {choices[1]}".replace('"', "") if choices else ""
            if not meaning.startswith("See "):
                for name in parameter.name.split(", "):
                    yield name, (words, re.sub(r"`+", "`", meaning).replace("|", r"\|"))


def _default(value: Any) -> str:
    """Write a default as YAML takes it."""
    if value is inspect.Parameter.empty:
        return "required"
    if value is None or repr(value) == "<factory>":
        return "none"
    if isinstance(value, tuple) and isinstance(value[0], str) and len(value) > MOST_NAMES:
        return f"all {len(value)}"
    plain = list(value) if isinstance(value, tuple) else value
    return f"`{plain if isinstance(plain, str) else json.dumps(plain)}`"


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")

"""The repetitions of each setting and method, and the chunks in which jobs make them."""

from collections.abc import Mapping
from typing import Any

from pipeline.preset.settings import Config, Setting


def repetitions_of(config: Config, experiment: str) -> int:
    """Say how many repetitions an experiment has."""
    return int(config["experiments"][experiment].get("repetitions", config["repetitions"]))


def method_repetitions(config: Config, setting: Setting, method: str) -> int:
    """Say how many of a setting's repetitions a method is run on: the first ones."""
    every = repetitions_of(config, setting.experiment)
    return min(every, told(config, setting, method, "repetitions", every))


def interval_repetitions(config: Config, setting: Setting, method: str) -> int:
    """Say on how many of a setting's repetitions a method's intervals are judged: the first."""
    every = repetitions_of(config, setting.experiment)
    usual = config["intervals"]["repetitions"]
    return min(every, told(config, setting, method, "intervals", usual))


def chunks(
    config: Config, setting: Setting, method: str, repetitions: int | None = None
) -> list[str]:
    """List a method's chunks of repetitions in a setting, each "first-last", both counted in.

    Only those that hold some of the first `repetitions`, if it is given.
    """
    total = method_repetitions(config, setting, method)
    size = told(config, setting, method, "chunk", config["chunk"])
    end = min(total, repetitions or total)
    return [f"{first:04d}-{min(first + size, total) - 1:04d}" for first in range(0, end, size)]


def chunk_repetitions(chunk: str) -> range:
    """Repetitions of a chunk, from its name."""
    first, last = chunk.split("-")
    return range(int(first), int(last) + 1)


def told(config: Config, setting: Setting, method: str, key: str, default: int) -> int:
    """Look up what the last fitting entry of `jobs` says of a key, or take the default.

    The key is repetitions, chunk or intervals.
    """
    for entry in reversed(config["jobs"]):
        if key in entry and _fits(entry, setting, method):
            return int(entry[key])
    return default


def _fits(entry: Mapping[str, Any], setting: Setting, method: str) -> bool:
    return (
        method in entry.get("methods", [method])
        and setting.experiment in entry.get("experiments", [setting.experiment])
        and setting.k1 in entry.get("k1", [setting.k1])
    )

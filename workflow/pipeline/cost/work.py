"""How much a job of a preset has to do: what its time grows with."""

import math
from inspect import signature
from itertools import pairwise
from pathlib import Path

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.extrapolators.cleanex.estimator import CleaneX
from experiments.datasets import DATASETS
from pipeline.preset import chunks
from pipeline.preset.figure_plans import interval_splits
from pipeline.preset.settings import Config, Setting, method_of, settings

# Rules whose jobs take longer with more classes: all of the experiment's, or k1 of them.
ALL_CLASSES = ("scores", "true_curve", "class_draw")
SOME_CLASSES = ("train", "observe", "extrapolate", "intervals")
# More than the work of any job adds to its priority.
SLOW = 300


def priority_of(place: Path, config: Config) -> int:
    """Say how early Snakemake should start a job: long ones first, so that none is left at the end.

    It grows with the work, from 10, by 10 where that is tenfold; jobs of slow methods come before
    all others. `place` is as of `work_of`.
    """
    kind, work = work_of(place, config)
    method = EXTRAPOLATORS.get(kind.partition("/")[2])
    first = SLOW if method is not None and method.slow else 0
    return first + round(10 + 10 * math.log10(max(1.0, work)))


def work_of(place: Path, config: Config) -> tuple[str, float]:
    """Say the kind and the work of a job, by its benchmark: RULE/WILDCARD/WILDCARD.tsv.

    Jobs of a kind take time in proportion to their work, beside a fixed part: it is the rule, with
    the method, data set or classifier that decides its time. The work is the entries of its score
    matrices, or the multiplications of CleaneX's training; 1 for tables and figures. `KeyError` or
    `ValueError` if the preset has no such job.
    """
    rule, name, *rest = place.with_suffix("").parts
    if rule not in (*ALL_CLASSES, *SOME_CLASSES):
        if name not in {**config["figures"], "accuracies": config["tables"]}.get(rule, [name]):
            raise KeyError(name)
        return rule, 1.0
    experiment = config["experiments"][name]
    setting = Setting(name, int(rest[0].removeprefix("k1_")) if rest else experiment["k1"][0])
    settings(config).index(setting)
    classes = setting.k1 if rule in SOME_CLASSES else experiment["k2"]
    # Not the data set itself: a run's preset does not say where the files were.
    dataset = experiment["dataset"]
    defaults = signature(DATASETS[dataset["kind"]]).parameters
    known = {**{key: each.default for key, each in defaults.items()}, **dataset}
    points = classes * (known.get("points_per_class") or known.get("test_per_class") or 1)
    if rule not in ("extrapolate", "intervals"):
        detail = dataset.get({"scores": "kind", "train": "classifier"}.get(rule, ""), "")
        repeated = rule in ("observe", "class_draw")
        repetitions = chunks.repetitions_of(config, name) if repeated else 1
        return f"{rule}/{detail}".rstrip("/"), float(repetitions * points * classes)
    (method, options), work = method_of(config, rest[1]), float(points * classes)
    if method == "cleanex":
        net = CleaneX(**options)
        products = pairwise([net.input_width(classes), *net.hidden, 1])
        work = float(net.networks * net.steps * points * sum(a * b for a, b in products))
    if rule == "extrapolate":
        chunks.chunks(config, setting, rest[1]).index(rest[2])
        return f"{rule}/{method}", len(chunks.chunk_repetitions(rest[2])) * work
    # A half has a quarter of the entries, and there are two a split.
    work *= 1 + interval_splits(config, rest[1]) / 2
    return f"{rule}/{method}", chunks.interval_repetitions(config, setting, rest[1]) * work

"""No answer moves unnoticed: those of all methods but CleaneX, by public names, to 1e-7.

`PYTHONPATH=workflow python tests/test_answers.py` freezes today's, where they move on purpose.
"""

import json
import re
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import accuracy_curves as ac

FROZEN = Path(__file__).with_suffix(".json")
PAGE = Path(__file__).parents[1] / "docs/develop/methods.md"
K = [2, 7, 36, 100, 10**4, 10**9]
SIZES = [7, 30, 3000]


def similarities():
    """36 classes with up to four points each, some with none; some scores are rounded, and tie."""
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(36), np.arange(36) % 5)
    scores = rng.normal(size=(len(labels), 36)) + 2.5 * np.eye(36)[labels]
    scores *= rng.uniform(0.5, 2, (len(labels), 1))
    scores[::7] = scores[::7].round(1)
    return ac.ScoreMatrix(scores, labels)


def distances():
    return ac.simulate(n_classes=40, points_per_class=2, variance=0.3)


def strangers():
    """30 enrolled, of whom ten have two searches, and 25 searches without a mate, as distances."""
    rng = np.random.default_rng(2)
    labels = np.r_[np.arange(30), np.arange(10), np.full(25, -1)]
    centres = rng.normal(size=(30, 6))
    photos = np.where(labels[:, None] < 0, rng.normal(size=(65, 6)), centres[labels])
    photos += 0.5 * rng.normal(size=photos.shape)
    apart = np.linalg.norm(photos[:, None] - centres, axis=2)
    return ac.Searches(apart, labels, higher_is_better=False)


def trials():
    rng = np.random.default_rng(3)
    scores = np.r_[rng.normal(2, 1, 50), rng.normal(size=400)]
    return ac.Searches(scores[:, None], np.r_[np.zeros(50, int), np.full(400, -1)])


def printed():
    """The method of the developers' guide, and one like it that needs scores."""
    found = {}
    exec(re.search(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)[1], found)
    return found["Mine"], type("Theirs", (found["Mine"],), {"name": "theirs", "needs": "scores"})


def with_plug_ins(part, *arguments):
    kinds = {kind.name: kind for kind in printed()}
    ac.EXTRAPOLATORS.update(kinds)
    try:
        return part(*arguments)
    finally:
        for name in kinds:
            del ac.EXTRAPOLATORS[name]


def either(call, *arguments):
    """Numbers, or the sentence that refuses them."""
    try:
        found = call(*arguments)
        return (np.r_[found.lower, found.upper] if hasattr(found, "lower") else found).tolist()
    except ac.InputError as error:
        return str(error)


def of_accuracy(method):
    found = {}
    for matrix in (similarities(), distances()):
        model = ac.EXTRAPOLATORS[method](seed=5).fit(matrix)
        kind = "similarities" if matrix.higher_is_better else "distances"
        for top in (1, 3):
            found[f"{kind}, top {top}"] = either(model.predict, K, top)
    found["curve"] = ac.extrapolate(matrix, K, method, seed=5).tolist()
    halves = ac.ClassIntervals(matrix, method=method, splits=3, seed=5)
    for top in (1, 3):
        found[f"interval, top {top}"] = either(halves.interval, K[2:5], top, 0.8)
    return found


def of_rates(method):
    found = {}
    asked = {"similarities": similarities(), "distances": distances(), "strangers": strangers()}
    if method in ("auto", "binomial"):
        asked["trials"] = trials()
    # Others are fitted anew for each threshold.
    quick = method in ("auto", "pareto_tail", "binomial")
    for name, searches in asked.items():
        of, alone = ac.Identification(searches, method, seed=5, splits=3), name == "trials"
        at = of.observed_threshold(0.3)
        seen = of.observed_fpir, of.observed_fnir
        found[f"{name}, observed"] = [each(1 if alone else 29, at).item() for each in seen]
        found[f"{name}, fpir"] = of.fpir(SIZES, at).tolist()
        for rank in (1, 3):
            found[f"{name}, fnir {rank}"] = either(of.fnir, SIZES, at, rank)
        found[f"{name}, too far"] = of.too_far([30, 10**9]).tolist()
        if quick or (name == "strangers" and method != "mple"):
            k, rates = ([30, 3000], [0.3, 0.02]) if quick else (30, 0.3)
            found[f"{name}, threshold"] = of.threshold(k, rates).tolist()
            found[f"{name}, fnir at fpir"] = of.fnir_at_fpir(k, rates).tolist()
        if quick and not alone:
            found[f"{name}, threshold ends"] = either(of.threshold_interval, 30, 0.02)
        if quick or name == "strangers":
            found[f"{name}, fnir ends"] = either(of.fnir_interval, SIZES, at)
            found[f"{name}, fpir ends"] = either(of.fpir_interval, SIZES[:2], at)
    return found


def of_names():
    methods = {name: [m.label, m.color, m.reach] for name, m in ac.EXTRAPOLATORS.items()}
    return {"names": sorted(ac.__all__), **methods}


NAMES = [name for name in ac.EXTRAPOLATORS if name != "cleanex"]
PLUG_INS = ["mine", "theirs"]
OPEN_SET = ["auto", "pareto_tail", "ordinal_tail", "binomial", "binomial_mixture"]
OTHERS = ["two_parameter", "empirical_bayes", "mple", "pooled_tail", "gaussian_tail", "kde"]
PARTS = {
    "names": of_names,
    **{f"accuracy, {name}": partial(of_accuracy, name) for name in NAMES},
    **{f"accuracy, {name}": partial(with_plug_ins, of_accuracy, name) for name in PLUG_INS},
    **{f"rates, {name}": partial(of_rates, name) for name in [*OPEN_SET, *OTHERS]},
    **{f"rates, {name}": partial(with_plug_ins, of_rates, name) for name in PLUG_INS},
}


@pytest.mark.parametrize("part", json.loads(FROZEN.read_text()))
def test_answers_stay(part):
    found, frozen = PARTS[part](), json.loads(FROZEN.read_text())[part]
    # A new method stands in no part that is frozen.
    assert [name for name in found if name in frozen] == list(frozen)
    for name, expected in frozen.items():
        if isinstance(expected, list) and all(isinstance(each, float) for each in expected):
            # Kernels with AVX-512 let an optimiser stop elsewhere, by 4e-8.
            np.testing.assert_allclose(found[name], expected, rtol=1e-7, atol=1e-7, err_msg=name)
        else:
            assert found[name] == expected, name


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    answers = {part: compute() for part, compute in PARTS.items()}
    lines = [f"{json.dumps(part)}: {json.dumps(found)}" for part, found in answers.items()]
    FROZEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")

"""Damaged and random input: one sentence or a right answer, never a traceback.

A few hundred cases in the fast suite; `make test-slow` tries 10,000.
"""

import copy
import json
import random
from collections import Counter

import numpy as np
import pytest
import yaml

from accuracy_curves.cli import main
from accuracy_curves.errors import InputError
from accuracy_curves.score_files import load_scores, save_scores
from conftest import ROOT, simulated
from pipeline.config import check_config

TINY = yaml.safe_load((ROOT / "tests/workflow/presets/tiny.yaml").read_text())
ODD = [None, True, -1, 0, 1e308, float("nan"), float("inf"), "", "x", "é\0", [], {}, [[]], 10**30]
HOW_MANY = [
    pytest.param(100, id="100"),
    pytest.param(2500, id="2500", marks=pytest.mark.slow),
]


def mutated(whole, chance):
    """Flip, drop, repeat or insert bytes, or cut the end: one to four times."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        length = chance.choice([1, 1, 1, 4, 64])
        match chance.randrange(5):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length]
            case 3:
                data[at:at] = chance.randbytes(length)
            case _:
                del data[at:]
    return bytes(data)


@pytest.fixture(scope="module")
def matrix():
    return simulated(6, 3, d=2, variance=0.3, seed=4)


@pytest.mark.parametrize("cases", HOW_MANY)
def test_mutated_npz_files(cases, matrix, tmp_path):
    save_scores(matrix, tmp_path / "whole.npz")
    whole = (tmp_path / "whole.npz").read_bytes()
    path, seen = tmp_path / "mutated.npz", Counter()
    for case in range(cases):
        path.write_bytes(mutated(whole, random.Random(case)))
        loaded, refusal = sentence(load_scores, path)
        if refusal:
            seen["refused"] += 1
            continue
        # The archive's own checksums leave only what does not matter, such as its dates.
        np.testing.assert_array_equal(loaded.scores, matrix.scores, err_msg=str(case))
        np.testing.assert_array_equal(loaded.labels, matrix.labels, err_msg=str(case))
        seen["unharmed"] += 1
    assert seen["refused"] > cases / 2
    print(dict(seen))


@pytest.mark.parametrize("cases", HOW_MANY)
def test_mutated_csv_files(cases, matrix, tmp_path):
    lines = [",".join(["label", *(f"c{j}" for j in range(matrix.n_classes))])]
    for label, row in zip(matrix.labels, matrix.scores, strict=True):
        lines.append(",".join([f"c{label}", *(f"{score:.6g}" for score in row)]))
    whole = ("\n".join(lines) + "\n").encode()
    path, seen = tmp_path / "mutated.csv", Counter()
    for case in range(cases):
        path.write_bytes(mutated(whole, random.Random(case)))
        loaded, refusal = sentence(load_scores, path)
        if refusal:
            seen["refused"] += 1
            continue
        # A CSV has no checksum: what was read must be what its text says.
        rows = [line.split(",") for line in path.read_text("utf-8-sig").split("\n")[1:]]
        rows = [row for row in rows if row != [""]]
        if not any('"' in field or "\r" in field for row in rows for field in row):
            said = np.array([[float(field) for field in row[1:]] for row in rows])
            np.testing.assert_array_equal(loaded.scores, said, err_msg=str(case))
        seen["read"] += 1
    assert seen["refused"] > cases / 5
    print(dict(seen))


def sentence(call, *arguments):
    """Return what a call returns and, where it refuses its input, the one sentence it says."""
    try:
        return call(*arguments), ""
    except InputError as error:
        said = str(error)
    assert said
    assert "\n" not in said
    return None, said


def places(value, path=()):
    """Paths to every part of a nested configuration."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


@pytest.mark.parametrize("cases", HOW_MANY)
def test_odd_configurations(cases):
    everywhere = [path for path in places(TINY) if path]
    seen = Counter()
    for case in range(cases):
        chance = random.Random(case)
        config = copy.deepcopy(TINY)
        *parents, last = chance.choice(everywhere)
        part = config
        for key in parents:
            part = part[key]
        match chance.randrange(3):
            case 0:
                del part[last]
            case 1 if isinstance(part, dict):
                part[f"{last}x"] = part.pop(last)
            case _:
                part[last] = copy.deepcopy(chance.choice(ODD))
        checked, refusal = sentence(check_config, config)
        if refusal:
            assert refusal.startswith("in the configuration, "), (case, config)
            seen["refused"] += 1
            continue
        json.dumps(checked)
        seen["accepted"] += 1
    assert seen["refused"] > cases / 4
    print(dict(seen))


@pytest.mark.parametrize("cases", HOW_MANY)
def test_odd_command_lines(cases, matrix, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_scores(matrix, "scores.npz")
    words = ["predict", "observe", "no.npz", "--classes", "-5", "1e3", "--method", "oracle"]
    words += ["--option", "kde.bandwidth=x", "kde.x=1", "kde", "--seed", "-1", "--out", "--no"]
    words += ["", "\N{SNOWMAN}", "--lower-is-better", "=", "--", ".", "/dev/null", "two"]
    seen = Counter()
    for case in range(cases):
        chance = random.Random(case)
        line = chance.choices(words, k=chance.randint(1, 7))
        with pytest.raises(SystemExit) as left:
            main(line)
        said = capsys.readouterr()
        # Status 0 is help: no score matrix is among the words.
        assert left.value.code in (0, 2), line
        if left.value.code == 2:
            assert said.err.startswith("Error: "), line
            assert said.err.count("\n") == 1, line
        seen[left.value.code] += 1
    assert seen[2] > cases / 2
    assert [path.name for path in tmp_path.iterdir()] == ["scores.npz"]
    print(dict(seen))

import json
import os
import stat

import pandas as pd
import pytest

from experiments import provenance
from experiments.publishing.curves import computed_by
from experiments.stored import write_table


def put_git(folder, script, monkeypatch):
    git = folder / "git"
    git.write_text(f"#!/bin/sh\n{script}\n")
    git.chmod(git.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_a_failure_that_is_not_gits_is_not_taken_for_a_folder_without_commits(monkeypatch):
    def run(*words, **options):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(provenance.subprocess, "run", run)
    with pytest.raises(OSError, match="Invalid argument"):
        provenance.stamp({})


@pytest.mark.parametrize("why", ["not a git checkout", "git refuses to read this checkout"])
def test_without_a_commit_it_is_said_why(why, tmp_path, monkeypatch):
    put_git(tmp_path, "exit 128", monkeypatch)
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    if "refuses" in why:
        (tmp_path / ".git").mkdir()
    assert provenance.commit() == {"commit": f"unknown ({why})", "dirty": None}


def test_changes_that_are_not_committed_are_said(tmp_path, monkeypatch):
    put_git(tmp_path, 'test "$1" = rev-parse && echo abc || echo " M Snakefile"', monkeypatch)
    assert provenance.commit() == {"commit": "abc", "dirty": True}


def test_original_files_are_recognised_by_their_checksums(tmp_path):
    (tmp_path / "a.tgz").write_bytes(b"abc")  # SHA-256 of FIPS 180-4, Appendix B.1.
    digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert provenance.checksums([str(tmp_path / "a.tgz")]) == {"a.tgz": digits}


def test_curves_of_a_gpu_are_counted_apart(tmp_path, monkeypatch):
    stamp, paths = provenance.stamp({}), []
    for name, cards in (("0-1", []), ("2-4", ["NVIDIA H100"])):
        monkeypatch.setattr(provenance, "gpus", lambda cards=cards: cards)
        first, last = map(int, name.split("-"))
        paths.append(str(tmp_path / f"cleanex/{name}.parquet"))
        (tmp_path / "cleanex").mkdir(exist_ok=True)
        curves = pd.DataFrame({"repetition": range(first, last + 1), "k": 2, "accuracy": 0.5})
        write_table(curves, paths[-1], provenance.with_gpus(stamp))
    counted = {key: json.loads(stamp)[key] for key in ("commit", "dirty")}
    both = {"methods": ["cleanex"], "intervals": 0}
    # What is published of others: by this commit, and by another one.
    known = [
        {**counted, "methods": ["kde"], "curves": 9, "intervals": 1},
        {"commit": "older", "methods": ["auto", "cleanex"], "curves": 5, "intervals": 0},
    ]
    on_card, on_cpu, older = computed_by(paths, [], known)
    assert on_card == {**counted, **both, "gpus": ["NVIDIA H100"], "curves": 3}
    assert on_cpu == {**counted, "methods": ["cleanex", "kde"], "intervals": 1, "curves": 11}
    assert older == {**known[1], "methods": ["auto"]}

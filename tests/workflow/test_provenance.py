import os
import stat

import pytest

from accuracy_curves.errors import InputError
from pipeline import provenance


def put_git(folder, script, monkeypatch):
    git = folder / "git"
    git.write_text(f"#!/bin/sh\n{script}\n")
    git.chmod(git.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_a_git_that_does_not_answer_is_one_sentence(tmp_path, monkeypatch):
    put_git(tmp_path, "exec sleep 20", monkeypatch)
    monkeypatch.setattr(provenance, "GIT_SECONDS", 0.2)
    with pytest.raises(InputError, match=r"git rev-parse did not answer in 0.2 s .*: run again"):
        provenance.stamp({})


def test_a_folder_that_is_no_checkout_says_so(tmp_path, monkeypatch):
    put_git(tmp_path, "exit 128", monkeypatch)
    assert provenance.commit() == {"commit": "unknown (not a git checkout)", "dirty": None}


def test_changes_that_are_not_committed_are_said(tmp_path, monkeypatch):
    put_git(tmp_path, 'test "$1" = rev-parse && echo abc || echo " M Snakefile"', monkeypatch)
    assert provenance.commit() == {"commit": "abc", "dirty": True}

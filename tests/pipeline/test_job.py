import os
import time
from pathlib import Path

from pipeline.jobs.job import date_back


def test_only_results_in_the_future_are_dated_now(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["results/p/scores/one.npz", "figures/p/one.pdf", "data/mine.npz", "results/p/old.csv"]
    then = [time.time() + 1e6] * 3 + [1e9]
    for name, dated in zip(names, then, strict=True):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
        os.utime(name, (dated, dated))
    before = time.time()
    date_back([*names[:3], Path(names[3])])
    for name in names[:2]:
        assert before - 1 <= os.stat(name).st_mtime <= time.time()
    assert os.stat(names[2]).st_mtime == then[2]
    assert os.stat(names[3]).st_mtime == 1e9

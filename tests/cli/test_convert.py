import numpy as np
import pandas as pd
import pytest

from accuracy_curves import load_searches

RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=(12, 4)).round(6)
OWN = np.arange(12) % 5  # 4 is enrolled nowhere.
LABELS = np.where(OWN < 4, OWN, -1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The current folder, with a table and a matrix of photos."""
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame(
        {
            "probe": np.repeat([f"q{i:02d}" for i in range(12)], 4),
            "identity": np.tile(list("abcd"), 12),
            "score": SCORES.ravel(),
            "mate": (OWN[:, None] == np.arange(4)).ravel(),
        }
    )
    table.to_csv("table.csv", index=False)
    np.savez("distmat.npz", distmat=SCORES, query_ids=OWN, gallery_ids=np.arange(4))


@pytest.mark.parametrize("arguments", [["table.csv"], ["distmat.npz", "--higher-is-better"]])
def test_every_format_becomes_the_same_searches(run, arguments):
    status, out, err = run("convert", *arguments, "deep/scores.npz")
    assert (status, err) == (0, "")
    assert "2 without" in out
    found = load_searches("deep/scores.npz")
    np.testing.assert_array_equal(found.scores, SCORES)
    np.testing.assert_array_equal(found.labels, LABELS)
    assert found.higher_is_better

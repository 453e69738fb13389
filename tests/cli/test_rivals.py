"""What of a file stays as the set grows, on the command line: right answers, groups, candidates."""

import json

import numpy as np
import pandas as pd
import pytest

import accuracy_curves as ac
from accuracy_curves import InputError, ScoreMatrix
from accuracy_curves.cli.inputs import load_input

N, K = 60, 120
RNG = np.random.default_rng(3)
SCORES = RNG.normal(size=(N, K))
LABELS = np.arange(N)
SCORES[LABELS, LABELS] += 2
GROUPS = np.array([f"g{k // 3}" for k in range(K)])
NAMES = np.array([f"c{k:03d}" for k in range(K)])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"class": NAMES, "group": GROUPS}).to_csv("groups.csv", index=False)
    pd.DataFrame({"class": range(K), "group": GROUPS}).to_csv("numbers.csv", index=False)
    np.savez("plain.npz", scores=SCORES, labels=LABELS)
    np.savez("named.npz", scores=SCORES, labels=NAMES[LABELS], classes=NAMES)
    table = pd.DataFrame({
        "probe": np.repeat([f"p{i:02d}" for i in range(N)], K), "identity": np.tile(NAMES, N),
        "score": SCORES.ravel(), "mate": (LABELS[:, None] == np.arange(K)).ravel(),
    })  # fmt: skip
    table.to_csv("pairs.csv", index=False)
    order = np.argsort(-SCORES, axis=1)[:, :100]
    near = np.take_along_axis(SCORES, order, axis=1)
    run = {f"q{i}": {NAMES[k]: s for k, s in zip(order[i], near[i], strict=True)} for i in range(N)}
    (tmp_path / "run.json").write_text(json.dumps(run))
    (tmp_path / "qrels.json").write_text(json.dumps({f"q{i}": {NAMES[i]: 1} for i in range(N)}))
    ids = {"query_ids": LABELS, "gallery_ids": np.arange(K)}
    np.savez("near.npz", distances=-near, indices=order, **ids)
    return tmp_path


RUN = {"qrels": "qrels.json", "searched": K}
GROUPED = {
    "plain": ("plain.npz", {"groups": "numbers.csv"}),
    "named": ("named.npz", {"groups": "groups.csv"}),
    "pairs": ("pairs.csv", {"groups": "groups.csv"}),
    "run": ("run.json", {**RUN, "groups": "groups.csv"}),
    "near": ("near.npz", {"groups": "numbers.csv"}),
}


@pytest.mark.parametrize("where", GROUPED)
def test_groups_are_those_of_python_wherever_they_stand(where, folder):
    name, options = GROUPED[where]
    given = {key: folder / each if isinstance(each, str) else each for key, each in options.items()}
    found = load_input(folder / name, ScoreMatrix, **given).matrix
    assert (found.counted_classes, found.n_classes) == (K, K // 3)
    expected = ScoreMatrix(SCORES, LABELS).grouped(GROUPS)
    for measure in ("hit@1", "hit@3"):
        np.testing.assert_allclose(
            ac.average_accuracy(found, K, measure=measure),
            ac.average_accuracy(expected, K, measure=measure),
        )


FAULTS = {
    "no group": ("class,group\nc000,g0\n", "named.npz", {}, "no group of the class 'c001'"),
    "twice": ("class,group\na,x\na,y\n", "named.npz", {}, "line 3: a second group"),
    "columns": ("name,group\na,x\n", "named.npz", {}, "has no column 'class'"),
    "lists": ("class,group\nx,g0\n", "run.json", RUN | {"searched": 125}, "line for each of 125"),
    "candidates": ("class,group\na,x\n", "drawn.npz", {}, "leave out --groups"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_groups_is_one_sentence(fault, folder):
    text, name, options, sentence = FAULTS[fault]
    np.savez("drawn.npz", correct=SCORES[:, 0], candidates=SCORES[:, 1:])
    (folder / "bad.csv").write_text(text)
    given = {key: folder / each if isinstance(each, str) else each for key, each in options.items()}
    with pytest.raises(InputError, match=sentence):
        load_input(folder / name, ScoreMatrix, groups=folder / "bad.csv", **given)


def drawn():
    correct, others = SCORES[:, 0] + 2, SCORES[:, 1:]
    pairs = np.column_stack([correct, others])
    return {
        "npz": {"correct": correct, "candidates": others},
        "one column": {"scores": pairs, "labels": np.zeros(N, int)},
    }


@pytest.mark.parametrize("kind", drawn())
def test_candidates_that_were_drawn_for_each_search(kind, folder):
    np.savez("drawn.npz", **drawn()[kind])
    found = load_input(folder / "drawn.npz", ScoreMatrix)
    assert found.matrix.design.own_rivals
    assert "sampled at random" in found.origin[-1]
    expected = ScoreMatrix.from_drawn(SCORES[:, 0] + 2, SCORES[:, 1:])
    np.testing.assert_allclose(
        ac.average_accuracy(found.matrix, K, top=10), ac.average_accuracy(expected, K, top=10)
    )
    assert ac.load_scores(folder / "drawn.npz").design.own_rivals
    # Fewer rows of one label may be few points of one class.
    for rows in (9, 10):
        np.savez("few.npz", scores=SCORES[:rows], labels=np.zeros(rows, int))
        assert ac.load_scores("few.npz").design.own_rivals == (rows == 10)


def test_a_row_a_pair_is_named(folder):
    np.savez("drawn.npz", **dict.fromkeys(("indexes", "preds", "target"), np.ones(4)))
    with pytest.raises(InputError, match="one row per pair, as torchmetrics takes them: save"):
        load_input(folder / "drawn.npz", ScoreMatrix)


ASKED = ["--measure", "recall@10", "--measure", "hit@3", "--measure", "ndcg@5"]


def test_measures_are_observed_and_predicted_by_every_command(run, folder):
    right = np.eye(K, dtype=int)[LABELS]
    right[:, -1] = np.arange(N) % 2
    np.savez("several.npz", scores=SCORES, labels=right)
    sample = ScoreMatrix.of_queries(SCORES, right)
    expected = {name: ac.average_accuracy(sample, K, measure=name)[0] for name in ASKED[1::2]}
    assert run("observe", "several.npz", *ASKED, "--out", "o")[::2] == (0, "")
    seen = pd.read_csv("o/observed.csv")
    assert seen.columns.tolist() == ["k", "measure", "accuracy", "lower", "upper"]
    at_k1 = seen[seen["k"] == K].set_index("measure")["accuracy"].to_dict()
    assert at_k1 == pytest.approx(expected)
    words = ["--classes", 300, "--splits", 3, *ASKED, "--out", "p"]
    status, out, err = run("predict", "several.npz", *words)
    assert (status, err) == (0, "")
    assert "regression" not in out.lower()
    table = pd.read_csv("p/curves.csv")
    auto = table[table["method"] == "auto"].set_index(["measure", "k"])["accuracy"]
    observed = table[table["method"] == "observed"].set_index(["measure", "k"])["accuracy"]
    for name, value in expected.items():
        assert observed[name, K] == pytest.approx(value, abs=1e-8)
        assert auto[name, 300] == pytest.approx(
            ac.Auto().fit(sample).predict([300], measure=name)[0], abs=1e-8
        )
    page = (folder / "p" / "report.html").read_text(encoding="utf-8")
    assert "ndcg@5" in page
    assert f"<p>{N} points, {K} classes, higher is better.</p>" in page
    words = ["--classes", 300, "--splits", 3, "--measure", "ndcg@5"]
    assert run("plan", "several.npz", *words, "--width", 0.2)[::2] == (0, "")
    np.savez("other.npz", scores=SCORES + 0.1 * right, labels=right)
    assert run("compare", "several.npz", "other.npz", *words, "--out", "c")[::2] == (0, "")
    assert pd.read_csv("c/comparison.csv")["measure"].unique().tolist() == ["ndcg@5"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["--measure", "ndcg@10", "--top", 3], "give a measure or top, not both"),
     (["--measure", "ndcg"], "there is no measure ndcg"),
     (["--measure", "auc@3"], "there is no measure auc@3")],
)  # fmt: skip
def test_what_is_no_measure_is_said(words, sentence, run):
    status, _, err = run("observe", "plain.npz", *words)
    assert (status, sentence in err) == (2, True)
    words = ["--measure", "mrr@3", "--measure", "mrr@5", "--classes", 9, "--width", 0.1]
    assert "this command takes one --measure" in run("plan", "plain.npz", *words)[2]

"""Candidate lists of files, and what is refused: each fault is one sentence with its remedy."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import accuracy_curves as ac
from accuracy_curves import CandidateLists, InputError, load_candidates

SEARCHED, N, LENGTH = 300, 60, 40
RNG = np.random.default_rng(5)
LABELS = RNG.integers(SEARCHED, size=N)
SCORES = RNG.normal(size=(N, SEARCHED)).round(2)
SCORES[np.arange(N), LABELS] += 2.5
MATRIX = ac.ScoreMatrix(SCORES, LABELS)
ORDER = np.argsort(-SCORES, axis=1, kind="stable")[:, :LENGTH]
BEST = np.take_along_axis(SCORES, ORDER, axis=1)
LISTS = CandidateLists.from_neighbours(BEST, ORDER, LABELS, searched=SEARCHED)


def table():
    rows = np.repeat(np.arange(N), LENGTH)
    return pd.DataFrame({
        "probe": [f"p{row}" for row in rows],
        "identity": [f"i{each}" for each in ORDER.ravel()],
        "score": BEST.ravel(),
        "rank": np.tile(np.arange(1, LENGTH + 1), N),
        "mate": [f"i{LABELS[row]}" for row in rows],
    })  # fmt: skip


def write_run(path, data):
    data = data.assign(q0="Q0", tag="mine")
    data[["probe", "q0", "identity", "rank", "score", "tag"]].to_csv(
        path, sep=" ", header=False, index=False
    )


def write_qrels(path, rows):
    path.write_text("".join(f"{probe} 0 {document} {grade}\n" for probe, document, grade in rows))


RIGHT = [(f"p{row}", f"i{LABELS[row]}", 1) for row in range(N)]


def same(found, expected=LISTS):
    """Lists that say the same; their classes may have other numbers."""
    for name in ("scores", "ends", "correct", "n_classes", "outscored_and_tied"):
        mine, theirs = (getattr(each, name) for each in (found, expected))
        if name == "outscored_and_tied":
            mine, theirs = mine(), theirs()
        np.testing.assert_array_equal(mine, theirs)


def same_classes(found, expected):
    pairs = np.unique(np.c_[found.classes.ravel(), expected.classes.ravel()], axis=0)
    assert len(pairs) == len(np.unique(expected.classes)) == len(np.unique(found.classes))


def test_lists_of_a_matrix_are_those_of_a_search():
    same(MATRIX.candidates(LENGTH))


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_table_in_any_order_of_rows(tmp_path, suffix):
    data, path = table().sample(frac=1, random_state=1), tmp_path / f"lists.{suffix}"
    data.to_csv(path, index=False, sep="," if suffix == "csv" else "\t")
    found = load_candidates(path, searched=SEARCHED)
    probes = [int(name[1:]) for name in dict.fromkeys(data["probe"])]
    same(found, LISTS.select_points(np.array(probes)))
    same_classes(found, LISTS.select_points(np.array(probes)))


def test_probes_that_are_nobody_are_left_out_and_counted(tmp_path):
    data = table()
    data.loc[data["probe"].isin(["p3", "p4"]), "mate"] = ""
    data.to_csv(tmp_path / "lists.csv", index=False)
    found = load_candidates(tmp_path / "lists.csv", searched=SEARCHED)
    same(found, LISTS.select_points(np.delete(np.arange(N), [3, 4])))
    assert "2 of 60" in found.origin[0]


@pytest.mark.parametrize(("name", "kept"), [("NIL", 40), ("unknown", 40), ("i999", 60)])
def test_a_right_answer_that_is_none_by_its_name_is_left_out(name, kept, tmp_path):
    rows = table()
    rows["mate"] = rows["mate"].where(rows["probe"].str[1:].astype(int) >= 20, name)
    rows.to_csv(tmp_path / "lists.csv", index=False)
    found = load_candidates(tmp_path / "lists.csv", searched=2 * SEARCHED)
    assert found.n_points == kept
    assert found.origin[0].startswith("left out, without" if kept < N else "never found: 'i999'")


def test_a_run_with_its_qrels(tmp_path):
    write_run(tmp_path / "run", table())
    write_qrels(tmp_path / "qrels", [*RIGHT, ("p0", "i7", 0)])
    found = load_candidates(tmp_path / "run", qrels=tmp_path / "qrels", searched=SEARCHED)
    same(found)
    assert found.design.weigh_points


def records(data):
    for probe, rows in data.groupby("probe", sort=False):
        yield probe, rows["mate"].iloc[0], rows["identity"].tolist(), rows["score"].tolist()


def nested(rows):
    found = {}
    for probe, identity, value in rows:
        found.setdefault(probe, {})[identity] = value
    return json.dumps(found)


def sparse_npz(path, columns, values):
    rows = np.repeat(np.arange(N), columns.size // N)
    matrix = sparse.csr_array((values, (rows, columns.ravel())), shape=(N, SEARCHED))
    sparse.save_npz(path, matrix)


def in_format(kind, folder):
    """Write the run, and right answers if they are elsewhere; the names of both."""
    data, qrels = table(), pd.DataFrame(RIGHT, columns=["qid", "docno", "label"])
    named = data.rename(columns={"probe": "qid", "identity": "docno"})
    if kind == "pyterrier":
        named.drop(columns="mate").assign(query="a text").to_csv(folder / "run.csv", index=False)
        qrels.to_csv(folder / "qrels.csv", index=False)
        return "run.csv", "qrels.csv"
    if kind in ("ranx", "beir"):
        (folder / "run.json").write_text(nested(data.iloc[:, :3].values.tolist()))
        (folder / "qrels.json").write_text(nested(RIGHT))
        heads = ["query-id", "corpus-id", "score"]
        qrels.to_csv(folder / "qrels.tsv", sep="\t", index=False, header=heads)
        return "run.json", "qrels.json" if kind == "ranx" else "qrels.tsv"
    if kind == "lines":
        lines = [
            json.dumps({"query": query, "gold": [gold], "retrieved": listed, "scores": scores})
            for query, gold, listed, scores in records(data)
        ]
        (folder / "run.jsonl").write_text("\n".join(lines) + "\n\n")
        return "run.jsonl", None
    if kind == "dpr":
        answers = [
            {"question": query, "answers": ["a text"], "ctxs": [
                {"id": each, "score": str(score), "has_answer": each == gold}
                for each, score in zip(listed, scores, strict=True)
            ]}
            for query, gold, listed, scores in records(data)
        ]  # fmt: skip
        (folder / "run.json").write_text(json.dumps(answers))
        return "run.json", None
    sparse_npz(folder / "run.npz", ORDER, BEST.ravel())
    sparse_npz(folder / "qrels.npz", LABELS, np.ones(N))
    return "run.npz", "qrels.npz"


@pytest.mark.parametrize("kind", ["pyterrier", "ranx", "beir", "lines", "dpr", "sparse"])
def test_lists_are_the_same_in_the_format_of_each_tool(kind, tmp_path):
    run, qrels = in_format(kind, tmp_path)
    judged = qrels and tmp_path / qrels
    # A sparse matrix knows how many documents there are.
    searched = None if kind == "sparse" else SEARCHED
    found = load_candidates(tmp_path / run, qrels=judged, searched=searched)
    same(found)
    assert found.design.weigh_points
    if kind != "sparse":
        with pytest.raises(InputError, match="give the number of classes or documents"):
            load_candidates(tmp_path / run, qrels=judged)


def as_records(kind, listed, near, right):
    """Write each query's candidates, best first: the text of a file, its name, and a label each."""
    queries = list(zip(listed.tolist(), near.tolist(), right, strict=True))
    name, label = f"{kind}.jsonl", "\n".join(right)
    if kind == "zero-shot":
        found = [{"sequence": "the same", "labels": a, "scores": b, "true_label": c}
                 for a, b, c in queries]  # fmt: skip
    elif kind == "intents":
        found = [{"text": f"{i}", "intent": {"name": c}, "intent_ranking":
                  [{"name": d, "confidence": e} for d, e in zip(a, b, strict=True)]}
                 for i, (a, b, c) in enumerate(queries)]  # fmt: skip
    elif kind == "hits":
        found = [{"hits": {"total": 3, "hits": [{"_id": d, "_score": e, "_source": {"n": [1]}}
                  for d, e in zip(a, b, strict=True)]}} for a, b, _ in queries]  # fmt: skip
    elif kind == "pipeline":
        found = [[{"label": d, "score": e} for d, e in zip(a, b, strict=True)]
                 for a, b, _ in queries]  # fmt: skip
    elif kind == "query ids":
        found = [
            {"query_id": f"q{i}", "ids": a, "scores": b} for i, (a, b, _) in enumerate(queries)
        ]
        label = "\n".join(f"q{i} 0 {c} 1" for i, c in reversed([*enumerate(right)]))
    elif kind == "by query":
        return json.dumps({f"q{i}": {"retrieved": a, "similarities": b, "expected": [c]}
                           for i, (a, b, c) in enumerate(queries)}), "r.json", None  # fmt: skip
    elif kind == "distances":
        apart = {"ids": listed.tolist(), "distances": (-near).tolist(), "documents": None}
        return json.dumps(apart), "near.json", label
    elif kind == "fastText":
        lines = [" ".join(f"__label__{d} {e}" for d, e in zip(a, b, strict=True))
                 for a, b, _ in queries]  # fmt: skip
        return "\n".join(lines), "prob.txt", "\n".join(f"__label__{c} a text 4" for c in right)
    else:
        names = [*dict.fromkeys(listed[0].tolist())]
        rows = [[dict(zip(a, b, strict=True))[d] for d in names] for a, b, _ in queries]
        lines = [f"{a[0]} {' '.join(map(str, row))}"
                 for (a, _, _), row in zip(queries, rows, strict=True)]  # fmt: skip
        given = "\n".join(f"{c} 1:0.5 7:2" for c in right)
        return "\n".join([f"labels {' '.join(names)}", *lines]), "out", given
    return (
        "\n".join(map(json.dumps, found)),
        name,
        label if kind in ("hits", "pipeline", "query ids") else None,
    )


KINDS = [
    "query ids",
    "zero-shot",
    "intents",
    "hits",
    "pipeline",
    "by query",
    "distances",
    "fastText",
    "libsvm",
]


@pytest.mark.parametrize(("kind", "length"), [*((kind, 60) for kind in KINDS), ("hits", 25)])
def test_records_are_read_by_what_their_fields_are_called(kind, length, tmp_path):
    rng = np.random.default_rng(2)
    scores = (rng.normal(size=(90, 60)) + 2 * np.eye(60)[np.arange(90) % 60]).round(4)
    order = np.argsort(-scores, axis=1)[:, :length]
    near, names = np.take_along_axis(scores, order, axis=1), np.array([f"c{i}" for i in range(60)])
    text, name, labels = as_records(kind, names[order], near, names[np.arange(90) % 60].tolist())
    (tmp_path / name).write_text(text)
    (tmp_path / "labels.txt").write_text(labels or "")
    judged = tmp_path / "labels.txt" if labels else None
    # Lists of all need no number.
    found = load_candidates(tmp_path / name, qrels=judged, searched=None if length == 60 else 60)
    matrix = ac.ScoreMatrix(scores, np.arange(90) % 60).weighing_points()
    assert (found.n_classes, found.higher_is_better) == (60, kind != "distances")
    for top in (1, 5):
        expected = ac.average_accuracy(matrix, 60, top=top)
        np.testing.assert_allclose(ac.average_accuracy(found, 60, top=top), expected)
    listed = found.correct > -np.inf
    np.testing.assert_allclose(found.correct[listed], matrix.correct[listed])


def test_json_may_hold_a_matrix(tmp_path):
    scores, labels = np.eye(12) + np.arange(12) / 50, [f"c{i}" for i in range(12)]
    text = json.dumps({"scores": scores.tolist(), "labels": labels, "classes": labels})
    (tmp_path / "matrix.json").write_text(text)
    np.testing.assert_array_equal(ac.load_scores(tmp_path / "matrix.json").scores, scores)


@pytest.mark.parametrize("n", [30, 12])
def test_a_run_in_batches_is_refused_and_read_with_own_candidates(n, tmp_path, run):
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(120, n))
    scores[:, 0] += 1.5
    lines = [
        f"q{i} Q0 {i // n}-{(i + j) % n} {rank} {scores[i, j]:.5f} x"
        for i in range(120)
        for rank, j in enumerate(np.argsort(-scores[i]), 1)
    ]
    (tmp_path / "run").write_text("\n".join(lines))
    (tmp_path / "qrels").write_text("\n".join(f"q{i} 0 {i // n}-{i % n} 1" for i in range(120)))
    asked = ["predict", tmp_path / "run", "--qrels", tmp_path / "qrels", "--classes", 200]
    asked += ["--method", "gaussian_tail", "--splits", 0, "--out", tmp_path / "out"]
    status, _, err = run(*asked, "--searched", 120)
    assert (status, "--own-candidates" in err) == (2, True)
    assert run(*asked, "--own-candidates")[0] == 0
    found = pd.read_csv(tmp_path / "out/curves.csv").query("method == 'observed'")
    seen = np.mean(scores[:, 0] >= scores.max(axis=1))
    np.testing.assert_allclose(found.loc[found["k"] == n, "accuracy"], seen)


def test_the_own_document_of_each_query_is_taken_out(tmp_path):
    """As where the corpus is searched by its own documents."""
    data = table()
    own = data[data["rank"] == 1].assign(identity=lambda one: one["probe"], rank=0, score=99.0)
    write_run(tmp_path / "run", pd.concat([own, data]))
    write_qrels(tmp_path / "qrels", RIGHT)
    found = load_candidates(tmp_path / "run", qrels=tmp_path / "qrels", searched=SEARCHED)
    same(found)
    assert "own name is the first, and is left out: of 60 queries" in found.origin[0]


FAULTS_OF_FILES = {
    "no qrels": ("run.json", "{}", None, r"run.json is a run: give the right answers \(--qrels"),
    "flat": ("run.json", '{"q": 3}', "q 0 d 1", "must hold {query: {document: number}}"),
    "text": ("run.json", '{"q": {"d": "x"}}', "q 0 d 1", "pair 0: score is 'x'"),
    "no candidates": ("run.jsonl", '{"query": "q"}', None, "record 0 needs gold, and candidates"),
    "no record": ("run.json", '["q"]', None, "record 0 needs gold, and candidates"),
    "no ids": ("run.json", '[{"gold": "a", "hits": [{"score": 1}, {"score": 0}]}]', None,
               "record 0 needs gold, and candidates"),
    "lengths": ("run.jsonl", '{"query": 1, "gold": 2, "retrieved": [3], "scores": [1, 2]}', None,
                "record 0 needs gold, .* as many of both"),
    "no lists": ("run.json", '[{"query": 1, "gold": 2, "retrieved": 3, "scores": 4}]', None,
                 "record 0 needs gold, .* two lists"),
    "no answers": ("run.json", '[{"question": "q", "ctxs": [{"id": 1, "score": 2}]}]', None,
                   "1 of 1 records do not say which candidate is right: add a field gold, or"),
    "few labels": ("run.json", '[[{"label": "a", "score": 2}, {"label": "b", "score": 1}]]', "a\na",
                   "qrels has 2 labels, a line each, for 1 records"),
    "twice": ("run", "q Q0 d 1 9 x", "q 0 d 1\nq 0 d 0", "line 2: a second score of the probe 'q'"),
    "no run": ("run", "q 0 d 1", "q 0 d 1", "fields a line: of TREC it has 6"),
    "a run as qrels": ("run", "q Q0 d 1 9 x", "q Q0 d 1 9 x", "fields a line: of TREC it has 4"),
    "none right": ("run", "q Q0 d 1 9 x", "q 0 d 0", "no search has its right class"),
    "absent": ("run", "q Q0 d 1 9 x\nq Q0 e 2 8 x\nq Q0 f 3 7 x", "q 0 g 1",
               "of 1 searches the right class is in no list"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS_OF_FILES)
def test_each_fault_of_a_tools_file_is_one_sentence(fault, tmp_path):
    name, text, qrels, sentence = FAULTS_OF_FILES[fault]
    (tmp_path / name).write_text(text)
    if qrels:
        (tmp_path / "qrels").write_text(qrels)
    with pytest.raises(InputError, match=sentence) as caught:
        load_candidates(tmp_path / name, qrels=qrels and tmp_path / "qrels", searched=3)
    assert "\n" not in str(caught.value)


def test_a_shorter_list_of_a_run_has_all_that_match(tmp_path):
    away = int(np.setdiff1d(np.arange(SEARCHED), ORDER[2])[0])
    rows = table()
    write_run(tmp_path / "run", rows[(rows["probe"] != "p2") | (rows["rank"] <= 35)])
    write_qrels(tmp_path / "qrels", [*RIGHT[:2], ("p2", f"i{away}", 1), *RIGHT[3:]])
    found = load_candidates(tmp_path / "run", qrels=tmp_path / "qrels", searched=SEARCHED)
    assert (found.ends[2], found.censored[2]) == (-np.inf, False)
    outscored, tied = (each[2] for each in found.outscored_and_tied())
    assert (outscored, tied) == (0, SEARCHED - 1 - 35)
    assert any("fewer than 40 are read as all" in said for said in found.origin)


@pytest.mark.parametrize("measure", ["hit@1", "hit@10", "recall@10", "ndcg@5", "mrr@10"])
def test_a_query_with_several_relevant_documents_counts_all_of_them(measure, tmp_path):
    """As the whole matrix does, where the ranks of all are known."""
    scores = SCORES + 1e-3 * RNG.random(SCORES.shape)
    order = np.argsort(-scores, axis=1)[:, :LENGTH]
    listed = np.take_along_axis(scores, order, axis=1).ravel()
    identities = [f"i{each}" for each in order.ravel()]
    write_run(tmp_path / "run", table().assign(score=listed, identity=identities))
    unlisted = np.setdiff1d(np.arange(SEARCHED), [*order[1], LABELS[1]])
    right = [[LABELS[row]] for row in range(N)]
    right[0], right[1] = order[0, [9, 4]].tolist(), unlisted[:2].tolist()
    chosen = [(f"p{row}", f"i{each}", 1 + row % 2) for row in range(N) for each in right[row]]
    write_qrels(tmp_path / "qrels", chosen)
    found = load_candidates(tmp_path / "run", qrels=tmp_path / "qrels", searched=SEARCHED)
    assert any("(hit rate): of 2 queries" in said for said in found.origin)
    whole = ac.ScoreMatrix.of_queries(scores, right)
    np.testing.assert_allclose(
        ac.average_accuracy(found, SEARCHED, measure=measure),
        ac.average_accuracy(whole, SEARCHED, measure=measure),
        atol=1e-9,
    )


def test_queries_without_a_relevant_document_are_left_out_and_absent_ones_are_misses(tmp_path):
    many = pd.concat(
        [table().assign(probe=lambda data, i=i: data["probe"] + f"_{i}") for i in "ab"]
    )
    write_run(tmp_path / "run", many)
    right = [(f"{probe}_{i}", document, 1) for probe, document, _ in RIGHT for i in "ab"]
    write_qrels(tmp_path / "qrels", [*right[1:], ("lost", "i7", 1)])
    found = load_candidates(tmp_path / "run", qrels=tmp_path / "qrels", searched=SEARCHED)
    assert found.n_points == 2 * N
    assert found.ends.max() == np.inf
    assert found.outscored_and_tied()[0][np.isinf(found.ends)].tolist() == [0]
    assert "1 of 121" in found.origin[0]
    assert "1 queries of the qrels" in found.origin[1]


def bad(**changes):
    given = {"scores": BEST, "ids": ORDER, "labels": LABELS, "searched": SEARCHED, **changes}
    return CandidateLists.from_neighbours(**given)


WHOLE = np.arange(SEARCHED)
TWICE = np.c_[ORDER[:, :-1], ORDER[:, 0]]
FAULTS = {
    "top": (lambda: ac.average_accuracy(LISTS, 300, top=100), "of 100 or more for the first 100"),
    "few": (lambda: bad(searched=50), "searched is 50, but .* different classes"),
    "too many": (lambda: bad(searched=10**12), "searched .* 2147483647"),
    "place": (lambda: bad(gallery_labels=WHOLE[:-1]), "the gallery has 299 photos"),
    "twice": (lambda: bad(ids=TWICE), "row 0 lists one candidate twice"),
    "rising": (lambda: bad(scores=-BEST), "row 0 has scores .* are they distances"),
    "nan": (lambda: bad(scores=BEST * np.nan), "row 0 has scores that are not finite"),
    "constant": (lambda: bad(scores=np.ones_like(BEST)), "all scores are 1: give the scores"),
    "nobody": (lambda: bad(labels=np.full(N, -1)), "no search has its right class"),
    "empty": (lambda: bad(ids=np.full_like(ORDER, -1)), "all lists are empty"),
    "shapes": (lambda: bad(scores=BEST[:, 1:]), "ids have shape"),
    "labels": (lambda: bad(labels=LABELS[1:]), "labels have shape"),
    "own": (lambda: CandidateLists(BEST, ORDER, LABELS, 300, BEST[:, 0]), "among the incorrect"),
    "range": (lambda: CandidateLists(BEST, ORDER, LABELS, 9, BEST[:, 0]), "must be from 0 to 8"),
    "texts": (lambda: bad(labels=LABELS.astype(str)), "both as numbers or both as texts"),
    "number": (lambda: bad(searched=None), "give gallery_labels, or searched"),
    "method": (lambda: ac.extrapolate(LISTS, 900, "kde"), "kde does not take lists .* auto"),
    "matrix": (lambda: ac.find_wrong_names(LISTS), "a sample is a ScoreMatrix, not CandidateLists"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_one_sentence(fault):
    call, sentence = FAULTS[fault]
    with pytest.raises(InputError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value)


FILES = {
    "two mates": (lambda data: data.assign(mate=[*data["mate"][:-1], "i1000"]), "a second mate"),
    "no score": (lambda data: data.assign(score=[*data["score"][:-1], np.nan]), "line 2401"),
    "no column": (lambda data: data.drop(columns="mate"), "no column 'mate'"),
    "rising": (lambda data: data.assign(rank=-data["rank"]), "the query 'p0' has scores"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FILES)
def test_each_fault_of_a_table_is_one_sentence_with_its_place(fault, tmp_path):
    change, sentence = FILES[fault]
    change(table()).to_csv(tmp_path / "lists.csv", index=False)
    with pytest.raises(InputError, match=sentence):
        load_candidates(tmp_path / "lists.csv", searched=SEARCHED)

"""Every remedy that a sentence offers is tried: what it proposes passes the same door."""

import re
import subprocess
import sys
from dataclasses import dataclass, field

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves import CandidateLists, ScoreMatrix
from accuracy_curves.observed.cautions import cautions_of_sample

RNG = np.random.default_rng(7)
K = 30
LABELS = np.arange(2 * K) % K
SCORES = RNG.normal(size=(2 * K, K)).round(6)
SCORES[np.arange(2 * K), LABELS] += 1.5
PEOPLE = np.arange(40) // 4
PHOTOS = RNG.normal(size=(10, 6))[PEOPLE] + 0.3 * RNG.normal(size=(40, 6))
SIMILARITIES = PHOTOS @ PHOTOS.T
NAMES = np.array([f"class {k}" for k in range(K)])
ORDER = np.argsort(-SCORES, axis=1)[:, :25]
LISTED = np.take_along_axis(SCORES, ORDER, axis=1)
SEVERAL = np.eye(K)[LABELS] + np.eye(K)[(LABELS + 1) % K]
NIL = np.where(np.arange(2 * K) < 8, K, LABELS)
COPIED = np.c_[SCORES, SCORES[:, 3]]
TIED = np.where(np.arange(2 * K) % 2 == 0, LABELS, np.where(LABELS == 3, K, LABELS))


@dataclass
class Remedy:
    """What is refused or reported, by which words, and what they propose."""

    wrong: dict
    words: str
    mended: dict
    make: object = ScoreMatrix
    known: dict = field(default_factory=dict)


def neighbours(**given):
    full = {"scores": LISTED, "ids": ORDER, "labels": LABELS, "searched": K, **given}
    return CandidateLists.from_neighbours(**full)


def matrix_or_queries(scores, labels, several=False):
    return ScoreMatrix.of_queries(scores, labels) if several else ScoreMatrix(scores, labels)


GIVEN = {"scores": SCORES, "labels": LABELS}
DISTMAT = {"scores": -SIMILARITIES, "query_ids": PEOPLE, "gallery_ids": PEOPLE}
IN_PYTHON = {
    "one-hot": Remedy(
        {**GIVEN, "labels": np.eye(K)[LABELS]}, r"labels\.argmax\(1\)",
        {**GIVEN, "labels": np.eye(K)[LABELS].argmax(1)},
    ),
    "multi-hot": Remedy(
        {**GIVEN, "labels": SEVERAL}, r"ScoreMatrix\.of_queries\(scores, labels\)",
        {**GIVEN, "labels": SEVERAL, "several": True}, matrix_or_queries,
    ),
    "turned": Remedy(
        {**GIVEN, "scores": SCORES.T}, r"give scores\.T", {**GIVEN, "scores": SCORES.T.T}
    ),
    "unnamed": Remedy(
        {**GIVEN, "labels": NAMES[LABELS]}, "classes=",
        {**GIVEN, "labels": NAMES[LABELS], "classes": NAMES},
    ),
    "stranger": Remedy(
        {**GIVEN, "labels": LABELS - 1}, "leave such points out",
        {"scores": SCORES[LABELS > 0], "labels": LABELS[LABELS > 0] - 1},
    ),
    "stranger, searches": Remedy(
        {**GIVEN, "labels": LABELS - 1, "make": ScoreMatrix}, "give them to Searches",
        {**GIVEN, "labels": LABELS - 1, "make": ac.Searches}, lambda make, **given: make(**given),
    ),
    "stranger's name": Remedy(
        {"labels": NAMES[LABELS]}, "somebody who is not enrolled is -1",
        {"labels": np.where(LABELS == 29, "-1", NAMES[LABELS])}, ac.Searches,
        {"scores": SCORES[:, :-1], "classes": NAMES[:-1]},
    ),
    "photos": Remedy(
        {"scores": SIMILARITIES, "labels": PEOPLE},
        r"score_identities\(scores, labels, labels, excluded=np\.eye\(40, dtype=bool\)",
        {"scores": SIMILARITIES, "labels": PEOPLE, "excluded": np.eye(40, dtype=bool)},
        lambda scores, labels, **excluded: ac.score_identities(
            scores, labels, labels, **excluded
        ) if excluded else ScoreMatrix(scores, labels),
    ),
    "photos, distmat": Remedy(
        DISTMAT, r"excluded=np\.eye\(40, dtype=bool\)",
        {**DISTMAT, "excluded": np.eye(40, dtype=bool)}, ac.score_identities,
    ),
    "NIL": Remedy(
        {"labels": NIL}, "of 8 searches the right class is in no list: leave them out",
        {"scores": LISTED[8:], "ids": ORDER[8:], "labels": LABELS[8:]}, neighbours,
    ),
    "small": Remedy(
        {"searched": 20}, "give the number of all classes", {"searched": K}, neighbours
    ),
    "rising": Remedy(
        {"scores": -LISTED}, "are they distances",
        {"scores": -LISTED, "higher_is_better": False}, neighbours,
    ),
    "size": Remedy(
        {**GIVEN, "scores": SCORES * 1e150}, "multiply all by one number",
        {**GIVEN, "scores": SCORES * 1e150 * 1e-150},
    ),
    "far embeddings": Remedy(
        {"embeddings": PHOTOS * 1e200}, "divide all by one number",
        {"embeddings": PHOTOS * 1e200 / 1e200}, ac.score_embeddings, {"names": PEOPLE},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_PYTHON)
def test_what_an_error_proposes_is_taken(name):
    remedy = IN_PYTHON[name]
    with pytest.raises(ac.InputError, match=remedy.words):
        remedy.make(**remedy.known, **remedy.wrong)
    made = remedy.make(**remedy.known, **remedy.mended)
    labels = getattr(made, "mated", made).labels
    assert len(labels) > 0
    if name == "multi-hot":  # Not the accuracy of one of several right answers.
        rank = np.argsort(-SCORES, axis=1)[:, 0]
        hit = SEVERAL[np.arange(2 * K), rank].mean()
        np.testing.assert_allclose(ac.average_accuracy(made, K), hit)


MOVED = np.roll(SCORES + 5 * np.eye(K)[LABELS], 1, axis=1)
SAID = {
    "copied_classes": (
        ScoreMatrix(COPIED, TIED),
        "leave its columns out but one, and give the points that label",
        lambda: ScoreMatrix(SCORES, np.where(TIED == K, 3, TIED)),
    ),
    "wrong_direction": (
        ScoreMatrix(-SCORES, LABELS), "wrong direction",
        lambda: ScoreMatrix(-SCORES, LABELS, higher_is_better=False),
    ),
    "moved_labels": (
        ScoreMatrix(MOVED, LABELS), "Give the names of the columns",
        lambda: ScoreMatrix(MOVED, NAMES[LABELS], classes=np.roll(NAMES, 1)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("reason", SAID)
def test_what_a_caution_proposes_ends_it(reason):
    sample, words, mended = SAID[reason]
    said = {each.reason: str(each) for each in cautions_of_sample(sample)}
    assert words in said[reason]
    assert reason not in {each.reason for each in cautions_of_sample(mended())}


RUN = [f"q{i} Q0 d{k} {n} {LISTED[i, n]} x" for i in range(60) for n, k in enumerate(ORDER[i])]
QRELS = "".join(f"q{i} 0 d{LABELS[i]} 1\n" for i in range(60))
FILES = {
    "s.npz": {**GIVEN}, "square.npz": {"scores": SIMILARITIES, "labels": PEOPLE},
    "arr.npz": {"arr_0": PHOTOS, "arr_1": PEOPLE}, "texts.npz": {**GIVEN, "labels": NAMES[LABELS]},
    "named.npz": {**GIVEN, "labels": NAMES[LABELS], "classes": NAMES},
    "distmat.npz": {"distmat": SIMILARITIES, "query_ids": PEOPLE, "gallery_ids": PEOPLE,
                    "excluded": np.eye(40, dtype=bool)},
}  # fmt: skip
TEXTS = {
    "run": "\n".join(RUN), "qrels": QRELS,
    "far": re.sub(r"(\S+) x$", lambda n: f"{-float(n[1])} x", "\n".join(RUN), flags=re.M),
    "commas.csv": 'label,a,b,c\na,"1,5",2,3\nb,1,"2,5",1\n',
    "points.csv": "label,a,b,c\na,1.5,2,3\nb,1,2.5,1\n",
    "k.csv": "k,accuracy\n2.000,.9\n3.000,.8\n4.000,.7\n",
    "k1.csv": "k,accuracy\n2000,.9\n3000,.8\n4000,.7\n",
}  # fmt: skip
LISTS = ["--qrels", "qrels", "--searched", "30"]
ON_THE_COMMAND_LINE = {
    "photos": (["observe", "square.npz"], "a file with distmat, query_ids, gallery_ids and exc",
               ["observe", "distmat.npz", "--higher-is-better"]),
    "a run": (["observe", "run.json"], "(--qrels FILE)", ["observe", "run", *LISTS]),
    "searched": (["observe", "run", *LISTS[:2]], "(--searched)", ["observe", "run", *LISTS]),
    "arr_0": (["observe", "arr.npz"], "--embeddings-key and --labels-key",
              ["observe", "arr.npz", "--embeddings-key", "arr_0", "--labels-key", "arr_1"]),
    "names": (["observe", "texts.npz"], "as the array classes of",
              ["observe", "named.npz"]),
    "decimals": (["observe", "commas.csv"], "with a point before decimals",
                 ["observe", "points.csv"]),
    "2.000": (["extend", "k.csv", "--classes", "9"], "must be 2000 or 2, without a point",
              ["extend", "k1.csv", "--classes", "9,000"]),
    "metric": (["observe", "s.npz", "--metric", "cosine"], "leave out --metric",
               ["observe", "s.npz"]),
    "exists": (["convert", "s.npz", "named.npz"], "give --overwrite",
               ["convert", "s.npz", "named.npz", "--overwrite"]),
    "direction": (["observe", "far", *LISTS], "(--lower-is-better or --higher-is-better)",
                  ["observe", "far", *LISTS, "--lower-is-better"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ON_THE_COMMAND_LINE)
def test_what_a_command_proposes_is_taken(name, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file, given in FILES.items():
        np.savez(file, **given)
    for file, text in TEXTS.items():
        (tmp_path / file).write_text(text)
    (tmp_path / "run.json").write_text('{"q0": {"d0": 1}}')
    wrong, words, mended = ON_THE_COMMAND_LINE[name]
    status, _, err = run(*wrong)
    assert (status, words in err) == (2, True), err
    assert run(*mended)[::2] == (0, "")


def test_a_bare_array_becomes_the_file_that_the_sentence_makes(tmp_path, run):
    np.save(tmp_path / "x.npy", PHOTOS)
    np.save(tmp_path / "labels.npy", PEOPLE)
    err = run("observe", tmp_path / "x.npy")[2]
    code = err.split('python -c "')[1].split('"')[0]
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert run("observe", tmp_path / "faces.npz", "--out", tmp_path / "o")[0] == 0

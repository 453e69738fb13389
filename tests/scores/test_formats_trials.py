"""Verification trials against loops over their lines."""

import numpy as np
import pytest

from accuracy_curves import InputError, read_trials
from accuracy_curves.identification.rivals import cmc_from_roc

PEOPLE = ["ann", "ben", "cat"]
TESTS = [("t1", "ann"), ("t2", "cat"), ("t3", "zoe"), ("t4", "ben")]
SCORES = {
    (who, test): round(float(score), 6)
    for (who, test), score in zip(
        [(who, test) for who in PEOPLE for test, _ in TESTS],
        np.random.default_rng(0).normal(size=12),
        strict=True,
    )
}
MATRIX = [[SCORES[who, test] for who in PEOPLE] for test, _ in TESTS]
OWN = dict(TESTS)


def write(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def bob(fields=4):
    model = " model-7" if fields == 5 else ""
    return [f"{who}{model} {OWN[test]} {test} {s}" for (who, test), s in SCORES.items()]


def targets():
    return [f"{who} {test} {'target' if OWN[test] == who else 'nontarget'}" for who, test in SCORES]


def check(trials, sign=1):
    same = [OWN[test] == who for who, test in SCORES]
    scores = sign * np.array(list(SCORES.values()))
    np.testing.assert_array_equal(trials.genuine, scores[same])
    np.testing.assert_array_equal(trials.impostor, scores[~np.array(same)])


@pytest.mark.parametrize("fields", [4, 5])
def test_bob(tmp_path, fields):
    trials = read_trials(write(tmp_path / "scores-dev", bob(fields)), "bob")
    check(trials)
    full = trials.gallery_scores()
    assert (full.scores.tolist(), full.labels.tolist()) == (MATRIX, [0, 2, -1, 1])
    assert (full.identities.tolist(), trials.gap) == (PEOPLE, "")


def test_kaldi_in_two_files_in_any_order_and_in_one(tmp_path):
    scores = [f"{who} {test}   {s}" for (who, test), s in SCORES.items()]
    path = write(tmp_path / "scores", scores)
    shuffled = [targets()[i] for i in np.random.default_rng(1).permutation(12)]
    two = read_trials(path, "kaldi", targets=write(tmp_path / "trials", shuffled))
    lines = [f"{line}\t{s}" for line, s in zip(targets(), SCORES.values(), strict=True)]
    one = read_trials(write(tmp_path / "one", lines), "kaldi")
    for trials in (two, one):
        check(trials)
        assert trials.gallery_scores().scores.tolist() == MATRIX
        assert trials.gallery_scores().labels.tolist() == [0, 2, -1, 1]


def test_distances_are_negated_for_pooled_methods_and_stay_in_the_matrix(tmp_path):
    path = write(tmp_path / "scores-dev", bob())
    trials = read_trials(path, "bob", higher_is_better=False)
    check(trials, sign=-1)
    assert trials.gallery_scores().scores.tolist() == MATRIX
    assert not trials.gallery_scores().higher_is_better


def test_several_models_of_a_person(tmp_path):
    lines = bob(5) + [line.replace("model-7", "model-8") + "5" for line in bob(5)]
    path = write(tmp_path / "scores-dev", lines)
    assert read_trials(path, "bob").gap.startswith(f"{path}: line 13: the probe 't1' has a second")
    best = read_trials(path, "bob", several="best").gallery_scores().scores
    longer = np.array([[float(f"{score}5") for score in row] for row in MATRIX])
    np.testing.assert_array_equal(best, np.maximum(MATRIX, longer))


def test_a_list_that_is_no_matrix_serves_pooled_methods_only(tmp_path):
    path = write(tmp_path / "scores-dev", bob()[:-1])
    trials = read_trials(path, "bob")
    assert (len(trials.genuine), len(trials.impostor), trials.full) == (3, 8, None)
    assert 0 <= cmc_from_roc(trials.genuine, trials.impostor, 100)[0] <= 1
    with pytest.raises(InputError) as caught:
        trials.gallery_scores()
    assert str(caught.value) == (
        f"{path}: the probe 't4' has no score for the identity 'cat': 11 of 12 pairs are there, "
        "and a score matrix needs all. Only methods that pool genuine and impostor scores can "
        "use such a list (accuracy_curves.PooledScores)"
    )


@pytest.mark.parametrize(
    ("lines", "layout", "sentence"),
    [
        (["a a p 1", "b a p x"], "bob", r"line 2: score is 'x': every score must be a finite num"),
        (["a a p 1", "b a p nan"], "bob", r"line 2: score is 'nan': every score must be a finite"),
        (["a a p 1", "b a p"], "bob", r"line 2: score is empty: every score must be a finite num"),
        (["a a p 1", "b a p 1 2"], "bob", r"is not a table: Expected 4 fields in line 2, saw 5"),
        (["a a p"], "bob", r"line 1 has 3 fields where 4 are expected: claimed_id, real_id, test_"),
        (["a a p 1", "b b q 1"], "bob", r"all trials are genuine ones: both are needed"),
        (["a b p 1", "b a q 1"], "bob", r"all trials are impostor ones: both are needed"),
        (["a p target 1", "b p non 2"], "kaldi", r"line 2: target is 'non': it must be target or"),
        (["a p 1", "b p 2"], "kaldi", r"line 1 has 3 fields where 4 are expected: enrol, test, ta"),
    ],
)  # fmt: skip
def test_each_fault_is_one_sentence_with_its_line(tmp_path, lines, layout, sentence):
    path = write(tmp_path / "scores", lines)
    with pytest.raises(InputError, match=sentence) as caught:
        read_trials(path, layout)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("scores", "trials", "sentence"),
    [
        (["a p 1", "c p 2"], ["a p target", "b p nontarget"], r"scores: line 2: this trial is not"),
        (["a p 1"], ["a p target", "b p nontarget"], r"trials: line 2: this trial has no score in"),
        (["a p 1"], ["a p target", "a p target"], r"trials: line 2: this trial stands there twice"),
        (["a p 1", "b p 2"], ["a p target", "b p other"], r"trials: line 2: target is 'other'"),
        (["a p 1", "b p 2"], ["a p", "b p"], r"trials: line 1 has 2 fields where 3 are expected"),
    ],
)  # fmt: skip
def test_two_files_that_disagree(tmp_path, scores, trials, sentence):
    path, key = write(tmp_path / "scores", scores), write(tmp_path / "trials", trials)
    with pytest.raises(InputError, match=sentence):
        read_trials(path, "kaldi", targets=key)


def test_options_that_cannot_be(tmp_path):
    path = write(tmp_path / "scores", bob())
    with pytest.raises(InputError, match="layout is 'nist': it must be one of bob, kaldi"):
        read_trials(path, "nist")
    with pytest.raises(InputError, match="a file of targets belongs to the layout kaldi"):
        read_trials(path, "bob", targets=path)
    with pytest.raises(InputError, match="several is 'worst'"):
        read_trials(path, "bob", several="worst")
    with pytest.raises(InputError, match="there is no file"):
        read_trials(tmp_path / "absent", "bob")

"""A file of photos compared with photos, as the commands read it."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import accuracy_curves as ac
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.cli.main import main

PEOPLE = np.append(np.repeat([f"p{i:02d}" for i in range(12)], 3), "lonely")


@pytest.fixture
def photos(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(13, 6)).repeat(3, axis=0)[:37] + 0.5 * rng.normal(size=(37, 6))
    path = tmp_path / "photos.npz"
    np.savez(path, scores=cdist(x, x), labels=PEOPLE, higher_is_better=False)
    return path


COMMANDS = {
    "predict": ["--classes", "20", "--splits", "0", "--method", "gaussian_tail"],
    "observe": [],
    "plan": ["--classes", "20", "--width", "0.1", "--method", "regression"],
    "identify": ["--gallery-size", "20", "--splits", "3", "--method", "binomial"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_ask_for_a_gallery_and_take_it(command, photos, tmp_path, capsys):
    words = [command, str(photos), *COMMANDS[command]]
    words += ["--out", str(tmp_path / "out")]
    with pytest.raises(SystemExit):
        main(words)
    said = capsys.readouterr().err
    assert "rows and columns seem to be the same 37 photos" in said
    assert said.endswith("or give it to predict, observe, plan or identify with --gallery first\n")
    with pytest.raises(SystemExit, match=r"^0$"):
        main([*words, "--gallery", "first"])
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert (
        "hotos were compared with photos: scores are those for the first photo of a class" in page
    )
    assert "eople with too few photos are left out: 1, such as " in page


def test_the_rule_makes_the_scores(photos):
    given = {"gallery": "nearest", "gallery_photos": 2, "points_per_class": 1}
    found = load_input(photos, ac.ScoreMatrix, **given, seed=5)
    scores = np.load(photos)["scores"]
    expected = ac.score_photos(scores, PEOPLE, **given, higher_is_better=False, seed=5)
    np.testing.assert_array_equal(found.matrix.scores, expected.scores)
    assert not found.embedded


def test_options_of_embeddings_are_refused(photos, tmp_path):
    with pytest.raises(ac.InputError, match="holds scores and not embeddings: leave out --metric"):
        load_input(photos, ac.ScoreMatrix, gallery="first", metric="cosine")
    path = tmp_path / "scores.npz"
    ac.save_scores(ac.ScoreMatrix(np.eye(4, 3), [0, 1, 2, 0]), path)
    with pytest.raises(ac.InputError, match="leave out --gallery"):
        load_input(path, ac.ScoreMatrix, gallery="first")

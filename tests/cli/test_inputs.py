import numpy as np
import pytest

from accuracy_curves import InputError, ScoreMatrix, save_scores
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.extrapolators.wrong_names import look_for_wrong_names
from accuracy_curves.scores.files import read_file
from accuracy_curves.scores.formats.base import Source
from conftest import simulated

LABELS = np.repeat([f"p{i:02d}" for i in range(12)], 4)


@pytest.fixture
def faces(tmp_path):
    rng = np.random.default_rng(1)
    embeddings = rng.normal(size=(12, 6)).repeat(4, axis=0) + 0.5 * rng.normal(size=(48, 6))
    # A person with one photo has no gallery.
    labels = np.append(LABELS, "lonely")
    path = tmp_path / "faces.npz"
    np.savez(path, embeddings=np.vstack([embeddings, np.zeros(6)]), person=labels)
    return path


def test_how_embeddings_became_scores_is_said(faces, tmp_path, run):
    given = {"labels_key": "person", "gallery": "nearest", "gallery_photos": 2, "metric": "cosine"}
    loaded = load_input(faces, ScoreMatrix, **given, pca=4, points_per_class=1)
    (said,), (left_out,) = loaded.origin, loaded.left_out
    assert said == (
        "scores are cosine distances from the nearest of 2 of the photos of a class, drawn at "
        "random, after a PCA to 4 dimensions; at most 1 of the others are data points"
    )
    assert str(left_out).startswith("people with too few photos are left out: 1, such as ")
    run("observe", faces, "--labels-key", "person", "--out", tmp_path / "o")
    (said,) = load_input(faces, ScoreMatrix, labels_key="person").origin
    assert f"<p>S{said[1:]}.<" in (tmp_path / "o/report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("where", ["first", "last"])
@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_embeddings_of_a_table_are_those_of_an_npz_file(faces, tmp_path, kind, where):
    pd = pytest.importorskip("pandas")
    with np.load(faces) as stored:
        table = pd.DataFrame(stored["embeddings"]).rename(columns=str)
        table.insert(0 if where == "first" else 6, "who", stored["person"])
    table.to_csv(tmp_path / f"f.{kind}", index=False, sep={"csv": ",", "tsv": "\t"}[kind])
    loaded = load_input(tmp_path / f"f.{kind}", ScoreMatrix)
    expected = load_input(faces, ScoreMatrix, labels_key="person")
    np.testing.assert_allclose(loaded.matrix.scores, expected.matrix.scores, rtol=1e-6)
    assert loaded.matrix.classes.tolist() == expected.matrix.classes.tolist()
    assert loaded.origin == expected.origin


def test_a_table_whose_names_are_columns_has_scores(tmp_path):
    for table in ("label,a,b,c,d\nx,1,2,3,4\nb,1,2,3,4\n", "label,a,b,c,d\n7,1,2,3,4\n"):
        (tmp_path / "s.csv").write_text(table)
        with pytest.raises(InputError, match=r"row 0 is '[x7]', which is not a column"):
            load_input(tmp_path / "s.csv", ScoreMatrix)


def test_pairs_with_more_columns_are_no_embeddings(tmp_path):
    head = "probe,identity,score,mate,session,device"
    rows = [f"{p},{i},{p * i},{str(p == i).lower()},1,2" for p in range(4) for i in range(4)]
    (tmp_path / "s.csv").write_text("\n".join([head, *rows]))
    with Source(tmp_path / "s.csv") as source:
        assert read_file(source, "embeddings", "searches").searches


def test_copies_are_named_by_photo_and_person_and_junk_is_left_out(tmp_path, run):
    rng = np.random.default_rng(1)
    photos, names = rng.normal(size=(90, 6)), np.repeat(np.arange(30), 3)
    photos[[7, 50]] = photos[[3, 51]]
    photos[[1, 40, 80]] = 0  # These failed.
    names[60:70] = -1
    np.savez(tmp_path / "f.npz", embeddings=photos, labels=names)
    _, out, _ = run("observe", tmp_path / "f.npz", "--out", tmp_path / "o")
    assert "photos that are copies: 2 (the first: row 7, of 2, of row 3, of 1)" in out
    page = (tmp_path / "o" / "report.html").read_text(encoding="utf-8")
    assert "; 10 photos of the label -1 are left out" in page
    found = load_input(tmp_path / "f.npz", ScoreMatrix)
    assert -1 not in found.matrix.classes


def test_what_does_not_belong_together(faces, tmp_path):
    with pytest.raises(InputError, match="holds embeddings, whose scores are distances"):
        load_input(faces, ScoreMatrix, higher_is_better=True, labels_key="person")
    with pytest.raises(InputError, match="has no array 'labels'"):
        load_input(faces, ScoreMatrix)
    save_scores(simulated(5, 2), tmp_path / "scores.npz")
    with pytest.raises(InputError, match="holds scores and not embeddings: leave out --points-p"):
        load_input(tmp_path / "scores.npz", ScoreMatrix, points_per_class=1)


def mixed_up(tmp_path):
    """Faces of 80 people, one photo of which has a wrong name: embeddings, scores, and the row."""
    rng = np.random.default_rng(2)
    people = np.array([f"p{i:02d}" for i in range(80)]).repeat(4)
    faces = rng.normal(size=(80, 24)).repeat(4, axis=0) + 0.3 * rng.normal(size=(320, 24))
    order = rng.permutation(320)
    people, faces = people[order], faces[order]
    row = int(np.flatnonzero(people == "p07")[-1])
    people[row] = "p31"
    np.savez(tmp_path / "faces.npz", embeddings=faces, labels=people)
    return row


def test_wrong_names_are_written_as_rows_of_the_file(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    row, seed = mixed_up(tmp_path), 0
    words = ("--classes", 400, "--method", "auto", "--splits", 0, "--out", "o")
    found = load_input(tmp_path / "faces.npz", ScoreMatrix, gallery="random", seed=seed)
    names = look_for_wrong_names(found.matrix)
    (first, *_), (pair, *_) = names.table["row"], names.table[["name", "looks_like"]].values
    assert (first, *pair) == (row, "p31", "p07")
    given = ("predict", "faces.npz", "--gallery", "random", "--seed", seed, *words)
    status, out, err = run(*given)
    assert (status, err) == (0, "")
    assert f"(the first: row {row}, of p31, looks like p07)" in out
    written = (tmp_path / "o" / "wrong_names.csv").read_text(encoding="utf-8").splitlines()
    assert written == ["row,name,looks_like,wrong", f"{row},p31,p07,point"]
    save_scores(simulated(40, 2, variance=0.3), tmp_path / "faces.npz")
    status, out, err = run("predict", "faces.npz", *words, "--overwrite")
    assert (status, err) == (0, "")
    assert "wrong_names.csv" not in out
    assert not (tmp_path / "o" / "wrong_names.csv").exists()

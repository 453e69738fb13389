import numpy as np
import pytest

from accuracy_curves import InputError, save_scores
from accuracy_curves.cli.inputs import load_input, read_groups
from accuracy_curves.cli.main import main
from accuracy_curves.scores.gallery import GalleryRule
from conftest import simulated
from experiments.datasets.embeddings_file import EmbeddingsFile

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


def write_groups(path, names):
    lines = [f"{name},{'north' if j % 2 else 'south'}" for j, name in enumerate(names)]
    path.write_text("class,group\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_embeddings_are_scored_by_the_gallery_rule(faces):
    given = {"labels_key": "person", "gallery": "centroid", "metric": "cosine", "pca": 4}
    found = load_input(faces, embedding=given, seed=5)
    expected = EmbeddingsFile(path=faces, **given).distance_matrix(5).stored()
    np.testing.assert_array_equal(found.matrix.scores, expected.scores)
    np.testing.assert_array_equal(found.matrix.labels, expected.labels)
    assert found.names == sorted(set(LABELS))
    assert found.groups is None


def test_how_embeddings_became_scores_is_said(faces, tmp_path, capsys):
    given = {"labels_key": "person", "gallery": "nearest", "gallery_size": 2, "metric": "cosine"}
    (said,) = load_input(faces, embedding=given | {"pca": 4, "points_per_class": 1}).said
    assert said == (
        "scores are cosine distances from the nearest of 2 of the photos of a class, drawn at "
        "random, after a PCA to 4 dimensions; at most 1 of the others are data points; 1 of 13 "
        "classes is left out: too few photos for a gallery and a data point"
    )
    (said,) = load_input(faces, embedding={"labels_key": "person"}).said
    assert said.startswith("scores are euclidean distances from one random photo of a class; 1 of")
    assert (
        GalleryRule(gallery="centroid")
        .described()
        .endswith("from the mean of 50 % of the photos of a class, drawn at random")
    )
    assert GalleryRule(gallery="first").described().endswith("from the first photo of a class")
    for command in (
        ["predict", "--classes", "20", "--splits", "0", "--method", "gaussian_tail"],
        ["observe"],
        ["plan", "--classes", "20", "--accuracy-width", "0.1", "--method", "regression"],
    ):
        out = [] if command[0] == "plan" else ["--out", str(tmp_path / command[0])]
        with pytest.raises(SystemExit):
            main([command[0], str(faces), "--labels-key", "person", *command[1:], *out])
        assert said in capsys.readouterr().out.splitlines()
    page = (tmp_path / "predict" / "report.html").read_text(encoding="utf-8")
    assert f'<p class="source">S{said[1:]}.</p>' in page


def test_scores_of_a_file_need_no_explanation(tmp_path):
    save_scores(simulated(5, 2), tmp_path / "scores.npz")
    assert load_input(tmp_path / "scores.npz").said == []


def test_groups_of_embeddings_by_their_labels(faces, tmp_path):
    groups = write_groups(tmp_path / "groups.csv", [*sorted(set(LABELS), reverse=True), "another"])
    found = load_input(faces, embedding={"labels_key": "person"}, groups=groups)
    assert found.groups.tolist() == ["north", "south"] * 6


def test_groups_of_scores_by_column_by_name_and_from_the_file(tmp_path):
    matrix = simulated(5, 2)
    save_scores(matrix, tmp_path / "scores.npz")
    groups = write_groups(tmp_path / "columns.csv", range(5))
    found = load_input(tmp_path / "scores.npz", groups=groups)
    assert found.names == ["0", "1", "2", "3", "4"]
    assert found.groups.tolist() == ["south", "north", "south", "north", "south"]
    lines = [",".join(["label", *"vwxyz"])]
    lines += [
        ",".join(["vwxyz"[c], *map(str, row)])
        for c, row in zip(matrix.labels, matrix.scores, strict=True)
    ]
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    groups = write_groups(tmp_path / "named.csv", "zyxwv")
    found = load_input(tmp_path / "scores.csv", groups=groups)
    assert found.names == list("vwxyz")
    assert found.groups.tolist() == ["south", "north", "south", "north", "south"]
    stored = {"scores": matrix.scores, "labels": matrix.labels, "higher_is_better": False}
    np.savez(tmp_path / "with.npz", **stored, groups=[1, 1, 2, 2, 2])
    assert load_input(tmp_path / "with.npz").groups.tolist() == ["1", "1", "2", "2", "2"]
    np.savez(tmp_path / "short.npz", **stored, groups=[1, 1])
    with pytest.raises(InputError, match=r"the array groups has shape \(2,\)"):
        load_input(tmp_path / "short.npz")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,group\n0,a\n", "class,group"),
        ("class,group\n0,a\n0,b\n", "line 3"),
        ("class,group\n0,\n", "line 2"),
        ("class,group\n0,a,b\n", "Expected 2 fields"),
        ("class,group\n0,a\n", "'1'"),
        ("class,group\n0,\udcff\n", "UTF-8"),
    ],
)
def test_bad_groups_are_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "groups.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=sentence):
        read_groups(path, ["0", "1"])
    with pytest.raises(InputError, match="there is no file"):
        read_groups(tmp_path / "none.csv", ["0"])


def test_what_does_not_belong_together(faces, tmp_path):
    with pytest.raises(InputError, match="holds embeddings, whose scores are distances"):
        load_input(faces, higher_is_better=True, embedding={"labels_key": "person"})
    with pytest.raises(InputError, match="has no array 'labels'"):
        load_input(faces)
    save_scores(simulated(5, 2), tmp_path / "scores.npz")
    with pytest.raises(InputError, match="holds scores and not embeddings: leave out --gallery-si"):
        load_input(tmp_path / "scores.npz", embedding={"gallery_size": 0.5})


def test_predict_from_embeddings_with_groups(faces, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    groups = write_groups(tmp_path / "groups.csv", sorted(set(LABELS)))
    status, out, err = run(
        "predict", faces, "--classes", 40, "--method", "gaussian_tail", "--splits", 0,
        "--labels-key", "person", "--gallery", "nearest", "--groups", groups,
    )  # fmt: skip
    assert (status, err) == (0, "")
    assert "24 points, k1 = 12 classes" in out
    assert "groups north, south: exchangeable? permutation p = " in out
    page = (tmp_path / "faces_predict" / "report.html").read_text(encoding="utf-8")
    assert "north (6), south (6)" in page
    status, out, _ = run("observe", faces, "--labels-key", "person", "--points-per-class", 1)
    assert (status, out.splitlines()[0].split(";")[0]) == (0, "12 points, 12 classes")
    status, _, err = run("observe", faces, "--labels-key", "person", "--metric", "l1")
    assert status == 2
    assert "metric is 'l1': it must be one of euclidean" in err

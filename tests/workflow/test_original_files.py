"""Original files: fetched once, put there by hand, or absent; on files of the exact formats."""

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile

import numpy as np
import pandas as pd
import pytest
import yaml
from PIL import Image

from accuracy_curves.scores.files import load_scores
from accuracy_curves.utils.seeds import derive_seed
from cifar_files import cifar_batch, write_cifar100
from conftest import ROOT
from experiments.datasets import make_dataset
from experiments.datasets.downloads.sources import downloads, input_files
from experiments.figures import make_figure
from misbehaving import misbehaving_server
from omniglot_files import write_omniglot
from presets import PRESETS, checked, read, shipped
from running import planned, snakemake
from vgg16_files import write_vgg16
from vim1_files import write_vim1

PRESET = PRESETS / "originals.yaml"
PAPER = shipped("paper")
ARCHIVE = "cifar-100-python.tar.gz"
WEIGHTS = "vgg16_weights_tf_dim_ordering_tf_kernels_notop.h5"
DEAD = "http://127.0.0.1:9/{file}"
USER, PASSWORD = "ada", "pa$s w&rd"


@pytest.fixture(scope="module")
def server():
    with misbehaving_server() as running:
        yield running


def known(paths):
    """What the table says of files."""
    return {
        path.name: {
            "size": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in paths
    }


def entry(title, url, paths, **more):
    return {"title": title, "urls": [url], "files": known(paths), **more}


def environment(folder, table):
    """That of a run, with its own table of sources."""
    path = folder / "table.yaml"
    path.write_text(yaml.safe_dump(table))
    account = {"CRCNS_USER": USER, "CRCNS_PASSWORD": PASSWORD}
    return os.environ | account | {"ACCURACY_CURVES_SOURCES": str(path)}


def write_people(path):
    """An archive of four people with two black photos each: no face is found in them."""
    packed = io.BytesIO()
    Image.new("RGB", (250, 250)).save(packed, "JPEG")
    with tarfile.open(path, "w:gz") as archive:
        for person in ("Ann", "Bob", "Cat", "Dan"):
            for number in (1, 2):
                member = tarfile.TarInfo(f"lfw/{person}/{person}_{number:04d}.jpg")
                member.size = len(packed.getvalue())
                archive.addfile(member, io.BytesIO(packed.getvalue()))


class Run:
    """A folder in which the preset ran once with `--keep-going`, and what came out."""

    def __init__(self, folder, server):
        self.folder, self.server = folder, server
        self.results = folder / "results/originals"
        self.made = folder / "made"
        self.made.mkdir()
        write_vim1(self.made)
        write_people(self.made / "lfw.tgz")
        for seed, name in enumerate(("images_background.zip", "images_evaluation.zip")):
            write_omniglot(self.made / name, {"Latin": 4, "Greek": 3}, drawings=4, seed=seed)
        for name in ("a.csv", "b.csv", "c.csv"):
            (self.made / name).write_text(name)
        server.files |= {path.name: path.read_bytes() for path in self.made.iterdir()}
        url = server.url("file/{file}")
        table = {
            "lfw": entry("Faces", url, [self.made / "lfw.tgz"]),
            "openface": entry("OpenFace", url, sorted(self.made.glob("*.csv"))),
            "vim1": entry(
                "vim-1",
                server.url("account/{file}"),
                sorted(self.made.glob("*.mat")),
                account="CRCNS",
                register="https://crcns.org/request-account",
                form={"fn": "{file}", "submit": "Login"},
            ),
            "omniglot": entry("Omniglot", DEAD, sorted(self.made.glob("*.zip"))),
        }
        self.environment = environment(folder, table)
        (folder / "data/openface").mkdir(parents=True)
        os.link(self.made / "b.csv", folder / "data/openface/b.csv")  # By hand.
        self.first = self.go("--cores", "2", "--keep-going", check=False)

    def go(self, *words, **options):
        return snakemake(
            self.folder, *words, preset=PRESET, environment=self.environment, **options
        )


@pytest.fixture(scope="module")
def run(tmp_path_factory, server):
    return Run(tmp_path_factory.mktemp("originals"), server)


def test_a_file_is_fetched_once_and_one_put_by_hand_never(run):
    for name, times in (("lfw.tgz", 1), ("openface/a.csv", 1), ("openface/b.csv", 0)):
        file = name.split("/")[-1]
        assert (run.folder / "data" / name).read_bytes() == run.server.files[file]
        assert run.server.count(f"file/{file}") == times
    assert run.server.count("account/Stimuli.mat") == 1


def test_what_cannot_be_fetched_fails_alone_with_its_sentence(run):
    assert run.first.returncode != 0
    (log,) = (run.results / "logs/download").glob("*_images_background.log")
    sentence = log.read_text().strip().splitlines()[-1]
    assert "images_background.zip of Omniglot" in sentence
    assert "by hand at data/images_background.zip" in sentence
    assert sentence in run.first.stderr
    assert not list((run.folder / "data").glob("images_*"))
    assert not (run.results / "scores/omniglot.npz").exists()
    assert (run.results / "errors/kay/k1_20.parquet").exists()
    # Black photos have no face, and without dlib nobody looks for one.
    (log,) = (run.results / "logs").glob("*/lfw*.log")
    assert "0 people with two photos" in log.read_text() or "needs dlib" in log.read_text()


def test_the_workflow_scores_as_the_library(run):
    options = read(PRESET)["experiments"]["kay"]["dataset"]
    expected = make_dataset(data_dir=run.made, **options)
    found = load_scores(run.results / "scores/kay.npz")
    seed = derive_seed(5, "kay", "data set")
    np.testing.assert_array_equal(found.scores, expected.score_matrix(seed).scores)


def test_the_password_is_written_nowhere(run):
    for path in run.folder.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path
    assert PASSWORD not in run.first.stdout + run.first.stderr


LEAVE_OUT = ("--config", "absent=leave_out")


def test_tables_and_figures_are_made_without_what_is_absent(run):
    (run.folder / "data/lfw.tgz").unlink()
    done = run.go("--cores", "2", *LEAVE_OUT)
    for label, file in (
        ("LFW", "lfw.tgz is"),
        ("Omniglot", "images_background.zip and 1 more are"),
    ):
        assert f"{label} is left out: {file} not in data" in done.stderr
    assert set(pd.read_csv(run.results / "summary.csv")["experiment"]) == {"kay"}
    figures = run.folder / "figures/originals"
    assert sorted(str(path.relative_to(figures)) for path in figures.rglob("*.png")) == [
        "boxplots/figure2.png",
        "comparison/figure3.png",
    ]


def test_a_file_put_by_hand_afterwards_joins_in(run):
    for name in ("images_background.zip", "images_evaluation.zip"):
        os.link(run.made / name, run.folder / "data" / name)
    (run.folder / "data/Stimuli.mat").touch()
    plan = planned(run.folder, *LEAVE_OUT, preset=PRESET, environment=run.environment)
    assert not [name for name in plan if name.startswith("download_")]
    # Omniglot's alone: Kay's files are younger, but the same.
    assert (plan["score"], plan["summarise"], plan["draw"]) == (1, 1, 3)


@pytest.mark.slow
def test_a_wrong_file_put_by_hand_is_refused_before_it_is_used(run):
    path = run.folder / "data/images_background.zip"
    path.unlink(missing_ok=True)
    path.write_bytes(b"<html>please log in</html>")
    (run.folder / "data/images_evaluation.zip").touch()
    words = ("--cores", "1", *LEAVE_OUT, "--", "results/originals/scores/omniglot.npz")
    done = run.go(*words, check=False)
    assert done.returncode != 0
    assert "the file data/images_background.zip has 26 bytes" in done.stderr
    assert path.exists()


def test_images_go_from_the_archive_to_scores(tmp_path, server):
    made = tmp_path / "made"
    made.mkdir()
    rng = np.random.default_rng(1)
    train = cifar_batch(101, rng)
    train["fine_labels"] = rng.permutation(np.arange(101) % 100).tolist()
    write_cifar100(made / ARCHIVE, n_test=5, train=train)
    write_vgg16(made / WEIGHTS)
    server.files[ARCHIVE] = (made / ARCHIVE).read_bytes()
    table = {
        "cifar100": entry("CIFAR-100", server.url("file/{file}"), [made / ARCHIVE]),
        "vgg16": entry("VGG-16", DEAD, [made / WEIGHTS]),
    }
    (tmp_path / "data").mkdir()
    os.link(made / WEIGHTS, tmp_path / "data" / WEIGHTS)  # By hand.
    preset = {key: PAPER[key] for key in ("preset", "seed", "data_dir", "methods")}
    names = ("cifar100", "cifar100_nearest")
    preset["experiments"] = {name: PAPER["experiments"][name] for name in names}
    (tmp_path / "preset.yaml").write_text(yaml.safe_dump(preset))
    scores = [f"results/paper/scores/{name}.npz" for name in names]
    snakemake(
        tmp_path,
        *("--cores", "1", *scores),
        preset=tmp_path / "preset.yaml",
        environment=environment(tmp_path, table),
    )
    # Two galleries of the same embeddings.
    assert len([*(tmp_path / "results/paper/embeddings").iterdir()]) == 1
    # In a process of its own: TensorFlow may run here already, with other threads.
    code = (
        "import json, sys, numpy; from experiments.datasets import make_dataset; "
        "options = json.loads(sys.argv[2]).values(); "
        "data = [make_dataset(data_dir=sys.argv[1], **each['dataset']) for each in options]; "
        "numpy.save(sys.argv[3], [each.score_matrix(0).scores for each in data])"
    )
    options = json.dumps(preset["experiments"])
    command = (sys.executable, "-c", code, made, options, tmp_path / "expected.npy")
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "workflow")})
    for path, expected in zip(scores, np.load(tmp_path / "expected.npy"), strict=True):
        found = load_scores(tmp_path / path)
        assert found.scores.shape == (5, 100)
        np.testing.assert_array_equal(found.scores, expected)


def test_files_are_made_of_public_ones_and_what_has_none_is_left_out(tmp_path, server):
    """As `real` does: a table of correlations as R writes it, from a server, and no faces."""
    scores = np.random.default_rng(4).normal(size=(30, 30)).round(6)
    np.fill_diagonal(scores, 1.5)
    made = tmp_path / "FL_GSR_cor.csv"
    names = [f"V{1 + each}" for each in range(30)]
    pd.DataFrame(scores, columns=names).to_csv(made, index=False)
    server.files[made.name] = made.read_bytes()
    table = {"hcp_fingerprints": entry("HCP", server.url("file/{file}"), [made])}
    real = shipped("real")
    preset = {key: real[key] for key in ("preset", "seed", "data_dir", "absent")}
    preset |= {"repetitions": 2, "reference": "log_linear", "methods": {"log_linear": {}}}
    preset["experiments"] = {name: real["experiments"][name] for name in ("lfw", "hcp")}
    preset["experiments"]["hcp"] |= {"k1": [10], "k2": 30}
    preset["figures"] = {"boxplots": {"errors": {}}, "reversed_roc": {"x": {"experiment": "lfw"}}}
    (tmp_path / "preset.yaml").write_text(yaml.safe_dump(preset))
    run = {"preset": tmp_path / "preset.yaml", "environment": environment(tmp_path, table)}
    done = snakemake(tmp_path, "--cores", "1", **run)
    assert "after PCA 16 is left out: lfw_mobilefacenet.npz is not in data" in done.stderr
    found = load_scores(tmp_path / "results/real/scores/hcp.npz")
    np.testing.assert_array_equal(found.scores, scores.astype(np.float32))
    assert set(pd.read_csv(tmp_path / "results/real/summary.csv")["experiment"]) == {"hcp"}
    assert server.count("file/FL_GSR_cor.csv") == 1
    files = {path.relative_to(tmp_path).as_posix() for path in (tmp_path / "data").rglob("*.*")}
    assert files == {
        "data/hcp_fingerprint_scores.npz",
        "data/public/hcp_fingerprints/FL_GSR_cor.csv",
    }
    assert planned(tmp_path, **run) == {}


def fetches(preset):
    return downloads(preset.datasets[name] for name in preset.experiments)


def fetched(preset, folder, **changes):
    """How many files each job would fetch, by the file or folder that it is called after."""
    found = fetches(checked(preset, data_dir=str(folder), **changes))
    return {name.split("_", 1)[1]: len(files) for name, files in found.items()}


def test_what_shipped_presets_fetch_and_make_of_public_files(tmp_path):
    real = shipped("real")
    found = fetched(real, tmp_path)
    assert len(found) == len(real["experiments"])  # Omniglot has two files, LFW none.
    assert set(found.values()) == {1}
    (tmp_path / "omniglot_background.npz").touch()
    assert set(found) - set(fetched(real, tmp_path)) == {"omniglot_background"}
    out = checked(real, data_dir=str(tmp_path), absent="leave_out")
    assert out.experiments == {}
    assert "run it again with a network" in out.left_out["hcp"]
    account = checked(PAPER, data_dir=str(tmp_path), absent="leave_out").left_out["kay"]
    assert "set CRCNS_USER and CRCNS_PASSWORD of an account" in account
    paper = checked(PAPER, data_dir=str(tmp_path))
    assert len(input_files(paper.datasets["lfw"])) == 225
    found = fetched(PAPER, tmp_path)
    assert (found["lfw"], found["openface"], sum(found.values())) == (1, 224, 4 + 1 + 224)
    (tmp_path / "openface").mkdir()
    (tmp_path / "openface/dense_w.csv").touch()
    (tmp_path / "lfw.tgz").touch()
    del found["lfw"]
    assert fetched(PAPER, tmp_path) == {**found, "openface": 223}


def test_the_same_original_in_two_folders_is_two_downloads(tmp_path):
    preset = read(PRESET)
    dataset = {"kind": "omniglot", "paths": ["other/images_evaluation.zip"]}
    other = {**preset["experiments"]["omniglot"], "dataset": dataset}
    every = preset["experiments"] | {"other": other}
    found = fetches(checked(preset, data_dir=str(tmp_path), experiments=every))
    assert [path for files in found.values() for path in files if "evaluation" in path] == [
        f"{tmp_path}/images_evaluation.zip",
        f"{tmp_path}/other/images_evaluation.zip",
    ]


def test_figures_tables_and_groups_of_nothing_but_the_absent_show_nothing(tmp_path):
    preset = read(PRESET)
    one = {"dataset": {"kind": "simulation", "n_classes": 20}, "k1": [12], "k2": 20}
    shown = {"lfw": {"experiments": ["lfw"]}, "k1": {"k1": [3]}, "all": {}}
    toy = {"part": "model"}
    figures = {"curves": shown, "bivariate_normal": {"toy": toy}}
    found = checked(
        preset,
        data_dir=str(tmp_path),
        absent="leave_out",
        experiments=preset["experiments"] | {"one": one},
        figures=figures,
    )
    assert list(found.experiments) == ["one"]
    assert "EstimatedResponses.mat and 1 more are not in" in found.left_out["kay"]
    drawn = [
        name
        for kind, entries in found.config["figures"].items()
        for name, entry in entries.items()
        if make_figure(kind, entry).shows_anything(found)
    ]
    assert sorted(drawn) == ["all", "toy"]

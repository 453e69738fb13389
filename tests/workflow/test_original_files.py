"""Original files: fetched once, put there by hand, or absent; on files of the exact formats."""

import hashlib
import io
import os
import subprocess
import tarfile
import time

import numpy as np
import pandas as pd
import pytest
import yaml
from PIL import Image
from pipeline.preset.configuration import check_config
from pipeline.preset.missing_files import (
    conversions,
    downloads,
    embeddings,
    files_of,
    leave_out_absent,
)

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.scores.score_files import load_scores
from accuracy_curves.utils.seeds import derive_seed
from cifar_files import cifar_batch, write_cifar100
from conftest import ROOT
from experiments.datasets import make_dataset
from face_files import needs_dlib, real_faces, write_faces
from misbehaving import misbehaving_server
from omniglot_files import write_omniglot
from openface_files import write_openface
from running import command, snakemake
from vgg16_files import write_vgg16
from vim1_files import write_vim1

PRESET = ROOT / "tests/workflow/presets/originals.yaml"
PAPER = yaml.safe_load((ROOT / "config/paper.yaml").read_text())
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


def jobs(done):
    """Number of jobs of each rule in a plan."""
    rows = [line.split() for line in done.stdout.splitlines() + done.stderr.splitlines()]
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}


def test_a_file_is_fetched_once_and_one_put_by_hand_never(run):
    for name, times in (("lfw.tgz", 1), ("openface/a.csv", 1), ("openface/b.csv", 0)):
        file = name.split("/")[-1]
        assert (run.folder / "data" / name).read_bytes() == run.server.files[file]
        assert run.server.count(f"file/{file}") == times
    assert run.server.count("account/Stimuli.mat") == 1


def test_what_cannot_be_fetched_fails_alone_with_its_sentence(run):
    assert run.first.returncode != 0
    sentence = (
        (run.results / "logs/download/omniglot_images_background.log")
        .read_text()
        .strip()
        .splitlines()[-1]
    )
    assert sentence.startswith("could not download images_background.zip of Omniglot: 127.0.0.1")
    assert "put the file by hand at data/images_background.zip (from http://127" in sentence
    assert sentence in run.first.stderr
    assert not list((run.folder / "data").glob("images_*"))
    assert not (run.results / "scores/omniglot.npz").exists()
    assert (run.results / "errors/kay/k1_20.parquet").exists()
    # Black photos have no face, and without dlib nobody looks for one.
    log = (run.results / "logs/scores/lfw.log").read_text()
    assert "0 people with two photos in which a face is found" in log or "needs dlib" in log


def test_the_workflow_scores_as_the_library(run):
    options = yaml.safe_load(PRESET.read_text())["experiments"]["kay"]["dataset"]
    expected = make_dataset(data_dir=run.made, **options)
    found = load_scores(run.results / "scores/kay.npz")
    seed = derive_seed(5, "kay", "data set")
    np.testing.assert_array_equal(found.scores, expected.score_matrix(seed).scores)


def test_the_password_is_written_nowhere(run):
    for path in run.folder.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path
    assert PASSWORD not in run.first.stdout + run.first.stderr


def test_tables_and_figures_are_made_without_what_is_absent(run):
    done = run.go("--cores", "2", "--config", "absent=leave_out")
    said = done.stdout + done.stderr
    assert "Omniglot is left out: get images_background.zip and images_evaluation.zip" in said
    assert "LFW is left out: its files are there, its scores are not: see results/orig" in said
    summary = pd.read_csv(run.results / "summary.csv")
    assert set(summary["experiment"]) == {"kay"}
    figures = run.folder / "figures/originals"
    assert sorted(str(path.relative_to(figures)) for path in figures.rglob("*.png")) == [
        "boxplots/figure2.png",
        "comparison/figure3.png",
    ]
    origin = yaml.safe_load((run.results / "provenance.json").read_text())
    assert set(origin["config"]["left_out"]) == {"LFW", "Omniglot"}


def test_a_file_put_by_hand_afterwards_joins_in(run):
    for name in ("images_background.zip", "images_evaluation.zip"):
        os.link(run.made / name, run.folder / "data" / name)
    (run.folder / "data/Stimuli.mat").touch()
    planned = jobs(run.go("--dry-run"))
    assert not [name for name in planned if name.startswith("download_")]
    assert planned["score"] == 2  # LFW's and Omniglot's: Kay's files are younger, but the same.
    assert planned["summarise"] == planned["draw_comparison"] == 1
    assert planned["draw_reversed_roc"] == 1


@pytest.mark.slow
def test_a_wrong_file_put_by_hand_is_refused_before_it_is_used(run):
    path = run.folder / "data/images_background.zip"
    path.unlink(missing_ok=True)
    path.write_bytes(b"<html>please log in</html>")
    (run.folder / "data/images_evaluation.zip").touch()
    done = run.go("--cores", "1", "results/originals/scores/omniglot.npz", check=False)
    assert done.returncode != 0
    assert "the file data/images_background.zip has 26 bytes" in done.stderr
    assert path.exists()


def test_images_are_embedded_once_for_both_galleries(tmp_path, server):
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
    names = ("cifar100", "cifar100_nearest")
    preset = {key: PAPER[key] for key in ("preset", "seed", "data_dir", "methods")}
    preset["experiments"] = {name: PAPER["experiments"][name] for name in names}
    (tmp_path / "preset.yaml").write_text(yaml.safe_dump(preset))
    snakemake(
        tmp_path,
        *("--cores", "1", *(f"results/paper/scores/{name}.npz" for name in names)),
        preset=tmp_path / "preset.yaml",
        environment=environment(tmp_path, table),
    )
    (embedded,) = (tmp_path / "results/paper/embeddings").glob("*.npz")
    for name in names:
        dataset = make_dataset(data_dir=made, **preset["experiments"][name]["dataset"])
        with np.load(embedded) as arrays:
            expected = dataset.scores_of(dict(arrays), 0)
        found = load_scores(tmp_path / f"results/paper/scores/{name}.npz")
        assert found.scores.shape == (5, 100)
        np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.slow
def test_a_download_that_is_stopped_leaves_nothing(tmp_path, server):
    files = {"lfw.tgz": {"size": 1 << 20}}
    table = {"lfw": {"title": "Faces", "urls": [server.url("stalls/{file}")], "files": files}}
    data = tmp_path / "data"
    with (tmp_path / "said.log").open("w") as said:
        running = subprocess.Popen(
            command(tmp_path, "--cores", "1", "data/lfw.tgz", preset=PRESET),
            cwd=tmp_path,
            env=environment(tmp_path, table),
            stdout=said,
            stderr=said,
        )
    end = time.monotonic() + 200
    while not list(data.glob(".lfw.*")) and running.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    assert list(data.glob(".lfw.*")), (tmp_path / "said.log").read_text()
    running.terminate()
    running.wait(timeout=100)
    while list(data.glob(".lfw.*")) and time.monotonic() < end:
        time.sleep(0.05)
    assert not list(data.rglob("*"))


@pytest.mark.slow
def test_real_faces_go_from_the_archive_to_the_figure(tmp_path, server):
    needs_dlib()
    if len(real_faces()) == 1:
        pytest.skip("scikit-image, which ships a second face, is not installed")
    write_faces(tmp_path / "made/lfw")
    with tarfile.open(tmp_path / "made/lfw.tgz", "w:gz") as archive:
        archive.add(tmp_path / "made/lfw", "lfw")
    write_openface(tmp_path / "made/openface")
    weights = sorted((tmp_path / "made/openface").iterdir())
    server.files |= {path.name: path.read_bytes() for path in [*weights, tmp_path / "made/lfw.tgz"]}
    table = {
        "lfw": entry("Faces", server.url("file/{file}"), [tmp_path / "made/lfw.tgz"]),
        "openface": entry("OpenFace", server.url("file/{file}"), weights),
    }
    preset = yaml.safe_load(PRESET.read_text())
    preset["experiments"] = {"lfw": preset["experiments"]["lfw"]}
    preset["figures"] = {"comparison": {"figure3": {}}}
    (tmp_path / "preset.yaml").write_text(yaml.safe_dump(preset))
    snakemake(
        tmp_path,
        *("--cores", "1"),
        preset=tmp_path / "preset.yaml",
        environment=environment(tmp_path, table),
    )
    assert load_matrix(tmp_path / "results/originals/scores/lfw.npz").n_classes == 4
    log = (tmp_path / "results/originals/logs/scores/lfw.log").read_text()
    assert "4 people have two that count" in log
    assert (tmp_path / "figures/originals/comparison/figure3.png").exists()


def test_files_are_made_of_public_ones_and_what_has_none_is_left_out(tmp_path, server):
    """As `real` does: a table of correlations as R writes it, from a server, and no faces."""
    scores = np.random.default_rng(4).normal(size=(30, 30)).round(6)
    np.fill_diagonal(scores, 1.5)
    made = tmp_path / "FL_GSR_cor.csv"
    names = [f"V{1 + each}" for each in range(30)]
    pd.DataFrame(scores, columns=names).to_csv(made, index=False)
    server.files[made.name] = made.read_bytes()
    table = {"hcp_fingerprints": entry("HCP", server.url("file/{file}"), [made])}
    real = yaml.safe_load((ROOT / "config/real.yaml").read_text())
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
    assert jobs(snakemake(tmp_path, "--dry-run", **run)) == {}


def test_what_real_fetches_and_leaves_out(tmp_path):
    real = yaml.safe_load((ROOT / "config/real.yaml").read_text()) | {"data_dir": str(tmp_path)}
    config = check_config(real)
    kept = leave_out_absent(config, tmp_path / "results")
    assert list(kept["left_out"]) == ["LFW, MobileFaceNet after PCA 16"]
    assert len(conversions(kept)) == len(kept["experiments"]) + 1  # Omniglot has two files.
    assert not downloads(kept)
    (tmp_path / "omniglot_background.npz").touch()
    assert "omniglot_background.npz" not in conversions(kept)
    assert "omniglot_evaluation.npz" in conversions(kept)
    without = leave_out_absent({**config, "absent": "leave_out"}, tmp_path / "results")
    assert without["experiments"] == {}
    assert "without absent=leave_out it is fetched" in without["left_out"]["HCP fingerprints"]
    with pytest.raises(InputError, match=r"lfw_mobilefacenet.npz, which is not there"):
        check_config({**real, "absent": "make"})
    with pytest.raises(InputError, match="brace"):
        conversions(check_config({**real, "data_dir": str(tmp_path / "{x}")}))


def test_what_the_paper_preset_fetches(tmp_path):
    paper = check_config({**PAPER, "data_dir": str(tmp_path)})
    vim1 = {"vim1_EstimatedResponses": 1, "vim1_Stimuli": 1}
    fetched = {download.name: len(download.files) for download in downloads(paper)}
    assert fetched == {"cifar100": 1, "vgg16": 1, "lfw": 1, "openface": 224} | vim1
    assert list(embeddings(paper).values()) == ["cifar100"]
    before = files_of(paper, "lfw")
    assert [len(files) for files in before] == [0, 225]
    (tmp_path / "openface").mkdir()
    (tmp_path / "openface/dense_w.csv").touch()
    (tmp_path / "lfw.tgz").touch()
    fetched = {download.name: len(download.files) for download in downloads(paper)}
    assert fetched == {"cifar100": 1, "vgg16": 1, "openface": 223} | vim1
    assert files_of(paper, "lfw") == before


def test_the_same_original_in_two_folders_is_two_downloads(tmp_path):
    config = yaml.safe_load(PRESET.read_text()) | {"data_dir": str(tmp_path)}
    omniglot = config["experiments"]["omniglot"]
    elsewhere = {"kind": "omniglot", "paths": ["other/images_evaluation.zip"]}
    config["experiments"]["other"] = {**omniglot, "dataset": elsewhere}
    names = [download.name for download in downloads(check_config(config))]
    assert names[-3:] == [
        "omniglot_images_background",
        "omniglot_images_evaluation",
        "omniglot_images_evaluation_2",
    ]


def test_figures_and_tables_of_nothing_but_the_absent_are_left_out(tmp_path):
    config = yaml.safe_load(PRESET.read_text()) | {"data_dir": str(tmp_path)}
    simulated = {"kind": "simulation", "n_classes": 20}
    config["experiments"]["one"] = {"dataset": simulated, "k1": [10], "k2": 20}
    config["figures"]["curves"] = {"absent": {"experiments": ["lfw"]}, "k1": {"k1": [3]}, "all": {}}
    config["figures"]["bivariate_normal"] = {"toy": {"part": "model"}}
    config["figures"]["comparison"] = {
        "figure3": {"experiments": ["lfw", "kay"]},
        "both": {"experiments": ["kay", "one"]},
    }
    config["tables"] = {"all": {"printed": {"lfw": {"k1": 3}, "one": {"k1": 10}}}}
    config["standings"] = {"groups": {"absent": {"experiments": ["lfw"]}, "all": {}}}
    checked = check_config({**config, "absent": "leave_out"})
    kept = leave_out_absent(checked, tmp_path / "results")
    assert list(kept["experiments"]) == ["one"]
    assert list(kept["figures"]["curves"]) == ["all"]
    assert list(kept["figures"]["bivariate_normal"]) == ["toy"]
    assert kept["figures"]["reversed_roc"] == {}
    assert list(kept["figures"]["comparison"]) == ["both"]
    both = kept["figures"]["comparison"]["both"]
    assert both["experiments"] == ["one"]
    assert both["absent"] == {"fMRI": kept["left_out"]["fMRI"]}
    assert (
        "EstimatedResponses.mat and Stimuli.mat (crcns.org, with an account)"
        in both["absent"]["fMRI"]
    )
    assert list(kept["tables"]["all"]["printed"]) == ["one"]
    assert list(kept["standings"]["groups"]) == ["all"]
    assert list(checked["experiments"]) == ["lfw", "kay", "omniglot", "one"]  # Left as it was.


def test_a_figure_of_coverage_is_left_out_where_nothing_is_left_to_judge(tmp_path):
    config = yaml.safe_load(PRESET.read_text()) | {"data_dir": str(tmp_path)}
    simulated = {"kind": "simulation", "n_classes": 20}
    config["experiments"]["one"] = {"dataset": simulated, "k1": [12], "k2": 20}
    config["figures"]["coverage"] = {"all": {}}
    config["absent"] = "leave_out"
    checked = check_config(config)
    assert leave_out_absent(checked, tmp_path)["figures"]["coverage"] == {}
    config["experiments"]["one"]["k1"] = [12, 10]
    kept = leave_out_absent(check_config(config), tmp_path)
    assert list(kept["figures"]["coverage"]) == ["all"]


@pytest.mark.slow
def test_the_whole_plan_of_the_paper_is_listed_without_files(tmp_path):
    done = snakemake(tmp_path, "--dry-run", preset=ROOT / "config/paper.yaml")
    planned = jobs(done)
    assert planned["evaluate"] == 32 + 4
    assert planned["score"] == 24 + 4
    assert planned["embed"] == 1
    for name in ("cifar100", "vgg16", "lfw", "openface", "vim1_Stimuli"):
        assert planned[f"download_{name}"] == 1

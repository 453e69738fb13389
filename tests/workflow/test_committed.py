"""A run beside committed results: which rows stand, what is made anew, what is refused."""

import io
import json
import shutil
import subprocess
from types import SimpleNamespace

import matplotlib.image as mpimg
import numpy as np
import pandas as pd
import pytest
import yaml
from snakemake.io import IOFile
from snakemake.persistence.file import FilePersistence

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from pipeline.preset import committed
from pipeline.preset.configuration import check_config
from running import planned, snakemake

BESIDE = ROOT / "tests/workflow/presets/beside.yaml"


def git(folder, *words):
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A repository with the results and figures of a whole run, and none of its curves."""
    folder = tmp_path_factory.mktemp("committed")
    snakemake(folder, "--cores", "2", preset=BESIDE)
    left = ("*.npz", "*.parquet", "logs", "benchmarks", ".snakemake", "committed")
    (folder / ".gitignore").write_text("\n".join(left))
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "results")
    return folder


@pytest.fixture
def clone(original, tmp_path):
    git(tmp_path, "clone", "--quiet", str(original), "clone")
    return tmp_path / "clone"


def test_a_method_computed_again_gives_the_tables_of_the_whole_run(original, clone):
    old = {path: path.stat().st_mtime for path in (clone / "figures").rglob("*.p*")}
    done = snakemake(clone, "--cores", "2", "--config", "compute=spline", preset=BESIDE)
    assert "curves/all, curves/first stay as they are" in done.stderr
    results = clone / "results/beside"
    assert sorted(path.name for path in (results / "predicted/one/k1_20").iterdir()) == ["spline"]
    tables = ("errors", "summary", "class_draw", "claims")
    tables += ("coverage/intervals", "sweep/accuracy")
    for name in tables:
        own = original / f"results/beside/{name}.csv"
        assert (results / f"{name}.csv").read_bytes() == own.read_bytes(), name
    standings, whole = (
        pd.read_csv(at / "standings.csv") for at in (results, original / "results/beside")
    )
    pd.testing.assert_frame_equal(standings.drop(columns="regret"), whole.drop(columns="regret"))
    # The best mixture needs the curves of all methods.
    assert standings["regret"].isna().all()
    assert (whole["regret"] >= 1 - 1e-8).all()
    methods = pd.read_csv(results / "methods.csv")
    known = pd.read_csv(original / "results/beside/methods.csv")
    pd.testing.assert_frame_equal(methods.drop(columns="seconds"), known.drop(columns="seconds"))
    of_others = methods["method"] != "spline"
    assert methods["seconds"][of_others].tolist() == known["seconds"][of_others].tolist()
    same = {path.relative_to(clone) for path, time in old.items() if path.stat().st_mtime == time}
    assert set(map(str, same)) == {
        f"figures/beside/curves/{name}.{kind}"
        for name in ("all", "first")
        for kind in ("pdf", "png")
    }
    origin = json.loads((results / "provenance.json").read_text())
    assert origin["taken"]["computed_again"] == ["spline"]
    assert len(origin["taken"]["settings_and_methods"]) == 4
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=original, capture_output=True, text=True, check=True
    )
    assert origin["taken"]["commit"] == head.stdout.strip()
    assert "figures/beside/curves/all.pdf" in origin["taken"]["files_that_stay"]
    assert set(origin["sha256"]) == set(
        json.loads((original / "results/beside/provenance.json").read_text())["sha256"]
    )
    assert planned(clone, "--config", "compute=spline", preset=BESIDE) == {}


def test_a_figure_takes_the_curves_of_other_methods_from_the_commit(original, tmp_path):
    shutil.copytree(original, tmp_path / "with")
    curve = "results/beside/predicted/two/k1_20/information/0000-0002.parquet"
    git(tmp_path / "with", "add", "--force", curve)
    git(tmp_path / "with", "commit", "--quiet", "--message", "curves")
    git(tmp_path, "clone", "--quiet", "with", "clone")
    clone, figure = tmp_path / "clone", "figures/beside/curves/first.png"
    drawn = (clone / figure).read_bytes()
    (clone / figure).unlink()
    options = ("--cores", "2", "--config", "compute=spline")
    done = snakemake(clone, *options, "--", figure, preset=BESIDE)
    assert "curves/all stay as they are" in done.stderr
    taken = clone / curve.replace("beside/", "beside/committed/")
    assert taken.read_bytes() == (original / curve).read_bytes()
    np.testing.assert_array_equal(mpimg.imread(clone / figure), mpimg.imread(io.BytesIO(drawn)))
    # Of the other methods nothing is computed.
    predicted = clone / "results/beside/predicted"
    assert {path.name for path in predicted.glob("*/k1_20/*")} == {"information", "spline"}


def test_only_named_methods_and_new_experiments_are_computed(clone, tmp_path):
    nothing = planned(clone, "--config", "compute=none", preset=BESIDE)
    assert "extrapolate" not in nothing
    assert nothing["evaluate"] == 2
    own_k1 = ("compute=spline", "compute_k1=20")
    assert planned(clone, "--config", *own_k1, preset=BESIDE)["extrapolate"] == 2
    preset = yaml.safe_load(BESIDE.read_text())
    one = preset["experiments"]["one"]
    preset["experiments"]["three"] = {**one, "dataset": {**one["dataset"], "variance": 0.3}}
    preset["methods"]["other_spline"] = {"method": "spline", "knots": 50}
    changed = tmp_path / "changed.yaml"
    changed.write_text(yaml.safe_dump(preset, sort_keys=False))
    plan = planned(clone, "--config", "compute=other_spline", preset=changed)
    # The new method in two settings and all four in the new one, and the two methods' intervals.
    assert (plan["extrapolate"], plan["find_intervals"], plan["evaluate"]) == (2 + 4, 2, 3)


def test_settings_with_another_k1_are_taken_whole(clone, monkeypatch):
    monkeypatch.chdir(clone)
    committed._committed.cache_clear()
    preset = yaml.safe_load(BESIDE.read_text())
    config = check_config({**preset, "compute": ["spline"], "compute_k1": 20})
    assert "spline" not in {method for _, method in committed.taken(config)}
    of_all = {method for _, method in committed.taken({**config, "compute_k1": 21})}
    assert of_all == set(config["methods"])
    with pytest.raises(InputError, match="compute_k1 is 21: no experiment has it, only 20"):
        check_config({**preset, "compute": ["spline"], "compute_k1": 21})
    with pytest.raises(InputError, match="compute_k1 stands alone"):
        check_config({**preset, "compute_k1": 20})


@pytest.fixture
def refusal(clone, monkeypatch):
    """What is said of a run in the clone, of the preset with a change."""
    monkeypatch.chdir(clone)

    def refuse(computed, **changes):
        preset = yaml.safe_load(BESIDE.read_text())
        for key, value in changes.items():
            preset[key] = {**preset[key], **value} if isinstance(value, dict) else value
        committed._committed.cache_clear()
        try:
            config = check_config({**preset, "compute": computed})
            committed.check_committed(config, committed.taken(config))
        except InputError as error:
            return str(error)
        raise AssertionError("nothing was refused")

    return refuse


def test_committed_rows_of_another_preset_are_refused(refusal):
    assert "were made with seed = 11 and not 12" in refusal("spline", seed=12)
    assert "were made with repetitions = 3 and not 4" in refusal("spline", repetitions=4)
    two = yaml.safe_load(BESIDE.read_text())["experiments"]["two"]
    other = {**two, "dataset": {**two["dataset"], "variance": 0.5}}
    said = refusal("spline", experiments={"two": other})
    assert "in two, k1 = 20 were made with dataset" in said
    assert "name pitman_yor in compute" in refusal("spline", methods={"pitman_yor": {}})
    assert "coverage of log_linear" in refusal("spline", intervals={"splits": 8})
    shown = {"coverage": {"intervals": {"methods": ["information"]}}}
    assert "has no row of information in one" in refusal("spline", figures=shown)
    assert "'nobody' is not among the methods" in refusal("nobody")


def test_tables_that_lost_rows_or_their_record_are_refused(clone, refusal):
    path = clone / "results/beside/errors.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    git(clone, "commit", "--quiet", "--all", "--message", "cut off")
    assert "is not the one that provenance.json beside it records" in refusal("log_linear")
    record = clone / "results/beside/provenance.json"
    said = json.loads(record.read_text())
    del said["sha256"]
    record.write_text(json.dumps(said))
    git(clone, "commit", "--quiet", "--all", "--message", "no hashes")
    assert "has not the 3 repetitions of spline in two" in refusal(["information"])
    # On no repetition there is nothing to have.
    none = {"methods": ["spline"], "experiments": ["two"], "repetitions": 0}
    said["config"]["jobs"] = [none]
    record.write_text(json.dumps(said))
    rows = pd.read_csv(path)
    rows[(rows["experiment"] != "two") | (rows["method"] != "spline")].to_csv(path, index=False)
    git(clone, "commit", "--quiet", "--all", "--message", "no repetition")
    with pytest.raises(AssertionError, match="nothing was refused"):
        refusal(["information"], jobs=[none])
    record.write_text("words")
    git(clone, "commit", "--quiet", "--all", "--message", "no record")
    assert "is no record of a run" in refusal(None)
    shutil.rmtree(clone / ".git")
    assert "is not committed here" in refusal("")


def test_snakemake_knows_a_job_that_has_begun_and_not_ended(tmp_path):
    """`is_of_no_run` in rules/common.smk asks this way, as no public method tells it of a file."""
    begun, other = IOFile("results/begun.parquet"), IOFile("results/other.parquet")
    records = FilePersistence(path=tmp_path)
    records.started(SimpleNamespace(output=[begun]))
    assert records.metadata(begun) is None
    assert records._filter_incomplete_keys([str(begun), str(other)]) == {str(begun)}

import re
import subprocess
import tomllib

import pytest
import yaml

from conftest import ROOT
from presets import checked, shipped


def locked_versions() -> dict[str, set[str]]:
    lock = (ROOT / "requirements.txt").read_text()
    versions: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", lock, re.MULTILINE):
        versions.setdefault(name.lower(), set()).add(version)
    return versions


def test_every_locked_package_has_hashes_and_no_address():
    lock = (ROOT / "requirements.txt").read_text()
    assert not re.search(r"https?://|--index|--find-links", lock)
    for entry in re.split(r"\n(?=[A-Za-z0-9])", lock):
        if "==" in entry.split("\n")[0]:
            assert "--hash=sha256:" in entry, entry.split("\n")[0]


# What each kind of job may import, besides what draws published results.
EXTRAS = {
    "base": [],
    "images": ["images"],
    "cleanex": ["images", "cleanex"],
    "kde": ["kde"],
    "faces": ["faces"],
}


@pytest.mark.parametrize("kind", EXTRAS)
def test_conda_environments_have_the_locks_versions_of_what_their_jobs_need(kind):
    environment = yaml.safe_load((ROOT / f"envs/{kind}.yaml").read_text())
    wanted = requirements("redraw", *EXTRAS[kind])
    # Faces are not in the lock: pyproject.toml pins them.
    pinned_there = re.findall(r"^(\S+)==(\S+)$", "\n".join(wanted), re.MULTILINE)
    known = {name: {version} for name, version in pinned_there} | locked_versions()
    pins = next(part["pip"] for part in environment["dependencies"] if isinstance(part, dict))
    for pin in pins:
        name, version = pin.split("==")
        assert version in known[name], pin
    # Snakemake is in no job, TensorFlow is that of Linux; texts are searched where scores are made.
    pinned = {pin.split("==")[0] for pin in pins} - {"bm25s"}
    assert names(*wanted) - {"snakemake", "tensorflow"} == pinned


def test_each_job_has_the_environment_of_what_it_runs():
    preset = checked(shipped("paper"), data_dir="data", absent="fetch")
    methods = {key: preset.extra_of_method(key) for key in ("cleanex", "kde", "kde_mlcv", "auto")}
    assert methods == {"cleanex": "cleanex", "kde": "kde", "kde_mlcv": "base", "auto": "base"}
    data = {name: preset.extra_of_dataset(name) for name in ("cifar100", "lfw", "kay")}
    assert data == {"cifar100": "cleanex", "lfw": "faces", "kay": "images"}
    characters = checked(shipped("characters"))
    extras = {characters.extra_of_dataset(name) for name in characters.experiments}
    assert extras == {"images", "cleanex"} <= EXTRAS.keys()
    assert {path.stem for path in (ROOT / "envs").glob("*.yaml")} == EXTRAS.keys()


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def requirements(*extras):
    """What the base and some extras ask for, with the extras that they contain."""
    wanted = list(project()["dependencies"])
    for extra in extras:
        for line in project()["optional-dependencies"][extra]:
            within = re.match(r"accuracy-curves\[(.*)\]", line)
            wanted += requirements(*within[1].split(",")) if within else [line]
    return wanted


def names(*wanted):
    return {re.match(r"[A-Za-z0-9_.-]+", line)[0].lower() for line in wanted}


def test_lock_covers_all_extras_but_faces():
    extras = set(project()["optional-dependencies"]) - {"faces"}
    locked = set(locked_versions())
    assert names(*requirements(*extras)) <= locked
    assert "dlib-bin" not in locked


def test_the_base_asks_for_no_heavy_package():
    heavy = names(*requirements("cleanex", "kde", "pipeline", "cluster")) - names(*requirements())
    assert {"tensorflow", "rpy2", "snakemake", "pyarrow", "pyyaml", "scikit-learn"} <= heavy


@pytest.mark.parametrize("target", ["figures", "beside", "publish"])
def test_the_name_of_a_preset_is_checked_before_anything_is_set_up(target):
    words = ["make", "--dry-run", target, "PRESET=typo"]
    planned = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert planned.index("There is no config/typo.yaml") < planned.index("setup.sh")


def test_make_targets_that_the_readme_names_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(
        re.findall(r"(?:^|`)make ([a-z][a-z-]+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    )
    assert named
    assert named <= targets

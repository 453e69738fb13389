import json
import re
import subprocess
import sys
import tomllib

import yaml

from conftest import ROOT


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


def test_conda_environment_has_the_locks_versions():
    environment = yaml.safe_load((ROOT / "envs/environment.yaml").read_text())
    locked = locked_versions()
    pins = next(part["pip"] for part in environment["dependencies"] if isinstance(part, dict))
    assert len(pins) > 10
    for pin in pins:
        name, version = pin.split("==")
        assert version in locked[name], pin
    # Whatever a job may import is there; Snakemake itself is not, nor other systems' TensorFlow.
    asked = (re.match(r"[A-Za-z0-9_.-]+", line)[0] for line in project()["dependencies"])
    pinned = {pin.split("==")[0] for pin in pins}
    assert set(asked) - {"snakemake", "tensorflow"} <= pinned


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_lock_covers_what_pyproject_asks_for():
    extras = project()["optional-dependencies"]
    wanted = [*project()["dependencies"], *extras["cluster"], *extras["dev"]]
    locked = locked_versions()
    for requirement in wanted:
        name = re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower()
        assert name in locked, requirement


def test_make_targets_that_the_readme_names_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(
        re.findall(r"(?:^|`)make ([a-z][a-z-]+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    )
    assert named
    assert named <= targets


def test_bill_of_materials_has_every_installed_package_of_the_lock():
    done = subprocess.run(
        [sys.executable, ROOT / "envs/bill_of_materials.py"], capture_output=True, text=True
    )
    assert done.returncode == 0
    listed = {part["name"]: part for part in json.loads(done.stdout)["components"]}
    silent = set(re.findall(r"[\w-]+", done.stderr))
    found = 0
    for name, versions in locked_versions().items():
        part = listed.get(re.sub(r"[-_.]+", "-", name))
        if part is not None:  # Some are for other systems.
            found += 1
            assert part["version"] in versions
            # Some packages do not say their licence; they are named.
            assert ("licenses" in part) != (part["name"] in silent)
    assert found > 100

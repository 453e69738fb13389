"""The profiles know the rules, and run again for the same reasons."""

import os
import re
import shutil

import yaml

from conftest import ROOT
from running import snakemake

RULES = {
    name
    for path in (ROOT / "workflow/rules").glob("*.smk")
    for name in re.findall(r"^rule (\w+):", path.read_text(), re.MULTILINE)
}


def read_profile(name):
    return yaml.safe_load((ROOT / f"profiles/{name}/config.yaml").read_text())


def test_what_slurm_says_of_rules_is_of_rules_that_are_there():
    slurm = read_profile("slurm")
    assert {*slurm["groups"], *slurm["set-resources"]} <= RULES
    # The record asks git, and what is fetched needs a network.
    assert RULES - {*slurm["groups"]} == {"record", "fetch"}


def test_code_counts_by_what_it_does_whatever_profile_is_named():
    profiles = [read_profile(name)["rerun-triggers"] for name in ("default", "slurm", "generic")]
    assert profiles == [["mtime", "params", "input", "software-env"]] * 3


def test_slurm_without_its_commands_is_refused_at_once(tmp_path):
    here = tmp_path / "bin"
    here.mkdir()
    for name in ("bash", "which"):
        (here / name).symlink_to(shutil.which(name))
    environment = {**os.environ, "PATH": str(here)}
    profile = "--profile", str(ROOT / "profiles/slurm")
    done = snakemake(tmp_path, *profile, check=False, environment=environment)
    assert done.returncode == 1
    assert "no sbatch is here" in done.stderr
    assert not (tmp_path / "results").exists()

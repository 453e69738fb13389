import re

import yaml

from conftest import ROOT
from pipeline.preset.figure_plans import INPUTS

# Long jobs of their own, and those that run beside Snakemake.
ALONE = {"embed", "record", "all"}


def test_every_rule_has_a_group_on_slurm_or_is_a_job_of_its_own():
    profile = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text())
    rules = {f"draw_{kind}" for kind in INPUTS}
    for path in [ROOT / "Snakefile", *sorted((ROOT / "workflow/rules").glob("*.smk"))]:
        rules.update(re.findall(r"^rule (\w+):", path.read_text(), re.MULTILINE))
    assert set(profile["groups"]) == rules - ALONE
    assert set(profile["group-components"]) == set(profile["groups"].values())
    assert set(profile["set-resources"]) <= rules

# How accurate will a classifier be on k2 classes, after a test on k1 < k2 of them?
# `snakemake` makes the demo preset; `snakemake --configfile config/paper.yaml` another one.
from snakemake.utils import min_version

min_version("9.27")


# A preset replaces the demo's; Snakemake would merge the two.
if "preset" not in config:

    configfile: workflow.source_path("config/config.yaml")


include: "workflow/rules/common.smk"
include: "workflow/rules/downloads.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/extrapolation.smk"
include: "workflow/rules/training.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/identification.smk"
include: "workflow/rules/cost.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/provenance.smk"


onstart:
    stopping.stop_at_once_on_signals()


rule all:
    default_target: True
    input:
        SUMMARIES,
        f"{RESULTS}/provenance.json",
        TABLES_MADE,
        FIGURES_MADE,

# How accurate will a classifier be on k2 classes, after a test on k1 < k2 of them?
# `snakemake` makes the demo preset; `snakemake --configfile config/paper.yaml` another one.
from snakemake.utils import min_version

min_version("9.27")


report: "workflow/report/front.rst"


# A preset replaces the demo's; Snakemake would merge the two.
if not {"methods", "experiments", "simulations"} & {*config}:

    configfile: workflow.source_path("config/config.yaml")


include: "workflow/rules/common.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/curves.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/identification.smk"
include: "workflow/rules/figures.smk"


rule all:
    default_target: True
    input:
        f"{RESULTS}/provenance.json",
        TABLES,
        FIGURE_FILES,

# Curves -> errors of every repetition -> the tables of a preset.
from experiments.figures import FIGURES
from experiments.checks import claim_files
from experiments.evaluation.claims import read_claims

JUDGED = {
    "claims": {"claims": config["claims"], "errors_of": [], "each": {}},
    "choices": config["choices"],
}
if preset.identifies:
    NAMES = ["rate_errors", "rate_summary"]
else:
    NAMES = ["errors", "summary", "class_draw", "methods"]
# Those of whose settings the curves are there.
TABLED = {
    name: preset.shown_settings(shown, ["curves"])
    for name, shown in config["tables"].items()
}
NAMES += [f"tables/{name}" for name in TABLED if TABLED[name]]
NAMES += [f"{kind}/{name}" for kind, name in DRAWN if FIGURES[kind].tabulates]
NAMES += [name for name in JUDGED if JUDGED[name]["claims"]]
TABLES = [f"{RESULTS}/{name}.csv" for name in NAMES]
CLAIMED = sorted(
    {
        claim.table
        for judged in JUDGED.values()
        for claim in read_claims(claim_files(judged["claims"])).values()
    }
    & {*NAMES}
)


rule evaluate:
    input:
        true=[f"{RESULTS}/true/{{experiment}}.parquet"] if preset.computed else [],
        # Curves may be published before their errors.
        predicted=lambda w: predicted([setting(w)]) if preset.computed else [],
        published=lambda w: published("errors.csv", preset.beside.rows(here(w))),
    output:
        errors=f"{RESULTS}/errors/{{experiment}}/k1_{{k1}}.parquet",
        spread=f"{RESULTS}/spread/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/errors/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/errors/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code("evaluate.py"),
        repetitions=repetitions,
        published_rows=lambda w: preset.beside.rows(here(w)),
    script:
        "../scripts/evaluate.py"


rule summarise:
    input:
        errors=of_settings("errors"),
        spread=of_settings("spread"),
        seconds=of_chunks("seconds", preset.settings),
        noise=class_draw(preset.shown_settings({}, ["class_draw"])),
        summaries=published("summary.csv"),
        methods=published("methods.csv"),
    output:
        errors=f"{RESULTS}/errors.csv",
        summary=table("summary.csv", "Errors", "errors by setting and method"),
        # Seconds differ from run to run: nothing is made of it.
        methods=table("methods.csv", "Errors", "seconds of the methods"),
        draws=f"{RESULTS}/draws.csv",
        class_draw=table("class_draw.csv", "Errors", "noise of the draw of the classes"),
        findings=f"{RESULTS}/findings.rst",
    log:
        f"{LOGS}/summary.log",
    conda:
        ENVIRONMENT
    params:
        code=code("summarise.py"),
        reference=config["reference"],
        published_rows=PUBLISHED_ROWS,
    script:
        "../scripts/summarise.py"


rule tabulate:
    input:
        lambda w: curves(TABLED[w.name], config["tables"][w.name].get("methods")),
    output:
        table("tables/{name}.csv", "Accuracies"),
    log:
        f"{LOGS}/tables/{{name}}.log",
    conda:
        ENVIRONMENT
    params:
        code=code("tabulate.py"),
        settings=lambda w: [*map(list, TABLED[w.name])],
        methods=lambda w: preset.shown_methods(config["tables"][w.name]),
        printed=lambda w: config["tables"][w.name]["printed"],
    script:
        "../scripts/tabulate.py"


rule tabulate_figure:
    input:
        unpack(tabulated_from),
    output:
        table(
            "{kind}/{name}.csv", "Tables of figures", "{kind}, {name}", "figure_table"
        ),
    log:
        f"{LOGS}/{{kind}}/{{name}}.log",
    wildcard_constraints:
        kind="|".join(kind for kind in FIGURES if FIGURES[kind].tabulates),
    conda:
        ENVIRONMENT
    params:
        code=code("tabulate_figure.py", lambda w: [FIGURES[w.kind]]),
        caption=lambda w: FIGURES[w.kind].caption,
        plan=lambda w: figure(w.kind, w.name).plan_table(preset),
        published_rows=figure_rows,
    script:
        "../scripts/tabulate_figure.py"


# A paper's claims as they are, and under choices that it does not print.
rule judge:
    input:
        errors=f"{RESULTS}/errors.csv",
        summary=f"{RESULTS}/summary.csv",
        tables=expand(f"{RESULTS}/{{name}}.csv", name=CLAIMED),
        claims=lambda w: claim_files(JUDGED[w.judged]["claims"]),
        published=lambda w: published("errors.csv", JUDGED[w.judged]["errors_of"]),
        summaries=lambda w: published("summary.csv", JUDGED[w.judged]["errors_of"]),
    output:
        table("{judged}.csv", "Claims", "{judged}", "claims"),
    log:
        f"{LOGS}/{{judged}}.log",
    wildcard_constraints:
        judged="|".join(JUDGED),
    conda:
        ENVIRONMENT
    params:
        code=code("judge.py"),
        choices=lambda w: JUDGED[w.judged]["each"],
        other_data=lambda w: [
            *map(preset.beside.other_data, JUDGED[w.judged]["errors_of"])
        ],
        tables=CLAIMED,
        seed=config["seed"],
    script:
        "../scripts/judge.py"


# What was made, by which commit, configuration and versions.
rule record:
    input:
        TABLES,
        lambda w: FIGURE_FILES,
        curves=[] if preset.identifies else predicted(preset.settings),
        intervals=INTERVALS,
    output:
        report(
            f"{RESULTS}/provenance.json",
            caption="../report/provenance.rst",
            category="Provenance",
            labels={"file": "provenance.json"},
        ),
    log:
        f"{LOGS}/provenance.log",
    # Seconds, and it asks git: not a job on a cluster.
    localrule: True
    conda:
        ENVIRONMENT
    params:
        config=config,
        originals=lambda w: preset.originals(),
        published_rows=PUBLISHED_ROWS,
        absent=[*preset.left_out],
    script:
        "../scripts/record.py"

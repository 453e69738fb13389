# Curves -> errors of every repetition -> the tables of a preset.
from experiments.figures import FIGURES
from experiments.preset import claim_files
from experiments.evaluation.claims import TOY_EXAMPLE, read_claims

COVERAGES = config["figures"]["coverage"]
if preset.identifies:
    NAMES = ["rate_errors", "rate_summary"]
else:
    NAMES = ["errors", "summary", "class_draw", "methods"]
NAMES += [f"tables/{name}" for name in config["tables"]]
for kind, drawn in FIGURES.items():
    if drawn.tabulates:
        NAMES += [
            f"{kind}/{name}"
            for name in config["figures"][kind]
            if figure(kind, name).shows_anything(preset)
        ]
NAMES += ["claims"] if config["claims"] else []
NAMES += ["choices"] if config["choices"]["each"] else []
NAMES += ["standings"] if config["standings"]["groups"] else []
TABLES = [f"{RESULTS}/{name}.csv" for name in NAMES]
CLAIMED = sorted(
    {claim.table for claim in read_claims(claim_files(config["claims"])).values()}
    - {"", TOY_EXAMPLE}
)


rule evaluate:
    input:
        true=lambda w: [
            f"{RESULTS}/true/{w.experiment}.parquet" for _ in evaluated(w)[:1]
        ],
        predicted=evaluated,
        published=lambda w: preset.published_tables(
            preset.published_rows(here(w)), "errors.csv"
        ),
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
        published_rows=lambda w: preset.published_rows(here(w)),
    script:
        "../scripts/evaluate.py"


rule summarise:
    input:
        errors=of_settings("errors"),
        spread=of_settings("spread"),
        published=preset.published_tables(preset.published_rows(), "summary.csv"),
    output:
        errors=f"{RESULTS}/errors.csv",
        summary=table("summary.csv", "Errors", "errors by setting and method"),
        findings=f"{RESULTS}/findings.rst",
    log:
        f"{LOGS}/summary.log",
    conda:
        ENVIRONMENT
    params:
        code=code("summarise.py"),
        reference=config["reference"],
        published_rows=preset.published_rows(),
    script:
        "../scripts/summarise.py"


rule summarise_draws:
    input:
        noise=class_draw(
            [each for each in preset.settings if preset.can_show(each, ["class_draw"])]
        ),
        errors=f"{RESULTS}/errors.csv",
    output:
        draws=f"{RESULTS}/draws.csv",
        summary=table("class_draw.csv", "Errors", "noise of the draw of the classes"),
    log:
        f"{LOGS}/class_draw.log",
    conda:
        ENVIRONMENT
    params:
        code=code("summarise_draws.py"),
    script:
        "../scripts/summarise_draws.py"


# Seconds differ from run to run: nothing is made from this table.
rule tabulate_methods:
    input:
        errors=f"{RESULTS}/errors.csv",
        intervals=dict.fromkeys(
            path for each in COVERAGES.values() for path in intervals(each)
        ),
        seconds=seconds_of(preset.settings),
        published=preset.published_tables(preset.published_rows(), "methods.csv"),
    output:
        table("methods.csv", "Errors", "all methods, with seconds and coverage"),
    log:
        f"{LOGS}/methods.log",
    conda:
        ENVIRONMENT
    params:
        code=code("tabulate_methods.py"),
        reference=config["reference"],
        published_rows=preset.published_rows(),
    script:
        "../scripts/tabulate_methods.py"


rule tabulate:
    input:
        lambda w: curves(
            preset.shown_settings(config["tables"][w.name]),
            config["tables"][w.name].get("methods"),
        ),
    output:
        table("tables/{name}.csv", "Accuracies"),
    log:
        f"{LOGS}/tables/{{name}}.log",
    conda:
        ENVIRONMENT
    params:
        code=code("tabulate.py"),
        settings=lambda w: [*map(list, preset.shown_settings(config["tables"][w.name]))],
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
        published_rows=figure_published_rows,
    script:
        "../scripts/tabulate_figure.py"


rule rank:
    input:
        f"{RESULTS}/errors.csv",
    output:
        table("standings.csv", "Errors", "methods over groups of settings"),
    log:
        f"{LOGS}/standings.log",
    conda:
        ENVIRONMENT
    params:
        code=code("rank.py"),
        groups={
            name: {
                "settings": [*map(list, preset.shown_settings(group))],
                "methods": [
                    *dict.fromkeys([*preset.shown_methods(group), *preset.new])
                ],
            }
            for name, group in config["standings"]["groups"].items()
        },
        published=config["standings"]["published"],
        reference=config["reference"],
        seed=config["seed"],
    script:
        "../scripts/rank.py"


rule judge:
    input:
        errors=f"{RESULTS}/errors.csv",
        summary=f"{RESULTS}/summary.csv",
        tables=expand(f"{RESULTS}/{{name}}.csv", name=CLAIMED),
        claims=claim_files(config["claims"]),
    output:
        table("claims.csv", "Claims", "claims of the paper"),
    log:
        f"{LOGS}/claims.log",
    conda:
        ENVIRONMENT
    params:
        code=code("judge.py"),
        tables=CLAIMED,
        seed=config["seed"],
    script:
        "../scripts/judge.py"


rule judge_choices:
    input:
        errors=f"{RESULTS}/errors.csv",
        summary=f"{RESULTS}/summary.csv",
        claims=claim_files(config["choices"]["claims"]),
        published=preset.published_tables(config["choices"]["errors_of"], "errors.csv"),
        summaries=preset.published_tables(config["choices"]["errors_of"], "summary.csv"),
    output:
        table("choices.csv", "Claims", "claims under choices"),
    log:
        f"{LOGS}/choices.log",
    conda:
        ENVIRONMENT
    params:
        code=code("judge_choices.py"),
        choices=config["choices"]["each"],
        other_data=[*map(preset.other_data, config["choices"]["errors_of"])],
        seed=config["seed"],
    script:
        "../scripts/judge_choices.py"


# What was made, by which commit, configuration and versions.
rule record:
    input:
        TABLES,
        lambda w: FIGURE_FILES,
        curves=[] if preset.identifies else predicted(preset.settings),
        intervals=dict.fromkeys(
            path for each in COVERAGES.values() for path in intervals(each)
        ),
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
        published_rows=preset.published_rows(),
        absent=preset.not_at_hand,
    script:
        "../scripts/record.py"

# Errors and curves -> the figures of the papers. One rule a kind of figure.

KINDS = {
    "boxplots": "RMSE by setting",
    "curves": "Accuracy curves",
    "comparison": "Comparison of methods",
    "matrix": "All methods",
    "reversed_roc": "Reversed ROC",
    "bivariate_normal": "Bivariate normal example",
    "by_k1": "Curves from several k1",
    "distributions": "Distribution functions",
    "sweep": "Errors at k2",
    "coverage": "Coverage of the intervals",
    "rate_matrix": "Errors of open-set rates",
    "rate_coverage": "Coverage of open-set rates",
    "det": "DET curves",
    "verdicts": "Claims under choices",
}
# Kinds whose numbers are a table too, and where the report shows it.
TABLES = {"sweep": "Errors", "coverage": "Intervals", "rate_coverage": "Intervals"}

for drawn_kind, shown_under in KINDS.items():
    table = {}
    if drawn_kind in TABLES:
        table["table"] = report(
            f"{RESULTS}/{{kind}}/{{name}}.csv",
            caption=f"../report/{drawn_kind}.rst",
            category=TABLES[drawn_kind],
            labels={"table": "{name}"},
        )

    rule:
        name:
            f"draw_{drawn_kind}"
        input:
            unpack(drawn),
            anew=anew(f"{DRAWINGS}/{{kind}}/{{name}}.pdf"),
        output:
            **table,
            pdf=f"{DRAWINGS}/{{kind}}/{{name}}.pdf",
            png=report(
                f"{DRAWINGS}/{{kind}}/{{name}}.png",
                caption=f"../report/{drawn_kind}.rst",
                category="Figures",
                subcategory=shown_under,
                labels={"figure": "{name}"},
            ),
        log:
            f"{LOGS}/{{kind}}/{{name}}.log",
        benchmark:
            f"{BENCHMARKS}/{{kind}}/{{name}}.tsv"
        wildcard_constraints:
            kind=drawn_kind,
        conda:
            ENVIRONMENT
        resources:
            mem_mb=more_each_attempt(4000),
        params:
            code=code_of_figure(drawn_kind),
            plan=plan_of,
            taken=taken_by,
        script:
            "../scripts/{wildcards.kind}.py"


rule find_intervals:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
        anew=anew(f"{RESULTS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.parquet"),
    output:
        f"{RESULTS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.parquet",
    log:
        f"{LOGS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.log",
    benchmark:
        f"{BENCHMARKS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.tsv"
    priority: longest_first(f"{BENCHMARKS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.tsv")
    conda:
        ENVIRONMENT
    threads: threads_of_method
    resources:
        mem_mb=more_each_attempt(3000),
        runtime=240,
    params:
        code=code_of_method("intervals.py"),
        options=options_of_output,
        method=method_of,
        repetitions=lambda wildcards: chunks.interval_repetitions(
            config,
            settings.Setting(wildcards.experiment, int(wildcards.k1)),
            wildcards.method,
        ),
        splits=lambda wildcards: figure_plans.interval_splits(config, wildcards.method),
        seed_parts=seed_parts,
    script:
        "../scripts/intervals.py"

# Score matrix -> intervals of each repetition, and what they should hold -> how often they do.


rule intervals:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.parquet",
    log:
        f"{LOGS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.log",
    benchmark:
        f"{BENCHMARKS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: lambda wildcards: settings.method_of(config, wildcards.method)[1].get("threads", 1)
    resources:
        mem_mb=more_each_attempt(3000),
        runtime=240,
    params:
        code=lambda wildcards: fingerprint(
            "accuracy_curves.evaluation.interval_coverage",
            "accuracy_curves.scores.score_files",
            settings.module_of_method(config, wildcards.method),
        ),
        method=lambda wildcards: settings.method_of(config, wildcards.method),
        repetitions=lambda wildcards: chunks.interval_repetitions(
            config,
            settings.Setting(wildcards.experiment, int(wildcards.k1)),
            wildcards.method,
        ),
        splits=lambda wildcards: coverage_plans.interval_splits(
            config, wildcards.method
        ),
        seed_parts=lambda wildcards: [config["seed"], wildcards.experiment],
    script:
        "../scripts/intervals.py"


rule coverage:
    input:
        lambda wildcards: [
            f"{RESULTS}/intervals/{experiment}/k1_{k1}/{method}.parquet"
            for (experiment, k1), method in coverage_plans.judged(
                config, figure_of(wildcards, "coverage")
            )
        ],
    output:
        pdf=f"{DRAWINGS}/coverage/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/coverage/{{name}}.png",
            caption="../report/coverage.rst",
            category="Figures",
            subcategory="Coverage of the intervals",
            labels={"figure": "{name}"},
        ),
        table=report(
            f"{RESULTS}/coverage/{{name}}.csv",
            caption="../report/coverage.rst",
            category="Intervals",
            labels={"table": "{name}"},
        ),
    log:
        f"{LOGS}/coverage/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/coverage/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.interval_coverage",
            "accuracy_curves.figures.coverage",
            "pipeline.jobs.curve_files",
        ),
        plan=lambda wildcards: coverage_plans.coverage_plan(
            config, figure_of(wildcards, "coverage")
        ),
    script:
        "../scripts/coverage.py"

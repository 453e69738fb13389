# Predicted and true accuracy curves -> errors of every repetition -> one table of the preset.


rule evaluate:
    input:
        true=f"{RESULTS}/true/{{experiment}}.parquet",
        predicted=lambda wildcards: curves_of(
            wildcards.experiment, wildcards.k1, list(config["methods"])
        ),
    output:
        f"{RESULTS}/errors/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/evaluate/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/evaluate/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.curve_errors",
            "accuracy_curves.utils.tables",
            "pipeline.jobs.curve_files",
        ),
    script:
        "../scripts/evaluate.py"


rule summary:
    input:
        expand(
            f"{RESULTS}/errors/{{setting[0]}}/k1_{{setting[1]}}.parquet",
            setting=settings.settings(config),
        ),
    output:
        errors=f"{RESULTS}/errors.csv",
        summary=report(
            f"{RESULTS}/summary.csv",
            caption="../report/summary.rst",
            category="Errors",
            labels={"table": "errors by setting and method"},
        ),
    log:
        f"{LOGS}/summary.log",
    benchmark:
        f"{BENCHMARKS}/summary/summary.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.curve_errors", "accuracy_curves.utils.tables"
        ),
        reference=config["reference"],
    script:
        "../scripts/summary.py"


rule class_draw:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/class_draw/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/class_draw/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/class_draw/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.class_draw",
            "accuracy_curves.scores.distance_matrix",
        ),
        k2=lambda wildcards: experiment_of(wildcards)["k2"],
        repetitions=lambda wildcards: chunks.repetitions_of(
            config, wildcards.experiment
        ),
        seed_parts=lambda wildcards: [config["seed"], wildcards.experiment],
        ties=lambda wildcards: derive_seed(config["seed"], wildcards.experiment, "ties"),
    script:
        "../scripts/class_draw.py"


rule class_draws:
    input:
        noise=expand(
            f"{RESULTS}/class_draw/{{setting[0]}}/k1_{{setting[1]}}.parquet",
            setting=settings.settings(config),
        ),
        errors=expand(
            f"{RESULTS}/errors/{{setting[0]}}/k1_{{setting[1]}}.parquet",
            setting=settings.settings(config),
        ),
    output:
        report(
            f"{RESULTS}/class_draw.csv",
            caption="../report/class_draw.rst",
            category="Errors",
            labels={"table": "noise of the draw of the classes"},
        ),
    log:
        f"{LOGS}/class_draws.log",
    benchmark:
        f"{BENCHMARKS}/class_draws/class_draws.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.class_draw", "accuracy_curves.utils.tables"
        ),
    script:
        "../scripts/class_draws.py"


rule accuracies:
    input:
        curves=curves_of_figure("tables"),
    output:
        report(
            f"{RESULTS}/tables/{{name}}.csv",
            caption="../report/accuracies.rst",
            category="Accuracies",
            labels={"table": "{name}"},
        ),
    log:
        f"{LOGS}/accuracies/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/accuracies/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.accuracy_table", "pipeline.jobs.curve_files"
        ),
        settings=lambda wildcards: [
            list(setting) for setting in figure_settings(wildcards, "tables")
        ],
        methods=lambda wildcards: figure_plans.figure_methods(
            config, figure_of(wildcards, "tables")
        ),
        printed=lambda wildcards: figure_of(wildcards, "tables")["printed"],
    script:
        "../scripts/accuracies.py"


rule standings:
    input:
        f"{RESULTS}/errors.csv",
    output:
        report(
            f"{RESULTS}/standings.csv",
            caption="../report/standings.rst",
            category="Errors",
            labels={"table": "methods over groups of settings"},
        ),
    log:
        f"{LOGS}/standings.log",
    benchmark:
        f"{BENCHMARKS}/standings/standings.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.method_ranking", "accuracy_curves.utils.tables"
        ),
        groups={
            name: [
                list(setting)
                for setting in figure_plans.figure_settings(config, group)
            ]
            for name, group in config["standings"]["groups"].items()
        },
        methods={
            name: figure_plans.figure_methods(config, group)
            for name, group in config["standings"]["groups"].items()
        },
        published=config["standings"]["published"],
        reference=config["reference"],
        seed=config["seed"],
    script:
        "../scripts/standings.py"


rule claims:
    input:
        f"{RESULTS}/errors.csv",
    output:
        report(
            f"{RESULTS}/claims.csv",
            caption="../report/claims.rst",
            category="Claims",
            labels={"table": "claims of the paper"},
        ),
    log:
        f"{LOGS}/claims.log",
    benchmark:
        f"{BENCHMARKS}/claims/claims.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.claims", "accuracy_curves.utils.tables"
        ),
        claims=config["claims"],
        seed=config["seed"],
    script:
        "../scripts/claims.py"

# Predicted and true accuracy curves -> errors of every repetition -> one table of the preset.


rule take_committed:
    output:
        f"{COMMITTED}/{{file}}",
    log:
        f"{LOGS}/committed/{{file}}.log",
    wildcard_constraints:
        file=r"(errors|methods|(coverage|sweep)/[^/]+)\.csv|predicted/.+\.parquet",
    # It asks git: not a job on a cluster.
    localrule: True
    conda:
        ENVIRONMENT
    params:
        commit=lambda wildcards: committed.commit_of_results(config),
    script:
        "../scripts/take_committed.py"


rule evaluate:
    input:
        unpack(evaluated),
        anew=anew(f"{RESULTS}/errors/{{experiment}}/k1_{{k1}}.parquet"),
    output:
        f"{RESULTS}/errors/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/evaluate/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/evaluate/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of("evaluate.py"),
        options=options_of_output,
        taken=taken_of,
    script:
        "../scripts/evaluate.py"


rule summarise:
    input:
        errors=results_of("errors"),
        anew=anew(f"{RESULTS}/summary.csv"),
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
        ENVIRONMENT
    params:
        code=code_of("summary.py"),
        reference=config["reference"],
    script:
        "../scripts/summary.py"


rule measure_draw:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
        anew=anew(f"{RESULTS}/class_draw/{{experiment}}/k1_{{k1}}.parquet"),
    output:
        f"{RESULTS}/class_draw/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/class_draw/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/class_draw/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of("class_draw.py"),
        options=options_of_output,
        k2=lambda wildcards: experiment_of(wildcards)["k2"],
        repetitions=repetitions_of,
        seed_parts=seed_parts,
        ties=seed_of("ties"),
    script:
        "../scripts/class_draw.py"


rule summarise_draws:
    input:
        noise=results_of("class_draw"),
        errors=results_of("errors"),
        anew=anew(f"{RESULTS}/class_draw.csv"),
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
        ENVIRONMENT
    params:
        code=code_of("class_draws.py"),
    script:
        "../scripts/class_draws.py"


rule tabulate:
    input:
        curves=lambda wildcards: curves_of_figure(config["tables"][wildcards.name]),
        anew=anew(f"{RESULTS}/tables/{{name}}.csv"),
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
        ENVIRONMENT
    params:
        code=code_of("accuracies.py"),
        plan=lambda wildcards: figure_plans.figure_plan(
            config, config["tables"][wildcards.name]
        ),
        printed=lambda wildcards: config["tables"][wildcards.name]["printed"],
    script:
        "../scripts/accuracies.py"


rule mix:
    input:
        unpack(mixed),
        anew=anew(f"{RESULTS}/mixtures/{{experiment}}/k1_{{k1}}.parquet"),
    output:
        f"{RESULTS}/mixtures/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/mix/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/mix/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of("mixtures.py"),
        options=options_of_output,
    script:
        "../scripts/mixtures.py"


rule rank:
    input:
        errors=results_of("errors"),
        mixtures=results_of("mixtures"),
        anew=anew(f"{RESULTS}/standings.csv"),
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
        ENVIRONMENT
    params:
        code=code_of("standings.py"),
        groups={
            name: figure_plans.figure_plan(config, group)
            for name, group in config["standings"]["groups"].items()
        },
        published=config["standings"]["published"],
        mixed=config["standings"]["mixed"],
        reference=config["reference"],
        seed=config["seed"],
    script:
        "../scripts/standings.py"


rule judge:
    input:
        errors=results_of("errors"),
        anew=anew(f"{RESULTS}/claims.csv"),
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
        ENVIRONMENT
    params:
        code=code_of("claims.py"),
        claims=config["claims"],
        seed=config["seed"],
    script:
        "../scripts/claims.py"


rule judge_choices:
    input:
        errors=results_of("errors"),
        committed=choices.errors_beside(config),
        anew=anew(f"{RESULTS}/choices.csv"),
    output:
        report(
            f"{RESULTS}/choices.csv",
            caption="../report/choices.rst",
            category="Claims",
            labels={"table": "claims under choices"},
        ),
    log:
        f"{LOGS}/choices.log",
    benchmark:
        f"{BENCHMARKS}/choices/choices.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of("choices.py"),
        claims=choices.claims_of_choices(config),
        choices=config["choices"]["each"],
        seed=config["seed"],
    script:
        "../scripts/choices.py"

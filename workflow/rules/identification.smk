# Open-set identification: score matrix -> true rates; rates predicted from random subsamples of k1
# identities, and their intervals -> one table of the preset.


rule find_true_rates:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
        anew=anew(f"{RESULTS}/truth/{{experiment}}.parquet"),
    output:
        f"{RESULTS}/truth/{{experiment}}.parquet",
    log:
        f"{LOGS}/true_rates/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/true_rates/{{experiment}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of_dataset("true_rates.py"),
        options=options_of_output,
        dataset=lambda wildcards: experiment_of(wildcards)["dataset"],
        k2=lambda wildcards: experiment_of(wildcards)["k2"],
        targets=config["fpir"],
    script:
        "../scripts/true_rates.py"


rule predict_rates:
    input:
        scores=f"{RESULTS}/scores/{{experiment}}.npz",
        truth=f"{RESULTS}/truth/{{experiment}}.parquet",
        anew=anew(f"{RESULTS}/rates/{{experiment}}/k1_{{k1}}/{{method}}.parquet"),
    output:
        f"{RESULTS}/rates/{{experiment}}/k1_{{k1}}/{{method}}.parquet",
    log:
        f"{LOGS}/rates/{{experiment}}/k1_{{k1}}/{{method}}.log",
    benchmark:
        f"{BENCHMARKS}/rates/{{experiment}}/k1_{{k1}}/{{method}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=more_each_attempt(3000),
        runtime=240,
    params:
        code=code_of_method("rates.py"),
        options=options_of_output,
        method=method_of,
        repetitions=repetitions_of,
        seed_parts=seed_parts,
    script:
        "../scripts/rates.py"


rule find_rate_intervals:
    input:
        scores=f"{RESULTS}/scores/{{experiment}}.npz",
        truth=f"{RESULTS}/truth/{{experiment}}.parquet",
        anew=anew(
            f"{RESULTS}/rate_intervals/{{experiment}}/k1_{{k1}}/{{method}}.parquet"
        ),
    output:
        f"{RESULTS}/rate_intervals/{{experiment}}/k1_{{k1}}/{{method}}.parquet",
    log:
        f"{LOGS}/rate_intervals/{{experiment}}/k1_{{k1}}/{{method}}.log",
    benchmark:
        f"{BENCHMARKS}/rate_intervals/{{experiment}}/k1_{{k1}}/{{method}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=more_each_attempt(3000),
        runtime=240,
    params:
        code=code_of_method("rate_intervals.py"),
        options=options_of_output,
        method=method_of,
        dataset=lambda wildcards: experiment_of(wildcards)["dataset"],
        repetitions=lambda wildcards: chunks.interval_repetitions(
            config,
            settings.Setting(wildcards.experiment, int(wildcards.k1)),
            wildcards.method,
        ),
        splits=config["intervals"]["splits"],
        seed_parts=seed_parts,
    script:
        "../scripts/rate_intervals.py"


rule summarise_rates:
    input:
        rates=rates_of("rates", {}),
        intervals=dict.fromkeys(
            path
            for figure in config["figures"]["rate_coverage"].values()
            for path in rates_of("rate_intervals", figure)
        ),
        anew=anew(f"{RESULTS}/rate_summary.csv"),
    output:
        errors=f"{RESULTS}/rate_errors.csv",
        summary=report(
            f"{RESULTS}/rate_summary.csv",
            caption="../report/rate_summary.rst",
            category="Errors",
            labels={"table": "errors and coverage of open-set rates"},
        ),
    log:
        f"{LOGS}/rate_summary.log",
    benchmark:
        f"{BENCHMARKS}/rate_summary/rate_summary.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of("rate_summary.py"),
    script:
        "../scripts/rate_summary.py"

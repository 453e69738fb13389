# Errors, seconds and coverage of every method. Seconds differ from run to run: nothing but the
# provenance reads this table.
TABLES_MADE.append(f"{RESULTS}/methods.csv")


rule methods:
    input:
        errors=expand(
            f"{RESULTS}/errors/{{setting[0]}}/k1_{{setting[1]}}.parquet",
            setting=settings.settings(config),
        ),
        intervals=dict.fromkeys(
            f"{RESULTS}/intervals/{experiment}/k1_{k1}/{method}.parquet"
            for figure in config["figures"]["coverage"].values()
            for (experiment, k1), method in coverage_plans.judged(config, figure)
        ),
    output:
        report(
            f"{RESULTS}/methods.csv",
            caption="../report/methods.rst",
            category="Errors",
            labels={"table": "all methods, with seconds and coverage"},
        ),
    log:
        f"{LOGS}/methods.log",
    benchmark:
        f"{BENCHMARKS}/methods/methods.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint("pipeline.cost.methods_table", "pipeline.jobs.curve_files"),
        logs=f"{LOGS}/extrapolate",
        reference=config["reference"],
    script:
        "../scripts/methods.py"

# Errors, seconds and coverage of every method. Seconds differ from run to run: nothing but the
# provenance reads this table.
if not settings.asks_identification(config):
    TABLES_MADE.append(f"{RESULTS}/methods.csv")


rule tabulate_methods:
    input:
        errors=results_of("errors"),
        intervals=dict.fromkeys(
            f"{RESULTS}/intervals/{setting.experiment}/k1_{setting.k1}/{method}.parquet"
            for figure in config["figures"]["coverage"].values()
            for setting, method in figure_plans.judged(config, figure)
            if (setting, method) not in TAKEN
        ),
        committed=(
            [f"{COMMITTED}/methods.csv"]
            if TAKEN and committed.has_committed(config, "methods.csv")
            else []
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
        ENVIRONMENT
    params:
        code=code_of("methods.py"),
        logs=f"{LOGS}/extrapolate",
        reference=config["reference"],
        taken=[[*setting, method] for setting, method in sorted(TAKEN)],
    script:
        "../scripts/methods.py"

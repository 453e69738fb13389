# Open-set identification: score matrix -> rates predicted from random subsamples of k1 identities,
# true rates and intervals -> one table of the preset.


rule predict_rates:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/rates/{{experiment}}/k1_{{k1}}/{{method}}.parquet",
    log:
        f"{LOGS}/rates/{{experiment}}/k1_{{k1}}/{{method}}.log",
    benchmark:
        f"{BENCHMARKS}/rates/{{experiment}}/k1_{{k1}}/{{method}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of_method("predict_rates.py"),
        dataset=experiment("dataset"),
        k2=experiment("k2"),
        targets=config["fpir"],
        method=method,
        repetitions=of_setting,
        intervals=rate_intervals,
        seed_parts=seed_parts,
    script:
        "../scripts/predict_rates.py"


rule summarise_rates:
    input:
        rates=of_methods("rates", product(preset.settings, preset.computed)),
        errors=published("rate_errors.csv"),
        summaries=published("rate_summary.csv"),
    output:
        errors=f"{RESULTS}/rate_errors.csv",
        summary=table(
            "rate_summary.csv", "Errors", "errors and coverage of open-set rates"
        ),
        findings=f"{RESULTS}/findings.rst",
    log:
        f"{LOGS}/rate_summary.log",
    conda:
        ENVIRONMENT
    params:
        code=code("summarise_rates.py"),
        published_rows=PUBLISHED_ROWS,
    script:
        "../scripts/summarise_rates.py"

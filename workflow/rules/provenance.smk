# What was made, by which commit, configuration and versions, and how long it took.


rule record:
    input:
        SUMMARIES,
        TABLES_MADE,
        FIGURES_MADE,
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
        benchmarks=BENCHMARKS,
        # What was predicted is an input of the errors; here it only says who made it.
        curves=(
            rates_of("rates", {})
            if settings.asks_identification(config)
            else [
                path
                for experiment, k1 in settings.settings(config)
                for path in curves_of(experiment, k1, config["methods"])
            ]
        ),
        taken=[[*setting, method] for setting, method in sorted(TAKEN)],
    script:
        "../scripts/provenance.py"

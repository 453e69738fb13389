# Data set -> perhaps embeddings -> score matrix (or the embeddings behind it) -> true accuracy curve.


rule embed:
    input:
        lambda wildcards: files_of_experiment(EMBEDDED[wildcards.embedding]),
        anew=anew(f"{RESULTS}/embeddings/{{embedding}}.npz"),
    output:
        f"{RESULTS}/embeddings/{{embedding}}.npz",
    log:
        f"{LOGS}/embed/{{embedding}}.log",
    benchmark:
        f"{BENCHMARKS}/embed/{{embedding}}.tsv"
    wildcard_constraints:
        embedding="|".join(map(re.escape, EMBEDDED)) or "(?!)",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=480,
    params:
        code=lambda wildcards: code_of(
            "embed.py",
            *settings.classes_of_dataset(
                config["experiments"][EMBEDDED[wildcards.embedding]]["dataset"]
            ),
        ),
        options=options_of_output,
        dataset=lambda wildcards: missing_files.deciding_options(
            config, EMBEDDED[wildcards.embedding]
        ),
        braced=lambda wildcards: braced_files(EMBEDDED[wildcards.embedding]),
    script:
        "../scripts/embed.py"


rule score:
    input:
        embedded_or_files,
        anew=anew(f"{RESULTS}/scores/{{experiment}}.npz"),
    output:
        f"{RESULTS}/scores/{{experiment}}.npz",
    log:
        f"{LOGS}/scores/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/scores/{{experiment}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=120,
    params:
        code=code_of_dataset("scores.py"),
        options=options_of_output,
        dataset=lambda wildcards: experiment_of(wildcards)["dataset"],
        braced=lambda wildcards: braced_files(wildcards.experiment),
        stored=lambda wildcards: settings.stores_matrix(config, wildcards.experiment),
        seed=seed_of("data set"),
    script:
        "../scripts/scores.py"


rule average_all:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
        anew=anew(f"{RESULTS}/true/{{experiment}}.parquet"),
    output:
        f"{RESULTS}/true/{{experiment}}.parquet",
    log:
        f"{LOGS}/true_curve/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/true_curve/{{experiment}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of("true_curve.py"),
        options=options_of_output,
        k2=lambda wildcards: experiment_of(wildcards)["k2"],
        seed=seed_of("ties"),
    script:
        "../scripts/true_curve.py"

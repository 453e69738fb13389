# Data set -> perhaps embeddings -> score matrix (or the embeddings behind it) -> true accuracy curve.


rule embed:
    input:
        lambda wildcards: files_of_experiment(EMBEDDED[wildcards.embedding]),
    output:
        f"{RESULTS}/embeddings/{{embedding}}.npz",
    log:
        f"{LOGS}/embed/{{embedding}}.log",
    benchmark:
        f"{BENCHMARKS}/embed/{{embedding}}.tsv"
    wildcard_constraints:
        embedding="|".join(map(re.escape, EMBEDDED)) or "(?!)",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=480,
    params:
        code=lambda wildcards: fingerprint(
            *settings.modules_of_dataset(
                config["experiments"][EMBEDDED[wildcards.embedding]]["dataset"]
            )
        ),
        dataset=lambda wildcards: original_files.deciding_options(
            config, EMBEDDED[wildcards.embedding]
        ),
    script:
        "../scripts/embed.py"


rule scores:
    input:
        embedded_or_files,
    output:
        f"{RESULTS}/scores/{{experiment}}.npz",
    log:
        f"{LOGS}/scores/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/scores/{{experiment}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=120,
    params:
        code=lambda wildcards: fingerprint(
            "accuracy_curves.scores.distance_matrix",
            *settings.modules_of_dataset(experiment_of(wildcards)["dataset"]),
        ),
        dataset=lambda wildcards: experiment_of(wildcards)["dataset"],
        stored=lambda wildcards: stores_matrix(config, wildcards.experiment),
        seed=lambda wildcards: derive_seed(
            config["seed"], wildcards.experiment, "data set"
        ),
    script:
        "../scripts/scores.py"


rule true_curve:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/true/{{experiment}}.parquet",
    log:
        f"{LOGS}/true_curve/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/true_curve/{{experiment}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint("accuracy_curves.evaluation.subsampling"),
        k2=lambda wildcards: experiment_of(wildcards)["k2"],
        seed=lambda wildcards: derive_seed(config["seed"], wildcards.experiment, "ties"),
    script:
        "../scripts/true_curve.py"

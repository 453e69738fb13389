# A classifier that is not marginal is trained anew on each repetition's k1 classes: the scores of
# a repetition are files of their own, and no columns of those of all classes.


ruleorder: observe_trained > observe
ruleorder: extrapolate_trained > extrapolate


rule train:
    input:
        dataset_files,
    output:
        f"{RESULTS}/scores/{{experiment}}/k1_{{k1}}/{{repetition}}.npz",
    log:
        f"{LOGS}/train/{{experiment}}/k1_{{k1}}/{{repetition}}.log",
    benchmark:
        f"{BENCHMARKS}/train/{{experiment}}/k1_{{k1}}/{{repetition}}.tsv"
    wildcard_constraints:
        experiment=TRAINED,
        repetition="[0-9]+",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=120,
    params:
        code=lambda wildcards: fingerprint(
            "accuracy_curves.scores.score_files",
            *settings.modules_of_dataset(experiment_of(wildcards)["dataset"]),
        ),
        dataset=lambda wildcards: experiment_of(wildcards)["dataset"],
        seed=lambda wildcards: derive_seed(
            config["seed"], wildcards.experiment, "data set"
        ),
        seed_of_classes=lambda wildcards: derive_seed(
            config["seed"],
            wildcards.experiment,
            int(wildcards.k1),
            int(wildcards.repetition),
            "classes",
        ),
    script:
        "../scripts/train.py"


rule observe_trained:
    input:
        lambda wildcards: trained_scores(
            wildcards, range(chunks.repetitions_of(config, wildcards.experiment))
        ),
    output:
        f"{RESULTS}/observed/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/observe/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/observe/{{experiment}}/k1_{{k1}}.tsv"
    wildcard_constraints:
        experiment=TRAINED,
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.subsampling",
            "accuracy_curves.scores.score_files",
        ),
        seed_parts=lambda wildcards: [config["seed"], wildcards.experiment],
    script:
        "../scripts/observe_trained.py"


rule extrapolate_trained:
    input:
        lambda wildcards: trained_scores(
            wildcards, chunks.chunk_repetitions(wildcards.chunk)
        ),
    output:
        f"{RESULTS}/predicted/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.parquet",
    log:
        f"{LOGS}/extrapolate/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.log",
    benchmark:
        f"{BENCHMARKS}/extrapolate/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.tsv"
    wildcard_constraints:
        experiment=TRAINED,
    conda:
        "../../envs/environment.yaml"
    threads: lambda wildcards: settings.method_of(config, wildcards.method)[1].get("threads", 1)
    resources:
        mem_mb=more_each_attempt(3000),
        runtime=240,
    params:
        code=lambda wildcards: fingerprint(
            "accuracy_curves.evaluation.subsampling",
            "accuracy_curves.scores.score_files",
            settings.module_of_method(config, wildcards.method),
        ),
        k2=lambda wildcards: experiment_of(wildcards)["k2"],
        method=lambda wildcards: settings.method_of(config, wildcards.method),
        seed_parts=lambda wildcards: [config["seed"], wildcards.experiment],
    script:
        "../scripts/extrapolate_trained.py"

# Score matrix -> random subsamples of k1 classes -> observed and predicted accuracy curves.


rule observe:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/observed/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/observe/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/observe/{{experiment}}/k1_{{k1}}.tsv"
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
        repetitions=lambda wildcards: chunks.repetitions_of(
            config, wildcards.experiment
        ),
        seed_parts=lambda wildcards: [config["seed"], wildcards.experiment],
    script:
        "../scripts/observe.py"


rule extrapolate:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/predicted/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.parquet",
    log:
        f"{LOGS}/extrapolate/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.log",
    benchmark:
        f"{BENCHMARKS}/extrapolate/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.tsv"
    conda:
        "../../envs/environment.yaml"
    # Said by the preset, one by default, and not by the machine: float sums depend on their order.
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
        "../scripts/extrapolate.py"

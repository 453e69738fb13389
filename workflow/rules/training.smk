# A classifier that is not marginal is trained anew on each repetition's k1 classes: the scores of
# a repetition are files of their own, and no columns of those of all classes.


rule train:
    input:
        dataset_files,
        anew=anew(f"{RESULTS}/scores/{{experiment}}/k1_{{k1}}/{{repetition}}.npz"),
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
        ENVIRONMENT
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=120,
    params:
        code=code_of_dataset("train.py"),
        options=options_of_output,
        dataset=lambda wildcards: experiment_of(wildcards)["dataset"],
        braced=lambda wildcards: braced_files(wildcards.experiment),
        seed=seed_of("data set"),
        seed_of_classes=lambda wildcards: derive_seed(
            *seed_parts(wildcards),
            int(wildcards.k1),
            int(wildcards.repetition),
            "classes",
        ),
    script:
        "../scripts/train.py"

# Score matrix -> random subsamples of k1 classes -> observed and predicted accuracy curves.


rule observe:
    input:
        lambda wildcards: scores_of(wildcards, range(repetitions_of(wildcards))),
        anew=anew(f"{RESULTS}/observed/{{experiment}}/k1_{{k1}}.parquet"),
    output:
        f"{RESULTS}/observed/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/observe/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/observe/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code_of("observe.py"),
        options=options_of_output,
        repetitions=repetitions_of,
        seed_parts=seed_parts,
    script:
        "../scripts/observe.py"


rule extrapolate:
    input:
        scores_of_curve,
        anew=anew(
            f"{RESULTS}/predicted/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.parquet"
        ),
    output:
        f"{RESULTS}/predicted/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.parquet",
    log:
        f"{LOGS}/extrapolate/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.log",
    benchmark:
        f"{BENCHMARKS}/extrapolate/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.tsv"
    priority:
        longest_first(
            f"{BENCHMARKS}/extrapolate/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.tsv"
        )
    conda:
        ENVIRONMENT
    threads: threads_of_method
    resources:
        mem_mb=more_each_attempt(3000),
        runtime=240,
    params:
        code=code_of_method("extrapolate.py"),
        options=options_of_output,
        k2=lambda wildcards: experiment_of(wildcards)["k2"],
        method=method_of,
        repetitions=lambda wildcards: list(chunks.chunk_repetitions(wildcards.chunk)),
        seed_parts=seed_parts,
    script:
        "../scripts/extrapolate.py"

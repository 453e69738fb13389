# Score matrix -> random subsamples of k1 classes -> true, observed and predicted accuracy curves.


rule average_all:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/true/{{experiment}}.parquet",
    log:
        f"{LOGS}/true/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/true/{{experiment}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code("average_all.py"),
        k2=experiment("k2"),
        seed=seed("ties"),
    script:
        "../scripts/average_all.py"


# What the sampled classes show, and the noise of their draw.
rule observe:
    input:
        sampled=scores(of_setting),
        whole=f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        curves=f"{RESULTS}/observed/{{experiment}}/k1_{{k1}}.parquet",
        noise=f"{RESULTS}/class_draw/{{experiment}}/k1_{{k1}}.parquet",
    log:
        f"{LOGS}/observed/{{experiment}}/k1_{{k1}}.log",
    benchmark:
        f"{BENCHMARKS}/observed/{{experiment}}/k1_{{k1}}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code("observe.py"),
        k2=experiment("k2"),
        repetitions=of_setting,
        seed_parts=seed_parts,
        ties=seed("ties"),
    script:
        "../scripts/observe.py"


rule extrapolate:
    input:
        scores(of_chunk),
    output:
        curves=f"{RESULTS}/predicted/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.parquet",
        seconds=f"{RESULTS}/seconds/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.parquet",
    log:
        f"{LOGS}/predicted/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.log",
    benchmark:
        f"{BENCHMARKS}/predicted/{{experiment}}/k1_{{k1}}/{{method}}/{{chunk}}.tsv"
    # Else the quick end of a setting is waited for at the end of the run.
    priority: 1
    conda:
        environment_of_method
    params:
        code=code_of_method("extrapolate.py"),
        k2=experiment("k2"),
        lists=experiment("lists"),
        method=method,
        repetitions=of_chunk,
        seed_parts=seed_parts,
    script:
        "../scripts/extrapolate.py"


rule find_intervals:
    input:
        f"{RESULTS}/scores/{{experiment}}.npz",
    output:
        f"{RESULTS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.parquet",
    log:
        f"{LOGS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.log",
    benchmark:
        f"{BENCHMARKS}/intervals/{{experiment}}/k1_{{k1}}/{{method}}.tsv"
    priority: 1
    conda:
        environment_of_method
    params:
        code=code_of_method("find_intervals.py"),
        lists=experiment("lists"),
        method=method,
        multiples=config["intervals"]["multiples"],
        repetitions=lambda w: [
            *range(preset.interval_repetitions(setting(w), w.method))
        ],
        splits=lambda w: preset.splits(w.method),
        seed_parts=seed_parts,
    script:
        "../scripts/find_intervals.py"

# Files -> data set -> score matrix (or the embeddings behind it).
from experiments.datasets.downloads.sources import downloads

DOWNLOADS = downloads(preset.datasets[name] for name in preset.experiments)


# `make figures` fetches them first, and goes on with what it got.
rule fetch:
    input:
        [local(path) for files in DOWNLOADS.values() for path in files],
    localrule: True


# A file that is there is the output of no rule, however it came there: it is not fetched again, and
# the job that reads it checks it.
for fetched, files in DOWNLOADS.items():

    rule:
        name:
            f"download_{fetched}"
        output:
            # A file put there by hand meanwhile is not removed.
            [update(local(path)) for path in files],
        log:
            f"{LOGS}/download/{fetched}.log",
        # What is missing is said before days of computing.
        priority: 1000
        retries: 0
        # Nodes of a cluster often have no network. User names and passwords are read from the
        # environment by the job itself: no parameter, log or file of Snakemake has them.
        localrule: True
        conda:
            ENVIRONMENT
        params:
            sources=[*files.values()],
        message:
            f"Fetching {len(files)} files of {fetched}."
        script:
            "../scripts/download.py"


# The images of experiments that differ in the gallery alone, under the first one's name.
rule embed:
    input:
        lambda w: data_files(w.experiment),
    output:
        f"{RESULTS}/embeddings/{{experiment}}.npz",
    log:
        f"{LOGS}/embed/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/embed/{{experiment}}.tsv"
    conda:
        environment_of_dataset
    params:
        code=code_of_dataset("embed.py"),
        dataset=lambda w: preset.embedding_entry(w.experiment),
    script:
        "../scripts/embed.py"


rule score:
    input:
        scored_files,
    output:
        f"{RESULTS}/scores/{{experiment}}.npz",
    log:
        f"{LOGS}/score/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/score/{{experiment}}.tsv"
    conda:
        environment_of_dataset
    params:
        code=code_of_dataset("score.py"),
        dataset=experiment("dataset"),
        k2=experiment("k2"),
        known=lambda w: preset.has_closed_form(w.experiment),
        seed=seed("data set"),
    script:
        "../scripts/score.py"


# A classifier that is not marginal is trained anew on each repetition's k1 classes: the scores of
# a repetition are files of their own, and no columns of those of all classes.
rule train:
    input:
        lambda w: data_files(w.experiment),
    output:
        f"{RESULTS}/scores/{{experiment}}/k1_{{k1}}/{{repetition}}.npz",
    log:
        f"{LOGS}/train/{{experiment}}/k1_{{k1}}/{{repetition}}.log",
    benchmark:
        f"{BENCHMARKS}/train/{{experiment}}/k1_{{k1}}/{{repetition}}.tsv"
    conda:
        environment_of_dataset
    params:
        code=code_of_dataset("train.py"),
        dataset=experiment("dataset"),
        seed=seed("data set"),
        seed_of_classes=lambda w: derive_seed(
            *seed_parts(w), int(w.k1), int(w.repetition), "classes"
        ),
    script:
        "../scripts/train.py"

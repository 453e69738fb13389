# Errors and curves -> the figures of the papers. One rule a family of figures.


rule boxplots:
    input:
        errors=errors_of_figure("boxplots"),
    output:
        pdf=f"{DRAWINGS}/boxplots/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/boxplots/{{name}}.png",
            caption="../report/boxplots.rst",
            category="Figures",
            subcategory="RMSE by setting",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/boxplots/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/boxplots/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint("accuracy_curves.figures.boxplots", "pipeline.curves"),
        plan=plan_of_figure("boxplots"),
    script:
        "../scripts/boxplots.py"


rule curves:
    input:
        curves=curves_of_figure("curves"),
        errors=errors_of_figure("curves"),
    output:
        pdf=f"{DRAWINGS}/curves/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/curves/{{name}}.png",
            caption="../report/curves.rst",
            category="Figures",
            subcategory="Accuracy curves",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/curves/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/curves/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=30,
    params:
        code=fingerprint("accuracy_curves.figures.curves", "pipeline.curves"),
        plan=plan_of_figure("curves"),
    script:
        "../scripts/curves.py"


rule comparison:
    input:
        curves=curves_of_figure("comparison"),
        errors=errors_of_figure("comparison"),
    output:
        pdf=f"{DRAWINGS}/comparison/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/comparison/{{name}}.png",
            caption="../report/comparison.rst",
            category="Figures",
            subcategory="Comparison of methods",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/comparison/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/comparison/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=30,
    params:
        code=fingerprint("accuracy_curves.figures.experiments", "pipeline.curves"),
        plan=plan_of_figure("comparison"),
        reference=config["reference"],
    script:
        "../scripts/comparison.py"


rule reversed_roc:
    input:
        lambda wildcards: f"{RESULTS}/scores/{figure_of(wildcards, 'reversed_roc')['experiment']}.npz",
    output:
        pdf=f"{DRAWINGS}/reversed_roc/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/reversed_roc/{{name}}.png",
            caption="../report/reversed_roc.rst",
            category="Figures",
            subcategory="Reversed ROC",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/reversed_roc/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/reversed_roc/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.figures.reversed_roc", "accuracy_curves.score_files"
        ),
        seed=lambda wildcards: derive_seed(
            config["seed"], wildcards.name, "points of the figure"
        ),
    script:
        "../scripts/reversed_roc.py"

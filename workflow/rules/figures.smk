# Errors and curves -> the figures of the papers. One rule a family of figures.


rule boxplots:
    input:
        errors=errors_of_figure("boxplots"),
        noise=class_draws_of_figure("boxplots"),
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
        code=fingerprint(
            "accuracy_curves.figures.boxplots", "pipeline.jobs.curve_files"
        ),
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
        code=fingerprint("accuracy_curves.figures.curves", "pipeline.jobs.curve_files"),
        plan=plan_of_figure("curves"),
    script:
        "../scripts/curves.py"


rule comparison:
    input:
        curves=curves_of_figure("comparison"),
        errors=errors_of_figure("comparison"),
        noise=class_draws_of_figure("comparison"),
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
        code=fingerprint(
            "accuracy_curves.figures.experiments", "pipeline.jobs.curve_files"
        ),
        plan=plan_of_figure("comparison"),
        reference=config["reference"],
    script:
        "../scripts/comparison.py"


rule matrix:
    input:
        errors=errors_of_figure("matrix"),
    output:
        pdf=f"{DRAWINGS}/matrix/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/matrix/{{name}}.png",
            caption="../report/matrix.rst",
            category="Figures",
            subcategory="All methods",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/matrix/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/matrix/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint("accuracy_curves.figures.matrix", "pipeline.jobs.curve_files"),
        plan=plan_of_figure("matrix"),
        reference=config["reference"],
        show=lambda wildcards: figure_of(wildcards, "matrix").get("show", "rmse"),
    script:
        "../scripts/matrix.py"


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
            "accuracy_curves.figures.reversed_roc",
            "accuracy_curves.scores.distance_matrix",
        ),
        seed=lambda wildcards: derive_seed(
            config["seed"], wildcards.name, "points of the figure"
        ),
    script:
        "../scripts/reversed_roc.py"


rule bivariate_normal:
    output:
        pdf=f"{DRAWINGS}/bivariate_normal/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/bivariate_normal/{{name}}.png",
            caption="../report/bivariate_normal.rst",
            category="Figures",
            subcategory="Bivariate normal example",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/bivariate_normal/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/bivariate_normal/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(1000),
        runtime=10,
    params:
        code=fingerprint("accuracy_curves.figures.bivariate_normal"),
        plan=lambda wildcards: dict(figure_of(wildcards, "bivariate_normal")),
        seed=lambda wildcards: derive_seed(config["seed"], wildcards.name, "labels"),
    script:
        "../scripts/bivariate_normal.py"


rule by_k1:
    input:
        curves=curves_of_figure("by_k1"),
        errors=errors_of_figure("by_k1"),
    output:
        pdf=f"{DRAWINGS}/by_k1/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/by_k1/{{name}}.png",
            caption="../report/by_k1.rst",
            category="Figures",
            subcategory="Curves from several k1",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/by_k1/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/by_k1/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=30,
    params:
        code=fingerprint("accuracy_curves.figures.by_k1", "pipeline.jobs.curve_files"),
        plan=plan_of_figure("by_k1"),
    script:
        "../scripts/by_k1.py"


rule sweep:
    input:
        curves=curves_of_figure("sweep"),
    output:
        pdf=f"{DRAWINGS}/sweep/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/sweep/{{name}}.png",
            caption="../report/sweep.rst",
            category="Figures",
            subcategory="Errors at k2",
            labels={"figure": "{name}"},
        ),
        table=report(
            f"{RESULTS}/sweep/{{name}}.csv",
            caption="../report/sweep.rst",
            category="Errors",
            labels={"table": "{name}"},
        ),
    log:
        f"{LOGS}/sweep/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/sweep/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(4000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.evaluation.errors_at_k",
            "accuracy_curves.figures.sweep",
            "pipeline.jobs.curve_files",
        ),
        plan=lambda wildcards: figure_plans.sweep_plan(
            config, figure_of(wildcards, "sweep")
        ),
    script:
        "../scripts/sweep.py"


rule distributions:
    input:
        lambda wildcards: expand(
            f"{RESULTS}/scores/{{experiment}}.npz",
            experiment=figure_experiments(wildcards, "distributions"),
        ),
    output:
        pdf=f"{DRAWINGS}/distributions/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/distributions/{{name}}.png",
            caption="../report/distributions.rst",
            category="Figures",
            subcategory="Distribution functions",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/distributions/{{name}}.log",
    benchmark:
        f"{BENCHMARKS}/distributions/{{name}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=more_each_attempt(2000),
        runtime=30,
    params:
        code=fingerprint(
            "accuracy_curves.figures.distributions",
            "accuracy_curves.scores.distance_matrix",
        ),
        labels=lambda wildcards: [
            config["experiments"][experiment].get("label", experiment)
            for experiment in figure_experiments(wildcards, "distributions")
        ],
        seed=lambda wildcards: derive_seed(config["seed"], wildcards.name, "ties"),
    script:
        "../scripts/distributions.py"

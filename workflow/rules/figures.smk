# Errors, curves and scores -> the figures. A kind of figure is a module of experiments/figures.
from experiments.figures import FIGURES

FIGURE_FILES = [
    f"{DRAWINGS}/{kind}/{name}.{suffix}"
    for kind, name in DRAWN
    for suffix in ("pdf", "png")
]


rule draw:
    input:
        unpack(drawn_from),
    output:
        pdf=f"{DRAWINGS}/{{kind}}/{{name}}.pdf",
        png=report(
            f"{DRAWINGS}/{{kind}}/{{name}}.png",
            caption="../report/figure.rst",
            category="Figures",
            subcategory="{kind}",
            labels={"figure": "{name}"},
        ),
    log:
        f"{LOGS}/figures/{{kind}}/{{name}}.log",
    wildcard_constraints:
        kind="|".join(FIGURES),
    conda:
        ENVIRONMENT
    params:
        code=code("draw.py", lambda w: figure(w.kind, w.name).runs(preset)),
        plan=lambda w: figure(w.kind, w.name).plan(preset, w.name),
    script:
        "../scripts/draw.py"

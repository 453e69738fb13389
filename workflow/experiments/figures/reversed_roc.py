"""The reversed ROC of four points and its average (ICLR 2021, Figure 1)."""

from typing import cast

from matplotlib.figure import Figure

from accuracy_curves.prediction.plots.reversed_roc import reversed_roc_figure
from accuracy_curves.scores.score_matrix import ScoreMatrix
from experiments.figures.base import FigureKind, Files, Plan
from experiments.stored import load_matrix


class ReversedROC(FigureKind):
    """How the reversed ROC of one data set comes from its scores."""

    kind = "reversed_roc"
    title = "Reversed ROC"
    caption = (
        "The reversed ROC of four data points and its average: the scores of the incorrect classes "
        "with the correct one, the reversed true- and false-positive rates, and the resulting step "
        "functions (ICLR 2021, Figure 1). The area under the average is the accuracy of two "
        "classes."
    )
    reads = ("scores",)
    shows = ("labels",)
    random = "points of the figure"

    @classmethod
    def draw(cls, files: Files, plan: Plan) -> Figure:
        """Draw the scores of all classes."""
        # Scores, and no embeddings: `Preset.stores_matrix`.
        matrix = cast(ScoreMatrix, load_matrix(files["scores"][0]))
        return reversed_roc_figure(matrix, seed=plan["seed"])

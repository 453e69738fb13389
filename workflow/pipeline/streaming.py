"""Which experiments need their score matrix on disk."""

from accuracy_curves.datasets import DATASETS
from accuracy_curves.datasets.base import DistanceDataset
from accuracy_curves.extrapolators import make_extrapolator
from pipeline.settings import Config, method_of


def stores_matrix(config: Config, experiment: str) -> bool:
    """Say whether an experiment's score matrix is written.

    Distances of embeddings are not, where every method of the preset needs only ranks and no
    figure shows the scores: the embeddings are written, and ranks computed from them in blocks.

    Parameters
    ----------
    config : dict
        A checked preset.
    experiment : str
        Its name.

    Returns
    -------
    bool
    """
    kind = config["experiments"][experiment]["dataset"]["kind"]
    if not issubclass(DATASETS[kind], DistanceDataset):
        return True
    shown = config["figures"].get("reversed_roc", {}).values()
    if any(figure["experiment"] == experiment for figure in shown):
        return True
    methods = (method_of(config, key) for key in config["methods"])
    return any(make_extrapolator(name, **options).needs == "scores" for name, options in methods)

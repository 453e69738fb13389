"""Natural images identified from fMRI (Kay et al. 2008; ICLR 2021, Section 5.2, Experiment 3)."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Choice, Count, Whole
from experiments.datasets.base import Dataset
from experiments.datasets.embeddings.encoding import fit_encoding_model, identification_scores
from experiments.datasets.embeddings.gabor import FREQUENCIES, gabor_pyramid
from experiments.datasets.readers import load_variable

log = logging.getLogger(__name__)


class Kay(Dataset):
    """Images of CRCNS's vim-1, looked up by the brain responses to them.

    The 1750 images that were shown for training (``stimTrn``, ``dataTrnS1``) are divided at
    random: on some an encoding model is fitted, the others are classes, each with its response as
    the one data point. A voxel with a missing response to any of them is left out and counted in
    the log.

    Parameters
    ----------
    responses : path-like
        ``EstimatedResponses.mat``.
    stimuli : path-like
        ``Stimuli.mat``.
    subject : {"S1", "S2"}
        Whose brain.
    n_training : int
        Images on which the model is fitted: 750 in the paper, which leaves 1000 classes.
    n_voxels : int
        The best-predicted voxels to keep, chosen on the training images alone.
    frequencies : sequence of int
        Frequencies of the Gabor wavelets, in cycles an image.
    """

    kind = "kay"
    originals: ClassVar = {"responses": "vim1", "stimuli": "vim1"}

    responses: Path
    stimuli: Path
    subject: Annotated[str, Choice("S1", "S2")] = "S1"
    n_training: Annotated[int, Whole(10)] = 750
    n_voxels: Count = 1250
    frequencies: Sequence[int] = FREQUENCIES

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Fit the encoding model, and score responses against images: squared Mahalanobis distance.

        A row and a column for each image that was not for training, in the order of the file.
        `seed` decides which those are, and the folds of the cross-validation.
        """
        responses = self._complete_responses()
        images = load_variable(self.stimuli, "stimTrn")
        if images.ndim != 3 or len(images) != len(responses):
            raise InputError(
                f"{self.stimuli}: stimTrn is {images.shape}, but there are responses to "
                f"{len(responses)} images of the same number of rows and columns"
            )
        with located(self.stimuli):
            features = gabor_pyramid(images, frequencies=self.frequencies)
        rng = np.random.default_rng(derive_seed(seed, "kay", "training"))
        order = rng.permutation(len(images))
        training, others = order[: self.n_training], np.sort(order[self.n_training :])
        model = fit_encoding_model(
            features[training], responses[training], n_voxels=self.n_voxels, seed=seed
        )
        log.info(
            "R^2 of images left out, of the %d voxels that are kept: %.3f to %.3f",
            *(len(model.voxels), model.r_squared.min(), model.r_squared.max()),
        )
        return identification_scores(model, features[others], responses[others])

    def _complete_responses(self) -> AnyArray:
        """Read the responses of voxels that have all of them, (images, voxels)."""
        name = f"dataTrn{self.subject}"
        responses = load_variable(self.responses, name)
        complete = np.isfinite(responses).all(axis=1)
        log.info("%d of %d voxels have every response", np.count_nonzero(complete), len(responses))
        if np.count_nonzero(complete) < self.n_voxels:
            raise InputError(
                f"{self.responses}: {np.count_nonzero(complete)} voxels of {name} have every "
                f"response, not {self.n_voxels}: take a smaller n_voxels"
            )
        return responses[complete].T

"""Labeled Faces in the Wild, embedded by OpenFace (ICLR 2021, Section 5.2, Experiment 2)."""

import logging
import tarfile
import tempfile
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from PIL import Image

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.files import readable
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Whole
from experiments.datasets.base import Dataset
from experiments.datasets.embeddings.faces import (
    FindLandmarks,
    Photo,
    aligned_face,
    landmark_finder,
)
from experiments.datasets.embeddings.openface import openface_embeddings

log = logging.getLogger(__name__)


class Lfw(Dataset):
    """People with two photos each: one is the class's label, the other its data point.

    A photo in which no face is found does not count. Of each person two of the photos that count
    are sampled at random; a person with fewer is left out. Both are counted in the log.

    Parameters
    ----------
    photos : path-like
        ``lfw.tgz``, or the folder of its people: ``Ann_Bee/Ann_Bee_0001.jpg``.
    weights : path-like
        Folder of OpenFace's weights, see
        `experiments.datasets.embeddings.openface.load_openface_weights`.
    n_people : int, optional
        Sampled at random from people with two photos; None takes all. 1672 in the paper.
    """

    kind = "lfw"
    extra = "faces"
    originals: ClassVar = {"photos": "lfw", "weights": "openface"}

    photos: Path
    weights: Path
    n_people: Annotated[int, Whole(MINIMUM_CLASSES)] | None = 1672

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Align and embed two photos of each person, people in the order of the names.

        `seed` decides which people, which photos, and which of the two is the label.
        """
        with tempfile.TemporaryDirectory(prefix="lfw-") as scratch:
            folder = self._people(Path(scratch))
            pairs = drawn_pairs(folder, self.n_people, seed, landmark_finder())
        faces = np.stack([face for name in sorted(pairs) for face in pairs[name]])
        embedded = openface_embeddings(faces, self.weights).astype(np.float64)
        people = np.arange(len(pairs))
        return DistanceMatrix(embedded[1::2], embedded[0::2], people, "euclidean").stored()

    def _people(self, scratch: Path) -> Path:
        """Find the folder of the people; an archive is unpacked."""
        if self.photos.is_dir():
            return self.photos
        with readable(self.photos), tarfile.open(self.photos) as packed:
            # Python before 3.11.4 (Debian 12 has 3.11.2) has no filters, and ignores this.
            packed.extraction_filter = getattr(tarfile, "data_filter", None)
            packed.extractall(scratch)
            (inside,) = scratch.iterdir()
            return inside


def drawn_pairs(
    folder: Path, n_people: int | None, seed: int, find: FindLandmarks
) -> dict[str, tuple[Photo, Photo]]:
    """Draw people, and two photos of each in which a face is found; the first is the label.

    `folder` has a folder of JPEG files for each person; `n_people` None takes all people. Faces are
    aligned, (96, 96, 3), by name. `InputError` if there are too few people, or a photo cannot be
    read.
    """
    people = {
        path.name: sorted(path.glob("*.jpg")) for path in sorted(folder.iterdir()) if path.is_dir()
    }
    several = [name for name, photos in people.items() if len(photos) > 1]
    pairs: dict[str, tuple[Photo, Photo]] = {}
    seen = faceless = 0
    order = np.random.default_rng(derive_seed(seed, "lfw", "people")).permutation(len(several))
    for name in (several[i] for i in order):
        if len(pairs) == n_people:
            break
        rng = np.random.default_rng(derive_seed(seed, "lfw", "photos", name))
        faces: list[Photo] = []
        # A random order until two have a face is a random pair of photos with one.
        for i in rng.permutation(len(people[name])):
            with readable(path := people[name][i]), Image.open(path) as image:
                photo = np.asarray(image.convert("RGB"))
            points = find(photo)
            seen += 1
            faceless += points is None
            if points is not None:
                faces.append(aligned_face(photo, points))
            if len(faces) == 2:
                pairs[name] = (faces[0], faces[1])
                break
    log.info(
        "%d people, %d with several photos; of %d photos looked at %d have no face that is found; "
        "%d people have two that count",
        *(len(people), len(several), seen, faceless, len(pairs)),
    )
    needed = MINIMUM_CLASSES if n_people is None else n_people
    if len(pairs) < needed:
        raise InputError(
            f"{folder} has {len(pairs)} people with two photos in which a face is found, not "
            f"{needed}: is it the whole data set? Otherwise set n_people to what there is"
        )
    return pairs

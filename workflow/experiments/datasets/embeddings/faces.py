"""Faces in photographs: found, and aligned as OpenFace does."""

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.extras import needed_by
from experiments.datasets.downloads.sources import all_sources, check_copy

SIDE = 96
# Outer corners of the eyes and base of the nose among the 68 landmarks.
LANDMARKS = (36, 45, 33)
LANDMARK_MODEL = "models/shape_predictor_68_face_landmarks.dat"
# Where OpenFace's template has them, in a unit square that its 68 points fill (x, y).
TEMPLATE = np.array(
    [[0.194156995, 0.169266902], [0.788859082, 0.158171151], [0.494950915, 0.514441322]]
)

Photo = npt.NDArray[np.uint8]
FindLandmarks = Callable[[Photo], Float64Array | None]


def aligned_face(photo: Photo, points: Float64Array, side: int = SIDE) -> Photo:
    """Move a face to OpenFace's template by the affine map of three points.

    These are the outer corner of the eye on the left, that on the right, and the base of the nose:
    x and y in pixels of the photo (height, width, 3). In the result, (side, side, 3), they are at
    ``side * TEMPLATE``; it is interpolated bilinearly, and black where the photo ends.
    """
    target = np.column_stack([side * TEMPLATE, np.ones(3)])
    back = np.linalg.solve(target, points)  # (x, y, 1) of the result to x, y of the photo.
    y, x = np.mgrid[:side, :side]
    of_photo = np.stack([x, y, np.ones_like(x)], axis=-1) @ back
    at = [of_photo[..., 1], of_photo[..., 0]]
    planes = [
        scipy.ndimage.map_coordinates(
            photo[..., c].astype(np.float64), at, order=1, mode="grid-constant"
        )
        for c in range(3)
    ]
    return np.rint(np.stack(planes, axis=-1)).clip(0, 255).astype(np.uint8)


def landmark_finder() -> FindLandmarks:
    """Load dlib's face detector and its model of 68 landmarks.

    The function that it gives finds the points that `aligned_face` takes, (3, 2), of the largest
    face of a photo, or None where there is none. Small photos are enlarged once to find smaller
    faces, as OpenFace does.
    """
    with needed_by("finding faces", "faces"):
        import dlib

        # Its file alone: imported, it would ask for an old setuptools.
        package = metadata.distribution("face_recognition_models")
    model = Path(str(package.locate_file(f"face_recognition_models/{LANDMARK_MODEL}")))
    check_copy(model, all_sources()[f"landmarks/{LANDMARK_MODEL}"])
    detect: Any = dlib.get_frontal_face_detector()
    predict: Any = dlib.shape_predictor(str(model))

    def find(photo: Photo) -> Float64Array | None:
        boxes = detect(photo, 1)
        if len(boxes) == 0:
            return None
        # Of equally large ones the first: the detector sorts them by confidence.
        shape = predict(photo, max(boxes, key=lambda box: box.area()))
        return np.array([[shape.part(i).x, shape.part(i).y] for i in LANDMARKS], np.float64)

    return find

"""Photographs of faces that packages ship, as a tree of people."""

from importlib.util import find_spec

import numpy as np
import pytest
from matplotlib import cbook
from PIL import Image


def needs_dlib():
    for package in ("dlib", "face_recognition_models"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed: it is in the extra 'faces'")


def real_faces():
    """Photos of a face that packages ship: Grace Hopper, and Eileen Collins where skimage is."""
    with cbook.get_sample_data("grace_hopper.jpg") as file:
        photos = {"Grace_Hopper": np.asarray(Image.open(file).convert("RGB"))}
    if find_spec("skimage") is not None:
        from skimage import data

        photos["Eileen_Collins"] = data.astronaut()
    return photos


def write_faces(folder):
    """Write two photos each of these faces and of their mirror images: four people."""
    for name, photo in real_faces().items():
        image = Image.fromarray(photo)
        for other, turned in (("", image), ("_Mirrored", image.transpose(0))):
            (folder / f"{name}{other}").mkdir(parents=True)
            for i, angle in enumerate((0, 8)):
                file = folder / f"{name}{other}" / f"{name}{other}_{i + 1:04d}.jpg"
                turned.rotate(angle, Image.BILINEAR).save(file, quality=95)

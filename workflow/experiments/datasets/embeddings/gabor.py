"""Gabor wavelet pyramid: an image's local contrast by place, orientation and frequency."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray, Float64Array
from accuracy_curves.utils.numerics import one_thread
from accuracy_curves.utils.validation import Whole, check

FREQUENCIES = (1, 2, 4, 8, 16, 32)
ORIENTATIONS = 8
# Width times frequency of a Gaussian envelope for a bandwidth of one octave at half height.
WIDTH = 3 / np.pi * np.sqrt(np.log(2) / 2)
BLOCK = 128


def gabor_pyramid(
    images: AnyArray, *, frequencies: Sequence[int] = FREQUENCIES
) -> npt.NDArray[np.float32]:
    """Amplitudes of quadrature pairs of Gabor wavelets (Kay et al. 2008, Nature 452).

    Each image is contrast-normalised first: less its mean, divided by its standard deviation. At f
    cycles an image (at most half of the side) the wavelets stand on a grid of f x f places, at each
    in eight orientations: directions in which the grey levels change, from along the rows, evenly
    over half a turn. A pair is a cosine and a sine in a round Gaussian of one octave's bandwidth,
    cut off at the image's borders, of sum 0 and length 1 together; its amplitude is the root of the
    sum of the squares of their two products with the image.

    Of (n, side, side) grey levels it gives (n, 8 * sum of f^2): by frequency, then
    orientation, then row, then column; 10,920 by default. An image of one grey has zeros.
    `InputError` if the images are not square or too small for a frequency.
    """
    side = images.shape[-1]
    if images.ndim != 3 or images.shape[1] != side or images.dtype.kind not in "biuf":
        raise InputError(
            f"images must be numbers (n, side, side), not {images.dtype} of shape {images.shape}"
        )
    for frequency in frequencies:
        check("a frequency", frequency, Whole(1, side // 2))
    blocks = []
    for start in range(0, len(images), BLOCK):
        pixels = _contrast_normalised(images[start : start + BLOCK])
        amplitudes = [
            _amplitudes(pixels, frequency, np.pi * index / ORIENTATIONS).astype(np.float32)
            for frequency in frequencies
            for index in range(ORIENTATIONS)
        ]
        blocks.append(np.hstack(amplitudes))
    return np.concatenate(blocks)


def _contrast_normalised(images: AnyArray) -> Float64Array:
    """Mean 0 and standard deviation 1, image by image; one of one grey becomes zeros."""
    pixels = images.astype(np.float64)
    pixels -= pixels.mean(axis=(1, 2), keepdims=True)
    deviation = pixels.std(axis=(1, 2), keepdims=True)
    flat = deviation < 1e-9 * np.maximum(1, np.abs(images).max(axis=(1, 2), keepdims=True))
    return np.where(flat, 0, pixels / np.where(flat, 1, deviation))


def _amplitudes(images: Float64Array, frequency: int, orientation: float) -> Float64Array:
    """Amplitudes at one frequency and orientation, (n, f * f).

    A wavelet is a product of a function of x and one of y, so is its product with an image.
    """
    side = images.shape[-1]
    at = (np.arange(side) + 0.5) / side
    centres = (np.arange(frequency) + 0.5) / frequency
    distance = at[:, None] - centres
    envelope = np.exp(-0.5 * (distance * frequency / WIDTH) ** 2)  # (side, f), of x as of y.
    along_x = envelope * np.exp(2j * np.pi * frequency * np.cos(orientation) * distance)
    along_y = envelope * np.exp(2j * np.pi * frequency * np.sin(orientation) * distance)

    # Less a share of the envelope, so that the sum is 0 whatever the borders cut off.
    total = envelope.sum(axis=0)
    share = np.outer(along_y.sum(axis=0), along_x.sum(axis=0)) / np.outer(total, total)
    power = (envelope**2).sum(axis=0)
    overlap = np.outer((along_y * envelope).sum(axis=0), (along_x * envelope).sum(axis=0))
    squares = (1 + np.abs(share) ** 2) * np.outer(power, power)
    length = np.sqrt(squares - 2 * (share.conj() * overlap).real)
    with one_thread():
        found = along_y.T @ images @ along_x - share * (envelope.T @ images @ envelope)
    amplitudes: Float64Array = np.abs(found) / length
    return amplitudes.reshape(len(images), -1)

"""Small files in the formats of CRCNS's vim-1."""

import h5py
import numpy as np
from scipy.io import savemat

from experiments.datasets.embeddings.gabor import gabor_pyramid

FREQUENCIES = (1, 2, 4)


def write_hdf5(path, **variables):
    """As MATLAB 7.3 writes: a user block, columns first, a class, references under #refs#."""
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, array in variables.items():
            stored = file.create_dataset(name, data=np.asarray(array).T)
            kind = "single" if stored.dtype == np.float32 else stored.dtype.name
            stored.attrs["MATLAB_class"] = np.bytes_(kind.replace("float64", "double"))
        file.create_group("#refs#")
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512, b" "))


def write_vim1(folder):
    """Both files: 30 voxels see the wavelets, 10 do not, 5 miss a response."""
    rng = np.random.default_rng(8)
    n, side = 160, 128
    spectrum = rng.normal(size=(n, side, side)) + 1j * rng.normal(size=(n, side, side))
    fy, fx = np.meshgrid(np.fft.fftfreq(side), np.fft.fftfreq(side), indexing="ij")
    pixels = np.fft.ifft2(spectrum / (np.hypot(fy, fx) + 1 / side)).real  # As natural images are.
    images = (128 + 40 * pixels / pixels.std()).astype(np.float32)
    features = gabor_pyramid(images, frequencies=FREQUENCIES)
    features = (features - features.mean(axis=0)) / features.std(axis=0)
    signal = features @ rng.normal(size=(features.shape[1], 30)) / np.sqrt(features.shape[1])
    seen = signal + 0.1 * rng.normal(size=signal.shape)
    responses = np.hstack([seen, rng.normal(size=(n, 15))]).T.astype(np.float32)
    responses[[3, 17, 31, 40, 44], [0, 60, 100, 150, 159]] = np.nan
    variables = {
        "dataTrnS1": responses,
        "dataValS1": responses[:, :12],
        "roiS1": rng.integers(8, size=(45, 1)).astype(np.float64),
        "voxIdxS1": np.arange(45.0)[:, None],
    }
    write_hdf5(folder / "EstimatedResponses.mat", **variables)
    stimuli = {"stimTrn": images, "stimVal": images[:12]}
    savemat(folder / "Stimuli.mat", stimuli, do_compression=True)
    return variables, images

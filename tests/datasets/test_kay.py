import logging

import numpy as np
import pytest
from scipy.io import savemat

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.seeds import derive_seed
from experiments.datasets import make_dataset
from experiments.datasets.readers import load_variable
from vim1_files import FREQUENCIES, write_hdf5, write_vim1


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vim1")
    variables, images = write_vim1(folder)
    write_hdf5(folder / "Stimuli73.mat", stimTrn=images, stimVal=images[:12])
    return folder, variables, images


def dataset(folder, **options):
    files = {"responses": "EstimatedResponses.mat", "stimuli": "Stimuli.mat"}
    small = {"n_training": 100, "n_voxels": 25, "frequencies": list(FREQUENCIES)}
    return make_dataset("kay", folder, **(files | small | options))


def test_variables_have_the_axes_of_matlab(recorded):
    folder, variables, images = recorded
    for name, expected in variables.items():
        found = load_variable(folder / "EstimatedResponses.mat", name)
        np.testing.assert_array_equal(found, expected)
    for file in ("Stimuli.mat", "Stimuli73.mat"):
        np.testing.assert_array_equal(load_variable(folder / file, "stimTrn"), images)


def test_images_are_identified_from_the_responses(recorded, caplog):
    folder = recorded[0]
    with caplog.at_level(logging.INFO):
        matrix = dataset(folder).score_matrix(3)
    assert matrix.scores.shape == (60, 60)
    assert matrix.labels.tolist() == list(range(60))
    assert not matrix.higher_is_better
    assert "40 of 45 voxels have every response" in caplog.text
    right = matrix.scores.argmin(axis=1) == matrix.labels
    assert right.mean() > 0.5  # Chance is 1 / 60.


def test_both_kinds_of_files_give_the_same(recorded):
    folder = recorded[0]
    one = dataset(folder).score_matrix(3)
    two = dataset(folder, stimuli="Stimuli73.mat").score_matrix(3)
    np.testing.assert_array_equal(one.scores, two.scores)
    other = dataset(folder).score_matrix(4)
    assert not np.array_equal(one.scores, other.scores)


def test_nothing_is_learnt_from_the_responses_to_be_identified(recorded, tmp_path):
    # Responses to the other images are exchanged among them: rows of the scores follow, no more.
    folder, variables, _ = recorded
    before = dataset(folder).score_matrix(3)
    order = np.random.default_rng(derive_seed(3, "kay", "training")).permutation(160)
    others = np.sort(order[100:])
    changed = variables["dataTrnS1"].copy()
    changed[:, others] = changed[:, others[::-1]]
    write_hdf5(tmp_path / "R.mat", dataTrnS1=changed)
    after = dataset(
        folder, responses=tmp_path / "R.mat", stimuli=folder / "Stimuli.mat"
    ).score_matrix(3)
    np.testing.assert_allclose(after.scores, before.scores[::-1], rtol=1e-5)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_voxels": 41}, "40 voxels of dataTrnS1 have every response, not 41"),
        ({"subject": "S2"}, "cannot be read: .*dataTrnS2"),
        ({"subject": "S3"}, "subject is 'S3': it must be one of S1, S2"),
        ({"stimuli": "EstimatedResponses.mat"}, "cannot be read: .*stimTrn"),
        ({"frequencies": [65]}, "Stimuli.mat: a frequency is 65"),
    ],
)
def test_what_cannot_be_used(recorded, options, sentence):
    with pytest.raises(InputError, match=sentence):
        dataset(recorded[0], **options).score_matrix(0)


def test_files_that_are_not_matlab_or_do_not_fit(recorded, tmp_path):
    folder, _, images = recorded
    for content in (b"<html>log in</html>" * 20, (folder / "Stimuli.mat").read_bytes()[:5000]):
        (tmp_path / "x.mat").write_bytes(content)
        with pytest.raises(InputError, match=r"x\.mat cannot be read"):
            load_variable(tmp_path / "x.mat", "stimTrn")
    savemat(tmp_path / "x.mat", {"stimTrn": images[:50]})
    with pytest.raises(InputError, match=r"stimTrn is \(50, 128, 128\), but there are responses"):
        dataset(folder, stimuli=tmp_path / "x.mat").score_matrix(0)

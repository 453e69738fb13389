import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.downloads.sources import all_sources, find_source, sources_of


def test_each_entry_is_complete():
    digits = {"sha256": 64, "md5": 32, "git_sha1": 40}
    for source in all_sources().values():
        assert source.title
        assert source.version
        assert source.licence
        assert source.reference
        assert bool(source.urls) != bool(source.package)
        assert all(url.startswith("https://") and "{" not in url for url in source.urls)
        assert source.checksums or (source.account and source.starts_with)
        for kind, value in source.checksums.items():
            assert re.fullmatch(f"[0-9a-f]{{{digits[kind]}}}", value)
        assert source.size is None or source.size > 0
        if source.account:
            assert source.form["fn"].endswith(source.file)
            assert source.register.startswith("https://")


def test_the_files_of_the_issue_are_there():
    assert find_source("cifar100").checksums["md5"] == "eb9058c3a382ffc7106e4002c42a8d85"
    assert find_source("vgg16").checksums == {"md5": "6d6bbae143d832006294945121d1f1fc"}
    assert find_source("lfw").file == "lfw.tgz"
    assert [s.file for s in sources_of("vim1")] == ["EstimatedResponses.mat", "Stimuli.mat"]
    assert [s.file for s in sources_of("omniglot")] == [
        "images_background.zip",
        "images_evaluation.zip",
    ]
    assert find_source("landmarks").package == "face_recognition_models"


def test_the_checksums_of_the_libraries_that_are_installed():
    lfw = installed("sklearn", "datasets/_lfw.py")
    assert find_source("lfw").checksums["sha256"] in lfw
    assert find_source("lfw").urls[0] in lfw
    cifar = installed("keras", "src/datasets/cifar100.py")
    assert find_source("cifar100").checksums["sha256"] in cifar
    assert find_source("cifar100").urls[0] in cifar
    vgg = installed("keras", "src/applications/vgg16.py")
    assert find_source("vgg16").checksums["md5"] in vgg
    assert find_source("vgg16").urls[0] in "".join(re.findall(r'^ +"(.*)"$', vgg, re.MULTILINE))


def installed(package: str, file: str) -> str:
    """The text of a file of an installed package, which is not imported."""
    found = find_spec(package)
    if found is None or not (Path(found.origin).parent / file).exists():
        pytest.skip(f"{package} has no file {file}")
    return (Path(found.origin).parent / file).read_text()


def test_openface_has_all_tensors_of_each_layer():
    files = {s.file.removesuffix(".csv") for s in sources_of("openface")}
    layers = {name.rsplit("_", 1)[0] for name in files}
    assert len(layers) == 75
    for layer in layers:
        kinds = "bmvw" if "bn" in layer else "bw"
        assert {f"{layer}_{kind}" for kind in kinds} <= files
    assert len(files) == 37 * 2 + 37 * 4 + 2


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("cifar10", "there is no data set cifar10: choose one of bssr1, cifar100"),
        ("cifar100/x", "there is no file cifar100/x"),
        ("omniglot", "omniglot has 2 files: name one of them, such as omniglot/images_background"),
    ],
)
def test_a_name_that_is_none(name, sentence):
    with pytest.raises(InputError, match=sentence):
        find_source(name)

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from experiments.datasets.downloads.sources import all_sources, sources_of


def test_each_entry_is_complete():
    digits = {"sha256": 64, "md5": 32, "git_sha1": 40}
    for source in all_sources().values():
        assert source.title
        assert source.urls or source.page or source.data_set == "landmarks"
        assert all(url.startswith("https://") and "{" not in url for url in source.urls)
        assert source.checksums or (source.account and source.starts_with)
        for kind, value in source.checksums.items():
            assert re.fullmatch(f"[0-9a-f]{{{digits[kind]}}}", value)
        assert source.size is None or source.size > 0
        if source.account:
            assert source.form["fn"].endswith(source.file)
            assert source.register.startswith("https://")


@pytest.mark.parametrize(
    ("data_set", "kind", "package", "file"),
    [
        ("lfw", "sha256", "sklearn", "datasets/_lfw.py"),
        ("cifar100", "sha256", "keras", "src/datasets/cifar100.py"),
        ("vgg16", "md5", "keras", "src/applications/vgg16.py"),
    ],
)
def test_the_checksums_of_the_libraries_that_are_installed(data_set, kind, package, file):
    (source,) = sources_of(data_set)
    text = installed(package, file)
    assert source.checksums[kind] in text
    # Keras divides an address between lines.
    assert source.urls[0] in text + "".join(re.findall(r'^ +"(.*)"$', text, re.MULTILINE))


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

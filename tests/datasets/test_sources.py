import re

from experiments.datasets.downloads.sources import all_sources, sources_of


def test_each_entry_is_complete():
    digits = {"sha256": 64, "md5": 32, "git_sha1": 40}
    for source in all_sources().values():
        assert source.title
        if source.made:
            assert {*source.made[1:]} <= all_sources().keys()
            continue
        assert source.urls or source.page or source.data_set == "landmarks"
        assert all(url.startswith("https://") and "{" not in url for url in source.urls)
        assert source.checksums or (source.account and source.starts_with)
        for kind, value in source.checksums.items():
            assert re.fullmatch(f"[0-9a-f]{{{digits[kind]}}}", value)
        assert source.size is None or source.size > 0
        if source.account:
            assert source.form["fn"].endswith(source.file)
            assert source.register.startswith("https://")


def test_openface_has_all_tensors_of_each_layer():
    files = {s.file.removesuffix(".csv") for s in sources_of("openface")}
    layers = {name.rsplit("_", 1)[0] for name in files}
    assert len(layers) == 75
    for layer in layers:
        kinds = "bmvw" if "bn" in layer else "bw"
        assert {f"{layer}_{kind}" for kind in kinds} <= files
    assert len(files) == 37 * 2 + 37 * 4 + 2

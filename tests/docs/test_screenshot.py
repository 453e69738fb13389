"""The README's picture of the page is made by docs/screenshot.py from the quick start."""

import shutil
import sys
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import screenshot  # noqa: E402


def test_the_picture_is_small_and_can_be_taken_again(tmp_path):
    assert screenshot.PICTURE.stat().st_size < 150_000
    assert f"]({screenshot.PICTURE.relative_to(ROOT)})" in (ROOT / "README.md").read_text()
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no chromium on this machine (apt install chromium)")
    page = screenshot.quick_start()
    assert "With 400 classes, 46.0 % are expected to be recognised" in page
    screenshot.take(page, tmp_path / "page.png", browser)
    with Image.open(tmp_path / "page.png") as taken, Image.open(screenshot.PICTURE) as committed:
        assert taken.size == committed.size
        assert len(taken.getcolors()) > 10

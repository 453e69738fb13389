"""README's pictures show what is computed today."""

from pathlib import Path

import pytest

import pictures

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_shows_the_answer_of_today(name):
    assert pictures.shown(name) == pictures.answer(), (
        "`python docs/parts/pictures.py` makes it anew"
    )
    assert f"]({(pictures.STATIC / name).relative_to(ROOT)})" in (ROOT / "README.md").read_text()


def test_the_page_states_that_answer():
    page = pictures.quick_start()
    first = pictures.answer().split()[1]
    assert f"{100 * float(first):.1f}" in page or first.lstrip("0") in page

"""Take the README's picture of the page: `python docs/screenshot.py`. Needs Chromium."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

import accuracy_curves as ac
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.prediction.predict import Question, answer_question
from accuracy_curves.prediction.report.page import report_page

PICTURE = Path(__file__).with_name("_static") / "page.png"
# CSS pixels of the window, and pixels of the picture for each of them.
WIDTH, HEIGHT, SCALE = 800, 1150, 1.5
COLORS = 64
METHODS = ("auto", "gaussian_tail", "empirical_bayes", "regression")


def quick_start() -> str:
    """Write the page of the README's quick start."""
    matrix = ac.simulate(n_classes=200, variance=0.2)
    methods = {name: make_extrapolator(name) for name in METHODS}
    return report_page(answer_question(matrix, methods, Question([400, 2000])), "scores.npz")


def take(page: str, picture: Path, browser: str) -> None:
    """Take a picture of the top of a page, in few colours."""
    with tempfile.TemporaryDirectory() as folder:
        file, raw = Path(folder, "report.html"), Path(folder, "raw.png")
        file.write_text(page, encoding="utf-8")
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--virtual-time-budget=10000", f"--user-data-dir={folder}/profile",
             f"--force-device-scale-factor={SCALE}", f"--window-size={WIDTH},{HEIGHT}",
             f"--screenshot={raw}", file.as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        with Image.open(raw) as image:
            image.convert("RGB").quantize(COLORS).save(picture, optimize=True)


if __name__ == "__main__":
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("there is no chromium here: apt install chromium")
    take(quick_start(), PICTURE, chromium)

"""Pictures of README.md, renewed with the pages, or by `python docs/parts/pictures.py`.

Each holds the answer that it shows as a text, so that a test finds one that nobody renewed.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import accuracy_curves as ac
from accuracy_curves.answers.answer import Provenance

STATIC = Path(__file__).parents[1] / "_static"
ASKED = [400, 2000]
# The window's CSS pixels, the picture's pixels for each of them, and its number of colours.
WIDTH, HEIGHT, SCALE, COLORS = 800, 1150, 1.5, 64


@cache
def population() -> ac.ScoreMatrix:
    """Simulate all 2,000 classes; the quick start knows the first 200 of them."""
    return ac.simulate(n_classes=2000, variance=0.2)


@cache
def answer() -> str:
    """Put the predictions of the quick start into one line, with their intervals and the truth."""
    found = ac.ClassIntervals(ac.simulate(n_classes=200, variance=0.2)).interval(ASKED)
    truth = ac.average_accuracy(population(), ASKED)
    each = zip(ASKED, found.accuracy, found.lower, found.upper, truth, strict=True)
    return "; ".join(f"{k}: {a:.3f} ({b:.3f} to {c:.3f}), true {t:.3f}" for k, a, b, c, t in each)


def draw_prediction(file: Path) -> None:
    """Draw the curve that is predicted from 200 classes up to 2,000, its band, and the truth."""
    matrix = ac.simulate(n_classes=200, variance=0.2)
    seen = np.unique(np.geomspace(2, 200, 60).astype(int))
    beyond = np.unique(np.geomspace(200, 2000, 60).astype(int))
    found = ac.ClassIntervals(matrix).interval(beyond)
    whole = np.unique(np.geomspace(2, 2000, 100).astype(int))
    figure, axes = plt.subplots(figsize=(7.2, 3.3), layout="constrained")
    band = {"color": "#D55E00", "alpha": 0.2, "lw": 0, "label": "its 90 % interval"}
    axes.plot(seen, ac.average_accuracy(matrix, seen), color="0.45", lw=5, alpha=0.6,
              label="observed on 200 classes")  # fmt: skip
    axes.plot(beyond, found.accuracy, color="#D55E00", lw=2, label="predicted from them")
    axes.fill_between(beyond, found.lower, found.upper, **band)
    axes.plot(whole, ac.average_accuracy(population(), whole), "k--", lw=1.2, label="the truth")
    axes.axvline(200, color="black", lw=0.8, ls=":")
    axes.set(
        xscale="log", xlim=(2, 2000), ylim=(0, 1), xlabel="number of classes", ylabel="accuracy"
    )
    marks = [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
    axes.set_xticks(marks, [f"{k:,}" for k in marks])
    axes.minorticks_off()
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left")
    figure.savefig(file, dpi=150, metadata={"Software": None})
    plt.close(figure)


def quick_start() -> str:
    """Write the page of the README's quick start."""
    matrix = ac.simulate(n_classes=200, variance=0.2)
    typed = "accuracy-curves predict scores.npz --classes 400 --classes 2000 --out answer"
    with tempfile.TemporaryDirectory() as folder:
        ac.predict(matrix, ASKED).write(Path(folder), Provenance("scores.npz", typed))
        return Path(folder, "report.html").read_text(encoding="utf-8")


def take_page(file: Path) -> None:
    """Take a picture of the top of that page. Needs Chromium."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise FileNotFoundError("there is no chromium here: apt install chromium")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        page.write_text(quick_start(), encoding="utf-8")
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--user-data-dir={folder}/profile", f"--force-device-scale-factor={SCALE}",
             f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={file}", page.as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip


PICTURES: dict[str, Callable[[Path], None]] = {
    "prediction.png": draw_prediction,
    "page.png": take_page,
}


def shown(name: str) -> str:
    """Give the answer that a picture holds, or nothing."""
    if not (STATIC / name).exists():
        return ""
    with Image.open(STATIC / name) as image:
        return str(image.info.get("answer", ""))


def renew(*, all_of_them: bool = False) -> None:
    """Make the pictures anew whose answer is no longer that of today."""
    for name, make in PICTURES.items():
        if shown(name) == answer() and not all_of_them:
            continue
        with tempfile.TemporaryDirectory() as folder:
            raw = Path(folder, name)
            make(raw)
            said = PngInfo()
            said.add_text("answer", answer())
            with Image.open(raw) as image:
                few = image.convert("RGB").quantize(COLORS)
            few.save(STATIC / name, optimize=True, pnginfo=said)


if __name__ == "__main__":
    renew(all_of_them=True)

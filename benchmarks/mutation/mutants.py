"""Which small errors the tests see: `python benchmarks/mutation/mutants.py identification 40 1`.

One operator, comparison or number of a package is changed at a time, in a copy of the repository,
and the quick tests of the package's own folder run on the copy. An error is missed if they pass.
The table, mutants.csv, has a row a package.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_suffix(".csv")
PAIRS = ((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE))
SWAPS: dict[Any, Any] = dict([*PAIRS, (ast.Eq, ast.NotEq), (ast.And, ast.Or)])
SWAPS |= {after: before for before, after in SWAPS.items()}
LIMIT = 300  # Seconds of the processor that the tests may take.
# What is said decides no answer.
SILENT = (ast.Raise, ast.JoinedStr)


def other(node: Any) -> ast.AST | None:
    """Give what a node is changed to; None if it is left as it is."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value: Any = node.value
        return ast.Constant(value + 1 if isinstance(value, int) else 2 * value or 1.0)
    return SWAPS[type(node)]() if type(node) in SWAPS else None


def sites(node: ast.AST) -> Iterator[tuple[ast.AST, Any, Any]]:
    """Find what can be changed below a node: its parent, and where in it, as container and key."""
    for name, value in ast.iter_fields(node):
        whole: Any = value if isinstance(value, list) else vars(node)
        for key in range(len(value)) if isinstance(value, list) else [name]:
            if other(whole[key]):
                yield node, whole, key
            elif isinstance(whole[key], ast.AST) and not isinstance(whole[key], SILENT):
                yield from sites(whole[key])


def mutant(source: str, site: int) -> tuple[str, str]:
    """Change one site of a module: give the module, and the line, what was and what is there."""
    node, whole, key = list(sites(tree := ast.parse(source)))[site]
    # Operators have no line of their own, and lists of arguments neither.
    line, before = getattr(node, "lineno", None) or whole[key].lineno, ast.unparse(node)
    whole[key] = other(whole[key])
    return ast.unparse(tree), f"{line}: {before}  ->  {ast.unparse(node)}"


def passes(copy: Path, package: str) -> bool:
    """Run the quick tests of a package in the copy; if they take too long they do not pass."""
    command = ["prlimit", f"--cpu={LIMIT}", sys.executable, "-m", "pytest", "-xq"]
    command += ["--hypothesis-seed=0", f"tests/{package}"]
    command += ["-p", "no:cacheprovider", "-m", "not slow and not slurm"]
    # The copy comes before what is installed.
    env = os.environ | {"PYTHONPATH": str(copy / "workflow"), "PYTHONDONTWRITEBYTECODE": "1"}
    shutil.rmtree(copy / ".hypothesis", ignore_errors=True)
    return subprocess.run(command, cwd=copy, env=env, capture_output=True).returncode == 0


def measure(copy: Path, package: str, number: int, seed: int) -> None:
    """Print what becomes of each mutant, and put down how many are seen."""
    for name in ("workflow", "tests", "benchmarks", "docs/guide"):
        shutil.copytree(ROOT / name, copy / name)
    shutil.copy(ROOT / "pyproject.toml", copy)
    sources = {m: m.read_text() for m in copy.glob(f"workflow/accuracy_curves/{package}/**/*.py")}
    every = [(m, i) for m in sorted(sources) for i, _ in enumerate(sites(ast.parse(sources[m])))]
    first, passed, seen = min(sources), passes(copy, package), 0
    first.write_text("1 / 0")
    if not passed or passes(copy, package):
        sys.exit("the tests fail as they are" if not passed else "they do not run on the copy")
    first.write_text(sources[first])
    for module, site in random.Random(seed).sample(every, number):
        text, said = mutant(sources[module], site)
        module.write_text(text)
        missed = passes(copy, package)
        module.write_text(sources[module])
        seen += not missed
        print(f"{'MISSED' if missed else 'seen  '}  {module.name}:{said}", flush=True)
    print(f"{package}: {seen} of {number} seen, of {len(every)} possible")
    said = subprocess.run(
        ["git", "log", "-1", "--format=%h"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    row = {"package": package, "tried": number, "seen": seen, "possible": len(every)}
    row |= {"seed": seed, "date": date.today().isoformat(), "commit": said.stdout.strip()}
    known = pd.read_csv(TABLE, dtype=str) if TABLE.exists() else pd.DataFrame(columns=[*row])
    table = pd.concat([known[known["package"] != package], pd.DataFrame([row])])
    table.sort_values("package").to_csv(TABLE, index=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name, kind in (("package", str), ("number", int), ("seed", int)):
        parser.add_argument(name, type=kind)
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), **vars(parser.parse_args()))

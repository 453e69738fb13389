"""Which small errors the tests see: `python benchmarks/mutation/mutants.py 20 3 scores utils`.

One operator, comparison or number of a package is changed at a time, in a copy of the repository.
On the copy run the quick tests of the package's own folder, those of the whole library, and all
others that run the changed function: coverage.py says which, by a whole run of the tests before. An
error is missed if all pass. Frozen answers are left out, as they are no truths, and so are
constants in capitals, which are choices. equal.csv lists missed errors that were read and change no
answer, each with the reason: they are not counted. The table, mutants.csv, has a row a package.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import coverage
import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
TABLE, EQUAL = Path(__file__).with_suffix(".csv"), Path(__file__).with_name("equal.csv")
PAIRS = ((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE))
SWAPS: dict[Any, Any] = dict([*PAIRS, (ast.Eq, ast.NotEq), (ast.And, ast.Or)])
SWAPS |= {after: before for before, after in SWAPS.items()}
# What is said decides no answer.
SILENT = (ast.Raise, ast.JoinedStr)
FROZEN = ("tests/test_answers.py",)
TEXT: Any = {"capture_output": True, "text": True, "check": True}
EVERY = ["--numprocesses=2", "--cov=accuracy_curves", "--cov-context=test", "--cov-report="]


def other(node: Any) -> ast.AST | None:
    """Give what a node is changed to; None if it is left as it is."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value: Any = node.value
        return ast.Constant(value + 1 if isinstance(value, int) else 2 * value or 1.0)
    return SWAPS[type(node)]() if type(node) in SWAPS else None


def is_choice(node: Any) -> bool:
    """Say whether a statement names constants in capitals."""
    named = getattr(node, "targets", [getattr(node, "target", None)])[0]
    return named is not None and ast.unparse(named).isupper()


def sites(node: ast.AST, inside: Any = None) -> Iterator[tuple[ast.AST, Any, Any, Any]]:
    """Find what can be changed below a node: parent, container, key, and the function it is in."""
    for name, value in ast.iter_fields(node):
        whole: Any = value if isinstance(value, list) else vars(node)
        for key in range(len(value)) if isinstance(value, list) else [name]:
            part = whole[key]
            if other(part):
                yield node, whole, key, inside
            elif isinstance(part, ast.AST) and not (isinstance(part, SILENT) or is_choice(part)):
                yield from sites(part, part if isinstance(part, ast.FunctionDef) else inside)


def mutant(source: str, site: int) -> tuple[str, str, range]:
    """Change one site of a module: give the module, what was and is there, and its lines."""
    node, whole, key, inside = list(sites(tree := ast.parse(source)))[site]
    before = ast.unparse(node)
    whole[key] = other(whole[key])
    lines = range(inside.lineno, inside.end_lineno + 1) if inside else range(10**6)
    where = inside.name if inside else "module"
    return ast.unparse(tree), f"{where}: {before} -> {ast.unparse(node)}", lines


def run(copy: Path, *options: str, limit: int) -> bool:
    """Run quick tests in the copy: say whether all passed, within a limit in seconds."""
    command = ["prlimit", f"--cpu={limit}", sys.executable, "-m", "pytest", "--hypothesis-seed=0"]
    command += ["-q", "-p", "no:cacheprovider", "-m", "not slow and not slurm", *options]
    # The copy comes before what is installed.
    env = os.environ | {"PYTHONPATH": str(copy / "workflow"), "PYTHONDONTWRITEBYTECODE": "1"}
    shutil.rmtree(copy / ".hypothesis", ignore_errors=True)
    return subprocess.run(command, cwd=copy, env=env, capture_output=True).returncode == 0


def seen(copy: Path, package: str, module: Path, lines: range) -> bool:
    """Say whether a test fails: of the package, of the whole library, or that runs these lines."""
    runs = coverage.CoverageData(copy / ".coverage")
    runs.read()
    not_again = (f"tests/{package}/", "tests/test_", *FROZEN)
    tests = {
        each.rsplit("|", 1)[0]
        for line, contexts in runs.contexts_by_lineno(str(module)).items()
        for each in contexts
        if each and line in lines and not each.startswith(not_again)
    }
    whole = {f"tests/{each.name}" for each in copy.glob("tests/test_*.py")} - {*FROZEN}
    (copy / "chosen").write_text("\n".join([f"tests/{package}", *sorted(whole | tests)]))
    return not run(copy, "-x", *(f"--ignore={each}" for each in FROZEN), "@chosen", limit=600)


def measure(copy: Path, package: str, number: int, seed: int) -> dict[str, Any]:
    """Print what becomes of each mutant, and give the row of the package."""
    modules = sorted(copy.glob(f"workflow/accuracy_curves/{package}/**/*.py"))
    sources = {module: module.read_text() for module in modules}
    every = [(m, i) for m in modules for i, _ in enumerate(sites(ast.parse(sources[m])))]
    equal = set(pd.read_csv(EQUAL)[["module", "error"]].itertuples(index=False, name=None))
    counts = Counter[str]()
    for module, site in random.Random(seed).sample(every, number):
        text, error, lines = mutant(sources[module], site)
        became = "equal"
        if (module.name, error) not in equal:
            module.write_text(text)
            became = "seen" if seen(copy, package, module, lines) else "MISSED"
            module.write_text(sources[module])
        counts[became] += 1
        print(f"{became:6}  {module.name} {error}", flush=True)
    row = {"package": package, "tried": number - counts["equal"], "seen": counts["seen"]}
    print(row, flush=True)
    return row | {"equal": counts["equal"], "possible": len(every)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("packages", nargs="+")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve()
        subprocess.run(["git", "clone", "-q", ROOT, copy], check=True)
        said = subprocess.run(["git", "log", "-1", "--format=%h"], cwd=copy, **TEXT)
        about = {
            "seed": asked.seed,
            "date": date.today().isoformat(),
            "commit": said.stdout.strip(),
        }
        if not run(copy, *EVERY, limit=3600):
            sys.exit("the tests fail as they are")
        for package in asked.packages:
            row = measure(copy, package, asked.number, asked.seed) | about
            known = pd.read_csv(TABLE, dtype=str)
            table = pd.concat([known[known["package"] != package], pd.DataFrame([row])])
            table.sort_values("package").to_csv(TABLE, index=False)

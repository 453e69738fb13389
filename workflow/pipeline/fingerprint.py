"""Fingerprints of code: a result is out of date when the code behind it changed, and only then."""

import ast
import hashlib
from pathlib import Path

PACKAGES = ("accuracy_curves", "pipeline")


def code_fingerprint(*modules: str) -> str:
    """Hash what modules and everything they import from this project do.

    Comments, docstrings and layout do not count, so that editing them re-runs nothing. A file
    beside a module with its name and the suffix ``.R`` counts with it.

    Parameters
    ----------
    *modules : str
        Dotted names, for instance ``"accuracy_curves.extrapolators.kde.estimator"``.

    Returns
    -------
    str
        SHA-256, 16 hexadecimal digits.
    """
    code: dict[str, str] = {}
    pending = list(modules)
    while pending:
        module = pending.pop()
        if module in code:
            continue
        path = _source(module)
        if path is None:
            continue
        tree = _without_docstrings(ast.parse(path.read_text(encoding="utf-8")))
        code[module] = ast.unparse(tree) + _companion(path)
        pending.extend(_imported(tree))
    text = "\x1f".join(f"{name}\x1f{code[name]}" for name in sorted(code))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _source(module: str) -> Path | None:
    """Find the source file of a module of this project, without importing it."""
    root = Path(__file__).resolve().parents[1]
    path = root.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if ast.get_docstring(node) is not None:
            del node.body[0]
            if not node.body:
                node.body.append(ast.Pass())
    return tree


def _companion(path: Path) -> str:
    """Code lines of the R file beside a module, if there is one."""
    companion = path.with_suffix(".R")
    if not companion.is_file():
        return ""
    lines = (line.strip() for line in companion.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#"))


def _imported(tree: ast.Module) -> list[str]:
    """Modules of this project that a module imports by name."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
            found.extend(f"{node.module}.{alias.name}" for alias in node.names)
    return [name for name in found if name.split(".")[0] in PACKAGES]

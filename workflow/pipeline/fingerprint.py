"""Fingerprints of code: a result is out of date when the code behind it changed, and only then."""

import ast
import hashlib
import inspect
from functools import cache
from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[1]

# A module or name, and what it is called where it is imported.
Imports = list[tuple[Path, str]]


def code_of(script: str, *classes: type) -> str:
    """Hash what a script, and everything of this project that it reaches by imports, does.

    Comments, docstrings and layout do not count, nor does where a module stands and what it is
    called: an import counts as what the imported module does and the names taken from it. A file
    beside a module with its name and the suffix ``.R`` counts with it. So do the modules of
    `classes` and their bases: what the job names and the script finds by that name, a method, a
    data set, a classifier.
    """
    files = [str(LIBRARY / "scripts" / script)]
    files.extend(inspect.getsourcefile(found) or "" for found in classes)
    known: dict[Path, str] = {}
    return _digest(*(_code(Path(file), known) for file in files))


def _code(path: Path, known: dict[Path, str]) -> str:
    """Hash a module and, through it, what it imports; modules in a circle count by their own."""
    if path not in known:
        own, imports = _read(path)
        known[path] = own
        known[path] = _digest(own, *sorted(_digest(_code(p, known), name) for p, name in imports))
    return known[path]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def _read(path: Path) -> tuple[str, Imports]:
    """Read what a module does by itself, and what it imports from this project."""
    own, imports = _parse(path.read_text(encoding="utf-8"), LIBRARY)
    return own + _companion(path), imports


@cache
def _parse(text: str, library: Path) -> tuple[str, Imports]:
    without = _WithoutImports(library)
    return ast.unparse(without.visit(ast.parse(text))), without.found


class _WithoutImports(ast.NodeTransformer):
    """Take out docstrings, this project's imports and what only type checkers read."""

    def __init__(self, library: Path) -> None:
        self.library = library
        self.found: Imports = []

    def generic_visit(self, node: ast.AST) -> ast.AST:
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            del node.body[0]
        super().generic_visit(node)
        if isinstance(node, ast.stmt) and getattr(node, "body", None) == []:
            vars(node)["body"] = [ast.Pass()]
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return [self.visit(statement) for statement in node.orelse]
        return self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        ours = [(_source(alias.name, self.library), alias) for alias in node.names]
        self.found.extend((path, alias.asname or alias.name) for path, alias in ours if path)
        node.names = [alias for path, alias in ours if path is None]
        return node if node.names else None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        path = _source(node.module or "", self.library)
        if path is None:
            return node
        for alias in node.names:
            inner = _source(f"{node.module}.{alias.name}", self.library)
            name = "" if inner else alias.name
            self.found.append((inner or path, f"{name} as {alias.asname or alias.name}"))
        return None


def _source(module: str, library: Path) -> Path | None:
    """Find the source file of a module of this project, without importing it."""
    path = library.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if module and candidate.is_file():
            return candidate
    return None


def _companion(path: Path) -> str:
    """Code lines of the R file beside a module, if there is one."""
    companion = path.with_suffix(".R")
    if not companion.is_file():
        return ""
    lines = (line.strip() for line in companion.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#"))

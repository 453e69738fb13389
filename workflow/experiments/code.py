"""What a job's code does, module by module: a job runs again when that changes, and only then."""

import ast
import hashlib
import inspect
from functools import cache
from pathlib import Path

WORKFLOW = Path(__file__).resolve().parents[1]
# They refuse, warn, log and show, or decide what stands in parameters and inputs.
DECIDE_NOTHING = {
    f"accuracy_curves.{name}"
    for name in (
        *("exceptions", "cautions", "intervals.cautions"),
        *("identification.rate_cautions", "utils.validation", "utils.processes"),
        "utils.representation",
        *("observed.cautions", "observed.score_cautions"),
    )
} | {f"experiments.{name}" for name in ("job", "preset", "provenance", "published")}
# How a method is shown.
LOOKS = {"label", "color"}
PYTHONS = ("builtins", "abc")


@cache
def code_of(script: str, *classes: type) -> dict[str, str]:
    """Digest what a script does, and each module of the project that it reaches by imports.

    So do the modules of `classes`: what the job names and the script finds by that name, a method,
    a data set, a classifier, also of other packages. Comments, docstrings, layout, messages of
    errors, labels and colours do not count. A file with the suffix ``.R`` or ``.mplstyle`` counts
    with the module of its name. Returns digests by module.
    """
    todo = [WORKFLOW / "scripts" / script]
    # A class and its bases, without those of Python.
    own = [kind for each in classes for kind in each.__mro__ if kind.__module__ not in PYTHONS]
    todo += [Path(inspect.getsourcefile(kind) or "") for kind in own]
    found: dict[Path, str] = {}
    while todo:
        path = todo.pop()
        if path not in found and _name(path) not in DECIDE_NOTHING:
            found[path], imports = _read(path)
            todo.extend(imports)
    return {_name(path): found[path] for path in sorted(found)}


def _name(path: Path) -> str:
    if not path.is_relative_to(WORKFLOW):
        return path.name
    return ".".join(path.relative_to(WORKFLOW).with_suffix("").parts).removesuffix(".__init__")


@cache
def _read(path: Path) -> tuple[str, tuple[Path, ...]]:
    """Digest what a module does by itself; the modules of the project that it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = tuple(_imports(tree))
    text = ast.unparse(_Meaning().visit(tree))
    for companion in filter(Path.is_file, map(path.with_suffix, (".R", ".mplstyle"))):
        lines = (line.strip() for line in companion.read_text(encoding="utf-8").splitlines())
        text += "\n".join(line for line in lines if line and not line.startswith("#"))
    return hashlib.sha256(text.encode()).hexdigest()[:12], imports


def _imports(tree: ast.AST) -> list[Path]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = [WORKFLOW.joinpath(*name.split(".")) for name in sorted(names)]
    return [p for at in places for p in (at.with_suffix(".py"), at / "__init__.py") if p.is_file()]


class _Meaning(ast.NodeTransformer):
    """Take out what no result depends on."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
        return super().generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if isinstance(node.exc, ast.Call):
            node.exc = node.exc.func
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        looks = isinstance(node.target, ast.Name) and node.target.id in LOOKS
        return ast.Pass() if looks else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        looks = any(isinstance(target, ast.Name) and target.id in LOOKS for target in node.targets)
        return ast.Pass() if looks else self.generic_visit(node)

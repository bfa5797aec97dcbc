"""One word, one thing: a constant that is used in several folders has no namesake with another value."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.dashboard_server import ROOT

FILES = [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "dashboard.py"]
APART = ROOT / "core/training/script/template.py"  # a program of its own
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room(path: Path) -> str:
    """What a file belongs to: a page with its sections and its figures, else a folder."""
    if path.is_relative_to(ROOT / "pages"):
        return (path if path.parent == ROOT / "pages" else path.parent).stem.lstrip("0123456789_")
    return str(path.parent)


def constants(path: Path) -> Iterator[tuple[str, str]]:
    """Names and values of the constants that a module defines."""
    for node in TREES[path].body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in targets:
            names, value = (target.elts, node.value) if isinstance(target, ast.Tuple) else ([target], node.value)
            values = value.elts if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) else [value] * len(names)
            yield from ((name.id, ast.unparse(one)) for name, one in zip(names, values, strict=True) if name.id.isupper())


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Modules and names of what a module imports from others."""
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)


def defined(path: Path) -> set[str]:
    """All names that a module has at its top, or imports."""
    nodes = [node for node in ast.walk(TREES[path]) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Name | ast.alias)]
    return {getattr(node, "id", None) or getattr(node, "asname", None) or node.name for node in nodes}


def test_a_constant_used_in_several_folders_has_no_namesake():
    places, values = {module(path): path for path in FILES}, defaultdict(dict)
    for path in FILES:
        for name, value in constants(path) if path != APART else ():
            values[name][path] = value
    wrong = {
        (name, where, module(other))
        for path in FILES
        for where, name in imported(path)
        if where in places and places[where] in values[name] and room(places[where]) != room(path)
        for other, value in values[name].items()
        if value != values[name][places[where]]
    }
    assert not wrong, "rename one of both"


def test_what_is_imported_is_there():
    """Also in a branch that no other test runs."""
    there = {module(path): defined(path) for path in FILES}
    missing = [
        (module(path), where, name)
        for path in FILES
        for where, name in imported(path)
        if name not in there.get(where, {name}) and f"{where}.{name}" not in there
    ]
    assert not missing

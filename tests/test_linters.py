"""The linters configured in pyproject.toml and hadolint for the Dockerfile find nothing; the files for containers agree.
Every cache has a bound, one word means one thing, and what is imported is there, which no linter checks; annotations are
checked where tests/conftest.py says so.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import numpy as np
import pytest

from core.models.loss import softmax
from tests.dashboard_server import ROOT

COMMANDS = ("ruff check --no-cache .", "ruff format --check --no-cache .", "lint-imports --no-cache", "deptry .")
FILES = [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "dashboard.py"]
APART = ROOT / "core/training/script/template.py"  # a program of its own
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
FEW_ARGUMENTS = {"_scene", "_pattern", "told"}  # functions with functools.cache whose arguments have only two or three values


@pytest.mark.parametrize("command", COMMANDS)
def test_linter_reports_no_problem(command):
    program, *arguments = command.split()
    ran = subprocess.run([Path(sys.executable).with_name(program), *arguments], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(not os.environ.get("RNN_CHECK_SHAPES"), reason="RNN_CHECK_SHAPES is not set")
def test_an_array_of_the_wrong_dtype_is_refused_by_its_annotation():
    with pytest.raises(jaxtyping.TypeCheckError):
        softmax(np.zeros((2, 3), dtype=np.int32))


def decorators() -> Iterator[tuple[ast.FunctionDef, str, ast.expr]]:
    """All decorators in the product: the function, the decorator's name without its module, and its expression."""
    for path in [ROOT / "dashboard.py", *ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")]:
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for mark in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
                yield function, ast.unparse(mark).partition("(")[0].rpartition(".")[2], mark


def test_every_cache_has_a_bound():
    found = set()
    for function, name, mark in decorators():
        found.add(name)
        words = {word.arg: ast.unparse(word.value) for word in getattr(mark, "keywords", [])}
        if name == "cache" and function.name not in FEW_ARGUMENTS:
            assert not function.args.args, function.name
        if name == "lru_cache":
            (size,) = [*map(ast.unparse, mark.args), *(words[name] for name in words if name == "maxsize")]
            assert size != "None", function.name
        if name.startswith("cache_"):
            assert "max_entries" in words or words.get("scope") == "'session'", function.name
    assert {"cache", "lru_cache", "cache_resource"} <= found


DOCKERFILE, COMPOSE, PROXY, IGNORED = (
    (ROOT / name).read_text() for name in ("Dockerfile", "compose.yaml", "haproxy.cfg", ".dockerignore")
)


def test_the_dockerfile_is_without_lint():
    linter = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if linter is None:
        pytest.skip("hadolint is missing")
    ran = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_files_copied_by_the_dockerfile_exist_and_are_not_dockerignored():
    copied = [line.split()[1] for line in DOCKERFILE.splitlines() if re.match(r"COPY (?!--)", line)]
    let_through = re.findall("^!([^/\n]+)$", IGNORED, re.MULTILINE)
    assert sorted(copied) == sorted(let_through)
    assert all((ROOT / name).exists() for name in copied)


def test_compose_sets_exactly_the_variables_of_haproxy_cfg():
    read = set(re.findall(r"\$\{(\w+)\}", PROXY))
    assigned = set(re.findall(r"^ {6}(\w+):", COMPOSE.partition("\n  proxy:")[2], re.MULTILINE))
    assert read == assigned


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


def test_every_constant_is_used():
    """A message that nothing shows, for instance, is translated for nobody."""
    names = Counter(re.findall(r"\b[A-Z][A-Z_0-9]+\b", "\n".join(path.read_text(encoding="utf-8") for path in FILES)))
    assert [(module(path), name) for path in FILES for name, _ in constants(path) if names[name] == 1] == []


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

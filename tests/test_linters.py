"""The linters configured in pyproject.toml and hadolint for the Dockerfile find nothing; the files for containers agree.
Every cache has a bound, which no linter checks, and annotations are checked where tests/conftest.py says so.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import numpy as np
import pytest

from core.models.loss import softmax
from tests.dashboard_server import ROOT

COMMANDS = ("ruff check --no-cache .", "ruff format --check --no-cache .", "lint-imports --no-cache", "deptry .")
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

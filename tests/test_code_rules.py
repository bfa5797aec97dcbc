"""What is cached has a bound: a rule that no linter has."""

import ast
from collections.abc import Iterator

from tests.dashboard_server import ROOT

FEW_ARGUMENTS = {"_scene", "_pattern", "told"}  # functools.cache for arguments of which there are two or three


def decorators() -> Iterator[tuple[ast.FunctionDef, str, ast.expr]]:
    """Functions of the product with a decorator: its name without the module, and its expression."""
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

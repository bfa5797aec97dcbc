"""Rules for all code of the product that no linter knows: what could be markup, what is remembered, which clock is read."""

import ast
from collections.abc import Iterator

from tests.dashboard_server import ROOT

HTML = ("pages/ui/frame.py", "pages/ui/glossary.py")  # where HTML is written, each word in it escaped
AS_MARKUP = {"markdown", "write", "caption", "title", "header", "subheader", "latex"}  # of Streamlit, as which it reads any text
FOREVER = {"_scene", "_pattern", "told"}  # remembered without a bound by their argument, of which there are two or three
WALL_CLOCK = {"time", "time_ns", "now", "today", "utcnow"}  # of time and datetime: it can be set back
NUMBERS_WHAT_IS_SENT = "pages/ui/component.py"  # from the wall clock, and goes on where that was set back


def code() -> Iterator[tuple[str, ast.AST]]:
    for path in [ROOT / "dashboard.py", *ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")]:
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def called(node: ast.AST) -> tuple[str, str]:
    """``("st", "html")`` of ``st.html``, called or not."""
    node = node.func if isinstance(node, ast.Call) else node
    return (ast.unparse(node.value), node.attr) if isinstance(node, ast.Attribute) else ("", ast.unparse(node))


def test_no_text_of_a_reader_becomes_markup():
    for path, tree in code():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                module, name = called(node)
                assert module != "st" or name not in AS_MARKUP, f"{path}: st.{name}"
                assert (module, name) != ("st", "html") or path in HTML, f"{path}: st.html"
                assert not {word.arg for word in node.keywords} & {"unsafe_allow_html", "unsafe_allow_javascript"}, path


def test_nothing_is_remembered_without_a_bound():
    met = set()
    for path, tree in code():
        for function in ast.walk(tree):
            for mark in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
                _, name = called(mark)
                met.add(name)
                if name == "cache" and function.name not in FOREVER:
                    assert not function.args.args, f"{path}: {function.name}"
                if name == "lru_cache":
                    (size,) = [*mark.args, *(word.value for word in mark.keywords if word.arg == "maxsize")]
                    assert ast.unparse(size) != "None", f"{path}: {function.name}"
                if name.startswith("cache_"):
                    words = {word.arg: ast.unparse(word.value) for word in mark.keywords}
                    assert "max_entries" in words or words.get("scope") == "'session'", f"{path}: {function.name}"
    assert {"cache", "lru_cache", "cache_resource"} <= met


def test_no_clock_is_read_that_can_be_set_back():
    for path, tree in code():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                module, name = called(node)
                wall = module.rpartition(".")[2] in ("time", "datetime", "date") and name in WALL_CLOCK
                assert not wall or path == NUMBERS_WHAT_IS_SENT, f"{path}: {module}.{name}"

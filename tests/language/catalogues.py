"""The messages of the product, and the catalogues that translate them: ``python -m tests.language.catalogues`` updates the
catalogues, ``... template FILE`` writes an empty one for a new language.

Messages are the calls ``_("…")``, ``ngettext("…", "…")`` and ``lazy_gettext("…")`` of Python and JavaScript, the texts in
tables, which are translated where they are shown, and the docstrings and comments of files that readers see.
"""

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import write_po

from core.config.language import CATALOGUES, ENGLISH, SCRIPTS, catalogue, languages
from core.training.script.comments import messages as of_comments
from core.training.script.script import TEMPLATE
from tests.dashboard_server import ROOT

CALLS = {"_": 1, "gettext": 1, "lazy_gettext": 1, "ngettext": 2}  # functions of gettext, and how many arguments are messages
SETTING = {"label", "help", "short", "words", 1, 2}
TABLES = {  # the arguments of these calls that are messages: their names or positions
    "Scene": {1, 3, 4, 5, "why", "recap"},
    "Lesson": {0, 2, 3, "short"},
    "Hint": {0, 1},
    "Section": {0, 4, "press"},
    "Word": {1, 2},
    "Entry": {1},
    "Part": {2},
    "Question": {0, 1},
    "Knob": SETTING,
} | dict.fromkeys(["_text", "_network", "_training", "_live", "_view"], SETTING)
COMMENTED = (TEMPLATE, ROOT / "core/training/simple_rnnlm.py")  # their docstrings and comments are translated
Found = tuple[int, str, Any, list[str]]  # line, function, message or messages, comments: the tuple that Babel expects


def extract(file: IO[bytes], *_given: Any, **_options: Any) -> Iterator[Found]:
    """The messages of a Python file: arguments of gettext calls, also in f-strings, and texts in tables."""
    for node in ast.walk(ast.parse(file.read())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if found := [text.value for text in node.args[: CALLS.get(node.func.id, 0)] if _is_text(text)]:
            yield node.lineno, "ngettext" if len(found) > 1 else "gettext", tuple(found) if len(found) > 1 else found[0], []
        arguments = [*enumerate(node.args), *((keyword.arg, keyword.value) for keyword in node.keywords)]
        for value in (value for name, value in arguments if name in TABLES.get(node.func.id, ())):
            for text in _texts(value):
                if _is_text(text):
                    yield text.lineno, "gettext", text.value, []


def _texts(node: ast.expr) -> list[ast.expr]:
    """The texts of an argument: the values of a dict, the items of a tuple, or itself."""
    return node.values if isinstance(node, ast.Dict) else node.elts if isinstance(node, ast.Tuple) else [node]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""


def messages(code: str | None = None) -> Catalog:
    """All messages, without translations: a template; with a language code it has that language's header and plural forms."""
    catalog = Catalog(code, project="rnn-dashboard", charset="utf-8", fuzzy=False)
    methods = [("core/**.py", extract), ("pages/**.py", extract), ("dashboard.py", extract), ("pages/**.js", "javascript")]
    for path, _, message, comments, context in extract_from_dir(
        ROOT, methods, keywords=DEFAULT_KEYWORDS | {"lazy_gettext": None}
    ):
        catalog.add(message, locations=[(SCRIPTS, 0)] if path.endswith(".js") else [], auto_comments=comments, context=context)
    for path in COMMENTED:
        for message in of_comments(path.read_text(encoding="utf-8")):
            catalog.add(message)
    return catalog


def written(catalog: Catalog) -> bytes:
    """The content of a catalogue's file: sorted by message, without dates and versions, and without places in the code but
    that a message is one of scripts: one that moves changes no line."""
    file = BytesIO()
    write_po(file, catalog, width=120, sort_output=True, include_lineno=False, ignore_obsolete=True)
    lines = file.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if "-Date: " not in line and "Generated-By" not in line).lstrip().encode()


def updated(code: str) -> Catalog:
    """A language's catalogue updated to the current messages; those whose English has changed are marked as fuzzy."""
    catalog, template = catalogue(code), messages()
    catalog.update(template)
    for message in filter(lambda one: one.id and one.fuzzy, catalog):  # it has the flags of the sentence that it replaces
        message.flags = template.get(message.id, message.context).flags | {"fuzzy"}
    return catalog


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["template"]:
        path = Path(arguments[1])
        path.write_bytes(written(messages(path.stem)))
    for code in languages().keys() - {ENGLISH}:
        (CATALOGUES / f"{code}.po").write_bytes(written(updated(code)))


if __name__ == "__main__":
    main(sys.argv[1:])

"""The messages of the product, and the catalogues that translate them: ``python -m tests.language.catalogues`` updates the
catalogues, ``... template FILE`` writes an empty one for a new language.

Messages are the calls ``_("…")``, ``ngettext("…", "…")`` and ``lazy_gettext("…")`` of Python and JavaScript, and the texts in
tables, which are translated where they are shown.
"""

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.pofile import write_po

from core.config.language import CATALOGUES, ENGLISH, catalogue, languages
from tests.dashboard_server import ROOT

KEYWORDS = DEFAULT_KEYWORDS | {"lazy_gettext": None}
SETTING = {"label", "help", "short", "words", 1, 2}
TABLES = {  # the arguments of these calls that are messages: their names, or their places
    "Scene": {1, 3, 4, 5},
    "Lesson": {0, 3, 4, "short"},
    "Hint": {0, 1},
    "Section": {0, "press"},
    "Word": {1, 2},
    "Knob": SETTING,
} | dict.fromkeys(["_text", "_network", "_training", "_live", "_view"], SETTING)
Found = tuple[int, str, Any, list[str]]  # line, function, message or messages, comments: what Babel expects


def extract(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Found]:
    """The messages of a Python file: those in calls of gettext, as Babel finds them, and those of tables."""
    yield from extract_python(file, keywords, comment_tags, options)
    file.seek(0)
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TABLES:
            arguments = [*enumerate(node.args), *((keyword.arg, keyword.value) for keyword in node.keywords)]
            for value in (value for name, value in arguments if name in TABLES[node.func.id]):
                for text in value.values if isinstance(value, ast.Dict) else [value]:
                    if isinstance(text, ast.Constant) and text.value:
                        yield text.lineno, "gettext", text.value, []


def messages() -> Catalog:
    """All messages, without translations."""
    catalog = Catalog(project="rnn-dashboard", charset="utf-8")
    methods = [("core/**.py", extract), ("pages/**.py", extract), ("dashboard.py", extract), ("pages/**.js", "javascript")]
    for path, _, message, comments, context in extract_from_dir(ROOT, methods, keywords=KEYWORDS, comment_tags=("Translators:",)):
        catalog.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    return catalog


def written(catalog: Catalog) -> bytes:
    """A catalogue as its file has it: in the order of the files, without what changes from day to day."""
    file = BytesIO()
    write_po(file, catalog, width=120, sort_by_file=True, include_lineno=False, omit_header=False, ignore_obsolete=True)
    lines = file.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if "-Date: " not in line and "Generated-By" not in line).encode()


def updated(code: str) -> Catalog:
    """A language's catalogue with the messages of today; those whose English has changed are marked as fuzzy."""
    catalog = catalogue(code)
    catalog.update(messages())
    return catalog


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["template"]:
        with open(arguments[1], "wb") as file:
            file.write(written(messages()))
    for code in languages().keys() - {ENGLISH}:
        (CATALOGUES / f"{code}.po").write_bytes(written(updated(code)))


if __name__ == "__main__":
    main(sys.argv[1:])

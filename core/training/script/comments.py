"""The docstrings and comments of a Python file in another language. Its code stays as it is."""

import ast
import re
from collections.abc import Callable, Iterator

COMMENT = re.compile(r"(?<=# ).+$", re.MULTILINE)
HAS_DOCSTRING = ast.Module | ast.ClassDef | ast.FunctionDef


def messages(code: str) -> Iterator[str]:
    """What is to be translated: docstrings and comments."""
    yield from _docstrings(code)
    yield from COMMENT.findall(code)


def translated(code: str, translate: Callable[[str], str]) -> str:
    """The code with its docstrings and comments translated."""
    for docstring in _docstrings(code):
        code = code.replace(f'"""{docstring}"""', f'"""{translate(docstring)}"""')
    return COMMENT.sub(lambda comment: translate(comment[0]), code)


def _docstrings(code: str) -> list[str]:
    parts = (part for part in ast.walk(ast.parse(code)) if isinstance(part, HAS_DOCSTRING))
    return [docstring for part in parts if (docstring := ast.get_docstring(part, clean=False))]

"""Docstrings and comments of a file in every language: its code stays the same."""

import ast

import pytest

from core.config.language import ENGLISH, gettext, languages, use_language
from core.training.script.comments import messages, translated
from core.training.script.script import TEMPLATE
from tests.core.training.script.scripts import code_of
from tests.dashboard_server import ROOT

FILES = [TEMPLATE, ROOT / "core/training/simple_rnnlm.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("code", sorted(languages()))
def test_a_file_is_the_same_code_in_every_language(path, code):
    english = path.read_text(encoding="utf-8")
    use_language(code)
    try:
        other = translated(english, gettext)
    finally:
        use_language(ENGLISH)
    assert ast.dump(code_of(other)) == ast.dump(code_of(english))
    assert len(other.splitlines()) == len(english.splitlines())  # a line has the same number in every language
    assert (other == english) == (code == ENGLISH)


def test_docstrings_and_comments_are_found_and_replaced():
    code = '"""Of all."""\n\n\ndef f(x):\n    """Of f."""\n    return x  # why\n'
    assert list(messages(code)) == ["Of all.", "Of f.", "why"]
    assert translated(code, str.upper) == '"""OF ALL."""\n\n\ndef f(x):\n    """OF F."""\n    return x  # WHY\n'

"""The hints: short and plain."""

import re

import pytest

from core.guide import HINTS, LONGEST, Hint

ALL = [(page, part, hint) for page, parts in HINTS.items() for part, hint in parts.items()]


@pytest.mark.parametrize("hint", [hint for *_, hint in ALL], ids=[f"{page}-{part}" for page, part, _ in ALL])
def test_a_hint_is_two_short_plain_sentences(hint):
    for text in hint:
        assert 10 < len(text) <= LONGEST
        assert re.fullmatch(r"[A-Zd][^<>&*`$\[\]\\\n]*\.", text)
        assert text.count("“") == text.count("”")


def test_no_two_hints_are_the_same():
    assert len({hint.do for *_, hint in ALL}) == len({hint.notice for *_, hint in ALL}) == len(ALL)


def test_names_stand_in_quotation_marks():
    assert Hint("Press “a b”, then “c”.", "“d” is no letter.").names == ["a b", "c", "d"]

"""Every symbol of any text can be seen, and none of them turns around or covers what stands beside it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts.symbols import brief, fitted, seen, visible

TURNS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # the direction of what follows


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [
        ("a", "a"), ("é", "é"), ("ש", "ש"), ("漢", "漢"), ("😀", "😀"), (" ", "␣"), ("\n", "↵"), ("\t", "→"),
        ("\u0301", "◌\u0301"), ("\u05b8", "◌\u05b8"), ("\u0e31", "◌\u0e31"), ("\u093e", "◌\u093e"), ("\ufe0f", "◌\ufe0f"),
        ("\u200b", "U+200B"), ("\u200d", "U+200D"), ("\u202e", "U+202E"), ("\ufeff", "U+FEFF"), ("\u3000", "U+3000"),
        ("\u0378", "U+0378"), ("\ue000", "U+E000"), ("\x00", "U+0000"), ("\u3164", "U+3164"), ("\u00ad", "U+00AD"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"), ("می\u200cخواهم", "می\u200cخواهم"), ("zero\u200bwidth", "zeroU+200Bwidth"),
        ("\u202eevil", "U+202Eevil"), ("<unk>", "<unk>"),
    ],
)  # fmt: skip
def test_a_symbol_is_shown_so_that_it_can_be_seen(symbol, shown):
    assert visible(symbol) == shown


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30), st.integers(1, 400))
def test_any_symbol_can_be_shown_and_turns_nothing_around(symbol, room):
    for shown in (visible(symbol), seen(symbol), brief(symbol), fitted(symbol, room, 14)):
        assert shown
        shown.encode("utf-8")
        assert not set(shown) & set(TURNS)
        assert not unicodedata.category(shown[0]).startswith(("M", "Cc", "Zl", "Zp"))

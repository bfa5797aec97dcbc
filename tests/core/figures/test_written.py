"""Numbers, symbols and settings as they are written: short, visible, with their value."""

import html
import math
import re
import unicodedata

import pytest
from hypothesis import given, strategies as st

from core.figures.parts import numbers
from core.figures.parts.style import THEMES, TOKENS, colour, css_tokens, escape, in_theme
from core.figures.parts.symbols import brief, fitted, seen, visible
from tests.core.figures.drawings import value

FORMS = ("number", "precise", "short", "amount", "tick", "decimals", "signed", "full", "chance")
DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(st.floats(-1e6, 1e6), st.sampled_from([1, 2, 4]))
def test_numbers_have_a_true_minus_and_no_negative_zero(number, decimals):
    for text in (numbers.fixed(number, decimals), numbers.full(number)):
        assert "-" not in text
        assert not re.fullmatch("−0[.0]*", text)
    assert value(numbers.fixed(number, decimals)) == pytest.approx(number, abs=0.51 * 10**-decimals)


@given(st.floats(), st.integers(2, 5), st.integers(0, 10**40))
def test_any_number_has_a_short_form(x, digits, many):
    text = numbers.number(x, digits)
    assert 0 < len(text) <= 16
    assert not {"-", "nan"} & {text, text[0]}
    assert len(numbers.count(many)) <= 12


@given(st.floats(1e-12, 1e15))
def test_a_short_form_keeps_the_value_and_has_no_e(x):
    assert value(numbers.number(x)) == pytest.approx(x, rel=0.06)
    assert x < 1e-3 or x > 9e5 or value(numbers.number(x)) == pytest.approx(x, rel=0.006)
    for form in FORMS:
        assert "e" not in getattr(numbers, form)(x)
        assert "e" not in getattr(numbers, form)(10.0 ** round(math.log10(x)))


@pytest.mark.parametrize(("form", "written"), [
    ("signed", {1.234: "+1.23", -1.234: "−1.23", 0.0: "0.00", -0.001: "0.00", 0.001: "0.00"}),
    ("decimals", {math.inf: "∞", -math.inf: "−∞", math.nan: "–", -123456.0: "−1.2·10⁵"}),
    ("tick", {0.00001: "10⁻⁵", 0.01: "0.01", 1.0: "1", 5000.0: "5000", 20_000.0: "20 k", 1e6: "1 M", 2e13: "2·10¹³"}),
    ("short", {0.004: "0.004", 1.0: "1", 12_345.0: "12345", 2.5e-6: "2.5·10⁻⁶", 1e6: "10⁶"}),
    ("amount", {950: "950", 137_000: "137 k", 6_660_000: "6.66 M"}),
    ("percent", {0.0: "0 %", 0.004: "0 %", 0.125: "12 %", 1.0: "100 %"}),
    ("rough_percent", {0.0: "0 %", 0.004: "under 1 %", 0.125: "12 %"}),
    ("in_hundred", {0.0: "0", 0.032: "3.2", 0.0995: "10", 0.5: "50"}),
    ("chance", {0.5: "0.5000", 0.00012: "0.0001", 1e-9: "10⁻⁹", 0.0: "0", math.nan: "–"}),
    ("power", {-743.2: "10⁻⁷⁴³", 0.0: "1", 0.1: "1", -math.inf: "0", math.nan: "–"}),
    ("power_of", {-1: "0.10", -743.2: "10⁻⁷⁴³"}),
])  # fmt: skip
def test_how_numbers_are_written(form, written):
    assert {x: getattr(numbers, form)(x) for x in written} == written


@given(st.floats(0, 1))
def test_no_share_or_probability_but_zero_is_written_as_zero(p):
    assert (numbers.chance(p) == "0") == (numbers.rough_percent(p) == "0 %") == (p == 0)
    assert numbers.chance(p) != "0.0000"
    assert numbers.probability(p) not in ("0", "0.00")


@pytest.mark.parametrize(("symbol", "shown"), [
    ("a", "a"), ("é", "é"), ("ש", "ש"), ("漢", "漢"), ("😀", "😀"), (" ", "␣"), ("\n", "↵"), ("\t", "→"),
    ("\u0301", "◌\u0301"), ("\u05b8", "◌\u05b8"), ("\u0e31", "◌\u0e31"), ("\u093e", "◌\u093e"), ("\ufe0f", "◌\ufe0f"),
    ("\u200b", "U+200B"), ("\u200d", "U+200D"), ("\u202e", "U+202E"), ("\ufeff", "U+FEFF"), ("\u3000", "U+3000"),
    ("\u0378", "U+0378"), ("\ue000", "U+E000"), ("\x00", "U+0000"), ("\u3164", "U+3164"), ("\u00ad", "U+00AD"),
    ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"), ("می\u200cخواهم", "می\u200cخواهم"), ("zero\u200bwidth", "zeroU+200Bwidth"),
    ("\u202eevil", "U+202Eevil"), ("<unk>", "<unk>"), ("<b>", "<b>"),
])  # fmt: skip
def test_a_symbol_is_shown_so_that_it_can_be_seen(symbol, shown):
    assert visible(symbol) == shown


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80), st.integers(1, 400))
def test_any_symbol_can_be_seen_and_fits_its_room(symbol, room):
    fits = fitted(symbol, room, 14)
    assert len(fits) <= max(room / 8.4, len(visible(symbol)) if len(symbol) == 1 else 1)
    for shown in (visible(symbol), seen(symbol), brief(symbol), fits):
        assert shown
        shown.encode("utf-8")
        assert not set(shown) & set(DIRECTIONS)
        assert not unicodedata.category(shown[0]).startswith(("M", "Cc", "Zl", "Zp"))


@given(st.text())
def test_escaped_text_holds_no_markup(text):
    assert not set("<>\"'") & set(escape(text))
    assert html.unescape(escape(text)) == html.unescape(html.escape(text))
    assert set(re.findall("&([^;]*);", escape("<b> & 'c' \"d\""))) == {"amp", "lt", "gt", "#34", "#x27"}  # plotly knows these


def test_every_colour_is_in_both_palettes_and_in_the_style_sheet():
    for name in TOKENS:
        for theme in THEMES:
            assert f"--{name}:{in_theme(colour(name), theme)};" in css_tokens()
            assert in_theme(colour(name), theme).startswith("#")

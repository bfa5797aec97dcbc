"""Every setting and every value of it can be said."""

from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts import words
from core.figures.parts.numbers import amount, count, number
from core.figures.parts.style import TOKENS, colour, css_tokens, escape
from core.settings import DEFAULTS, KNOBS, Settings
from core.training.watched import RADIUS
from tests.core.figures.colours import resolve


def test_every_setting_can_be_said():
    for name in KNOBS:
        assert words.said(name, getattr(DEFAULTS, name))


def test_a_moved_radius_can_be_said():
    assert words.moved(RADIUS, 0.95, 1.2) == "radius 0.95 → 1.2"


def test_what_differs_is_named():
    assert "H 32" in words.differing(Settings(hidden_size=32), Settings())
    assert words.differing(Settings(), Settings())
    many = Settings(hidden_size=1, seed=3, num_steps=2, batch_size=4, gain=2.0)
    assert "+ 2" in words.differing(many, Settings())


@given(st.floats(), st.integers(2, 5))
def test_any_number_has_a_short_form(value, digits):
    text = number(value, digits)
    assert text
    assert "-" not in text
    assert "nan" not in text
    assert len(text) <= 16


@given(st.floats(1e-3, 9e5))
def test_numbers_keep_their_value(value):
    assert abs(float(number(value).replace("\u2009", "")) - value) <= 0.006 * value


@given(st.integers(0, 10**40))
def test_counts_are_short(value):
    assert len(count(value)) <= 12


def test_amounts():
    assert [amount(x) for x in (950, 137_000, 6_660_000)] == ["950", "137 k", "6.66 M"]


def test_both_palettes_are_whole():
    css = css_tokens()
    assert css.count("--forward:") == 2
    for name in TOKENS:
        assert resolve(colour(name), "light").startswith("#")


@given(st.text())
def test_escaped_text_holds_no_markup(text):
    assert not set("<>\"'") & set(escape(text))

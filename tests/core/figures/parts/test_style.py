"""Both palettes are whole, and text of the reader stays text."""

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts.style import TOKENS, colour, css_tokens, escape, in_theme


def test_both_palettes_are_whole():
    css = css_tokens()
    assert css.count("--forward:") == 3  # the third is that of paper
    assert css.count(f"--forward:{TOKENS['forward'][0]}") == 2
    for name in TOKENS:
        assert in_theme(colour(name), "light").startswith("#")


@given(st.text())
def test_escaped_text_holds_no_markup(text):
    assert not set("<>\"'") & set(escape(text))
    assert html.unescape(escape(text)) == html.unescape(html.escape(text))


def test_plotly_knows_every_name_of_a_character_that_is_escaped():
    assert set(re.findall("&([^;]*);", escape("<b> & 'c' \"d\""))) <= {"amp", "lt", "gt", "#34", "#x27"}

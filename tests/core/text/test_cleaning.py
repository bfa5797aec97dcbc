"""What becomes of a text before it is learnt."""

import pytest

from core.text.cleaning import clean


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028", "\u2029", "\u0085"])
def test_a_text_is_the_same_with_any_systems_line_ends(end):
    assert clean(f"one{end}two{end}{end}three", "keep") == "one\ntwo\n\nthree"


def test_line_ends_are_one_character():
    assert clean("a\r\nb\rc\n", "keep") == "a\nb\nc\n"


def test_letters_leaves_lower_case_and_single_blanks():
    assert clean("The Time-Machine, by H. G. Wells [1898]\n", "letters") == "the time machine by h g wells "
    assert clean("--é", "letters") == " "


def test_half_characters_are_replaced_and_pairs_made_whole():
    assert clean("a\ud800b\ud83d\ude00", "keep") == "a\ufffdb\U0001f600"

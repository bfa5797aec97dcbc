import pytest

from core.text.tokenizer import clean


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085"])
def test_every_line_end_becomes_a_newline(end):
    assert clean(f"one{end}two{end}{end}three", "keep") == "one\ntwo\n\nthree"


def test_letters_are_lower_case_with_single_blanks_and_lone_surrogates_are_replaced():
    assert clean("The Time-Machine, by H. G. Wells [1898]\n", "letters") == "the time machine by h g wells "
    assert clean("--é", "letters") == " "
    assert clean("a\ud800b\ud83d\ude00", "keep") == "a\ufffdb\U0001f600"

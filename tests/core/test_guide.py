"""A hint; those that there are, with those of sections, are read in ``tests/pages/test_guide.py``."""

from core.guide import Hint


def test_names_stand_in_quotation_marks():
    assert Hint("Press “a b”, then “c”.", "“d” is no letter.").names == ["a b", "c", "d"]

import numpy as np
import pytest

from core.analysis.passages import drawn_passage, most_varied

TEXT = np.array([0] * 50 + list(range(10)) + [0] * 50, np.int32)


def test_the_first_of_the_most_varied_passages_is_chosen():
    assert most_varied(TEXT, range(0, 100, 5), 10) == 50
    assert most_varied(TEXT, [0, 10, 20], 10) == 0
    few, many = (len(np.unique(drawn_passage(TEXT, 10, 3, among))) for among in (1, 200))
    assert few <= many == 10


@pytest.mark.parametrize("length", [1, 10, 200])
def test_a_drawn_passage_is_part_of_the_text(length):
    seen = {drawn_passage(TEXT, length, draw, 4).tobytes() for draw in range(20)}
    text = TEXT.tobytes()
    assert all(passage in text for passage in seen)
    assert {len(passage) // TEXT.itemsize for passage in seen} == {min(length, len(TEXT))}
    assert (len(seen) > 1) == (length < len(TEXT))

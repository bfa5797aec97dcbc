"""The votes of a hall in counts, which are saved with its lecture and compared with those of another hall."""

import json
import math

import pytest
from hypothesis import given, strategies as st

from pages.content.lecture import LONGEST_FILE, MOST as MOST_SCENES, NONE_YET, opened, saved, tallies_in
from pages.content.tally import COUNT, LONGEST, MOST, Tally, renewed
from tests.pages.content.test_lecture import LARGE

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@st.composite
def any_tally(draw):
    answers = draw(st.lists(words, min_size=2, max_size=6, unique=True))
    counts = st.fixed_dictionaries(dict.fromkeys(answers, st.integers(0, COUNT)))
    return Tally(draw(words), tuple(draw(st.lists(counts, min_size=1, max_size=2))))


GOOD = Tally("Which?", ({"one": 3, "two": 4}, {"one": 0, "two": 7}))


@given(st.lists(any_tally(), max_size=5))
def test_the_votes_of_a_hall_survive_the_file_of_its_lecture(tallies):
    assert list(tallies_in(saved(NONE_YET, tallies))) == tallies
    assert opened(saved(NONE_YET, tallies)) == {}


def test_a_file_without_votes_has_none():
    assert tallies_in(saved(NONE_YET)) == ()
    assert "votes" not in json.loads(saved(NONE_YET))


def of(**changes: object) -> list[dict]:
    return [{"question": "Which?", "votes": [{"one": 3, "two": 4}]} | changes]


HOSTILE = [
    None, 1, "x", {}, [1], [[]], of() * (MOST + 1), of(more=1),
    of(question=1), of(question=""), of(question="x" * (LONGEST + 1)), of(question="\ud800"),
    of(votes=None), of(votes=[]), of(votes=[{}]), of(votes=[{"one": 3}]), of(votes=[{"one": 3, "two": 4}] * 3),
    of(votes=["one", "two"]), of(votes=[{"one": 3, "two": 4}, {"one": 3, "three": 4}]), of(votes=[{str(n): 1 for n in range(7)}]),
    *(of(votes=[{"one": 3, "two": many}]) for many in (-1, COUNT + 1, 1.5, True, None, "4", [], 10**400, math.nan, math.inf)),
    of(votes=[{"one": 3, "": 4}]), of(votes=[{"one": 3, "x" * (LONGEST + 1): 4}]),
]  # fmt: skip


@pytest.mark.parametrize("held", HOSTILE, ids=lambda held: repr(held)[:40])
def test_votes_that_are_none_are_refused_with_a_sentence(held):
    text = json.dumps(json.loads(saved(NONE_YET)) | {"votes": held})
    for read in (opened, tallies_in):
        with pytest.raises(ValueError, match=r"\.$"):
            read(text)


def test_new_votes_replace_those_on_the_same_question_with_the_same_answers():
    again = Tally("Which?", ({"two": 1, "one": 1},))
    others = Tally("Which?", ({"one": 1, "three": 1},)), Tally("Who?", GOOD.votes)
    assert renewed((GOOD, *others), again) == (*others, again)
    rehearsed = Tally("Which?", ({"one": 0, "two": 0}, {"one": 0, "two": 0}))
    assert renewed((GOOD, *others), rehearsed) == (GOOD, *others)
    many = tuple(Tally(str(number), GOOD.votes) for number in range(MOST))
    assert renewed(many, GOOD) == (*many[1:], GOOD)


def test_the_largest_lecture_with_the_most_votes_can_be_opened_again():
    votes = tuple(dict.fromkeys((f"{answer}" + "字" * (LONGEST - 1) for answer in range(6)), COUNT) for _vote in range(2))
    tallies = [Tally(f"{number}".ljust(LONGEST, "字"), votes) for number in range(MOST)]
    text = saved(LARGE, tallies)
    assert len(text) <= LONGEST_FILE
    assert len(opened(text)) == MOST_SCENES
    assert list(tallies_in(text)) == tallies

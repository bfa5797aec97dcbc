"""A lecture survives its file, however it was made; whatever else a file holds is refused in a sentence, and nothing is lost."""

import json
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.link import PAGES, PLACE, Asked, read, written
from core.query import FURTHEST
from core.scenes.lecture import (
    LIMITS,
    MOST,
    NONE_YET,
    OWN,
    added,
    joined,
    moved,
    own_scene,
    plain,
    query_of,
    removed,
    renamed,
)
from core.scenes.lecture_file import FORMAT, LONGEST_FILE, NO_LECTURE, VERSION, opened, saved
from core.scenes.thread import SCENES
from core.settings import KNOBS, Settings
from core.text.corpus import READERS_OWN
from tests.core.any_settings import any_settings

placed = st.dictionaries(st.sampled_from(sorted(PLACE)), st.text(max_size=12), max_size=4)
named = st.text(min_size=1, max_size=LIMITS["name"]).map(plain).filter(bool)
worded = st.text(max_size=100).map(plain)
runs = any_settings.filter(lambda one: one.corpus != READERS_OWN)


@st.composite
def any_scene(draw):
    query = written(Asked(draw(runs), draw(st.integers(0, FURTHEST)))) | draw(placed)
    words = {field: draw(worded) for field in LIMITS} | {"name": draw(named)}
    return own_scene(draw(st.sampled_from(sorted(PAGES))), query, **words)


any_lecture = st.lists(any_scene(), max_size=5).map(lambda scenes: {scene.key: scene for scene in scenes})


def scene(name="One", **query):
    return own_scene("training", query, name=name, question="", do="", notice="")


def of(*names):
    return {one.key: one for one in map(scene, names)}


def names(lecture):
    return [one.name for one in lecture.values()]


LARGE = {one.key: one for one in (scene(f"Nr. {number}") for number in range(MOST))}


@given(any_lecture)
def test_a_lecture_survives_its_file(lecture):
    there = opened(saved(lecture))
    assert there == lecture
    assert list(there) == list(lecture)


@settings(max_examples=2000, deadline=None)
@given(st.integers(0, 2**32))
def test_a_damaged_file_is_refused_in_a_sentence_or_still_valid(seed):
    chance, text = random.Random(seed), GOOD_FILE
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text))
        text = (
            text[:at]
            + chance.choice(["", text[at - 1], '"', "{", "9", "é", "\ud800", "null", "[]"])
            + text[at + chance.randint(0, 9) :]
        )
    check(read_or_refused(text))


def read_or_refused(text):
    """The lecture; an empty one where it is refused, in a sentence."""
    try:
        return opened(text)
    except ValueError as error:
        refused = str(error)
    assert refused.endswith(".")
    return NONE_YET


def check(lecture):
    assert len(lecture) <= MOST
    for key, one in lecture.items():
        assert one.key == key
        assert one.page in PAGES
        assert Settings(**{name: getattr(one.settings, name) for name in KNOBS}) == one.settings
        assert read(written(Asked(one.settings, one.update, scene=key))) == (Asked(one.settings, one.update, scene=key), [])
        assert all(len(getattr(one, field)) <= most for field, most in LIMITS.items())


def held(**changes):
    """The good file as Python has it, its first scene with these changes."""
    file = json.loads(GOOD_FILE)
    file["scenes"][0] |= changes
    return json.dumps(file)


MACHINE = {"hidden_size": "16", "text": "“machine”", "step": "2"}
GOOD = (
    own_scene("unrolled", MACHINE, name="Größe", question="Why?", do="", notice="x"),
    own_scene("training", {"update": "40", "learning_rate": "0.01"}, name="二", question="", do="Wait.", notice=""),
)
GOOD_FILE = saved({one.key: one for one in GOOD})


@pytest.mark.parametrize("text", [
    "", "nothing", "[]", "null", "9" * 5000, "[" * 100_000, "{}", '{"format": 1}',
    json.dumps({"format": FORMAT, "version": True, "scenes": []}),
    json.dumps({"format": FORMAT, "version": 0, "scenes": []}),
    json.dumps({"format": FORMAT, "version": VERSION, "scenes": {}}),
    json.dumps({"format": FORMAT, "version": VERSION, "scenes": [], "more": 1}),
])  # fmt: skip
def test_what_is_no_lecture_is_refused(text):
    with pytest.raises(ValueError, match=NO_LECTURE):
        opened(text)


@pytest.mark.parametrize("changes", [
    {"page": "start"}, {"page": "<b>"}, {"page": 3}, {"name": ""}, {"name": "x" * 61}, {"name": None}, {"name": "two\nlines"},
    {"question": "\u202ereversed"}, {"do": "\x00"}, {"notice": "x" * 241}, {"more": "x"}, {"query": []}, {"query": {"seed": 1}},
    {"query": {"seed": "many"}}, {"query": {"sed": "1"}}, {"query": {"hide": "bar"}}, {"query": {"scene": "cut"}},
    {"query": {"present": "1"}}, {"query": {"update": "-1"}}, {"query": {"update": "9" * 5000}}, {"query": {"text": "x" * 1800}},
    {"query": {"text": "\ud800"}}, {"query": {"corpus": READERS_OWN}},
])  # fmt: skip
def test_a_scene_that_is_not_valid_is_refused_by_its_number(changes):
    with pytest.raises(ValueError, match=r"^Scene 1 of this file cannot be read\. .*\.$"):
        opened(held(**changes))


def test_a_newer_file_and_a_large_one_are_refused():
    with pytest.raises(ValueError, match="newer"):
        opened(json.dumps({"format": FORMAT, "version": VERSION + 1, "anything": []}))
    with pytest.raises(ValueError, match="characters"):
        opened(" " * LONGEST_FILE + GOOD_FILE)


def test_the_largest_lecture_can_be_opened_again():
    query = {"text": '"' * 580, "typed": "\x01"}
    words = {field: '"' * most for field, most in LIMITS.items()}
    large = {one.key: one for one in (own_scene("gradient_flow", query | {"step": str(step)}, **words) for step in range(MOST))}
    assert len(large) == MOST
    assert opened(saved(large)) == large


def test_a_lecture_holds_so_many_scenes():
    with pytest.raises(ValueError, match=str(MOST)):
        added(LARGE, scene("One more"))
    with pytest.raises(ValueError, match=str(MOST)):
        joined(LARGE, of("One more"))
    assert joined(LARGE, LARGE) == LARGE
    more = json.loads(saved(LARGE))
    more["scenes"].append(more["scenes"][0] | {"name": "One more"})
    with pytest.raises(ValueError, match=str(MOST)):
        opened(json.dumps(more))


def test_scenes_are_added_moved_renamed_and_removed():
    three = added(of("One", "Two"), scene("Three"))
    first, second, third = three
    assert names(three) == ["One", "Two", "Three"]
    assert names(moved(three, third, -1)) == ["One", "Three", "Two"]
    assert names(moved(three, first, 1)) == ["Two", "One", "Three"]
    assert moved(three, first, -1) == three
    assert names(moved(three, third, 1)) == ["One", "Two", "Three"]
    assert names(removed(three, second)) == ["One", "Three"]
    other, key = renamed(three, second, "2")
    assert names(other) == ["One", "2", "Three"]
    assert other[key].key == key != second
    assert names(three) == ["One", "Two", "Three"]


def test_the_same_scene_twice_and_no_name_are_refused():
    two = of("One", "Two")
    with pytest.raises(ValueError, match="already"):
        added(two, scene("One"))
    with pytest.raises(ValueError, match="already"):
        renamed(two, scene("Two").key, "One")
    with pytest.raises(ValueError, match="name"):
        renamed(two, scene("Two").key, "")
    assert renamed(two, scene("Two").key, "Two") == (two, scene("Two").key)


@given(any_scene(), any_scene())
def test_a_key_is_of_one_scene_and_of_no_scene_of_the_thread(one, other):
    assume(one._replace(key="") != other._replace(key=""))
    assert one.key != other.key
    assert one.key.startswith(OWN)
    assert not any(key.startswith(OWN) for key in SCENES)


@given(any_scene())
def test_what_its_link_asks_for_makes_it_again(one):
    assert own_scene(one.page, query_of(one), **{field: getattr(one, field) for field in LIMITS}) == one


@given(st.text())
def test_plain_words_are_one_line_and_stay(text):
    assert plain(plain(text)) == plain(text)
    assert len(plain(text).splitlines()) <= 1


def test_plain_words_keep_what_scripts_need():
    assert plain(" می\u200cخواهم \t 何\u3000？\u202e ") == "می\u200cخواهم 何 ？"


def test_an_empty_lecture_is_one():
    assert opened(saved(NONE_YET)) == {}

"""Scenes are on existing pages, and their links open them; a lecture can be saved and opened; any other file is refused."""

import json
import random
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import example, given, strategies as st

from core.config.link import FURTHEST_UPDATE, LONGEST_LINK, PAGE_PATHS, LinkTarget, parse_query, target_query
from core.config.settings import KNOBS, Settings
from core.text.corpus import READERS_OWN
from pages.content import lecture as lectures
from pages.content.lecture import MOST, TEXT_LIMITS, Lecture, edited, joined, opened, own_scene, plain, saved, words_of
from pages.content.scene import Scene
from pages.content.scenes import CHAPTERS, SCENES, neighbours
from tests.core.any_settings import any_settings

placed = st.dictionaries(st.sampled_from(["section", "text", "step", "tau"]), st.text(max_size=12), max_size=4)
named = st.text(min_size=1, max_size=TEXT_LIMITS["name"]).map(plain).filter(bool)
worded = st.text(max_size=100).map(plain)
runs = any_settings.filter(lambda one: one.corpus != READERS_OWN)


@st.composite
def any_scene(draw):
    query = target_query(LinkTarget(draw(runs), draw(st.integers(0, FURTHEST_UPDATE)))) | draw(placed)
    words = {field: draw(worded) for field in TEXT_LIMITS} | {"name": draw(named), "minutes": draw(st.sampled_from(["", "7"]))}
    words["answers"] = draw(st.sampled_from(["", "yes | no"]))
    words["hides"] = draw(st.sampled_from(sorted(lectures.HIDDEN_PARTS))) if words["notice"] else ""
    words["why"] = draw(st.sampled_from(["", "one", "one | two | three | four"])) if words["notice"] else ""
    return own_scene(draw(st.sampled_from(sorted(PAGE_PATHS))), query, **words)


any_lecture = st.lists(any_scene(), max_size=5).map(lambda scenes: {scene.key: scene for scene in scenes})


def scene(name: str = "One", **query: str) -> Scene:
    return own_scene("training", query, name=name, question="", do="", notice="")


def of(*names: str) -> Lecture:
    return {one.key: one for one in map(scene, names)}


def without_keys(lecture: Lecture) -> list[Scene]:
    return [one._replace(key="") for one in lecture.values()]


def names(lecture: Lecture) -> list[str]:
    return [one.name for one in lecture.values()]


LARGE = {one.key: one for one in (scene(f"Nr. {number}") for number in range(MOST))}


@given(any_lecture)
def test_a_lecture_survives_its_file(lecture):
    there, distinct = without_keys(opened(saved(lecture))), without_keys(joined({}, lecture))
    assert [one for i, one in enumerate(distinct) if one not in distinct[:i]] == there
    assert opened(saved(lectures.NONE_YET)) == {}


def test_the_scenes_of_both_chapters_can_be_a_lecture_of_one_s_own():
    assert names(opened(saved(SCENES))) == names(SCENES)


def test_a_damaged_file_is_refused_in_a_sentence_or_still_valid():
    chance, valid, refused = random.Random(0), [], []
    for _ in range(1000):
        text = GOOD_FILE
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text))
            inserted = chance.choice(["", text[at - 1], '"', "{", "9", "é", "\ud800", "null", "[]"])
            text = text[:at] + inserted + text[at + chance.randint(0, 9) :]
        try:
            valid.append(opened(text))
        except ValueError as error:
            refused.append(str(error))
    assert len(valid) > 5
    assert all(sentence.endswith(".") for sentence in refused)
    for key, one in [scene for lecture in valid for scene in lecture.items()]:
        assert one.key == key
        assert one.page in PAGE_PATHS
        assert Settings(**{name: getattr(one.settings, name) for name in KNOBS}) == one.settings
        assert parse_query(target_query(LinkTarget(one.settings, one.update, scene=key)))[1] == []
        assert all(len(words_of(one)[field]) <= most for field, most in TEXT_LIMITS.items())


MACHINE = {"hidden_size": "16", "text": "“machine”", "step": "2"}
GOOD = (
    own_scene("unrolled", MACHINE, name="Größe", question="Why?", do="", notice="x", notes="Wait."),
    own_scene("training", {"update": "40", "learning_rate": "0.01"}, name="二", question="", do="Wait.", notice="", minutes="12"),
)
GOOD_FILE = saved({one.key: one for one in GOOD})


@pytest.mark.parametrize("text", [
    *("", "nothing", "[]", "null", "9" * 5000, "[" * 100_000, "{}", '{"format": 1}'),
    *(json.dumps({"format": lectures.FORMAT, "version": lectures.VERSION, "scenes": []} | wrong)
      for wrong in ({"version": True}, {"version": 0}, {"version": 2}, {"scenes": {}}, {"more": 1})),
    " " * lectures.LONGEST_FILE + GOOD_FILE,
])  # fmt: skip
def test_files_that_are_no_lecture_of_this_version_or_too_large_are_refused(text):
    with pytest.raises(ValueError, match=lectures.NO_LECTURE):
        opened(text)


@pytest.mark.parametrize("changes", [
    {"page": "start"}, {"page": "<b>"}, {"page": 3}, {"name": ""}, {"name": "x" * 61}, {"name": None}, {"name": "two\nlines"},
    {"question": "\u202ereversed"}, {"do": "\x00"}, {"notice": "x" * 241}, {"more": "x"}, {"query": []}, {"query": {"seed": 1}},
    {"query": {"seed": "many"}}, {"query": {"hide": "bar"}}, {"query": {"scene": "cut"}},
    {"query": {"present": "1"}}, {"query": {"update": "-1"}}, {"query": {"update": "9" * 5000}}, {"query": {"text": "x" * 1800}},
    {"query": {"text": "\ud800"}}, {"query": {"\ud800": "1"}}, {"query": {"corpus": READERS_OWN}},
    {"hides": "all of it"}, {"hides": 1}, {"why": "a | | b"}, {"why": "1 | 2 | 3 | 4 | 5"}, {"why": "so", "notice": ""},
    {"hides": "page", "notice": ""}, {"minutes": "-1"}, {"minutes": "²"}, {"minutes": "1000"}, {"minutes": 4},
])  # fmt: skip
def test_an_invalid_scene_is_refused_by_its_number(changes):
    file = json.loads(GOOD_FILE)
    file["scenes"][0] |= changes
    with pytest.raises(ValueError, match=r"^Scene 1 of this file cannot be read\. .*\.$"):
        opened(json.dumps(file))


def test_a_file_that_was_saved_before_scenes_had_reasons_still_opens():
    file = json.loads(GOOD_FILE)
    for held in file["scenes"]:
        assert (held.pop("why"), held.pop("hides")) == ("", "")
    assert without_keys(opened(json.dumps(file))) == without_keys({one.key: one for one in GOOD})


def test_the_key_does_what_the_task_names_and_the_reason_has_steps():
    words = {"name": "One", "question": "", "do": 'Press “Train”, then "carried".', "notice": "x", "why": "First. | Then."}
    one = own_scene("truncation", {}, **words)
    assert one.presses == ("Train", "carried")
    assert one.why == ("First.", "Then.")
    assert one.done == SCENES["counting"].done  # it is done once its notice is shown
    (again,) = edited({one.key: one}, one.key, {"do": "Wait.", "hides": "page"}).values()
    assert (again.presses, again.hides, again.why) == ((), "page", one.why)


def test_the_largest_lecture_can_be_opened_again():
    query = {"text": '"' * 580, "typed": "\x01"}
    words = {field: '"' * most for field, most in TEXT_LIMITS.items()} | {"minutes": "999", "hides": "section"}
    words["answers"] = words["answers"][2:] + '|"'
    large = {one.key: one for one in (own_scene("gradient_flow", query | {"step": str(step)}, **words) for step in range(MOST))}
    assert len(large) == MOST
    assert without_keys(opened(saved(large))) == without_keys(large)


def test_more_scenes_than_the_limit_are_refused():
    with pytest.raises(ValueError, match=str(MOST)):
        joined(LARGE, of("One more"))
    assert joined(LARGE, LARGE) == joined(LARGE, opened(saved(LARGE))) == LARGE
    more = json.loads(saved(LARGE))
    more["scenes"].append(more["scenes"][0] | {"name": "One more"})
    with pytest.raises(ValueError, match=str(MOST)):
        opened(json.dumps(more))


def test_scenes_are_added_moved_edited_and_removed():
    three = joined(of("One", "Two"), of("Two", "Three"))
    first, second, third = three
    assert names(lectures.moved(three, third, -1)) == ["One", "Three", "Two"]
    assert names(lectures.moved(three, first, 1)) == ["Two", "One", "Three"]
    assert lectures.moved(three, first, -1) == three
    assert names(lectures.moved(three, third, 1)) == names(three) == ["One", "Two", "Three"]
    assert names(lectures.removed(three, second)) == ["One", "Three"]
    other = edited(three, second, {"name": "2"})
    assert (names(other), list(other)) == (["One", "2", "Three"], [first, second, third])
    with pytest.raises(ValueError, match="name"):
        edited(three, second, {"name": ""})


@given(any_scene(), any_scene())
def test_scenes_survive_their_query_and_have_keys_of_their_own(one, other):
    assert one.key != other.key
    assert own_scene(one.page, lectures.query_of(one), **words_of(one))._replace(key=one.key) == one
    assert one.key.startswith(lectures.OWN_PREFIX)
    assert not any(key.startswith(lectures.OWN_PREFIX) for key in SCENES)


@given(st.text())
@example(" می\u200cخواهم \t 何\u3000？\u202e ")
def test_plain_words_are_one_printable_line(text):
    words = plain(text)
    assert plain(words) == words
    assert len(words.splitlines()) <= 1
    assert {"\u202e", "\0", "\x1b"}.isdisjoint(words)
    assert [c for c in words if c.isalnum()] == [c for c in text if c.isalnum()]
    assert words.count("\u200c") == text.count("\u200c")  # some scripts are misspelt without it


def test_scenes_have_keys_and_names_of_their_own():
    assert sum(map(len, CHAPTERS.values())) == len(SCENES)
    assert len({scene.name for scene in SCENES.values()}) == len(SCENES)


@pytest.mark.parametrize("scene", SCENES.values(), ids=list(SCENES))
def test_a_scene_has_valid_settings_and_a_short_link_that_opens_it(scene):
    assert Settings(**{name: getattr(scene.settings, name) for name in KNOBS}) == scene.settings
    assert scene.page in PAGE_PATHS
    assert all((scene.name, scene.question, scene.do, scene.notice))
    assert scene.done.kind != "pressed" or f"“{scene.done.what}”" in scene.do
    assert len(scene.address) <= LONGEST_LINK
    query = dict(parse_qsl(urlsplit(scene.address).query))
    place = {name: query.pop(name) for name in scene.place}
    assert place == scene.place
    assert parse_query(query) == (LinkTarget(scene.settings, scene.update, scene=scene.key), [])


def test_the_lecturers_page_lists_every_scene_with_its_minutes():
    page = Path(__file__).parents[3].joinpath("docs", "lecturers.md").read_text()
    for number, scene in enumerate(SCENES.values(), 1):
        assert f"| {number} | {scene.name} | {scene.minutes} |" in page


def test_next_and_previous_lead_through_all_scenes():
    scenes = [None, *SCENES.values(), None]
    assert [(neighbours(key)[0], neighbours(key)[-1]) for key in SCENES] == list(zip(scenes, scenes[2:], strict=False))
    with pytest.raises(ValueError):
        neighbours("nowhere")

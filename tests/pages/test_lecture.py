"""The reader's own scenes: added from what is open, put in order, opened like any other, saved and opened from a file."""

import json
from contextlib import contextmanager

import pytest
from streamlit.util import calc_hash

from core.query import MOMENT
from core.scenes.lecture import LIMITS, MOST, own_scene
from core.scenes.lecture_file import opened, saved
from core.scenes.thread import SCENES
from pages.ui.address import SOMEBODYS, asked_of
from pages.ui.handout import HANDED, _hand_out, keep_moment
from pages.ui.lecture import change, open_file
from pages.ui.thread import ask_for
from tests.pages.conftest import LIMIT, START
from tests.pages.test_presence import again, closed  # noqa: F401, a fixture
from tests.pages.test_thread import strip
from tests.pages.test_training import SMALL, ran

AT = "http://192.0.2.7:8501/"
WORDS = dict.fromkeys(LIMITS, "")


@contextmanager
def session():
    """For what a callback of the browser does: there is none without one."""
    with pytest.MonkeyPatch.context() as patch:
        held = {}
        patch.setattr("streamlit.session_state", held)
        yield held


def asks(visitor, step="", keeps=None):
    """What the sheet has then, once the link was asked for, and ``keeps`` (words) pressed."""
    with session() as held:
        _hand_out(visitor.stage, AT, step, 1.0)
        if keeps:
            keep_moment(visitor.stage, WORDS | keeps)
    return held[HANDED]


def keeps(visitor, name, step="", **words):
    """Ask for the link, and add what it opens to the lecture."""
    asks(visitor, step, words | {"name": name})
    return visitor.run()


def listed(visitor):
    return visitor.scene("lecture")["scenes"]


def names(visitor):
    return [scene.name for scene in visitor.stage.lecture.values()]


def go(visitor, key):
    """Press what leads to this scene; the test runner does not know by itself that the page was turned."""
    ask_for(visitor.stage, key, visitor.stage.opened)
    visitor.run()
    visitor.app._page_hash = calc_hash(visitor.stage.page)
    return visitor


@pytest.fixture
def lecturer(visit):
    """Somebody with three scenes, on the start page."""
    visitor = visit(calc_hash("recurrent_step"), section="products", **SMALL)
    keeps(visitor, "One", question="Which?", do="Look.", notice="This.")
    visitor.app.switch_page("pages/2_unrolled.py")
    keeps(visitor.run(), "Two", step="3 back")
    visitor.app.switch_page("pages/3_training.py")
    keeps(ran(visitor.run(), 20), "Three", question="<b>How far?</b>")
    visitor.app.switch_page("pages/0_start.py")
    return visitor.run()


def test_a_moment_is_added_as_it_is(lecturer):
    one, two, three = lecturer.stage.lecture.values()
    assert (one.page, two.page, three.page) == ("recurrent_step", "unrolled", "training")
    assert (one.question, one.do, one.notice) == ("Which?", "Look.", "This.")
    assert one.place["section"] == "products"
    assert two.place["step"] == "3 back"
    assert [scene.update for scene in (one, two, three)] == [0, 0, 20]
    assert three.settings == lecturer.stage.settings
    assert [row["to"][1] for row in listed(lecturer)] == ["One", "Two", "Three"]


def test_the_name_that_is_offered_says_page_and_section(visit):
    visitor = visit(calc_hash("recurrent_step"), section="products", **SMALL)
    assert asks(visitor)["moment"]["name"] == "Recurrent step: Two products, one product"
    assert asks(visit(START), keeps={"name": "Nothing"})["moment"] is None


def test_what_cannot_be_added_is_said_and_nothing_changes(lecturer):
    before = lecturer.stage.lecture
    lecturer.app.switch_page("pages/3_training.py")
    for name in ("", "x" * 999, "Three", " \u202e "):
        sheet = asks(lecturer.run(), keeps={"name": name, "question": "<b>How far?</b>"})
        assert sheet["moment"]["says"].endswith(".")
        assert lecturer.stage.lecture is before


def test_own_scenes_lead_from_one_to_the_next_and_back_to_the_list(lecturer):
    keys = list(lecturer.stage.lecture)
    for number, key in enumerate(keys, 1):
        go(lecturer, key)
        shown, scene = strip(lecturer), lecturer.stage.lecture[key]
        assert lecturer.stage.run.join(LIMIT)
        assert lecturer.stage.page == scene.page
        assert lecturer.stage.settings == scene.settings
        assert lecturer.run().stage.update == scene.update
        assert shown["at"] == f"{number} of 3"
        assert shown["question"] == (scene.question or scene.name)
        assert shown["previous"][0] == ["", *keys][number - 1]
        assert shown["next"][0] == [*keys, ""][number]
        assert lecturer.url["scene"] == key
        assert "scene" not in asked_of(lecturer.stage)
    go(lecturer, "")
    assert lecturer.stage.page == ""
    assert strip(go(lecturer, "cut"))["at"].endswith(f"of {len(SCENES)}")


def test_a_list_is_put_in_order(lecturer):
    one, two, three = lecturer.stage.lecture
    for key, what, name, then in (
        (three, "up", "", ["One", "Three", "Two"]),
        (one, "down", "", ["Three", "One", "Two"]),
        (three, "up", "", ["Three", "One", "Two"]),
        (two, "rename", " II\n", ["Three", "One", "II"]),
        (one, "rename", " ", ["Three", "One", "II"]),
        (one, "remove", "", ["Three", "II"]),
        ("", "undo", "", ["Three", "One", "II"]),
        (one, "anything", "", ["Three", "One", "II"]),
        ("own_none", "remove", "", ["Three", "One", "II"]),
    ):
        change(lecturer.stage, key, what, name)
        assert names(lecturer.run()) == then
    assert [row["to"][1] for row in listed(lecturer)] == ["Three", "One", "II"]


def test_a_scene_that_is_open_can_be_renamed_and_removed(lecturer):
    first = next(iter(lecturer.stage.lecture))
    go(lecturer, first)
    change(lecturer.stage, first, "rename", "Another")
    assert strip(lecturer.run())["name"] == "Another"
    change(lecturer.stage, lecturer.stage.scene, "remove")
    assert strip(lecturer.run()) is None
    assert "scene" not in lecturer.url


def test_a_lecture_is_saved_and_opened_elsewhere(visit, lecturer):
    text = lecturer.scene("lecture")["file"]
    there = visit(START)
    assert there.scene("lecture")["scenes"] == []
    open_file(there.stage, text)
    assert there.run().stage.lecture == lecturer.stage.lecture
    assert listed(there) == listed(lecturer)
    open_file(there.stage, text)  # once more: nothing twice
    assert len(there.run().stage.lecture) == 3


def test_a_file_comes_behind_what_is_there(visit, lecturer):
    other = own_scene("training", {"seed": "7"}, **WORDS | {"name": "Four"})
    open_file(lecturer.stage, saved({other.key: other}))
    assert names(lecturer.run()) == ["One", "Two", "Three", "Four"]


def test_a_file_that_is_refused_changes_nothing_and_says_why(lecturer):
    before = lecturer.stage.lecture
    for text in ("", "{}", json.dumps(json.loads(saved(before)) | {"version": 99}), "x" * 10**6):
        open_file(lecturer.stage, text)
        assert lecturer.run().stage.lecture is before
        assert lecturer.scene("lecture")["says"].endswith(".")


def test_too_many_are_refused(lecturer):
    many = [own_scene("training", {}, **WORDS | {"name": f"Nr. {number}"}) for number in range(MOST)]
    open_file(lecturer.stage, saved({one.key: one for one in many}))
    assert len(lecturer.stage.lecture) == 3
    assert str(MOST) in lecturer.run().scene("lecture")["says"]


def test_an_address_with_somebody_else_s_scene_opens_all_the_rest(visit):
    visitor = visit(calc_hash("unrolled"), scene="own_0123456789abcdef", text="a window of the text", **SMALL)
    assert visitor.notices == [SOMEBODYS]
    assert strip(visitor) is None
    assert visitor.stage.page == "unrolled"
    assert visitor.url == {name: str(value) for name, value in SMALL.items()} | {"text": "a window of the text"}


def test_a_reload_loses_nothing(lecturer, again):  # noqa: F811
    key = list(lecturer.stage.lecture)[2]
    go(lecturer, key)
    assert lecturer.stage.run.join(LIMIT)
    found = again(closed(lecturer), **lecturer.url)
    assert found.stage is lecturer.stage
    assert len(found.stage.lecture) == 3
    assert strip(found)["key"] == key
    assert found.notices == []


def test_the_reader_s_own_text_is_in_no_scene(visit):
    visitor = visit(**SMALL)
    visitor.stage.start(visitor.stage.settings.but(corpus="own"), "a secret text, " * 200)
    assert asks(ran(visitor), keeps={"name": "Mine"})["notes"]
    (scene,) = visitor.stage.lecture.values()
    assert scene.settings == visitor.stage.settings.but(corpus="python_manual")
    assert MOMENT not in scene.query
    assert "secret" not in saved(visitor.stage.lecture)
    assert opened(saved(visitor.stage.lecture)) == visitor.stage.lecture


def test_a_scene_that_cannot_be_trained_is_said_and_the_page_stays(visit):
    visitor = visit(START)
    scene = own_scene("training", {"max_tokens": "5", "num_steps": "1000"}, **WORDS | {"name": "None"})
    open_file(visitor.stage, saved({scene.key: scene}))
    go(visitor, scene.key)
    assert visitor.stage.page == ""
    assert len(visitor.notices) == 1

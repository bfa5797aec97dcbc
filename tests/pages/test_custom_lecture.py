"""A custom lecture: scenes added from the current view, ordered, opened like any other, saved to and opened from a file."""

import json

import pytest

from core.config.link import MOMENT
from pages.app.navigation.share_dialog import LINK, add_to_lecture, create_link
from pages.app.navigation.url_state import SOMEBODYS, url_params
from pages.content.lecture import TEXT_LIMITS, opened, own_scene, saved
from pages.content.scenes import SCENES
from tests.pages.app_session import SMALL, START, AppSession, close_tab
from tests.pages.content.test_lecture import without_keys

AT = "http://192.0.2.7:8501/"
WORDS = dict.fromkeys(TEXT_LIMITS, "")


def add_scene(session: AppSession, name: str, step: str = "", **words: str) -> dict:
    """Create a link to the current view, add it to the lecture as a scene, and return the dialog's data."""
    state = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamlit.session_state", state)  # without a script run there is no session state
        create_link(session.stage, AT, step, 1.0)
        add_to_lecture(session.stage, WORDS | words | {"name": name})
    session.run()
    return state[LINK]


QUERY = {name: str(value) for name, value in SMALL.items()}
THREE = (
    own_scene("recurrent_step", QUERY | {"section": "products"}, **WORDS | {"name": "One", "question": "Which?", "do": "Look."}),
    own_scene("unrolled", QUERY | {"step": "3 back"}, **WORDS | {"name": "Two"}),
    own_scene("training", QUERY | {"update": "20"}, **WORDS | {"name": "Three", "question": "<b>How far?</b>"}),
)


@pytest.fixture
def lecturer(visit) -> AppSession:
    """A session with three scenes, on the start page."""
    session = visit(START)
    session.stage.lecture.open_file(saved({scene.key: scene for scene in THREE}))
    return session.run()


def test_what_is_open_becomes_a_scene(visit):
    session = visit("recurrent_step", section="products", **SMALL)
    add_scene(session, "One", question="Which?", do="Look.")
    add_scene(session.switch_page("unrolled"), "Two", step="3 back")
    add_scene(session.switch_page("training").train(20), "Three", question="<b>How far?</b>")
    assert without_keys(session.stage.lecture.scenes) == [scene._replace(key="") for scene in THREE]
    assert [row["to"][1] for row in session.switch_page(START).data("lecture")["scenes"]] == ["One", "Two", "Three"]


def test_a_scene_of_ones_own_begins_where_the_page_stood(visit):
    session = visit("unrolled", **SMALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamlit.session_state", {})
        create_link(session.stage, AT, "", 1.0, "product")
        add_to_lecture(session.stage, WORDS | {"name": "The product"})
    (key,) = session.stage.lecture.scenes
    assert session.open_scene(key).wait().scene_bar()["view"] == "product"
    assert "view" not in session.url


def test_what_cannot_be_added_is_reported_and_nothing_changes(lecturer):
    before = lecturer.stage.lecture.scenes
    assert add_scene(lecturer, "Nothing")["scene"] is None  # the start page
    lecturer.open_scene(list(before)[2]).wait()
    for name in ("", "x" * 999, "Three", " \u202e "):
        assert add_scene(lecturer, name, question="<b>How far?</b>")["scene"]["message"].endswith(".")
        assert lecturer.stage.lecture.scenes is before


def test_own_scenes_lead_from_one_to_the_next_and_back_to_the_list(lecturer):
    keys = list(lecturer.stage.lecture.scenes)
    for number, key in enumerate(keys, 1):
        shown, scene = lecturer.open_scene(key).wait().scene_bar(), lecturer.stage.lecture.scenes[key]
        assert lecturer.stage.navigation.page == scene.page
        assert lecturer.stage.settings == scene.settings
        assert lecturer.stage.update == scene.update
        assert shown["at"] == f"{number} of 3"
        assert shown["question"] == (scene.question or scene.name)
        assert shown["previous"][0] == ["", *keys][number - 1]
        assert shown["next"][0] == [*keys, ""][number]
        assert lecturer.url["scene"] == key
        assert "scene" not in url_params(lecturer.stage)
    assert lecturer.open_scene("").stage.navigation.page == ""
    assert lecturer.open_scene("cut").scene_bar()["at"].endswith(f"of {len(SCENES)}")


def test_scenes_are_moved_edited_and_removed(lecturer):
    own, scenes = lecturer.stage.lecture, lecturer.stage.scenes
    one, two, three = own.scenes
    for change, then in (
        (lambda: own.change(three, "up"), ["One", "Three", "Two"]),
        (lambda: own.edit(two, {"name": " II\n"}), ["One", "Three", "II"]),
        (lambda: own.change(one, "remove"), ["Three", "II"]),
        (lambda: own.change("", "undo"), ["One", "Three", "II"]),
        (lambda: own.change(one, "anything"), ["One", "Three", "II"]),
        (lambda: own.change("own_none", "remove"), ["One", "Three", "II"]),
        (lambda: own.edit("own_none", {"name": "None"}), ["One", "Three", "II"]),
    ):
        change()
        assert [row["to"][1] for row in lecturer.run().data("lecture")["scenes"]] == then
    lecturer.open_scene(one)
    own.edit(one, {"name": "Another", "question": "Why?", "notes": "Slowly.", "minutes": "7"})
    shown = lecturer.run().scene_bar()
    assert [shown[name] for name in ("name", "question", "notes", "planned")] == ["Another", "Why?", "Slowly.", [7, 7]]
    own.change(scenes.key, "remove")
    assert lecturer.run().scene_bar() is None
    assert "scene" not in lecturer.url


def test_a_lecture_is_saved_and_opened_elsewhere_after_what_is_there(visit, lecturer):
    text = lecturer.data("lecture")["file"]
    other = own_scene("training", {"seed": "7"}, **WORDS | {"name": "Four"})
    newcomer = visit(START)
    assert newcomer.data("lecture")["scenes"] == []
    newcomer.stage.lecture.open_file(text)
    assert without_keys(newcomer.stage.lecture.scenes) == without_keys(lecturer.stage.lecture.scenes)
    assert [row["to"][1] for row in newcomer.run().data("lecture")["scenes"]] == ["One", "Two", "Three"]
    for again in (text, saved({other.key: other})):  # no scene is added twice
        newcomer.stage.lecture.open_file(again)
    assert [row["to"][1] for row in newcomer.run().data("lecture")["scenes"]] == ["One", "Two", "Three", "Four"]


def test_a_refused_file_changes_nothing_and_is_reported(lecturer):
    before = lecturer.stage.lecture.scenes
    for text in ("", "{}", json.dumps(json.loads(saved(before)) | {"version": 99}), "x" * 10**6):
        lecturer.stage.lecture.open_file(text)
        assert lecturer.stage.lecture.scenes is before
        assert lecturer.run().data("lecture")["says"].endswith(".")


def test_an_address_with_a_scene_of_another_lecture_opens_all_else(visit):
    session = visit("unrolled", scene="own_0123456789abcdef", text="a window of the text", **SMALL)
    assert session.notices == [SOMEBODYS]
    assert session.scene_bar() is None
    assert session.stage.navigation.page == "unrolled"
    assert session.url == {name: str(value) for name, value in SMALL.items()} | {"text": "a window of the text"}


def test_a_reload_restores_the_lecture_and_the_open_scene(lecturer, reload):
    key = list(lecturer.stage.lecture.scenes)[2]
    lecturer.open_scene(key).wait()
    found = reload(close_tab(lecturer), **lecturer.url)
    assert found.stage is lecturer.stage
    assert len(found.stage.lecture.scenes) == 3
    assert found.scene_bar()["key"] == key
    assert found.notices == []


def test_the_own_text_is_in_no_scene(training):
    training.start("a secret text, " * 200, corpus="own").train()
    assert add_scene(training, "Mine")["notes"]
    (scene,) = training.stage.lecture.scenes.values()
    assert scene.settings == training.stage.settings.but(corpus="python_manual")
    assert MOMENT not in scene.query
    assert "secret" not in saved(training.stage.lecture.scenes)
    assert without_keys(opened(saved(training.stage.lecture.scenes))) == [scene._replace(key="")]


def test_a_scene_that_cannot_be_trained_is_reported_and_the_page_stays(visit):
    session = visit(START)
    scene = own_scene("training", {"max_tokens": "5", "num_steps": "1000"}, **WORDS | {"name": "None"})
    session.stage.lecture.open_file(saved({scene.key: scene}))
    session.open_scene(*session.stage.lecture.scenes)
    assert session.stage.navigation.page == ""
    assert len(session.notices) == 1

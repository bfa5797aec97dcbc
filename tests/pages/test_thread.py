"""The thread leads from scene to scene: each opens as its link does, says its question, and knows when it was done."""

import pytest
from streamlit.util import calc_hash

from core.link import Asked
from core.scenes.thread import CHAPTERS, SCENES
from pages.ui.address import Opening, _found, asked_of
from pages.ui.thread import ask_for
from tests.pages.conftest import LIMIT, START
from tests.pages.test_scenes import parts
from tests.pages.test_training import ran

FIRST, *_, LAST = SCENES


def strip(visitor):
    """What the strip was given; None where there is none."""
    return next((data for name, data in parts(visitor) if name == "thread"), None)


def opened(visit, key):
    """A visitor of the scene's link."""
    scene = SCENES[key]
    return visit(calc_hash(scene.page), **scene.query)


def go(visitor, key):
    """Press what leads to this scene."""
    ask_for(visitor.stage, key, visitor.stage.opened)
    return visitor.run()


@pytest.mark.parametrize("key", SCENES)
def test_a_scene_opens_by_its_link(visit, key):
    visitor, scene = opened(visit, key), SCENES[key]
    assert strip(visitor)["question"] == scene.question
    assert visitor.notices == []
    assert visitor.stage.settings == scene.settings
    assert visitor.stage.run.join(LIMIT)
    assert visitor.run().stage.update == scene.update
    assert visitor.url.items() <= scene.query.items()
    assert visitor.url["scene"] == key


def test_next_leads_through_all_of_them_and_back_to_all_scenes(visit):
    visitor, seen = visit(START), []
    ahead = visitor.scene("scenes")["begin"][0]
    while ahead:
        go(visitor, ahead)
        shown = strip(visitor)
        assert visitor.stage.page == SCENES[ahead].page
        assert shown["previous"][0] == (seen[-1] if seen else "")
        assert visitor.stage.settings == SCENES[ahead].settings
        seen.append(ahead)
        ahead = shown["next"][0]
    assert seen == list(SCENES)
    go(visitor, ahead)
    assert visitor.stage.page == ""
    assert strip(visitor) is None


def test_a_scene_is_opened_without_what_the_one_before_left(visit):
    visitor = opened(visit, "branching")
    visitor.wishes.update(section="writing", p=[1.0])
    ran(visitor.run(), 5)
    go(visitor, "continuations")
    assert visitor.wishes["section"] == "continuations"
    go(visitor, "branching")
    assert visitor.wishes["section"] == "number"
    assert len(visitor.wishes["p"]) > 1
    assert visitor.stage.ghosts == []
    assert visitor.stage.update == 0


def test_what_the_run_reaches_is_heard_by_the_strip(visit):
    visitor = opened(visit, "price")
    assert not strip(visitor)["done"]
    ran(visitor, 1)
    assert not strip(visitor)["done"]
    ran(visitor, 1500)
    assert strip(visitor.run())["done"]
    go(visitor, "")
    cards = [card for chapter in visitor.scene("scenes")["chapters"] for card in chapter["scenes"]]
    assert [card["to"][0] for card in cards if card["done"]] == ["price"]
    assert not strip(go(visitor, "price"))["done"]  # opened anew


def test_a_text_without_counting_lines_has_none_to_pass(visit):
    visitor = opened(visit, "learning")
    visitor.stage.start(visitor.stage.settings.but(corpus="echo", max_tokens=3000, hidden_size=8))
    ran(visitor, 3)
    assert not visitor.stage.baselines
    assert not strip(visitor.run())["done"]


def test_the_start_page_has_all_scenes_in_their_chapters_and_something_that_moves(visit):
    visitor = visit(START)
    chapters = visitor.scene("scenes")["chapters"]
    assert [chapter["name"] for chapter in chapters] == list(CHAPTERS)
    assert [card["to"][0] for chapter in chapters for card in chapter["scenes"]] == list(SCENES)
    assert visitor.scene("network")["plays"]
    assert visitor.url == {}


def test_another_page_has_no_strip_and_the_scene_is_found_again(visit):
    visitor = opened(visit, "machine")
    visitor.app.switch_page("pages/3_training.py")
    assert strip(visitor.run()) is None
    assert "scene" not in visitor.url
    visitor.app.switch_page("pages/2_unrolled.py")
    assert strip(visitor.run())["key"] == "machine"
    assert visitor.url["scene"] == "machine"


@pytest.mark.parametrize(("page", "kept"), [("", "machine"), ("truncation", "machine"), ("unrolled", "")])
def test_a_page_without_a_strip_that_is_loaded_again_knows_where_one_was(visit, page, kept):
    here = opened(visit, "machine").stage
    assert _found(here, Opening(Asked(here.settings), page, {}, [])).scene == kept


def test_an_address_that_only_asks_for_a_run_opens_training(visit):
    visitor = visit(START, hidden_size=16)
    assert visitor.stage.page == "training"
    assert visitor.stage.settings.hidden_size == 16
    assert visitor.url == {"hidden_size": "16"}


def test_the_name_of_a_scene_is_a_link_to_it(visit):
    visitor = visit(START, scene="cut")
    assert visitor.stage.page == "truncation"
    assert asked_of(visitor.stage) == {name: said for name, said in SCENES["cut"].query.items() if name != "update"}


def test_a_scene_that_is_not_there_is_said(visit):
    visitor = visit(scene="nowhere", hidden_size=16)
    assert strip(visitor) is None
    assert len(visitor.notices) == 1
    assert visitor.url == {"hidden_size": "16"}


def test_a_press_that_was_sent_twice_opens_one_scene(visit):
    visitor = opened(visit, "machine")
    before = visitor.stage.opened
    go(visitor, "hello")
    ask_for(visitor.stage, "hello", before)
    run = visitor.stage.run
    assert visitor.run().stage.run is run

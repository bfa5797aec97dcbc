"""A link opens the same place of the same page."""

import pytest
from streamlit.util import calc_hash

from pages.ui.address import LONGEST, PLACE

RECURRENT_STEP = calc_hash("recurrent_step")


def test_a_link_opens_its_section(visit):
    page = visit(RECURRENT_STEP, section="back", hidden_size=16)
    assert page.bar()["section"]["value"] == "back"
    assert page.stage.settings.hidden_size == 16
    assert page.url == {"section": "back", "hidden_size": "16"}


def test_a_section_that_is_not_there_is_said(visit):
    page = visit(RECURRENT_STEP, section="<b>nowhere")
    assert page.bar()["section"]["value"] == "why"
    assert len(page.notices) == 1
    assert "section" not in page.run().url


def test_another_page_has_an_address_of_its_own(visit):
    page = visit(RECURRENT_STEP, section="back", hidden_size=16)
    page.app.switch_page("pages/3_training.py")
    assert page.run().url == {"hidden_size": "16"}
    page.app.switch_page("pages/1_recurrent_step.py")
    assert page.run().url == {"section": "back", "hidden_size": "16"}


def test_a_link_opens_its_text_and_network(visit):
    page = visit(calc_hash("unrolled"), text="a window of the text", network="the network, untrained", hidden_size=16)
    assert page.widget("unrolled_text").value == "a window of the text"
    assert page.widget("unrolled_network").value == "the network, untrained"
    page.widget("unrolled_text").set_value("machine")
    assert page.run().url == {"network": "the network, untrained", "hidden_size": "16"}


def test_a_text_and_a_network_that_are_not_there_are_said(visit):
    page = visit(calc_hash("unrolled"), text="<i>", network="x" * 500)
    assert len(page.notices) == 2
    assert page.run().url == {}


@pytest.mark.parametrize(("page", "asked", "chosen"), [
    ("recurrent_step", {"section": "products", "N": "2", "H": "5"}, {"N": 2, "H": 5}),
    ("recurrent_step", {"section": "order", "first": "3"}, {"first": 3}),
    ("perplexity", {"model": "counted-2", "beside": "none"}, {"model": "counted-2", "beside": "none"}),
    ("truncation", {"tau": "13", "mode": "reset"}, {"tau": 13, "mode": "reset"}),
    ("truncation", {"scheme": "tbptt", "k1": "3"}, {"scheme": "tbptt", "k1": 3}),
    ("truncation", {"tau": "none"}, {"tau": None}),
    ("truncation", {"section": "proof", "k": "6"}, {"k": 6}),
    ("truncation", {"section": "data", "T": "5", "order": "shuffled"}, {"T": 5, "order": "shuffled"}),
    ("gradient_flow", {"section": "what_if", "radius": "2.0", "T": "32"}, {"radius": 2.0, "T": 32}),
])  # fmt: skip
def test_a_link_opens_what_was_chosen_and_says_only_that(visit, page, asked, chosen):
    page = visit(calc_hash(page), hidden_size=16, **asked)
    kept = page.stage.kept[page.stage.page]
    within = {name: page.wishes[kept[name].within] if kept[name].within else page.wishes for name in chosen}
    assert {name: within[name][name] for name in chosen} == chosen
    assert page.notices == []
    assert page.run().url == {"hidden_size": "16"} | asked
    for name in chosen:
        within[name][name] = kept[name].start
    assert page.run().url.keys() <= {"hidden_size", "section"}


def test_what_there_is_not_to_choose_is_said_and_not_kept(visit):
    page = visit(calc_hash("truncation"), tau="12", mode="<b>", k1="nan", hidden_size=16)
    assert len(page.notices) == 3
    assert (page.wishes["tau"], page.wishes["mode"], page.wishes["k1"]) == (5, "carry", 1)
    assert page.run().url == {"hidden_size": "16"}


def test_a_link_opens_a_typed_text_up_to_a_length(visit):
    page = visit(calc_hash("unrolled"), text="type your own", typed="<b>hello</b>", hidden_size=16)
    assert page.widget("unrolled_typed").value == "<b>hello</b>"
    page.widget("unrolled_typed").set_value("x" * LONGEST)
    assert page.run().url["typed"] == "x" * LONGEST
    page.widget("unrolled_typed").set_value("x" * (LONGEST + 1))
    assert "typed" not in page.run().url


@pytest.mark.parametrize("page", ["recurrent_step", "perplexity", "gradient_flow", "truncation"])
def test_what_a_page_keeps_is_what_an_address_may_hold(visit, page):
    assert set(visit(calc_hash(page), hidden_size=16).stage.kept[page]) <= PLACE


def test_that_a_page_is_presented_stays_in_its_address(visit):
    page = visit(RECURRENT_STEP, present="1", section="back")
    assert page.notices == []
    assert page.run().url == {"section": "back", "present": "1"}

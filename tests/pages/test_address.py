"""A link opens the same place of the same page."""

from streamlit.util import calc_hash

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
    page = visit(calc_hash("unrolled"), text="a window of the text", network="the live run, untrained", hidden_size=16)
    assert page.widget("unrolled_text").value == "a window of the text"
    assert page.widget("unrolled_network").value == "the live run, untrained"
    page.choose("unrolled_text", "machine")
    assert page.run().url == {"network": "the live run, untrained", "hidden_size": "16"}


def test_a_text_and_a_network_that_are_not_there_are_said(visit):
    page = visit(calc_hash("unrolled"), text="<i>", network="x" * 500)
    assert len(page.notices) == 2
    assert page.run().url == {}

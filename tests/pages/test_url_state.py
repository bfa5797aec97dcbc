"""A link opens the same section, text and choices of the same page."""

import pytest

from core.config.link import FURTHEST
from core.config.settings import Settings
from pages.app.navigation.url_state import LONGEST
from tests.pages.app_session import SMALL, AppSession, app_sessions


def test_every_page_has_its_own_section_in_its_address(visit):
    session = visit("recurrent_step", section="back", present="1", hidden_size=16)
    assert session.controls()["section"]["value"] == "back"
    assert session.stage.settings.hidden_size == 16
    assert session.notices == []
    assert session.url == {"section": "back", "present": "1", "hidden_size": "16"}
    del session.app.query_params["present"]
    assert session.switch_page("training").url == {"hidden_size": "16"}
    assert session.switch_page("recurrent_step").url == {"section": "back", "hidden_size": "16"}


@pytest.mark.parametrize(("page", "asked", "chosen"), [
    ("recurrent_step", {"section": "products", "N": "2", "H": "5"}, {"N": 2, "H": 5}),
    ("recurrent_step", {"section": "order", "first": "3"}, {"first": 3}),
    ("perplexity", {"model": "counted-2", "beside": "none"}, {"model": "counted-2", "beside": "none"}),
    ("perplexity", {"text": "the <b>value</b>"}, {"text": "the <b>value</b>"}),
    ("perplexity", {"section": "writing", "prompt": "[a](b)"}, {"prompt": "[a](b)"}),
    ("perplexity", {"section": "continuations", "beginning": "<i>", "ways": "a\nb"}, {"beginning": "<i>", "ways": ("a", "b")}),
    ("truncation", {"tau": "13", "mode": "reset"}, {"tau": 13, "mode": "reset"}),
    ("truncation", {"tau": "none", "scheme": "tbptt", "k1": "3"}, {"tau": None, "scheme": "tbptt", "k1": 3}),
    ("truncation", {"section": "proof", "k": "6"}, {"k": 6}),
    ("truncation", {"section": "data", "T": "5", "order": "shuffled"}, {"T": 5, "order": "shuffled"}),
    ("truncation", {"section": "race", "blocks": "no", "carried": "no", "start": "fixed", "seeds": "3"},
     {"blocks": False, "carried": False, "start": "fixed", "seeds": 3}),
    ("gradient_flow", {"section": "what_if", "radius": "2.0", "T": "32"}, {"radius": 2.0, "T": 32}),
    ("gradient_flow", {"section": "what_if", "clip": "0.0", "phi": "relu"}, {"clip": 0.0, "phi": "relu"}),
])  # fmt: skip
def test_a_link_opens_what_was_chosen_and_holds_only_that(visit, page, asked, chosen):
    session = visit(page, hidden_size=16, **asked)
    params = session.choices.params
    assert {name: session.choices[name] for name in chosen} == chosen
    assert session.notices == []
    assert session.url == {"hidden_size": "16"} | asked
    for name in chosen:
        session.choices[name] = params[name].start
    assert session.run().url.keys() <= {"hidden_size", "section"}


@pytest.mark.parametrize("spelled", ["2", "2.0", "2.00", "2e0"])
def test_a_number_may_be_spelled_in_several_ways(visit, spelled):
    session = visit("gradient_flow", hidden_size=16, section="what_if", radius=spelled)
    assert (session.notices, session.url["radius"]) == ([], "2.0")


@pytest.mark.parametrize(("page", "asked"), [
    ("gradient_flow", {"radius": "nan"}),
    ("gradient_flow", {"radius": "<b>", "T": "7"}),
    ("recurrent_step", {"section": "<b>nowhere"}),
    ("recurrent_step", {"sizes": "4-16", "pair": "3-1"}),
    ("recurrent_step", {"sizes": "0-0-1-2-1", "draw": "-1"}),
    ("unrolled", {"text": "<i>", "network": "x" * 500}),
    ("truncation", {"tau": "12", "mode": "<b>", "k1": "nan"}),
    ("training", {"scene": "nowhere", "lang": "xx"}),
    ("training", {"hide": "everything,<b>"}),
    *(("training", {"update": update}) for update in ("1.5", "<b>", FURTHEST + 1)),
])  # fmt: skip
def test_a_choice_that_does_not_exist_is_reported_and_left_out(visit, page, asked):
    session = visit(page, hidden_size=16, **asked)
    assert len(session.notices) == len(asked)
    assert session.scene_bar() is None
    if page == "truncation":
        assert (session.choices["tau"], session.choices["mode"], session.choices["k1"]) == (5, "carry", 1)
    assert session.run().url == {"hidden_size": "16"}


def test_a_link_holds_a_typed_text_up_to_a_length(visit):
    session = visit("unrolled", text="type your own", typed="<b>hello</b>", hidden_size=16)
    assert session.widget("unrolled_typed").value == "<b>hello</b>"
    assert session.select("unrolled_typed", "x" * LONGEST).url["typed"] == "x" * LONGEST
    assert "typed" not in session.select("unrolled_typed", "x" * (LONGEST + 1)).url


def test_the_file_of_a_page_is_run_within_the_frame():
    """A new server knows of no ``st.navigation``: the first address that is opened makes it run the file of that page."""
    with app_sessions() as visit:
        file = visit(**SMALL).app._finished_page_script_hash
    session = AppSession(file, SMALL)
    assert session.stage.settings == Settings(**SMALL)
    assert session.data("run_card")
    assert session.data("transport")

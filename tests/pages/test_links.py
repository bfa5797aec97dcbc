"""A link restores a run and its update bit for bit, and the same section, text and choices of the same page."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
import segno

from core.config.link import FURTHEST_UPDATE
from core.config.settings import Settings
from core.training.history import RADIUS
from pages.app.layout.elements import HIDES
from pages.app.navigation.share_dialog import link_data
from pages.app.navigation.url_state import LONGEST_TYPED
from pages.app.panels.commands import seek
from pages.content.scenes import SCENES
from pages.figures.parts import words
from pages.figures.parts.share_link import ONLY_HERE, OWN_TEXT
from tests.pages.app_session import SMALL, AppSession, app_sessions

AT = "http://192.0.2.7:8501/"  # an address in a local network
ADDRESS = {name: str(value) for name, value in SMALL.items()}


def opened(visit, page: str = "training", **query: object) -> AppSession:
    """A session opened by a link, once its run has stopped."""
    return visit(page, **SMALL | query).wait().run()


def params(session: AppSession) -> bytes:
    return session.stage.params().flat.tobytes()


def link_query(handed: dict) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(handed["link"]).query))


def test_a_link_trains_to_its_update_and_stops_there(visit):
    session = opened(visit, update=60)
    assert session.stage.monitored.step == 60
    assert session.stage.snapshot().state == "paused"
    assert session.notices == []
    assert session.data("run_card")["past"]["words"][-1] == "now: update 60"
    session = visit(**SMALL, update=FURTHEST_UPDATE)
    assert session.stage.run.playing
    assert session.url == ADDRESS | {"update": str(FURTHEST_UPDATE)}


def test_the_address_keeps_the_update_of_its_link_while_that_network_is_shown(visit):
    session = opened(visit, update=60)
    bookmarked = session.url
    assert bookmarked == ADDRESS | {"update": "60"}
    assert params(opened(visit, **bookmarked)) == params(session)
    assert session.switch_page("unrolled").url == session.switch_page("training").url == bookmarked
    assert session.switch_page("").url == {}
    assert session.switch_page("training").train(1).url == ADDRESS
    seek(session.stage, 0)
    assert session.run().url == ADDRESS
    session.stage.show_present()
    assert link_query(link_data(session.stage, AT)) == ADDRESS | {"update": "61"}


@pytest.mark.parametrize("change", [
    lambda stage: stage.move(clip_norm=0.5), lambda stage: stage.scale_to_radius(0.5), lambda stage: stage.start(stage.settings),
    lambda stage: stage.run.play(FURTHEST_UPDATE),
])  # fmt: skip
def test_the_address_of_another_network_has_no_update(visit, change):
    session = opened(visit, update=20)
    change(session.stage)
    assert "update" not in session.run().url
    session.stage.run.pause()


@pytest.mark.parametrize(("query", "settings"), [
    ({"corpus": "own"}, Settings(**SMALL)), ({"max_tokens": 5, "num_steps": 1000}, Settings()),
    ({"hidden_size": 4096, "num_steps": 1000}, Settings()), ({"batch_size": 1024, "num_steps": 1000}, Settings()),
])  # fmt: skip
def test_a_link_whose_run_cannot_be_opened_does_not_train(visit, query, settings):
    session = opened(visit, update=50, **query)
    assert session.stage.monitored.step == 0
    assert len(session.notices) == 1
    assert session.stage.settings == settings


def test_a_link_opens_what_is_open_and_its_qr_code_is_the_link(visit):
    session = visit("unrolled", text="a window of the text", **SMALL).train(40)
    handed = link_data(session.stage, AT + "unrolled", "3 back")
    assert handed["link"].startswith(AT + "unrolled?")
    assert link_query(handed) == session.url | {"step": "3 back", "update": "40"}
    assert handed["notes"] == []
    matrix = segno.make(handed["link"], micro=False, error="l").matrix
    runs = [map(int, run) for run in re.findall(r"M(\d+) (\d+)h(\d+)v1", handed["code"]["path"])]
    dark = {(x + i, y) for x, y, long in runs for i in range(long)}
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, module in enumerate(row) if module}
    other = opened(visit, "unrolled", **link_query(handed))
    assert other.stage.monitored.step == 40
    assert other.url["text"] == "a window of the text"
    assert params(other) == params(session)
    assert "step" not in link_query(link_data(session.stage, AT, "<b>"))


def test_a_link_made_while_looking_back_opens_that_moment(visit):
    session = visit(**SMALL).train(60)
    seek(session.stage, 9)
    handed = link_data(session.stage, AT)
    assert link_query(handed)["update"] == str(session.stage.update)
    assert 0 < session.stage.update < 60
    assert params(opened(visit, **link_query(handed))) == params(session)


def test_a_knob_that_was_moved_after_the_start_is_noted_in_the_link(stage):
    assert link_data(stage, AT)["notes"] == []
    stage.move(learning_rate=0.01)
    stage.run.step(5)
    handed = link_data(stage, AT)
    (note,) = handed["notes"]
    assert words.name("learning_rate") in note
    assert link_query(handed)["learning_rate"] == "0.01"
    stage.scale_to_radius(0.5)
    assert words.name(RADIUS) in " ".join(link_data(stage, AT)["notes"])
    seek(stage, 0)
    assert link_data(stage, AT)["notes"] == []
    stage.start(stage.settings)
    stage.move(learning_rate=0.02)
    stage.run.step(5)
    assert link_data(stage, AT)["notes"] == []  # the setting was changed before the first update


def test_what_a_link_cannot_hold_is_noted(stage, monkeypatch):
    assert link_data(stage, "http://localhost:8501/")["notes"] == [ONLY_HERE]
    for module in ("pages.app.navigation.share_dialog", "pages.figures.parts.share_link"):
        monkeypatch.setattr(f"{module}.FURTHEST_UPDATE", 2)
    handed = link_data(stage, AT)
    assert link_query(handed)["update"] == "2"
    assert len(handed["notes"]) == 1
    stage.start(stage.settings.but(corpus="own"), "a secret text, " * 200)
    stage.run.step()
    handed = link_data(stage, AT)
    assert handed["notes"] == [OWN_TEXT]
    assert "secret" not in handed["link"]
    assert "update" not in link_query(handed)


def test_what_is_hidden_stays_hidden_and_in_the_address_on_every_page(visit):
    session = visit(hide="knobs, sidebar", **SMALL)
    for page in ("recurrent_step", "perplexity", "training"):
        assert session.switch_page(page).url["hide"] == "sidebar,knobs"
        assert any(HIDES["knobs"] in body for body in session.html if body.startswith("<style>") and "display: none" in body)
    assert link_query(link_data(session.stage, AT))["hide"] == "sidebar,knobs"
    assert link_data(visit().stage, AT)["link"] == AT  # a new run with the default settings


def test_every_page_has_its_own_section_in_its_address(visit):
    session = visit("recurrent_step", section="back", present="1", hidden_size=16)
    assert session.section == "back"
    assert session.stage.settings.hidden_size == 16
    assert session.notices == []
    assert session.url == {"section": "back", "present": "1", "hidden_size": "16"}
    del session.app.query_params["present"]
    assert session.switch_page("training").url == {"hidden_size": "16"}
    assert session.switch_page("recurrent_step").url == {"section": "back", "hidden_size": "16"}


@pytest.mark.parametrize(("page", "asked", "chosen"), [
    ("recurrent_step", {"section": "products", "N": "2", "H": "5"}, {"N": 2, "H": 5}),
    ("recurrent_step", {"section": "back", "results": "hidden"}, {"results": "hidden"}),
    ("exercises", {"set": "7"}, {"set": 7}),
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
    ("gradient_flow", {"section": "cliff", "bias": "-0.25", "W": "1.1", "length": "50", "max_norm": "5.0", "after": "500"},
     {"bias": -0.25, "W": 1.1, "length": 50, "max_norm": 5.0, "after": 500}),
    ("gradient_flow", {"section": "struck", "line": "rows"}, {"line": "rows"}),
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
    *(("training", {"update": update}) for update in ("1.5", "<b>", FURTHEST_UPDATE + 1)),
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
    assert session.select("unrolled_typed", "x" * LONGEST_TYPED).url["typed"] == "x" * LONGEST_TYPED
    assert "typed" not in session.select("unrolled_typed", "x" * (LONGEST_TYPED + 1)).url


def test_the_file_of_a_page_is_run_within_the_frame():
    """A new server does not know ``st.navigation`` yet: the first URL that is opened makes it run the file of that page."""
    with app_sessions() as visit:
        file = visit(**SMALL).app._finished_page_script_hash
    session = AppSession(file, SMALL)
    assert session.stage.settings == Settings(**SMALL)
    assert session.data("run_card")
    assert session.data("transport")


def test_a_scene_in_the_address_of_its_page_opens_its_section(visit):
    assert visit("recurrent_step", scene="state", **SMALL).section == SCENES["state"].place["section"]
    assert visit("recurrent_step", scene="state", section="back", **SMALL).section == "back"

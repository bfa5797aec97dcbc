"""A link opens a run and a moment of it: whoever opens it has the same curve, bit for bit."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
import segno

from core.config.link import FURTHEST
from core.config.settings import Settings
from core.figures.parts import words
from core.figures.parts.share_link import ONLY_HERE, OWN_TEXT
from core.training.history import RADIUS
from pages.app.layout.elements import HIDES
from pages.app.navigation.share_dialog import link_data
from pages.app.panels.commands import seek
from tests.pages.app_session import SMALL, AppSession

AT = "http://192.0.2.7:8501/"  # an address of a network
ADDRESS = {name: str(value) for name, value in SMALL.items()}


def opened(visit, page: str = "training", **query: object) -> AppSession:
    """A session of a link, once its run has stopped."""
    return visit(page, **SMALL | query).wait().run()


def params(session: AppSession) -> bytes:
    return session.stage.params().flat.tobytes()


def asks(handed: dict) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(handed["link"]).query))


def test_a_link_trains_to_its_update_and_stops_there(visit):
    session = opened(visit, update=60)
    assert session.stage.monitored.step == 60
    assert session.stage.snapshot().state == "paused"
    assert session.notices == []
    assert session.data("run_card")["past"]["words"][-1] == "now: update 60"
    assert session.url == ADDRESS
    session = visit(**SMALL, update=FURTHEST)
    assert session.stage.run.playing
    assert session.url == ADDRESS


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
    assert asks(handed) == session.url | {"step": "3 back", "update": "40"}
    assert handed["notes"] == []
    matrix = segno.make(handed["link"], micro=False, error="l").matrix
    runs = [map(int, run) for run in re.findall(r"M(\d+) (\d+)h(\d+)v1", handed["code"]["path"])]
    dark = {(x + i, y) for x, y, long in runs for i in range(long)}
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, module in enumerate(row) if module}
    there = opened(visit, "unrolled", **asks(handed))
    assert there.stage.monitored.step == 40
    assert there.url["text"] == "a window of the text"
    assert params(there) == params(session)
    assert "step" not in asks(link_data(session.stage, AT, "<b>"))


def test_a_link_made_while_looking_back_opens_that_moment(visit):
    session = visit(**SMALL).train(60)
    seek(session.stage, 9)
    handed = link_data(session.stage, AT)
    assert asks(handed)["update"] == str(session.stage.update)
    assert 0 < session.stage.update < 60
    assert params(opened(visit, **asks(handed))) == params(session)


def test_a_knob_that_was_moved_after_the_start_is_noted_in_the_link(stage):
    assert link_data(stage, AT)["notes"] == []
    stage.move(learning_rate=0.01)
    stage.run.step(5)
    handed = link_data(stage, AT)
    (note,) = handed["notes"]
    assert words.name("learning_rate") in note
    assert asks(handed)["learning_rate"] == "0.01"
    stage.scale_to_radius(0.5)
    assert words.name(RADIUS) in " ".join(link_data(stage, AT)["notes"])
    seek(stage, 0)
    assert link_data(stage, AT)["notes"] == []
    stage.start(stage.settings)
    stage.move(learning_rate=0.02)
    stage.run.step(5)
    assert link_data(stage, AT)["notes"] == []  # it was moved before the first update


def test_what_a_link_cannot_hold_is_noted(stage, monkeypatch):
    assert link_data(stage, "http://localhost:8501/")["notes"] == [ONLY_HERE]
    for module in ("pages.app.navigation.share_dialog", "core.figures.parts.share_link"):
        monkeypatch.setattr(f"{module}.FURTHEST", 2)
    handed = link_data(stage, AT)
    assert asks(handed)["update"] == "2"
    assert len(handed["notes"]) == 1
    stage.start(stage.settings.but(corpus="own"), "a secret text, " * 200)
    stage.run.step()
    handed = link_data(stage, AT)
    assert handed["notes"] == [OWN_TEXT]
    assert "secret" not in handed["link"]
    assert "update" not in asks(handed)


def test_what_is_hidden_stays_hidden_and_in_the_address_on_every_page(visit):
    session = visit(hide="knobs, sidebar", **SMALL)
    for page in ("recurrent_step", "perplexity", "training"):
        assert session.switch_page(page).url["hide"] == "sidebar,knobs"
        assert any(HIDES["knobs"] in body for body in session.html if body.startswith("<style>") and "display: none" in body)
    assert asks(link_data(session.stage, AT))["hide"] == "sidebar,knobs"
    assert link_data(visit().stage, AT)["link"] == AT  # a new run of the defaults

"""A text that is not yet on the server is downloaded on request, in the background, and then trained on."""

import threading

import pytest

from core.text import remote
from tests.fake_download_server import download_server, expect_the_tale, have_the_tale, send_tale
from tests.pages.app_session import LIMIT, SMALL, AppSession


@pytest.fixture(autouse=True)
def expected(tmp_path, monkeypatch) -> None:
    expect_the_tale(monkeypatch, tmp_path / "texts")
    monkeypatch.setattr(remote, "_downloads", {})


def fetch(session: AppSession, name: str) -> AppSession:
    session.app.button(key=f"download_{name}").click()
    return session.run()


def finish(session: AppSession, name: str) -> AppSession:
    remote._downloads[name].join(LIMIT)
    return session.run()


def offers(session: AppSession, label: str) -> bool:
    return any(button.label.startswith(label) for button in session.app.button)


def test_choosing_a_text_offers_its_download_and_changes_nothing(visit):
    session = visit(**SMALL)
    before = session.stage.run
    session.choose("corpus", "time_machine")
    assert session.stage.run is before
    assert session.control("corpus")["value"] == "time_machine"
    assert offers(session, "Download The Time Machine")
    assert not remote._downloads
    session.choose("corpus", "lag")
    assert session.stage.settings.corpus == "lag"
    assert not offers(session, "Download The")


def test_a_failed_download_is_reported_and_can_be_tried_again(visit):
    session = visit(**SMALL)
    before = session.stage.run
    finish(fetch(session.choose("corpus", "shakespeare"), "shakespeare"), "shakespeare")
    assert len(session.notices) == 1
    assert offers(session, "Try again")
    assert session.stage.run is before


def test_a_download_does_not_block_sessions_and_is_shared(visit, monkeypatch):
    session, over, requests = visit(**SMALL, learning_rate=0.5), threading.Event(), []
    session.choose("corpus", "time_machine")
    with download_server(lambda handler: requests.append(handler.path) or (over.wait() and send_tale(handler))) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        fetch(session, "time_machine")
        (progress,) = session.app.get("progress")
        assert "The Time Machine" in progress.proto.text
        session.choose("hidden_size", 16)
        assert session.stage.settings.hidden_size == 16
        other = visit(**SMALL).choose("corpus", "time_machine")
        assert len(other.app.get("progress")) == 1  # the same download
        assert remote.start_download("time_machine") is remote.start_download("time_machine")
        over.set()
        finish(other, "time_machine")
    assert len(requests) == 1
    assert other.stage.settings.corpus == session.run().stage.settings.corpus == "time_machine"
    assert (session.stage.settings.hidden_size, session.stage.settings.learning_rate) == (16, 0.5)
    assert session.notices == []
    third = visit(**SMALL, corpus="time_machine")  # a link now opens the text at once
    assert third.stage.settings.corpus == third.url["corpus"] == "time_machine"
    assert third.notices == []


def test_a_link_trains_to_its_update_once_its_text_was_downloaded(visit, monkeypatch):
    session = visit(**SMALL, corpus="shakespeare", update=3)
    assert session.stage.settings.corpus == "python_manual"
    assert not remote._downloads  # nothing is downloaded without a request
    assert len(session.notices) == 1
    with download_server(send_tale) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        finish(fetch(session, "shakespeare"), "shakespeare")
    assert session.stage.settings.corpus == "shakespeare"
    assert session.notices == []
    assert session.stage.run.join(LIMIT)
    assert session.stage.monitored.step == 3


def test_a_text_that_cannot_be_trained_on_is_reported_once(visit, tmp_path, monkeypatch):
    session = visit(**SMALL | {"num_steps": 500, "batch_size": 80, "max_tokens": 0})
    session.choose("corpus", "time_machine")
    have_the_tale(monkeypatch, tmp_path)  # 38 000 characters: too short for these settings
    session.run()
    assert session.stage.settings.corpus == "python_manual"
    assert len(session.run().notices) == 1
    assert session.control("corpus")["value"] == "python_manual"


def test_what_is_chosen_while_a_run_is_made_is_of_the_run_on_the_downloaded_text(visit, monkeypatch, request):
    session = visit(**SMALL).choose("corpus", "time_machine")
    with download_server(send_tale) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        release = request.getfixturevalue("slow_runs")
        finish(fetch(session.choose("hidden_size", 16), "time_machine"), "time_machine")
    job = session.stage.loading.job
    release()
    assert job.wait(LIMIT)
    settings = session.run().stage.settings
    assert (settings.corpus, settings.hidden_size) == ("time_machine", 16)


def test_a_downloaded_text_is_loaded_once_beside_the_page(visit, monkeypatch, request):
    session = visit(**SMALL).choose("corpus", "time_machine")
    with download_server(send_tale) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        release = request.getfixturevalue("slow_runs")
        finish(fetch(session, "time_machine"), "time_machine")
    job = session.stage.loading.job
    assert session.is_loading
    assert session.run().stage.loading.job is job
    release()
    assert job.wait(LIMIT)
    assert session.run().stage.settings.corpus == "time_machine"

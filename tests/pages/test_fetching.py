"""A text from afar is chosen like any other: it is fetched when somebody presses the button, and nobody waits for it."""

import threading

import pytest

from core.text import downloads
from tests.fake_download_server import expect_the_tale, have_the_tale, sending, whole
from tests.pages.conftest import LIMIT

SMALL = {"hidden_size": 8, "batch_size": 2, "num_steps": 4, "max_tokens": 5000}


@pytest.fixture(autouse=True)
def expected(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path / "texts")
    monkeypatch.setattr(downloads, "_downloads", {})


def come(visitor, name):
    """Wait for its end, and look again."""
    assert downloads._downloads[name].join(LIMIT)
    return visitor.run()


def labels(visitor):
    return [button.label for button in visitor.app.button]


def test_choosing_it_offers_it_and_changes_nothing(visit):
    visitor = visit(**SMALL)
    before = visitor.stage.run
    visitor.choose("corpus", "time_machine")
    assert visitor.stage.run is before
    assert visitor.shown("corpus")["value"] == "time_machine"
    assert any(label.startswith("Download The Time Machine") for label in labels(visitor))
    assert not downloads._downloads
    visitor.choose("corpus", "lag")
    assert visitor.stage.settings.corpus == "lag"
    assert not any(label.startswith("Download The") for label in labels(visitor))


def test_once_it_has_come_it_trains_with_the_settings_that_there_are(visit, monkeypatch):
    visitor = visit(**SMALL, learning_rate=0.5)
    visitor.choose("corpus", "time_machine")
    with sending(whole) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        visitor.app.button(key="fetch_time_machine").click()
        come(visitor.run(), "time_machine")
    assert visitor.stage.settings.corpus == "time_machine"
    assert (visitor.stage.settings.hidden_size, visitor.stage.settings.learning_rate) == (8, 0.5)
    assert visitor.notices == []
    other = visit(**SMALL)
    other.choose("corpus", "time_machine")  # it is there for everybody now
    assert other.stage.settings.corpus == "time_machine"


def test_offline_a_sentence_says_so_and_what_else_can_be_done(visit):
    visitor = visit(**SMALL)
    before = visitor.stage.run
    visitor.choose("corpus", "shakespeare")
    visitor.app.button(key="fetch_shakespeare").click()
    come(visitor.run(), "shakespeare")
    assert len(visitor.notices) == 1
    assert visitor.notices[0].endswith("a file of your own.")
    assert "Try again" in labels(visitor)
    assert visitor.stage.run is before


def test_nobody_waits_while_it_comes(visit, monkeypatch):
    visitor, over = visit(**SMALL), threading.Event()
    visitor.choose("corpus", "time_machine")
    with sending(lambda asked: over.wait() and whole(asked)) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        visitor.app.button(key="fetch_time_machine").click()
        visitor.run()
        (progress,) = visitor.app.get("progress")
        assert "The Time Machine" in progress.proto.text
        visitor.choose("hidden_size", 16)
        assert visitor.stage.settings.hidden_size == 16
        other = visit(**SMALL)
        other.choose("corpus", "time_machine")
        assert len(other.app.get("progress")) == 1  # the same one
        over.set()
        come(other, "time_machine")
    assert other.stage.settings.corpus == "time_machine"
    assert visitor.run().stage.settings.corpus == "time_machine"
    assert visitor.stage.settings.hidden_size == 16


def test_a_link_to_it_opens_and_trains_as_it_asks_once_it_has_come(visit, monkeypatch):
    visitor = visit(**SMALL, corpus="shakespeare", update=3)
    assert visitor.stage.settings.corpus == "python_manual"
    assert not downloads._downloads  # nothing is fetched by itself
    assert len(visitor.notices) == 1
    with sending(whole) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        visitor.app.button(key="fetch_shakespeare").click()
        come(visitor.run(), "shakespeare")
    assert visitor.stage.settings.corpus == "shakespeare"
    assert visitor.notices == []
    assert visitor.stage.run.join(LIMIT)
    assert visitor.stage.watched.step == 3


def test_where_it_is_kept_a_link_opens_it_at_once(visit, tmp_path, monkeypatch):
    have_the_tale(monkeypatch, tmp_path)
    visitor = visit(**SMALL, corpus="time_machine")
    assert visitor.stage.settings.corpus == "time_machine"
    assert visitor.notices == []
    assert visitor.url["corpus"] == "time_machine"


def test_one_that_cannot_be_trained_on_is_told_once_and_not_tried_again(visit, tmp_path, monkeypatch):
    visitor = visit(**SMALL | {"num_steps": 500, "batch_size": 64, "max_tokens": 0})
    visitor.choose("corpus", "time_machine")
    have_the_tale(monkeypatch, tmp_path)  # 33 000 characters: too short for that
    visitor.run()
    assert visitor.stage.settings.corpus == "python_manual"
    assert len(visitor.run().notices) == 1
    assert visitor.shown("corpus")["value"] == "python_manual"

"""A text from afar is that text, or there is a sentence; nothing else is ever kept."""

import threading

import pytest

from core.text.remote import FOLDER, REMOTES, NotHere, fetch, fetched, folder, is_here
from tests.fake_download_server import TALE, expect_the_tale, have_the_tale, sending, whole

NAME = "time_machine"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path / "texts")
    return tmp_path / "texts"


def fetch_from(monkeypatch, answer, **how):
    with sending(answer) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        fetch(NAME, **how)


def refusal(monkeypatch, answer, **how):
    with pytest.raises(ValueError) as caught:
        fetch_from(monkeypatch, answer, **how)
    assert str(caught.value).endswith("a file of your own.")  # the way out
    assert not is_here(NAME)
    assert [path.name for path in folder().glob("*")] == []  # nor is anything left of it
    return str(caught.value)


def test_a_text_is_fetched_once_and_kept(kept, monkeypatch):
    come = []
    with pytest.raises(NotHere):
        fetched(NAME)
    fetch_from(monkeypatch, whole, tell=come.append)
    assert 0 < come[0] < come[-1] == len(TALE)
    assert fetched(NAME) == TALE.decode()
    fetch_from(monkeypatch, lambda asked: asked.send_error(500))  # nobody is asked again


def test_what_is_kept_but_is_not_the_text_is_fetched_anew(kept, monkeypatch):
    kept.mkdir()
    (kept / REMOTES[NAME].file).write_bytes(TALE[:-1])
    assert not is_here(NAME)
    fetch_from(monkeypatch, whole)
    assert is_here(NAME)


def something_else(asked):
    asked.send_response(200)
    asked.send_header("Content-Length", str(len(TALE)))
    asked.end_headers()
    asked.wfile.write(TALE.replace(b"king", b"fool"))


def cut(asked):
    asked.send_response(200)
    asked.send_header("Content-Length", str(len(TALE)))
    asked.end_headers()
    asked.wfile.write(TALE[: len(TALE) // 2])


def endless(asked):
    asked.send_response(200)
    asked.end_headers()
    try:
        while True:
            asked.wfile.write(TALE)
    except OSError:  # until the other side has had enough
        pass


def lying(asked):
    asked.send_response(200)
    asked.send_header("Content-Length", "a few")
    asked.end_headers()
    asked.wfile.write(TALE)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (something_else, "something else"),
        (cut, "cut"),
        (endless, "something else"),
        (lying, "something else"),
        (lambda asked: asked.send_error(404), "404"),
        (lambda asked: asked.send_error(503), "503"),
        (lambda asked: asked.connection.close(), "127.0.0.1"),
    ],
    ids=["another text", "cut", "endless", "lying", "gone", "overloaded", "hung up"],
)
def test_where_it_does_not_come_nothing_is_kept_and_a_sentence_says_why(kept, monkeypatch, answer, says):
    assert says in refusal(monkeypatch, answer)


@pytest.mark.parametrize("begun", [False, True])
def test_a_server_that_falls_silent_is_not_waited_for(kept, monkeypatch, begun):
    over = threading.Event()

    def silent(asked):
        if begun:
            asked.send_response(200)
            asked.send_header("Content-Length", str(len(TALE)))
            asked.end_headers()
            asked.wfile.write(TALE[: len(TALE) // 2])
            asked.wfile.flush()
        over.wait()

    try:
        assert ("hung" if begun else "in time") in refusal(monkeypatch, silent, timeout=(5.0, 0.05))
    finally:
        over.set()


def test_offline_a_sentence_says_so(kept):
    with pytest.raises(ValueError) as caught:
        fetch(NAME)  # nobody listens there
    assert "127.0.0.1" in str(caught.value)


def test_a_folder_that_cannot_be_written_is_told_without_its_name(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    expect_the_tale(monkeypatch, tmp_path / "file" / "texts")
    with pytest.raises(ValueError) as caught:
        fetch_from(monkeypatch, whole)
    assert str(tmp_path) not in str(caught.value)
    assert "keep" in str(caught.value)


def test_texts_are_kept_among_what_this_system_keeps_unless_told_otherwise(monkeypatch):
    monkeypatch.delenv(FOLDER)
    assert folder().name == "rnn-dashboard"


@pytest.mark.parametrize("name", REMOTES)
def test_every_text_from_afar_has_an_address_and_a_hash(name):
    remote = REMOTES[name]
    assert remote.address.startswith("https://")
    algorithm, digest = remote.hash.split(":")
    assert len(digest) == {"sha1": 40, "sha256": 64}[algorithm]
    assert remote.size > 100_000
    assert len({one.file for one in REMOTES.values()}) == len(REMOTES)


def test_a_text_that_is_here_is_found(tmp_path, monkeypatch):
    have_the_tale(monkeypatch, tmp_path)
    assert all(map(is_here, REMOTES))

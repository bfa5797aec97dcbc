import io
import itertools
import tarfile
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler

import pytest

from core.text import remote
from tests.fake_download_server import TALE, Answer, download_server, expect_the_tale, send_tale

NAME = "time_machine"


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path / "texts")


def send_body(body: bytes, length: int | str = len(TALE)) -> Answer:
    """An answer with these bytes and this Content-Length."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(length))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def fetch_from(monkeypatch: pytest.MonkeyPatch, answer: Answer, **how) -> None:
    with download_server(answer) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        remote.fetch(NAME, **how)


def refusal(monkeypatch: pytest.MonkeyPatch, answer: Answer, **how) -> str:
    with pytest.raises(ValueError) as caught:
        fetch_from(monkeypatch, answer, **how)
    assert not remote.is_downloaded(NAME)
    assert [path.name for path in remote.folder().glob("*")] == []  # no partial file either
    return str(caught.value)


def test_a_text_is_downloaded_once_and_again_where_its_hash_is_wrong(empty_folder, monkeypatch):
    received = []
    with pytest.raises(ValueError):
        remote.fetched(NAME)
    fetch_from(monkeypatch, send_tale, report=received.append)
    assert 0 < received[0] < received[-1] == len(TALE)
    assert remote.fetched(NAME) == TALE.decode()
    fetch_from(monkeypatch, lambda handler: handler.send_error(500))  # no further request
    (remote.folder() / remote.REMOTES[NAME].file).write_bytes(TALE[:-1])
    assert not remote.is_downloaded(NAME)
    fetch_from(monkeypatch, send_body(TALE, "a few"))  # a Content-Length that is none
    assert remote.is_downloaded(NAME)


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    with suppress(OSError):  # until the client closes the connection
        while True:
            handler.wfile.write(TALE)


FAILURES = {
    "another text": (send_body(TALE.replace(b"king", b"fool")), "hash"),
    "cut": (send_body(TALE[: len(TALE) // 2]), "IncompleteRead"),
    "endless": (endless, "bytes of"),
    "404": (lambda handler: handler.send_error(404), "404"),
    "closed": (lambda handler: handler.connection.close(), "ConnectionError"),
}


@pytest.mark.parametrize(("answer", "logged"), FAILURES.values(), ids=FAILURES)
def test_a_failed_download_is_refused_and_stores_nothing_and_its_reason_is_logged(
    empty_folder, monkeypatch, caplog, answer, logged
):
    assert "127.0.0.1" in refusal(monkeypatch, answer)
    assert logged in caplog.text


@pytest.mark.parametrize("begun", [False, True])
def test_a_server_that_stops_sending_is_refused_after_the_timeout(empty_folder, monkeypatch, caplog, begun):
    over = threading.Event()

    def silent(handler: BaseHTTPRequestHandler) -> None:
        if begun:
            send_body(TALE[: len(TALE) // 2])(handler)
            handler.wfile.flush()
        over.wait()

    try:
        assert "127.0.0.1" in refusal(monkeypatch, silent, timeout=(5.0, 0.05))
    finally:
        over.set()
    assert "timed out" in caplog.text


def test_a_server_that_sends_too_slowly_is_refused_after_the_limit(empty_folder, monkeypatch):
    now = itertools.count(step=remote.DOWNLOAD_LIMIT)
    assert "too slow" in refusal(monkeypatch, send_tale, clock=lambda: next(now))


def test_a_folder_that_cannot_be_written_is_refused_without_its_name(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    expect_the_tale(monkeypatch, tmp_path / "file" / "texts")
    with pytest.raises(ValueError, match="folder") as caught:
        fetch_from(monkeypatch, send_tale)
    assert str(tmp_path) not in str(caught.value)


FILE = (
    "\x1b[32m《感遇》\x1b[m\n\x1b[33m作者：张九龄\x1b[m\n兰叶春葳蕤，桂华秋皎洁。\n%\n\x1b[32m《送别》\x1b[m\n下马饮君酒。\n%\n"
)


def package(path: str, compression: str) -> bytes:
    """A Debian package that contains this text as its only file."""
    contents = io.BytesIO()
    with tarfile.open(fileobj=contents, mode=f"w:{compression}") as files:
        about = tarfile.TarInfo(path)
        about.size = len(FILE.encode())
        files.addfile(about, io.BytesIO(FILE.encode()))
    parts = {"debian-binary": b"2.0\n", "control.tar": b"odd", f"data.tar.{compression}": contents.getvalue()}
    headers = {name: f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() for name, data in parts.items()}
    return b"!<arch>\n" + b"".join(headers[name] + data + b"\n" * (len(data) % 2) for name, data in parts.items())


@pytest.mark.parametrize("compression", ["xz", "gz"])
def test_titles_authors_and_lines_are_read_without_colours(compression):
    read = remote.poems(package(remote.POEMS, compression))
    assert read == "《感遇》\n作者：张九龄\n兰叶春葳蕤，桂华秋皎洁。\n\n《送别》\n下马饮君酒。\n"


def test_a_package_without_the_poems_is_an_error():
    with pytest.raises(KeyError):
        remote.poems(package("./usr/share/other", "xz"))


LIMIT = 60.0


def test_a_failed_download_says_why_and_can_be_repeated_and_a_removed_file_is_absent(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path)
    monkeypatch.setattr(remote, "_downloads", {})
    remote.start_download(NAME).join(LIMIT)  # no server at this address
    assert remote.download_status(NAME).state == "failed"
    assert remote.download_status(NAME).error.endswith(".")
    with download_server(send_tale) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        remote.start_download(NAME).join(LIMIT)
    assert remote.download_status(NAME).state == "done"
    for path in tmp_path.iterdir():
        path.unlink()
    assert remote.download_status(NAME).state == "absent"

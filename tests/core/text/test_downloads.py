import threading

import pytest

from core.text import downloads
from core.text.downloads import PATIENCE, Download, arrival, begin
from tests.fake_download_server import TALE, expect_the_tale, sending, whole

LIMIT = 60.0
NAME = "shakespeare"


@pytest.fixture(autouse=True)
def expected(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path)
    monkeypatch.setattr(downloads, "_downloads", {})


def test_all_visitors_share_one_download(monkeypatch):
    asked, go_on = [], threading.Event()

    def slow(one):
        asked.append(one.path)
        one.send_response(200)
        one.send_header("Content-Length", str(len(TALE)))
        one.end_headers()
        one.wfile.write(TALE[:20_000])
        one.wfile.flush()
        go_on.wait()
        one.wfile.write(TALE[20_000:])

    assert arrival(NAME).state == "absent"
    with sending(slow) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        first = begin(NAME)
        assert begin(NAME) is first
        while not arrival(NAME).bytes:
            pass
        assert arrival(NAME).state == "coming"
        go_on.set()
        assert first.join(LIMIT)
    assert arrival(NAME).state == "here"
    assert len(asked) == 1


def test_a_failed_download_says_why_and_can_be_repeated_and_a_removed_file_is_absent(tmp_path, monkeypatch):
    assert begin(NAME).join(LIMIT)  # nobody listens there
    assert arrival(NAME).state == "failed"
    assert arrival(NAME).said.endswith(".")
    with sending(whole) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        assert begin(NAME).join(LIMIT)
    assert arrival(NAME).state == "here"
    for path in tmp_path.iterdir():
        path.unlink()
    assert arrival(NAME).state == "absent"


def test_a_download_that_hangs_fails_after_the_limit():
    now, over = [0.0], threading.Event()
    download = Download(lambda _: over.wait(), lambda: now[0])
    assert download.arrival().state == "coming"
    now[0] = PATIENCE + 1
    assert download.arrival().state == "failed"
    assert download.arrival().said.endswith(".")
    over.set()
    assert download.join(LIMIT)

import threading

import pytest

from core.text import remote
from core.text.remote import DOWNLOAD_LIMIT, Download, download_status, start_download
from tests.fake_download_server import TALE, expect_the_tale, sending, whole

LIMIT = 60.0
NAME = "shakespeare"


@pytest.fixture(autouse=True)
def expected(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path)
    monkeypatch.setattr(remote, "_downloads", {})


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

    assert download_status(NAME).state == "absent"
    with sending(slow) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        first = start_download(NAME)
        assert start_download(NAME) is first
        while not download_status(NAME).bytes:
            pass
        assert download_status(NAME).state == "downloading"
        go_on.set()
        assert first.join(LIMIT)
    assert download_status(NAME).state == "done"
    assert len(asked) == 1


def test_a_failed_download_says_why_and_can_be_repeated_and_a_removed_file_is_absent(tmp_path, monkeypatch):
    assert start_download(NAME).join(LIMIT)  # nobody listens there
    assert download_status(NAME).state == "failed"
    assert download_status(NAME).error.endswith(".")
    with sending(whole) as address:
        monkeypatch.setenv("RNN_TEXTS_FROM", address)
        assert start_download(NAME).join(LIMIT)
    assert download_status(NAME).state == "done"
    for path in tmp_path.iterdir():
        path.unlink()
    assert download_status(NAME).state == "absent"


def test_a_download_that_hangs_fails_after_the_limit():
    now, over = [0.0], threading.Event()
    download = Download(lambda _: over.wait(), lambda: now[0])
    assert download.status().state == "downloading"
    now[0] = DOWNLOAD_LIMIT + 1
    assert download.status().state == "failed"
    assert download.status().error.endswith(".")
    over.set()
    assert download.join(LIMIT)

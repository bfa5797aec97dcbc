import threading

from core.text import remote
from core.text.remote import DOWNLOAD_LIMIT, Download, download_status, start_download
from tests.fake_download_server import expect_the_tale, sending, whole

LIMIT = 60.0
NAME = "shakespeare"


def test_a_failed_download_says_why_and_can_be_repeated_and_a_removed_file_is_absent(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path)
    monkeypatch.setattr(remote, "_downloads", {})
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

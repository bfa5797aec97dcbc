import threading

from core.text import downloads
from core.text.downloads import PATIENCE, Download, arrival, begin
from tests.fake_download_server import expect_the_tale, sending, whole

LIMIT = 60.0
NAME = "shakespeare"


def test_a_failed_download_says_why_and_can_be_repeated_and_a_removed_file_is_absent(tmp_path, monkeypatch):
    expect_the_tale(monkeypatch, tmp_path)
    monkeypatch.setattr(downloads, "_downloads", {})
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

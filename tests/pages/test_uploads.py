"""Uploads do not pile up, and what was uploaded last is there."""

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.ui import uploads


@pytest.fixture
def files(monkeypatch):
    monkeypatch.setattr(MemoryUploadedFileManager, "add_file", MemoryUploadedFileManager.add_file)  # put back afterwards
    uploads.keep_few_uploads()
    return MemoryUploadedFileManager("")


def upload(files, session, *sizes):
    for number, size in enumerate(sizes):
        files.add_file(session, UploadedFileRec(str(number), "a.txt", "text/plain", bytes(size)))


def kept(files, session):
    return sorted(files.file_storage[session])


def test_a_session_keeps_its_newest_files(files, monkeypatch):
    monkeypatch.setattr(uploads, "MOST", 4)
    upload(files, "one", *[1] * 9)
    assert kept(files, "one") == ["5", "6", "7", "8"]


def test_no_session_loses_a_file_to_another(files, monkeypatch):
    monkeypatch.setattr(uploads, "MOST", 4)
    upload(files, "one", 1)
    upload(files, "other", *[1] * 9)
    assert kept(files, "one") == ["0"]


def test_large_files_leave_sooner_but_never_the_newest(files, monkeypatch):
    monkeypatch.setattr(uploads, "BYTES", 10)
    upload(files, "one", 1, 6, 6)
    assert kept(files, "one") == ["0", "2"]
    upload(files, "other", 4, 99)
    assert kept(files, "other") == ["1"]

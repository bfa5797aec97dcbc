"""A file to download outlives its button by a moment; on a clock of the test's own."""

from types import SimpleNamespace

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.ui import downloads


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(time=100.0)
    monkeypatch.setattr(downloads, "time", SimpleNamespace(monotonic=lambda: now.time))
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", media_file_manager.MediaFileMetadata)
    downloads.keep_downloads_a_moment()
    return now


@pytest.fixture
def files(clock):
    return MediaFileManager(MemoryMediaFileStorage("/media"))


def offer(files: MediaFileManager, *, download: bool = True) -> str:
    return files.add(b"a run", "text/plain", "1.2", is_for_static_download=download).rsplit("/", 1)[-1]


def drawn_without_it(files: MediaFileManager, times: int = 5) -> None:
    files.clear_session_refs()
    for _ in range(times):
        files.remove_orphaned_files()


def test_it_is_there_for_a_moment_after_the_page_let_go_of_it_and_then_no_more(files, clock):
    name = offer(files)
    drawn_without_it(files)
    clock.time += downloads.LINGERS - 1
    drawn_without_it(files)
    assert files.read_file(name).content == b"a run"
    clock.time += 1
    drawn_without_it(files, times=1)
    assert files.read_file(name) is None


def test_what_is_offered_again_stays(files, clock):
    offer(files)
    drawn_without_it(files)
    clock.time += downloads.LINGERS
    name = offer(files)
    files.remove_orphaned_files()
    assert files.read_file(name) is not None
    drawn_without_it(files)
    assert files.read_file(name) is not None


def test_what_is_only_shown_goes_at_once(files):
    name = offer(files, download=False)
    drawn_without_it(files, times=1)
    assert files.read_file(name) is None

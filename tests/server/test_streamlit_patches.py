"""Each workaround for Streamlit: the fault occurs without it and not with it, and a Streamlit that it does not fit still works.

Run these tests on a newer Streamlit before the upper bound in ``requirements.txt`` is raised. If a test without the workaround no
longer fails, upstream has fixed the fault: remove the row and its file. ``pages/app/widgets/component_factory.py`` avoids one
more fault by its handling of messages; it is tested here, too.
"""

import asyncio
import logging
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import cache, partial

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.util import calc_hash

from pages.app import streamlit_patches
from pages.app.streamlit_patches import PATCHES, apply_patches, disconnected_sessions, mismatch, uploaded_files
from pages.app.streamlit_patches.disconnected_sessions import expire_on_time
from tests.dashboard_server import Server, serving
from tests.server.altered_server import CONNECTED
from tests.websocket_client import PATIENCE, WebSocketClient, until

SMALL = "hidden_size=8&batch_size=2&num_steps=4&max_tokens=3000"
SOON = 0.01  # seconds between two requests
ROUNDS = 8
TURNS = 20  # page changes, each with a late request
LOST = 5.0  # seconds to wait for a message that may be lost
UNFIT = {  # a change for each way in which a new release can differ
    "owner": "streamlit.runtime.no_module.NoClass", "method": "no_method",
    "wrap": lambda method: lambda session, sender: None, "attributes": ("no_attribute",),
}  # fmt: skip


class Rerunner(WebSocketClient):
    """A client that requests reruns of fragments in quick succession, and records all messages from the server."""

    def __init__(self, url: str, page: str, query: str = SMALL) -> None:
        super().__init__(url, query)
        self._page = calc_hash(page) if page else ""
        self.drawn: list[ForwardMsg] = []
        # The page of every run, and its fragments unless it is a run of the whole page
        self.runs: list[tuple[str, list[str]]] = []
        self.ended: Counter[str] = Counter()  # runs of every fragment that have ended
        self.removed: list[set[str]] = []  # the fragments that a browser removes at the end of each run of the whole page
        self._drawn_by: dict[str, int] = {}  # the number of the last run that drew each fragment

    async def _on_new_session(self, message: ForwardMsg) -> None:
        self.runs.append((message.new_session.page_script_hash, list(message.metadata.run.fragment_ids)))
        await super()._on_new_session(message)

    async def _on_script_finished(self, message: ForwardMsg) -> None:
        run = message.metadata.run
        self.ended.update(run.fragment_ids)
        if not run.fragment_ids and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.removed.append({fragment for fragment, last in self._drawn_by.items() if last < len(self.runs)})
        await super()._on_script_finished(message)

    async def _on_delta(self, message: ForwardMsg) -> None:
        self.drawn.append(message)
        self._drawn_by[message.delta.fragment_id] = len(self.runs)
        await super()._on_delta(message)

    def rerun_message(self, fragment: str = "") -> BackMsg:
        message = super().rerun_message(fragment)
        message.rerun_script.page_name = "" if self._page else "perplexity"  # at first a browser knows only the page's path
        return message

    @property
    def fragments(self) -> set[str]:
        return {message.delta.fragment_id for message in self.drawn} - {""}

    async def rerun_all(self, *fragments: str, seconds: float) -> None:
        """Request these fragments in quick succession, and wait until all of these runs have ended, at most ``seconds``."""
        before = self.ended.copy()
        for fragment in fragments:
            await self.rerun(fragment)
            await asyncio.sleep(SOON)
        await until(lambda: all(self.ended[fragment] > before[fragment] for fragment in fragments), seconds)

    async def switch_page(self, page: str, late: str = "") -> None:
        """Open another page; meanwhile request ``late``, a fragment of this one. ``runs`` then begins with the new page."""
        message, self._page, whole = self.rerun_message(late), calc_hash(page), (calc_hash(page), [])
        self.runs.clear()
        await self._rerun_page(then=message if late else None, after=whole)
        await self._rerun_page(after=whole)  # messages are handled in order: the late request has been handled
        del self.runs[: self.runs.index(whole)]

    async def _rerun_page(self, after: tuple[str, list[str]], then: BackMsg | None = None) -> None:
        """Run the whole page to its end, and send ``then`` as soon as the run has begun."""
        drawn = self.finished
        await self.rerun()
        async with asyncio.timeout(PATIENCE):
            while after not in self.runs:
                await asyncio.sleep(0)
        if then:
            await self.send(then)
        await until(lambda: self.finished > drawn)


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Return a function that starts a server altered by these words (``tests/server/altered_server.py``), once per module."""
    with ExitStack() as servers:

        def start(words: str) -> Server:
            program = ("tests.server.altered_server", *words.split()) if words else ("streamlit",)
            return servers.enter_context(serving(tmp_path_factory.mktemp("server"), *program))

        yield cache(start)


async def removes_the_new_page(url: str) -> bool:
    """Whether the browser is sent a run of a Training fragment after it was sent Perplexity: a slow browser removes all
    of Perplexity then."""
    client, was_sent = await Rerunner(url, "training").open(), False
    fragment = max(client.fragments)
    for _ in range(TURNS):  # a request that arrives after the page is drawn is dropped
        await client.switch_page("perplexity", fragment)
        was_sent |= any(fragments == [fragment] for _, fragments in client.runs)
        if was_sent:
            break
        await client.switch_page("training")
    await client.close()
    return was_sent


async def pages_of_fragments(url: str) -> set[str]:
    """The pages that fragment runs name after a fresh server was asked for a page by its name."""
    client = await Rerunner(url, "").open()
    for fragment in client.fragments:
        before = len(client.runs)
        await client.rerun(fragment)
        await until(lambda before=before: len(client.runs) > before)
    await client.close()
    return {page for page, fragments in client.runs if fragments}


async def fragments_of_the_page_before(url: str) -> set[str]:
    """The old page's fragments that are rerun if Streamlit joins a knob's last message and a page change into one request."""
    client = await Rerunner(url, "training").open()
    before = client.fragments
    client.hold("live_knobs", "move", {"name": "clip", "value": 1, "done": True})
    await client.switch_page("gradient_flow")
    await client.close()
    return before & {fragment for _, fragments in client.runs for fragment in fragments}


async def opens_the_page_before(url: str) -> bool:
    """Whether the old page is drawn in place of the new one if a component's message arrives while the new one is drawn."""
    client = await Rerunner(url, "training").open()
    client.hold("live_knobs", "move", {"name": "clip", "value": 1, "done": True})
    await client.switch_page("gradient_flow", client.mounted["live_knobs"].fragment)
    await client.close()
    pages = {page for page, fragments in client.runs if not fragments}
    assert calc_hash("gradient_flow") in pages
    return calc_hash("training") in pages


async def draws_the_page_within_a_part(url: str) -> bool:
    """Whether a page run that is requested right after a fragment run draws its first element elsewhere than at the top."""
    client, begins = await Rerunner(url, "training").open(), []
    for fragment in sorted(client.fragments):
        with suppress(TimeoutError):  # without the workarounds, script_finished messages of fragments are lost, too
            await client.rerun_all(fragment, seconds=LOST)
        drawn = len(client.drawn)
        await client.rerun()
        with suppress(TimeoutError):
            await until(lambda drawn=drawn: main_paths(client.drawn[drawn:]), LOST)
        begins += main_paths(client.drawn[drawn:])[:1]
        if begins[-1:] not in ([], [[0, 0]]):
            break
    await client.close()
    return begins[-1] != [0, 0]


def main_paths(drawn: list[ForwardMsg]) -> list[list[int]]:
    """The delta paths of elements in the main container of a page that are in no fragment."""
    paths = [list(message.metadata.delta_path) for message in drawn if not message.delta.fragment_id]
    return [path for path in paths if path[0] == 0]


async def all_arrives(url: str, seconds: float = PATIENCE) -> bool:
    """Whether every fragment run is sent to its end, when several are requested in quick succession; a run that has not ended
    after ``seconds`` is lost."""
    client = await Rerunner(url, "training").open()
    try:
        for _ in range(ROUNDS):
            await client.rerun_all(*sorted(client.fragments), seconds=seconds)
    except TimeoutError:
        return False
    finally:
        await client.close()
    assert not client.errors
    return True


async def removed_by_a_browser(url: str) -> bool:
    """Whether a browser removes a fragment that is still on the page, if all are rerun as soon as the page is drawn."""
    client = await Rerunner(url, "training").open()
    for _ in range(ROUNDS):
        await client.rerun()
        with suppress(TimeoutError):  # without the workarounds, runs of fragments are lost, too
            await client.rerun_all(*sorted(client.fragments), seconds=LOST)
    await client.close()
    assert len(client.removed) > 1
    return any(client.removed)


async def clear_cache(url: str) -> None:
    """Send ``clear_cache`` from one visitor's browser while another one is connected; both stay until it is handled."""
    one, other = await WebSocketClient(url, SMALL).open(), await WebSocketClient(url, SMALL).open()
    await other.send(BackMsg(clear_cache=True))
    for visitor in (other, one):
        await visitor.send_and_wait()
    one.abort(), other.abort()


async def test_on_a_fresh_server_fragments_are_of_the_page_that_was_asked_for(tmp_path):
    with serving(tmp_path, "streamlit") as server:
        assert await pages_of_fragments(server.url) == {calc_hash("perplexity")}


@pytest.mark.parametrize(("what", "words", "found"), [
    (removed_by_a_browser, "slow-sending", False), (removed_by_a_browser, "slow-sending unpatched", True),
    (removes_the_new_page, "", False), (removes_the_new_page, "unpatched", True),
    (all_arrives, "slow-events", True), (partial(all_arrives, seconds=LOST), "slow-events unpatched", False),
    (draws_the_page_within_a_part, "slow-ends", False), (draws_the_page_within_a_part, "slow-ends unpatched", True),
    (fragments_of_the_page_before, "", set()), (opens_the_page_before, "", False),
])  # fmt: skip
async def test_each_workaround_fixes_its_streamlit_bug(altered, what, words, found):
    assert await what(altered(words).url) == found


@pytest.mark.parametrize(("words", "released"), [("telling", False), ("telling unpatched", True)])
async def test_clear_cache_of_one_visitor_releases_no_resource_of_others(altered, words, released):
    server = altered(words)
    before = server.log.read_text().count(CONNECTED)
    await clear_cache(server.url)
    connected = server.log.read_text().count(CONNECTED) - before
    assert (connected > 2) == released  # a session whose resource was released creates it again: one more line


@pytest.fixture
def files(monkeypatch):
    """An upload manager with the workaround."""
    bounded = uploaded_files.limit_uploads(MemoryUploadedFileManager.add_file)
    monkeypatch.setattr(MemoryUploadedFileManager, "add_file", bounded)
    return MemoryUploadedFileManager("")


def upload(files, session, sizes):
    for number, size in enumerate(sizes):
        files.add_file(session, UploadedFileRec(str(number), "a.txt", "text/plain", bytes(size)))
    return sorted(files.file_storage[session])


@pytest.mark.parametrize(("limit", "most", "sizes", "stored"), [
    ("MAX_FILES", 4, [1] * 9, "5678"), ("MAX_BYTES", 10, [1, 6, 6], "02"), ("MAX_BYTES", 10, [4, 99], "1"),
])  # fmt: skip
def test_a_session_stores_its_newest_files_and_loses_none_to_another(files, monkeypatch, limit, most, sizes, stored):
    monkeypatch.setattr(uploaded_files, limit, most)
    upload(files, "other", [1])
    assert upload(files, "one", sizes) == list(stored)
    assert list(files.file_storage["other"]) == ["0"]


def test_without_the_workaround_uploads_accumulate():
    assert len(upload(MemoryUploadedFileManager(""), "one", [1] * (uploaded_files.MAX_FILES + 9))) > uploaded_files.MAX_FILES


class Disconnected:
    """In place of Streamlit's session."""

    id = "one"


@pytest.mark.parametrize("patched", [False, True], ids=["without", "with"])
async def test_a_disconnected_session_is_removed_when_its_time_is_over(monkeypatch, patched):
    freed, session = [], Disconnected()
    monkeypatch.setattr(disconnected_sessions, "LATER", 0.0)
    monkeypatch.setattr(disconnected_sessions, "free_memory", lambda: freed.append(gone() is None))
    if patched:
        monkeypatch.setattr(MemorySessionStorage, "save", expire_on_time(MemorySessionStorage.save))
    storage, gone = MemorySessionStorage(ttl_seconds=0), weakref.ref(session)
    storage.save(SessionInfo(client=None, session=session))
    del session
    for _turn in range(3):  # of the event loop
        await asyncio.sleep(0)
    assert (gone() is None) == patched
    assert freed == [True] * patched


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.method)
def test_every_row_fits_the_installed_streamlit(patch):
    assert mismatch(patch) == ""


@pytest.mark.parametrize("field", UNFIT)
def test_a_row_that_does_not_fit_is_left_out_with_one_warning(field, monkeypatch, caplog):
    row = PATCHES[0]._replace(**{field: UNFIT[field]})
    monkeypatch.setattr(streamlit_patches, "PATCHES", (row,))
    with caplog.at_level(logging.WARNING, streamlit_patches.LOG.name):
        apply_patches()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert row.without in caplog.text


async def test_pages_work_on_a_streamlit_that_no_row_fits(altered):
    server = altered("renamed")
    visitor = await WebSocketClient(server.url, SMALL).open()
    await visitor.press("transport", "press", "play")
    await until(lambda: visitor.data("run_card")["state"] == "training")
    assert not visitor.errors
    await visitor.close()
    assert server.log.read_text().count("Left out a workaround for Streamlit") == len(PATCHES)

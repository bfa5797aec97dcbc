"""What operators of the server rely on: limits, log and shutdown."""

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.dashboard_server import ROOT, Server, serving
from tests.server.altered_server import ERROR
from tests.server.sweep_processes import PROCESSES, begin, processes
from tests.websocket_client import TRAIN, WebSocketClient, until

PLACES = 2
SECRET = "xyzzy"
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("small"), "streamlit", RNN_LIMIT_SESSIONS=str(PLACES)) as server:
        yield server


def connected(server: Server) -> int:
    """How many tabs are connected, as Streamlit counts them."""
    with urlopen(f"{server.url}/_stcore/metrics?families=active_sessions") as page:
        (number,) = re.findall(r"^active_sessions (\d+)$", page.read().decode(), re.MULTILINE)
    return int(number)


async def test_a_full_server_says_so_and_admits_after_another_has_left(server):
    inside = await asyncio.gather(*(WebSocketClient(server.url, TRAIN).open() for _ in range(PLACES)))
    late = WebSocketClient(server.url)
    opening = asyncio.create_task(late.open())
    await until(lambda: bool(late.finished))
    assert not late.mounted
    await inside[0].close()
    await until(lambda: connected(server) == PLACES)
    await late.rerun()
    await opening
    assert late.errors + inside[1].errors == []
    await asyncio.gather(late.close(), inside[1].close())


async def test_the_log_has_neither_session_ids_nor_typed_text(server):
    visitor = await WebSocketClient(server.url, f"typed={SECRET}").open()
    await visitor.press("share_dialog", "request", {"at": f"http://{SECRET}/", "step": "", "number": 1.0})
    await visitor.rerun(f"no such fragment {visitor.session}\nsecond line")
    await visitor.close()
    await until(lambda: "no such fragment" in server.log.read_text())
    log = server.log.read_text()
    assert visitor.session not in log
    assert SECRET not in log
    assert "\nsecond line" not in log


async def test_an_exception_is_logged_and_a_visitor_is_shown_one_sentence_without_it(tmp_path):
    with serving(tmp_path, "tests.server.altered_server", "failing") as server:
        visitor = await WebSocketClient(server.url).open()
        await until(lambda: bool(visitor.errors))
        await visitor.close()
        (message, *_) = visitor.errors
        assert message
        assert not [part for part in (ERROR, sys.executable, "RuntimeError") if part in message]
        (logged,) = server.tracebacks()
        assert f"RuntimeError: {ERROR}" in logged


async def test_it_can_be_started_from_any_folder_and_writes_nothing_into_its_own(tmp_path):
    def written() -> dict[Path, int]:
        ours = [ROOT / "dashboard.py", *ROOT.glob(".streamlit/*"), *ROOT.glob("core/**/*"), *ROOT.glob("pages/**/*")]
        return {path: path.stat().st_mtime_ns for path in ours if path.is_file() and path.suffix != ".pyc"}

    before = written()
    with serving(tmp_path, "streamlit", within=tmp_path) as server:
        visitor = await WebSocketClient(server.url, TRAIN).open()
        await until(lambda: visitor.data("run_view")["readout"]["state"] == "training")
        assert visitor.errors == []
        await visitor.close()
    assert written() == before


def test_a_limit_that_cannot_be_read_is_reported_and_nothing_is_served(monkeypatch):
    monkeypatch.setenv("RNN_LIMIT_SESSIONS", "many")
    command = (sys.executable, "-m", "streamlit", "run", "dashboard.py", "--server.headless=true", "--server.port=0")
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "RNN_LIMIT_SESSIONS is a whole number" in ran.stderr
    assert "Traceback" not in ran.stderr


@needs_proc
async def test_sigterm_ends_the_server_and_its_processes_while_runs_train(tmp_path):
    with serving(tmp_path, "streamlit", RNN_LIMIT_PROCESSES=str(PROCESSES)) as server:
        train = await asyncio.gather(*(WebSocketClient(server.url, TRAIN).open() for _ in range(6)), begin(server.url))
        await until(lambda: len(processes(server.process.pid)) == PROCESSES)
        server.process.terminate()
        children = processes(server.process.pid)
        await until(lambda: server.process.poll() is not None)
        await until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))
        await asyncio.gather(*(one.close() for one in train))
        assert len(children) <= PROCESSES
        assert server.process.returncode == -signal.SIGTERM  # after an orderly shutdown
        server.process.poll = lambda: None  # the test ended the server on purpose


@needs_proc
async def test_processes_end_when_the_tab_is_closed(tmp_path):
    with serving(tmp_path, "streamlit", RNN_LIMIT_PROCESSES=str(PROCESSES)) as server:
        visitor = await begin(server.url)
        await until(lambda: len(processes(server.process.pid)) == PROCESSES)
        await visitor.close()
        await until(lambda: not processes(server.process.pid))

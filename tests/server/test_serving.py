"""What operators of the server rely on: limits, metrics, log lines and shutdown."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

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


def numbers(server: Server) -> dict[str, float]:
    """The metrics as Prometheus reads them, without the names of their labels."""
    with urlopen(Request(f"{server.url}/metrics", headers={"Accept": "application/openmetrics-text"})) as page:
        families = list(text_string_to_metric_families(page.read().decode()))
    return {" ".join((one.name, *one.labels.values())): one.value for family in families for one in family.samples}


async def test_a_visitor_of_a_full_server_waits_and_is_admitted_when_another_leaves(server):
    inside = await asyncio.gather(*(WebSocketClient(server.url, TRAIN).open() for _ in range(PLACES)))
    late = WebSocketClient(server.url)
    opening = asyncio.create_task(late.open())
    await until(lambda: bool(late.finished))
    found = numbers(server)
    assert (found["rnn_visitors inside"], found["rnn_visitors waiting"]) == (PLACES, 1)
    assert not late.mounted
    assert late.shortest_interval > 1
    await inside[0].close()
    await opening
    assert numbers(server)["rnn_visitors waiting"] == 0
    assert late.errors + inside[1].errors == []
    await asyncio.gather(late.close(), inside[1].close())


async def test_the_metrics_count_drawings_updates_and_runs(server):
    visitor = await WebSocketClient(server.url, TRAIN).open()
    await until(lambda: visitor.data("run_view")["readout"]["state"] == "training")
    before = numbers(server)
    await until(lambda: numbers(server)["rnn_updates_total"] > before["rnn_updates_total"])
    await until(lambda: numbers(server)["rnn_draw_seconds_count fragment"] > before["rnn_draw_seconds_count fragment"])
    await until(lambda: numbers(server)["rnn_runs_training"] == 1)  # runs of the test before have ended
    after = numbers(server)
    assert after["rnn_places"] == PLACES
    assert 0 < after["rnn_memory_bytes"] < after["rnn_memory_limit_bytes"]
    assert after["rnn_draw_seconds_bucket +Inf page"] == after["rnn_draw_seconds_count page"] >= 1
    await visitor.close()
    await until(lambda: numbers(server)["rnn_runs_training"] == 0)


async def test_the_log_has_lines_for_connecting_and_disconnecting_and_no_typed_text(server):
    def log_lines(what: str) -> list[str]:
        """The log lines about this visitor that contain ``what``."""
        return [line for line in server.log.read_text().splitlines() if what in line and "hidden_size=17" in line]

    visitor = await WebSocketClient(server.url, f"hidden_size=17&typed={SECRET}").open()
    await visitor.press("share_dialog", "request", {"at": f"http://{SECRET}/", "step": "", "number": 1.0})
    await visitor.close()
    await until(lambda: log_lines(" disconnected "))
    assert log_lines(" connected: ")
    assert SECRET not in server.log.read_text()


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

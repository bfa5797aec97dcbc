"""A sweep at a server as everybody starts it: its processes go with the tab, and with the server."""

import time
from pathlib import Path

import pytest

from tests.dashboard_server import serving
from tests.websocket_client import WebSocketClient, run_async, until

LIMIT = 60.0  # seconds
PROCESSES = 2  # that train, on a machine of however many cores
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")


def processes(server: int) -> list[int]:
    """Those that train for this server."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            trains = b"popen_loky" in status.with_name("cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if parent == server and trains:
            found.append(int(status.parent.name))
    return found


async def begin(url: str) -> WebSocketClient:
    """Somebody opens the page and presses the button of its last bar."""
    visitor = await WebSocketClient(url).open()
    await visitor.press("controls", "press", "begin")
    return visitor


def test_processes_end_with_the_tab_and_with_the_server(tmp_path, monkeypatch):
    monkeypatch.setenv("RNN_LIMIT_PROCESSES", str(PROCESSES))
    with serving(tmp_path, "streamlit") as server:

        async def visit() -> list[int]:
            visitor = await begin(server.url)
            await until(lambda: len(processes(server.process.pid)) == PROCESSES)
            await visitor.close()
            await until(lambda: not processes(server.process.pid))
            visitor = await begin(server.url)
            await until(lambda: len(processes(server.process.pid)) == PROCESSES)
            left = processes(server.process.pid)
            await visitor.close()
            return left

        left = run_async(visit())
    give_up = time.monotonic() + LIMIT
    while any(Path(f"/proc/{one}").exists() for one in left):
        assert time.monotonic() < give_up
        time.sleep(0.05)

"""The processes in which a server trains the networks of a sweep in parallel, as Linux lists them in /proc."""

from pathlib import Path

from tests.websocket_client import WebSocketClient

PROCESSES = 2  # worker processes, independent of the number of cores


def processes(server: int) -> list[int]:
    """The ids of the worker processes that train for this server."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            trains = b"popen_loky" in status.with_name("cmdline").read_bytes()
        except OSError:  # the process has just ended
            continue
        if parent == server and trains:
            found.append(int(status.parent.name))
    return found


async def begin(url: str) -> WebSocketClient:
    """Open the page as a visitor and start the sweep with its button."""
    visitor = await WebSocketClient(url).open()
    await visitor.press("controls", "press", "begin")
    return visitor

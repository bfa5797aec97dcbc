"""The processes in which a server trains networks side by side (a sweep), as Linux lists them in /proc."""

from pathlib import Path

from tests.websocket_client import WebSocketClient

PROCESSES = 2  # that train, on a machine of however many cores


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

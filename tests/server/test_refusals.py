"""Requests that a server refuses: files beyond the limit, pages of other origins, unknown names. The server keeps working."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import requests
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.dashboard_server import Server, serving
from tests.websocket_client import PROTOCOLS, WebSocketClient

MEGABYTE = 2**20
LIMIT = 4  # megabytes of an upload
NOT_OURS = "evil.example"
MANY = 50  # number of broken messages, and of requests that never end
PATIENCE = 60.0  # seconds


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = {"STREAMLIT_SERVER_MAX_UPLOAD_SIZE": str(LIMIT), "STREAMLIT_SERVER_ALLOWED_HOSTS": "127.0.0.1"}
    with serving(tmp_path_factory.mktemp("refusals"), "streamlit", **limits) as server:
        yield server


class Upload(NamedTuple):
    """The URL for uploads, and the XSRF token that only pages of the same origin can read."""

    to: str
    token: str

    def put(self, size: int, *, token: str | None = None, with_length: bool = True) -> int | None:
        """Upload ``size`` megabytes, with or without a Content-Length; return the status, None if the connection was closed."""
        body, sent_token = _form(size), self.token if token is None else token
        try:
            return requests.put(
                self.to,
                data=b"".join(body) if with_length else body,
                headers={"X-Xsrftoken": sent_token, "Content-Type": "multipart/form-data; boundary=b"},
                cookies={"_streamlit_xsrf": self.token},
                timeout=PATIENCE,
            ).status_code
        except requests.ConnectionError:
            return None


def _form(size: int) -> Iterator[bytes]:
    yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="text.txt"\r\n\r\n'
    for _ in range(size):
        yield b"x" * MEGABYTE
    yield b"\r\n--b--\r\n"


def upload(server: Server, visitor: WebSocketClient) -> Upload:
    token = requests.get(f"{server.url}/_stcore/health", timeout=PATIENCE).cookies["_streamlit_xsrf"]
    return Upload(f"{server.url}/_stcore/upload_file/{visitor.session}/file", token)


def resident_bytes(server: Server) -> int:
    """Resident memory of the server's process in bytes."""
    statm = Path(f"/proc/{server.process.pid}/statm").read_text()
    return int(statm.split()[1]) * 4096


async def goes_on(visitor: WebSocketClient) -> None:
    """Assert that the visitor's page can be drawn again without an error."""
    await visitor.send_and_wait()
    assert visitor.errors == []


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
async def test_a_file_beyond_the_limit_is_refused_and_not_held_in_memory(server):
    visitor = await WebSocketClient(server.url).open()
    put = upload(server, visitor).put
    assert await asyncio.to_thread(put, LIMIT - 1) == 204
    before = resident_bytes(server)
    assert await asyncio.to_thread(put, 16 * LIMIT) in (413, None)
    assert await asyncio.to_thread(put, 16 * LIMIT, with_length=False) in (413, None)  # chunked, without a Content-Length
    assert resident_bytes(server) - before < 2 * LIMIT * MEGABYTE
    assert await asyncio.to_thread(put, 1) == 204
    await goes_on(visitor)
    await visitor.close()


async def test_an_upload_without_the_token_or_into_an_unknown_session_is_refused(server):
    visitor = await WebSocketClient(server.url).open()
    mine = upload(server, visitor)
    assert await asyncio.to_thread(mine.put, 1, token="guessed") == 403
    assert await asyncio.to_thread(mine._replace(to=mine.to.replace(visitor.session, "nobody")).put, 1) == 400
    await visitor.close()


@pytest.mark.parametrize(
    ("host", "origin"), [("127.0.0.1", NOT_OURS), (NOT_OURS, "127.0.0.1"), (NOT_OURS, NOT_OURS)], ids=["origin", "name", "both"]
)
async def test_a_connection_with_a_foreign_origin_or_host_name_is_refused(server, host, origin):
    port = int(server.url.rpartition(":")[2])

    def wire(host: str, origin: str, of_port: int = port) -> connect:
        at = f"ws://{host}:{port}/_stcore/stream"
        return connect(at, host="127.0.0.1", port=port, subprotocols=PROTOCOLS, origin=f"http://{origin}:{of_port}")

    for of_port in (port, port + 1):  # its own page, and a page served by another port of this machine
        async with wire("127.0.0.1", "127.0.0.1", of_port):
            pass
    with pytest.raises(InvalidStatus) as refused:
        async with wire(host, origin):
            pass
    assert refused.value.response.status_code == 403


async def test_incomplete_requests_and_broken_messages_block_no_visitor(server):
    visitor, port = await WebSocketClient(server.url).open(), int(server.url.rpartition(":")[2])
    half = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MANY)]
    for _, writer in half:
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-")
    async with connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=PROTOCOLS) as wire:
        for number in range(MANY):
            with contextlib.suppress(ConnectionClosed):
                await wire.send(bytes([255 - number % 7]) * (1 + number))
        await goes_on(visitor)
    for _, writer in half:
        writer.close()
    await goes_on(visitor)
    await visitor.close()
    assert "deserializing" in "".join(server.tracebacks())  # logged; no visitor is affected

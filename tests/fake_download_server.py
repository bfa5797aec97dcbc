"""Downloaded texts without the internet: a server with chosen answers, and a folder that already contains the texts."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.text.remote import FOLDER, MIRROR, REMOTES

TALE = (
    "The traveller sat down at the table, and told us of the machine. Thou art a king?\n白日依山尽，黄河入海流。\n" * 400
).encode()
Answer = Callable[[BaseHTTPRequestHandler], None]


def send_tale(handler: BaseHTTPRequestHandler) -> None:
    """Send the whole tale."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(TALE)))
    handler.end_headers()
    handler.wfile.write(TALE)


@contextmanager
def download_server(answer: Answer) -> Iterator[str]:
    """Start a server that answers every GET request with ``answer``; yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def expect_the_tale(monkeypatch: pytest.MonkeyPatch, folder: Path, address: str = "http://127.0.0.1:9") -> None:
    """Replace all downloadable texts by the tale, stored in ``folder`` and downloaded from ``address``."""
    monkeypatch.setenv(FOLDER, str(folder))
    monkeypatch.setenv(MIRROR, address)
    wanted = f"sha256:{hashlib.sha256(TALE).hexdigest()}"
    for name, remote in REMOTES.items():
        monkeypatch.setitem(REMOTES, name, remote._replace(hash=wanted, size=len(TALE), read=bytes.decode))


def have_the_tale(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Replace all downloadable texts by the tale and store it in ``folder`` as if downloaded."""
    expect_the_tale(monkeypatch, folder)
    folder.mkdir(exist_ok=True)
    for remote in REMOTES.values():
        (folder / remote.file).write_bytes(TALE)

"""The dashboard in a separate process, for tests and benchmarks: started on a free port, terminated after the test."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
LIMIT = 60.0  # seconds


@dataclass
class Server:
    """The running dashboard; ``tracebacks`` returns those logged since its last call."""

    url: str
    process: subprocess.Popen
    log: Path
    read_to: int = 0

    def tracebacks(self) -> list[str]:
        log = self.log.read_text(errors="replace")
        new, self.read_to = log[self.read_to :], len(log)
        return [f"the server's log has a traceback:\n{new}"] if "Traceback (most recent call last)" in new else []


@contextlib.contextmanager
def serving(
    folder: Path, *program: str, port: int = 0, within: Path = ROOT, python: str = sys.executable, **environment: str
) -> Iterator[Server]:
    """Run ``streamlit run dashboard.py`` on a free port with this ``python``; ``program`` is the module to run as ``streamlit``.

    The process starts in the folder ``within``.
    """
    port, log = port or free_port(), folder / "server.log"
    options = ("--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none", f"--server.port={port}")
    with log.open("wb") as out:
        command = [python, "-m", *program, "run", os.path.relpath(ROOT / "dashboard.py", within), *options]
        streams = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, cwd=within, env={**os.environ, "PYTHONUNBUFFERED": "1", **environment}, **streams)
    server = Server(f"http://127.0.0.1:{port}", process, log)
    try:
        await_health(server)
        yield server
        assert process.poll() is None, f"the server ended during the tests:\n{log.read_text(errors='replace')}"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    assert not (late := server.tracebacks()), late[0]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_health(server: Server) -> None:
    give_up = time.monotonic() + LIMIT
    while True:
        try:
            with urlopen(f"{server.url}/_stcore/health", timeout=LIMIT):
                return
        except (URLError, ConnectionError):
            log = server.log.read_text(errors="replace")
            assert server.process.poll() is None, f"the server did not start:\n{log}"
            assert time.monotonic() < give_up, f"the server did not answer within {LIMIT:g} s:\n{log}"
            time.sleep(0.05)

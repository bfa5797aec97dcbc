"""The dashboard behind its proxy, as ``compose.yaml`` starts it, without Docker: every process has its own address, a name
server returns these addresses, and HAProxy reads the same ``haproxy.cfg``.

Without HAProxy, or if 127.0.0.2 is not an address of this machine, tests are skipped; they fail if ``RNN_REQUIRE_HAPROXY`` is
set.
"""

import contextlib
import os
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.waiting import LIMIT
from tests.dashboard_server import ROOT, Server, await_health, free_port

REQUIRED = "RNN_REQUIRE_HAPROXY"  # when set, a missing HAProxy is a failure instead of a skip
FILE = ROOT / "haproxy.cfg"
NAME = "app"  # the host name of all processes
ADDRESSES = ("127.0.0.2", "127.0.0.3")
A_RECORD = 1


def haproxy() -> str:
    """The path of HAProxy; raises ``OSError`` with the reason if this machine cannot deploy."""
    found = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        raise OSError("HAProxy is missing.")
    with socket.socket() as probe:
        try:
            probe.bind((ADDRESSES[0], 0))
        except OSError:
            raise OSError(f"{ADDRESSES[0]} is no address of this machine.") from None
    return found


def needs_haproxy() -> None:
    """Skip this test if HAProxy cannot run here; fail instead if it is required."""
    try:
        haproxy()
    except OSError as reason:
        pytest.fail(str(reason)) if os.environ.get(REQUIRED) else pytest.skip(str(reason))


class NameServer(socketserver.ThreadingUDPServer):
    """Answers every query for an IPv4 address (RFC 1035) with the addresses in ``addresses``."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Question)
        self.addresses: tuple[str, ...] = ()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Question(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        data, wire = self.request
        end = data.index(0, 12) + 5  # the name is followed by its type and class
        kind = int.from_bytes(data[end - 4 : end - 2])
        addresses = self.server.addresses if kind == A_RECORD else ()
        head = data[:2] + struct.pack("!5H", 0x8180, 1, len(addresses), 0, 0)
        answers = [struct.pack("!3HIH", 0xC00C, A_RECORD, 1, 1, 4) + socket.inet_aton(address) for address in addresses]
        wire.sendto(head + data[12:end] + b"".join(answers), self.client_address)


class Deployed:
    """The proxy at ``url``, and a process behind it at each started address."""

    def __init__(self, folder: Path, base_path: str = "", **environment: str) -> None:
        self.program, self.folder, self.base_path = haproxy(), folder, base_path
        self.names, self.port, self.front = NameServer(), free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.front}{base_path}"
        self.environment = environment
        self.servers: dict[str, Server] = {}
        self.proxy: subprocess.Popen | None = None
        self.stats = folder / "stats"

    def start(self, address: str) -> None:
        """Start a process of the dashboard at ``address`` and add it to the name server."""
        settings = {"ADDRESS": address, "PORT": str(self.port), "BASE_URL_PATH": self.base_path, "HEADLESS": "true"}
        environment = {f"STREAMLIT_SERVER_{name}": value for name, value in settings.items()}
        environment |= {"FORWARDED_ALLOW_IPS": "*"} | self.environment  # as compose.yaml sets it
        log = self.folder / f"{address}.log"
        process = _run([sys.executable, "-m", "streamlit", "run", "dashboard.py"], log, environment)
        self.servers[address] = Server(f"http://{address}:{self.port}{self.base_path}", process, log)
        await_health(self.servers[address])
        self.names.addresses = tuple(self.servers)

    def kill(self, address: str) -> None:
        """Kill a process without a graceful shutdown, as when memory runs out."""
        self.servers[address].process.send_signal(signal.SIGKILL)
        self.servers[address].process.wait()

    def start_proxy(self) -> None:
        self.stats.unlink(missing_ok=True)
        extra = self.folder / "stats.cfg"
        extra.write_text(f"global\n    stats socket {self.stats} mode 600 level operator\n")
        front, names = f"127.0.0.1:{self.front}", "{}:{}".format(*self.names.server_address)
        settings = {"BIND": front, "BASE_PATH": self.base_path, "APP": NAME, "APP_PORT": str(self.port), "DNS": names}
        log = self.folder / "proxy.log"
        self.proxy = _run([self.program, "-dW", "-db", "-f", str(FILE), "-f", str(extra)], log, settings)
        await_health(Server(self.url, self.proxy, log))
        self.await_all()

    def await_all(self) -> None:
        """Wait until the proxy has found every process that the name server returns."""
        give_up = time.monotonic() + LIMIT
        while len(self.connections()) < len(self.names.addresses):
            assert time.monotonic() < give_up, f"the proxy found {self.connections()} alone"
            time.sleep(0.05)

    def restart_ended(self) -> None:
        """Restart the processes, and the proxy, that have ended."""
        for address, server in list(self.servers.items()):
            if server.process.poll() is not None:
                self.start(address)
        if self.proxy.poll() is not None:
            self.start_proxy()
        self.await_all()

    def stop_proxy(self) -> None:
        self.proxy.kill()
        self.proxy.wait()

    def connections(self) -> dict[str, int]:
        """The number of connections from the proxy to every process that is up, by the process's address."""
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(str(self.stats))
            wire.sendall(b"show stat -1 4 -1\n")
            table = b"".join(iter(lambda: wire.recv(65536), b"")).decode()
        rows = [line.split(",") for line in table.splitlines() if line]
        column = {name: place for place, name in enumerate(rows[0])}
        up = [row for row in rows[1:] if row[column["status"]] == "UP"]
        return {row[column["addr"]].partition(":")[0]: int(row[column["scur"]]) for row in up}

    def close(self) -> None:
        """Terminate all processes; fail if a log contains a traceback."""
        if self.proxy:
            self.stop_proxy()
        for server in self.servers.values():
            server.process.terminate()
        for server in self.servers.values():
            server.process.wait(LIMIT)
        self.names.shutdown()
        self.names.server_close()
        assert not (late := [one for server in self.servers.values() for one in server.tracebacks()]), late[0]


def _run(command: list[str], log: Path, environment: dict[str, str]) -> subprocess.Popen:
    variables = {**os.environ, "PYTHONUNBUFFERED": "1", "OPENBLAS_NUM_THREADS": "1", **environment}
    with log.open("ab") as out:
        return subprocess.Popen(command, cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)


@contextlib.contextmanager
def deployed(folder: Path, processes: int = 2, base_path: str = "", **environment: str) -> Iterator[Deployed]:
    """Start ``processes`` processes behind the proxy and wait until all are ready."""
    one = Deployed(folder, base_path, **environment)
    try:
        for address in ADDRESSES[:processes]:
            one.start(address)
        one.start_proxy()
        yield one
    finally:
        one.close()

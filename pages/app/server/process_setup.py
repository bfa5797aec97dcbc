"""Settings of Python and of the operating system for this process, at the start of the server."""

import contextlib
import gc
import os
import socket
from pathlib import Path

DESCRIPTORS = Path("/dev/fd")  # of this process; Windows has none, and no change there


def freeze_gc() -> None:
    """Exclude everything that is there now, for good, from garbage collection: modules, texts, what all sessions share."""
    gc.collect()
    gc.freeze()


def raise_file_limit() -> None:
    """Allow as many open files as the system does at most: a session needs five, and some systems begin with 256."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def set_tcp_no_delay() -> None:
    """Let each TCP socket of this process that listens, and so its connections, send every message at once (TCP_NODELAY).

    asyncio sets the option only where the socket names its protocol, and Streamlit binds one that does not: then every small
    response and message on a connection in use waits about 40 ms for the browser's delayed acknowledgement.
    Upstream: https://github.com/Kludex/uvicorn/issues/3149
    """
    for name in os.listdir(DESCRIPTORS) if DESCRIPTORS.is_dir() else ():
        with contextlib.suppress(OSError):  # no socket
            found = socket.socket(fileno=int(name))
            try:
                internet = found.family in (socket.AF_INET, socket.AF_INET6)
                if internet and found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            finally:
                found.detach()  # the descriptor stays open

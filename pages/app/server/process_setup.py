"""Settings of Python and of the operating system for this process, at the start of the server."""

import contextlib
import gc
import os
import socket
from pathlib import Path

DESCRIPTORS = Path("/dev/fd")  # open file descriptors of this process; Windows has no such folder, so nothing is changed there


def freeze_gc() -> None:
    """Exclude all existing objects permanently from garbage collection: modules, texts, and the shared cache."""
    gc.collect()
    gc.freeze()


def raise_file_limit() -> None:
    """Raise the soft limit of open files to the hard limit: a session needs five, and the soft limit of some systems is 256."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def set_tcp_no_delay() -> None:
    """Set TCP_NODELAY on each listening TCP socket of this process; accepted connections inherit the option.

    asyncio sets the option only if the socket has an explicit protocol, and the socket that Streamlit binds has none. Without the
    option, every small response or message on an open connection waits about 40 ms for the browser's delayed acknowledgement.
    Upstream: https://github.com/Kludex/uvicorn/issues/3149
    """
    for name in os.listdir(DESCRIPTORS) if DESCRIPTORS.is_dir() else ():
        with contextlib.suppress(OSError):  # the descriptor is not a socket
            found = socket.socket(fileno=int(name))
            try:
                internet = found.family in (socket.AF_INET, socket.AF_INET6)
                if internet and found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            finally:
                found.detach()  # so that the descriptor is not closed with `found`

"""Connections send each message at once: TCP_NODELAY.

asyncio sets it only where the socket names its protocol, and Streamlit binds one that does not: then every small response and
message on a connection in use waits about 40 ms for the browser's delayed acknowledgement. Connections take the option from the
socket that listens. Upstream: https://github.com/Kludex/uvicorn/issues/3149
"""

import contextlib
import os
import socket
from pathlib import Path

DESCRIPTORS = Path("/dev/fd")  # of this process; Windows has none, and no change there
FAMILIES = (socket.AF_INET, socket.AF_INET6)


def set_tcp_no_delay() -> None:
    """Set the option on each TCP socket of this process that listens."""
    for name in os.listdir(DESCRIPTORS) if DESCRIPTORS.is_dir() else ():
        with contextlib.suppress(OSError):  # no socket
            found = socket.socket(fileno=int(name))
            try:
                if found.family in (socket.AF_INET, socket.AF_INET6) and found.getsockopt(
                    socket.SOL_SOCKET, socket.SO_ACCEPTCONN
                ):
                    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            finally:
                found.detach()  # the descriptor stays open

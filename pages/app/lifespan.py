"""Server start-up: sets up the process, imports all modules, compresses static files and starts training the default example.

Streamlit runs ``dashboard.py`` in every session, but the functions of this module once, when ``streamlit run`` starts.
"""

import asyncio
import gc
import os
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path

import streamlit as st

from core.config.limits import ERRORS
from core.config.settings import DEFAULTS
from pages.app.server import log_filter, shared_cache, static_assets
from pages.app.server.room import registry
from pages.app.session.session import Session
from pages.app.session.trained_example import find_example
from pages.app.streamlit_patches import apply_patches

ROOT = Path(__file__).parents[2]
DESCRIPTORS = Path("/dev/fd")  # open file descriptors of this process; Windows has no such folder, so nothing is changed there


def check_limits() -> None:
    """Exit with an error message if an environment variable sets an invalid limit."""
    if ERRORS:
        sys.exit("\n".join(ERRORS))


@asynccontextmanager
async def begin(_app: st.App) -> AsyncIterator[None]:
    """The lifespan of the ASGI app: set up the process, then schedule the opening of the browser."""
    log_filter.configure()
    apply_patches()
    raise_file_limit()
    set_tcp_no_delay()
    registry.begin()
    make_ready()
    gc.collect()
    gc.freeze()  # modules, texts and the shared cache are never collected again
    asyncio.get_running_loop().call_soon(open_browser)
    yield


def raise_file_limit() -> None:
    """Raise the soft limit of open files to the hard limit: a session needs five, and the soft limit of some systems is 256."""
    with suppress(ImportError, ValueError, OSError):
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
        with suppress(OSError):  # the descriptor is not a socket
            found = socket.socket(fileno=int(name))
            try:
                internet = found.family in (socket.AF_INET, socket.AF_INET6)
                if internet and found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            finally:
                found.detach()  # so that the descriptor is not closed with `found`


def make_ready() -> None:
    """Import all modules, compress the static files, cache the text of the default run and begin training its example."""
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/*/**/*.py")]:
        if path.name == "template.py":  # a script for readers, which trains as soon as it is imported
            continue
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    static_assets.prepare()
    shared_cache.serving = True
    with suppress(ValueError):  # this Python installation has no manual: each session shows a notice
        session = Session(DEFAULTS, [])
        find_example(session.monitored.settings, session.corpus, awaited=False)


def open_browser() -> None:
    """Open the dashboard in the browser of this machine, unless the server is headless (``--server.headless``)."""
    if st.get_option("server.headless"):
        return
    address = st.get_option("server.address")
    if address in (None, "", "0.0.0.0", "::"):  # the server listens on all addresses of this machine
        address = st.get_option("browser.serverAddress")
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    base = st.get_option("server.baseUrlPath").strip("/")
    webbrowser.open(f"{scheme}://{address}:{st.get_option('server.port')}/{base}")

"""The server, before its first visitor: what all of them need is there when the first one comes.

Streamlit runs ``dashboard.py`` for every visitor; what is done here is done once, when ``streamlit run`` starts.
"""

import asyncio
import contextlib
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

import streamlit as st

from core.config.limits import WRONG
from core.config.settings import DEFAULTS
from pages.app.connection.admission_control import admission
from pages.app.connection.connections import detached_sessions
from pages.app.server import access_log, prometheus, static_assets
from pages.app.server.process_setup import freeze_gc, raise_file_limit, set_tcp_no_delay
from pages.app.session.session import Session
from pages.app.session.trained_example import examples
from pages.app.streamlit_patches import apply_patches

ROOT = Path(__file__).parents[2]


def check_limits() -> None:
    """End with a sentence where the environment asks for limits that cannot be."""
    if WRONG:
        sys.exit("\n".join(WRONG))


@asynccontextmanager
async def begin(_app: st.App) -> AsyncIterator[None]:
    """From the start of the server to its end."""
    access_log.configure()
    apply_patches()
    prometheus.expose_sessions(admission(), detached_sessions())
    raise_file_limit()
    set_tcp_no_delay()
    make_ready()
    freeze_gc()
    asyncio.get_running_loop().call_soon(open_browser)
    yield


def make_ready() -> None:
    """All modules, all that browsers fetch, the run that opens, and the network that is shown until that run trains."""
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/*/**/*.py")]:
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    static_assets.prepare()
    with contextlib.suppress(ValueError):  # a Python without its manual: each session has a notice
        session = Session(DEFAULTS, [])
        examples.find(session.monitored.settings, session.corpus)


def open_browser() -> None:
    """Open the dashboard in this machine's browser, unless there is none (``--server.headless``)."""
    if st.get_option("server.headless"):
        return
    address = st.get_option("server.address")
    if address in (None, "", "0.0.0.0", "::"):  # all addresses of this machine
        address = st.get_option("browser.serverAddress")
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    base = st.get_option("server.baseUrlPath").strip("/")
    webbrowser.open(f"{scheme}://{address}:{st.get_option('server.port')}/{base}")

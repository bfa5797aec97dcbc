"""The server, before its first visitor: what all of them need is there when the first one comes.

Streamlit runs ``dashboard.py`` for every visitor; what is done here is done once, when ``streamlit run`` starts.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

import streamlit as st
from streamlit import cli_util, config
from streamlit.web.server.server_util import get_display_address, get_url

from core.limits import WRONG
from core.settings import DEFAULTS
from pages.ui import assets, journal
from pages.ui.colours import put_colours_together
from pages.ui.downloads import keep_downloads_a_moment
from pages.ui.gate import put_up_gate
from pages.ui.heard_out import hear_scripts_out
from pages.ui.in_line import draw_in_line
from pages.ui.in_one_go import send_in_one_go
from pages.ui.memory import look_seldom, one_heap, open_files_allowed, settle
from pages.ui.metrics import offer_metrics
from pages.ui.places import copy_places_by_hand
from pages.ui.presented import present_plainly
from pages.ui.sending import sends
from pages.ui.stage import Stage
from pages.ui.told_apart import tell_apart_by_python
from pages.ui.turned import keep_the_page
from pages.ui.two_scripts import bear_two_scripts
from pages.ui.uploads import keep_few_uploads
from pages.ui.woken import wake_once

ROOT = Path(__file__).parents[2]


def check_limits() -> None:
    """End with a sentence where the environment asks for limits that cannot be."""
    if WRONG:
        sys.exit("\n".join(WRONG))


@asynccontextmanager
async def begin(_app: st.App) -> AsyncIterator[None]:
    """From the start of the server to its end."""
    one_heap()
    journal.leave_out_who_is_gone()
    put_up_gate()
    keep_the_page()
    hear_scripts_out()
    bear_two_scripts()
    wake_once()
    send_in_one_go()
    present_plainly()
    tell_apart_by_python()
    draw_in_line()
    put_colours_together()
    copy_places_by_hand()
    offer_metrics()
    keep_few_uploads()
    keep_downloads_a_moment()
    open_files_allowed()
    make_ready()
    settle()
    look_seldom()
    asyncio.get_running_loop().call_soon(open_browser)
    with sends():
        yield


def make_ready() -> None:
    """All modules, all that browsers fetch, and what the run that opens is made of."""
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/*/**/*.py")]:
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    assets.published()
    with contextlib.suppress(ValueError):  # a Python without its manual: each visitor is told
        Stage(DEFAULTS, [])


def open_browser() -> None:
    """At this machine, unless the server is told that nobody sits there (``--server.headless``)."""
    if st.get_option("server.headless"):
        return
    told = config.is_manually_set("browser.serverAddress")
    address = st.get_option("browser.serverAddress" if told else "server.address")
    cli_util.open_browser(get_url(get_display_address(address or "localhost")))

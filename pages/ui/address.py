"""The address of the page: a link opens the same run, and the same section and text of the same page.

The settings of the run are the larger part of it (``core.settings``); the rest is what a page adds of its own.
"""

from collections.abc import Collection

import streamlit as st

from core.query import from_query, to_query
from core.settings import DEFAULTS, Settings
from core.text.corpus import source_of
from pages.ui.state import Stage

PLACE = ("section", "text", "network")  # what a page may add to the address
OWN_TEXT_IS_NOT_IN_LINKS = "A link does not carry your own text: paste it again. Until then this is the Python manual."


def open_stage(page: str) -> Stage:
    """For the frame: this session's stage, turned to ``page``; the first call reads the URL and opens a run."""
    if "stage" not in st.session_state:
        query = st.query_params.to_dict()
        place = {name: query.pop(name) for name in PLACE if name in query}
        settings, notices = from_query(query)
        if source_of(settings).from_reader:
            settings, notices = settings.but(corpus=DEFAULTS.corpus), [*notices, OWN_TEXT_IS_NOT_IN_LINKS]
        try:
            opened = Stage(settings, notices)
        except ValueError as error:
            opened = Stage(Settings(), [*notices, str(error)])
        opened.places[page] = place
        st.session_state["stage"] = opened
    here = st.session_state["stage"]
    here.page = page
    return here


def write_url(here: Stage) -> None:
    """Make the address a link to this run and this place of the page."""
    query = to_query(here.settings) | here.place
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def asked_for(here: Stage, name: str, offered: Collection[str]) -> str:
    """What the address asks for under ``name``; the first that this page offers, where it asks for nothing there is."""
    first = next(iter(offered))
    wanted = here.place.get(name, first)
    if wanted in offered:
        return wanted
    here.place.pop(name)
    here.notices.append(f"There is no {name} called {wanted[:40]!r} on this page.")
    return first


def follow(here: Stage, name: str, chosen: str, offered: Collection[str]) -> None:
    """From now on the address opens ``chosen``; it need not say so if that is the first."""
    if chosen == next(iter(offered)):
        here.place.pop(name, None)
    else:
        here.place[name] = chosen
    write_url(here)

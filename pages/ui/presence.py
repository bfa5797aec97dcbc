"""When a reader leaves, the runs of that session pause; and then, and only now and then, garbage is collected."""

import gc
import time

import streamlit as st

from pages.ui.state import Stage

COLLECT_EVERY = 30.0  # seconds; collecting garbage stops every session for a moment


def watch_presence(stage: Stage) -> None:
    """Pause the run as soon as this session's page is gone (a tab closed, a network blip); the run itself is kept."""
    _presence(stage)


@st.cache_resource(scope="session", on_release=lambda stage: leave(stage), show_spinner=False)
def _presence(_stage: Stage) -> Stage:
    return _stage


def leave(stage: Stage) -> None:
    """Pause all that this session trains."""
    for run in (stage.run, *stage.beside.values()):
        run.pause("The page was closed.")
    collect_garbage()


@st.cache_resource(show_spinner=False)
def settle_process() -> dict[str, float]:
    """Once per process, after the imports: everything loaded so far never needs to be looked through for garbage again."""
    gc.collect()
    gc.freeze()
    return {"collected": time.monotonic()}


def collect_garbage() -> None:
    """Streamlit's own collection after every script run is switched off (it costs 60–90 ms); this is ours."""
    settled = settle_process()
    if time.monotonic() - settled["collected"] > COLLECT_EVERY:
        settled["collected"] = time.monotonic()
        gc.collect()

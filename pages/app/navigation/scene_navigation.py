"""The thread: a strip above a page that says what to ask, to do and to notice in a scene, and leads to the next one."""

from typing import Any

import streamlit as st

from core.config.link import STEP
from core.content.scene import Scene
from core.figures.parts.thread import strip_scene
from core.models.ngram import NAMES
from pages.app.navigation.section_tabs import auto_refresh
from pages.app.navigation.url_state import START
from pages.app.session.session import Session
from pages.app.widgets.input_components import thread as strip

EVERY = 1.0  # seconds between two looks at a run, whether what the scene waits for has come


def turn(session: Session, pages: dict[str, Any]) -> None:
    """Open the scene that was asked for, if one was, and turn to the page that is to be open."""
    key, session.asked_scene = session.asked_scene, None
    if key is not None:
        session.opened += 1
        _open(session, key)
    address, session.turn_to = session.turn_to, None
    if address is not None and address != session.page:
        st.switch_page(pages[address])


def _open(session: Session, key: str) -> None:
    """The scene of this name, as its link would; the start page where there is none."""
    if key not in session.scenes:
        session.turn_to = START
        return
    scene = session.scenes[key]
    for name in [name for name in st.session_state if str(name) == scene.page or str(name).startswith(f"{scene.page}_")]:
        del st.session_state[name]
    st.query_params.pop(STEP, None)
    session.show_scene(scene)


def thread(session: Session) -> None:
    """The strip of the scene that is open, if one is."""
    scene = session.in_scene
    if not scene:
        return
    waits = scene.done.kind in ("below", "read") and not session.scene_done
    auto_refresh(_show, lambda: waits and _trains(session), EVERY, session, scene)


def request_scene(session: Session, key: str, opened: int) -> None:
    """Let this scene be opened next; without a key, the start page. ``opened``: how many were opened when it was asked for, for a
    press in a hurry is sent again."""
    if opened == session.opened:
        session.asked_scene = key


def _trains(session: Session) -> bool:
    return session.run.playing or any(run.playing for run in session.beside.values())


def _show(session: Session, scene: Scene) -> None:
    if session.asked_scene is not None:
        st.rerun()
    if not session.scene_done and _reached(session, scene):
        _did(session, scene.key)
    strip(
        strip_scene(scene, session.thread, notation=session.settings.notation, done=session.scene_done, opened=session.opened),
        on_go=lambda key, opened: request_scene(session, key, opened),
        on_done=lambda key: _told(session, key),
        key="unseen_thread" if "thread" in session.hidden else "thread",  # the page keeps words of its own beside it
    )


def _told(session: Session, key: str) -> None:
    """Streamlit sends the press that ended the scene with this, as one message, and would draw the strip alone."""
    _did(session, key)
    st.rerun()


def _did(session: Session, key: str) -> None:
    if key == session.scene:
        session.scene_done = True
        session.done.add(key)


def _reached(session: Session, scene: Scene) -> bool:
    """Whether what the run was to reach is reached; of what a hand does, the browser tells."""
    kind, what = scene.done
    if kind == "below":
        lines = {line.name: line.perplexity for line in session.baselines}  # none of a text that cannot be counted
        bound = lines.get(what, 0.0) if what in NAMES else float(what)
        return session.update > 0 and session.snapshot().view.perplexity < bound
    run = session.beside.get(what) if kind == "read" else None
    return run is not None and run.arrived

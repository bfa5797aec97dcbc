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


def turn(here: Session, pages: dict[str, Any]) -> None:
    """Open the scene that was asked for, if one was, and turn to the page that is to be open."""
    key, here.asked_scene = here.asked_scene, None
    if key is not None:
        here.opened += 1
        _open(here, key)
    address, here.turn_to = here.turn_to, None
    if address is not None and address != here.page:
        st.switch_page(pages[address])


def _open(here: Session, key: str) -> None:
    """The scene of this name, as its link would; the start page where there is none."""
    if key not in here.scenes:
        here.turn_to = START
        return
    scene = here.scenes[key]
    for name in [name for name in st.session_state if str(name) == scene.page or str(name).startswith(f"{scene.page}_")]:
        del st.session_state[name]
    st.query_params.pop(STEP, None)
    here.show_scene(scene)


def thread(here: Session) -> None:
    """The strip of the scene that is open, if one is."""
    scene = here.in_scene
    if not scene:
        return
    waits = scene.done.kind in ("below", "read") and not here.scene_done
    auto_refresh(_show, lambda: waits and _trains(here), EVERY, here, scene)


def request_scene(here: Session, key: str, opened: int) -> None:
    """Let this scene be opened next; without a key, the start page. ``opened``: how many were opened when it was asked for, for a
    press in a hurry is sent again."""
    if opened == here.opened:
        here.asked_scene = key


def _trains(here: Session) -> bool:
    return here.run.playing or any(run.playing for run in here.beside.values())


def _show(here: Session, scene: Scene) -> None:
    if here.asked_scene is not None:
        st.rerun()
    if not here.scene_done and _reached(here, scene):
        _did(here, scene.key)
    strip(
        strip_scene(scene, here.thread, notation=here.settings.notation, done=here.scene_done, opened=here.opened),
        on_go=lambda key, opened: request_scene(here, key, opened),
        on_done=lambda key: _told(here, key),
        key="unseen_thread" if "thread" in here.hidden else "thread",  # the page keeps words of its own beside it
    )


def _told(here: Session, key: str) -> None:
    """Streamlit sends the press that ended the scene with this, as one message, and would draw the strip alone."""
    _did(here, key)
    st.rerun()


def _did(here: Session, key: str) -> None:
    if key == here.scene:
        here.scene_done = True
        here.done.add(key)


def _reached(here: Session, scene: Scene) -> bool:
    """Whether what the run was to reach is reached; of what a hand does, the browser tells."""
    kind, what = scene.done
    if kind == "below":
        lines = {line.name: line.perplexity for line in here.baselines}  # none of a text that cannot be counted
        bound = lines.get(what, 0.0) if what in NAMES else float(what)
        return here.update > 0 and here.snapshot().view.perplexity < bound
    run = here.beside.get(what) if kind == "read" else None
    return run is not None and run.arrived

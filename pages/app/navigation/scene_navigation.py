"""The scene bar above a page: the question, the instructions and the answer of the open scene, and links to other scenes.
Opens requested scenes and places."""

import math
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from core.config.language import lazy_gettext
from core.config.link import PAGE_PATHS, SCENE, STEP_PARAMETER, VIEW, divided
from core.models.ngram import ORDER_NAMES
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.navigation.url_state import START_PAGE
from pages.app.server.shared_cache import StillComputing
from pages.app.session.session import Session
from pages.app.widgets.components import scene_bar
from pages.app.widgets.rerun import rerun_page
from pages.content.scene import Scene
from pages.figures.parts.scenes import scene_bar_data

EVERY = 1.0  # seconds between two checks whether the run has reached the end of the scene
NumbersOf = Callable[[Session, Scene], Mapping[str, str] | None]
PAUSED_BELOW = lazy_gettext("Below the {name} line. Press play to go on.")


def navigate(session: Session, pages: dict[str, Any]) -> None:
    """Open the requested scene or place and switch to the requested page, if there are any."""
    key = session.scenes.take_request()
    if key is not None:
        _open(session, key)
    address = session.navigation.take_next_place()
    if address is not None:
        _open_place(session, address)
    navigation = session.navigation
    if navigation.begins_anew:
        _forget(navigation.page if navigation.next_page is None else navigation.next_page)
        navigation.begins_anew = False
    if navigation.next_page is not None:
        st.switch_page(pages[navigation.next_page])


def _open(session: Session, key: str) -> None:
    """Open the scene with this key, as its link does; the start page if there is no such scene."""
    scene = session.scenes.all.get(key)
    if not scene:
        session.navigation.go_to(START_PAGE)
        return
    session.open_scene(scene)


def _open_place(session: Session, address: str) -> None:
    """Open a page with its own URL parameters, or a scene; the run goes on. An address of another page is ignored."""
    page, query = urlsplit(address).path, dict(parse_qsl(urlsplit(address).query))
    if page not in PAGE_PATHS:
        return
    of_target, place = divided(query)
    if SCENE in of_target:
        _open(session, of_target[SCENE])
        return
    scene = session.scenes.all.get(session.scenes.key)
    if scene and scene.page == page:
        session.scenes.close()
    session.navigation.go_to(page, place, anew=True)


def _forget(page: str) -> None:
    """Remove the choices that were made on a page, so that those of a URL apply."""
    for name in [name for name in st.session_state if str(name) == page or str(name).startswith(f"{page}_")]:
        del st.session_state[name]
    st.query_params.pop(STEP_PARAMETER, None)


def show_scene_bar(session: Session, numbers_of: NumbersOf) -> None:
    """Draw the bar of the open scene, if there is one. ``numbers_of(session, scene)``: the numbers in its reason."""
    scene = session.scene
    if not scene:
        _hold_at_lines(session, None)
        return
    if "scene_bar" not in session.navigation.hidden:
        elements.scene_style(scene.place.get(VIEW, ""))
    waits = (scene.done.kind in ("below", "read") and not session.scenes.done) or _trains(session, scene)
    auto_refresh(_show, lambda: waits and any(run.playing for run in session.runs), EVERY, session, scene, numbers_of, says="")


def _trains(session: Session, scene: Scene) -> bool:
    """Whether the run still trains to the update with which the scene begins."""
    return session.update < scene.update and session.run.plays_until(scene.update)


def _show(session: Session, scene: Scene, numbers_of: NumbersOf) -> None:
    scenes = session.scenes
    if scenes.requested is not None:
        rerun_page()
    _hold_at_lines(session, scene)
    if not scenes.done and _reached(session, scene):
        scenes.mark_done(scene.key)
    trained = session.update if _trains(session, scene) else None
    shown = {"notation": session.settings.notation, "done": scenes.done, "opened": scenes.opened, "trained": trained}
    still = _update_numbers(session, scene, numbers_of)
    scene_bar(
        scene_bar_data(scene, scenes.sequence, numbers=scenes.shown, **shown),
        on_open_scene=scenes.request,
        on_done=lambda key: _mark_done(session, key),
        # without a visible scene bar, the page shows its own hints
        key="hidden_scene_bar" if "scene_bar" in session.navigation.hidden else "scene_bar",
    )
    if still:
        raise still


def _update_numbers(session: Session, scene: Scene, numbers_of: NumbersOf) -> StillComputing | None:
    """Take the numbers of the scene's reason as they are now. While they are computed, the last ones stay: without numbers the
    scene would have no reason, and the key for it would open the next scene."""
    scenes = session.scenes
    try:
        scenes.shown = numbers_of(session, scene)
    except StillComputing as still:
        return still
    if scenes.shown is not None:
        scenes.numbers[scene.key] = scenes.shown
    return None


def _mark_done(session: Session, key: str) -> None:
    """Mark the scene as done and rerun the page: for this event and the click sent with it, Streamlit reruns only the bar."""
    session.scenes.mark_done(key)
    rerun_page()


def _hold_at_lines(session: Session, scene: Scene | None) -> None:
    """Let the run pause at each line of ``scene.holds`` that it has not passed, so that the audience sees it; and no more at
    those of another scene."""
    held = (session.monitored.serial, scene.key if scene else "")
    if session.scenes.held != held:
        session.scenes.held = held
        lines = {line.name: line.perplexity for line in session.baselines if scene and line.name in scene.holds}
        session.monitored.hold_at({lazy_gettext(PAUSED_BELOW, name=lazy_gettext(name)): line for name, line in lines.items()})


def _perplexity(session: Session) -> float:
    """The perplexity of the run; infinite while it is untrained."""
    return session.snapshot().view.perplexity if session.update > 0 else math.inf


def _reached(session: Session, scene: Scene) -> bool:
    """Whether the run has reached the goal of the scene. Goals that depend on user actions are reported by the browser."""
    kind, what = scene.done
    if kind == "below":
        lines = {line.name: line.perplexity for line in session.baselines}  # empty for a text on which n-grams do not apply
        bound = lines.get(what, 0.0) if what in ORDER_NAMES else float(what)
        return _perplexity(session) < bound
    run = session.experiments.get(what) if kind == "read" else None
    return run is not None and run.arrived

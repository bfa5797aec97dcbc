"""The reader's own lecture: scenes of their own, on the start page, where they are put in order, saved and opened."""

from collections.abc import Callable

from core.content.lecture import Lecture, added, joined, moved, plain, removed, renamed
from core.content.lecture_file import opened
from core.content.scene import Scene
from core.figures.parts.lecture import lecture_scene
from pages.app.navigation.scene_navigation import request_scene
from pages.app.session.session import Session
from pages.app.widgets.input_components import lecture as draw


def own_lecture(session: Session) -> None:
    """The list of them."""
    undo = list(session.lecture_before.items()) != list(session.lecture.items())
    draw(
        lecture_scene(session.lecture, says=session.lecture_says, undo=undo, opened=session.opened),
        on_go=lambda key, number: request_scene(session, key, number),
        on_change=lambda key, what, name: change(session, key, what, name),
        on_open=lambda text: open_file(session, text),
    )


def keep(session: Session, scene: Scene) -> None:
    """Let it be the last one."""
    _become(session, lambda: added(session.lecture, scene), f"Scene {len(session.lecture) + 1} of your lecture.")


def open_file(session: Session, text: str) -> None:
    """Let the scenes of a file come behind those that are there."""
    before = len(session.lecture)
    _become(session, lambda: joined(session.lecture, opened(text)), "")
    if not session.lecture_says:
        session.lecture_says = _counted(len(session.lecture) - before)


def change(session: Session, key: str, what: str, name: str = "") -> None:
    """``what``: up, down, rename, remove, or undo the last change."""
    if what == "undo":
        session.lecture, session.lecture_before, session.lecture_says = session.lecture_before, session.lecture, ""
    elif key in session.lecture:
        CHANGES.get(what, _nothing)(session, key, plain(name))


def _rename(session: Session, key: str, name: str) -> None:
    _become(session, lambda: renamed(session.lecture, key, name)[0], "")
    if key not in session.lecture and session.scene == key:  # it is still the one that is open
        session.scene = renamed(session.lecture_before, key, name)[1]


def _remove(session: Session, key: str, name: str) -> None:
    _become(session, lambda: removed(session.lecture, key), f"“{session.lecture[key].name}” was removed.")


def _move(by: int) -> Callable[[Session, str, str], None]:
    return lambda session, key, name: _become(session, lambda: moved(session.lecture, key, by), "")


def _nothing(session: Session, key: str, name: str) -> None:
    """No change is called so."""


CHANGES = {"up": _move(-1), "down": _move(1), "rename": _rename, "remove": _remove}


def _become(session: Session, make: Callable[[], Lecture], says: str) -> None:
    """Let this be the lecture; where it cannot be made, all stays as it is, and the sentence says why."""
    try:
        made = make()
    except ValueError as error:
        session.lecture_says = str(error)
    else:
        session.lecture_before, session.lecture, session.lecture_says = session.lecture, made, says


def _counted(new: int) -> str:
    if not new:
        return "All scenes of this file are here already."
    return f"{new} scene{'s' if new > 1 else ''} opened from the file."

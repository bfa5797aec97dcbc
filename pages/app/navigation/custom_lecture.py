"""The reader's own lecture: scenes of their own, on the start page, where they are put in order, saved and opened."""

from collections.abc import Callable

from core.content.lecture import Lecture, added, joined, moved, plain, removed, renamed
from core.content.lecture_file import opened
from core.content.scene import Scene
from core.figures.parts.lecture import lecture_scene
from pages.app.navigation.scene_navigation import request_scene
from pages.app.session.session import Session
from pages.app.widgets.input_components import lecture as draw


def own_lecture(here: Session) -> None:
    """The list of them."""
    undo = list(here.lecture_before.items()) != list(here.lecture.items())
    draw(
        lecture_scene(here.lecture, says=here.lecture_says, undo=undo, opened=here.opened),
        on_go=lambda key, number: request_scene(here, key, number),
        on_change=lambda key, what, name: change(here, key, what, name),
        on_open=lambda text: open_file(here, text),
    )


def keep(here: Session, scene: Scene) -> None:
    """Let it be the last one."""
    _become(here, lambda: added(here.lecture, scene), f"Scene {len(here.lecture) + 1} of your lecture.")


def open_file(here: Session, text: str) -> None:
    """Let the scenes of a file come behind those that are there."""
    before = len(here.lecture)
    _become(here, lambda: joined(here.lecture, opened(text)), "")
    if not here.lecture_says:
        here.lecture_says = _counted(len(here.lecture) - before)


def change(here: Session, key: str, what: str, name: str = "") -> None:
    """``what``: up, down, rename, remove, or undo the last change."""
    if what == "undo":
        here.lecture, here.lecture_before, here.lecture_says = here.lecture_before, here.lecture, ""
    elif key in here.lecture:
        CHANGES.get(what, _nothing)(here, key, plain(name))


def _rename(here: Session, key: str, name: str) -> None:
    _become(here, lambda: renamed(here.lecture, key, name)[0], "")
    if key not in here.lecture and here.scene == key:  # it is still the one that is open
        here.scene = renamed(here.lecture_before, key, name)[1]


def _remove(here: Session, key: str, name: str) -> None:
    _become(here, lambda: removed(here.lecture, key), f"“{here.lecture[key].name}” was removed.")


def _move(by: int) -> Callable[[Session, str, str], None]:
    return lambda here, key, name: _become(here, lambda: moved(here.lecture, key, by), "")


def _nothing(here: Session, key: str, name: str) -> None:
    """No change is called so."""


CHANGES = {"up": _move(-1), "down": _move(1), "rename": _rename, "remove": _remove}


def _become(here: Session, make: Callable[[], Lecture], says: str) -> None:
    """Let this be the lecture; where it cannot be made, all stays as it is, and the sentence says why."""
    try:
        made = make()
    except ValueError as error:
        here.lecture_says = str(error)
    else:
        here.lecture_before, here.lecture, here.lecture_says = here.lecture, made, says


def _counted(new: int) -> str:
    if not new:
        return "All scenes of this file are here already."
    return f"{new} scene{'s' if new > 1 else ''} opened from the file."

"""The reader's own scenes as a list, and what is handed over with it: the text of their file."""

from typing import TypedDict

from core.config.language import gettext as _
from core.content.lecture import LIMITS, Lecture, saved, title_of, words_of
from core.content.scene import Scene
from core.figures.parts.thread import Way


class OwnScene(TypedDict):
    """A scene of the reader's, with the title of its page and all that was written of it."""

    to: Way
    page: str
    words: dict[str, str]


class LectureScene(TypedDict):
    """All scenes in their order."""

    opened: int
    says: str  # what came of the last change
    undo: bool  # whether there is one to take back
    limits: dict[str, int]  # characters of each of the words
    file: str
    scenes: list[OwnScene]


def lecture_scene(lecture: Lecture, *, says: str, undo: bool, opened: int) -> LectureScene:
    return {
        "opened": opened,
        "says": _(says),
        "undo": undo,
        "limits": LIMITS,
        "file": saved(lecture) if lecture else "",
        "scenes": [_row(scene) for scene in lecture.values()],
    }


def _row(scene: Scene) -> OwnScene:
    return {"to": (scene.key, scene.name, scene.address), "page": title_of(scene.page), "words": words_of(scene)}

"""The reader's own scenes as a list, and what is handed over with it: the text of their file."""

from core.content.lecture import LIMITS, Lecture, title_of
from core.content.lecture_file import saved
from core.content.scene import Scene
from core.figures.parts.style import Scene as Drawing


def lecture_scene(lecture: Lecture, *, says: str, undo: bool, opened: int) -> Drawing:
    """All scenes in their order. ``says``: what came of the last change; ``undo``: whether there is one to take back."""
    return {
        "opened": opened,
        "says": says,
        "undo": undo,
        "longest": LIMITS["name"],
        "file": saved(lecture) if lecture else "",
        "scenes": [_row(scene) for scene in lecture.values()],
    }


def _row(scene: Scene) -> Drawing:
    return {"to": [scene.key, scene.name, scene.address], "page": title_of(scene.page), "question": scene.question}

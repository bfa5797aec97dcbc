"""The reader's own lecture: scenes of their own, in an order that they choose."""

from collections.abc import Callable

from core.content.lecture import NONE_YET, Lecture, added, joined, moved, plain, removed, renamed
from core.content.lecture_file import opened
from core.content.scene import Scene

MOVES = {"up": -1, "down": 1}


class CustomLecture:
    """The scenes by key, as they are and as they were before the last change, and a sentence about that change."""

    def __init__(self) -> None:
        self.scenes, self._before = NONE_YET, NONE_YET
        self.message = ""

    @property
    def can_undo(self) -> bool:
        return list(self._before.items()) != list(self.scenes.items())

    def add(self, make: Callable[[], Scene]) -> str:
        """Append the scene that ``make`` returns. Returns a sentence: its number, or the message of a ``ValueError``."""
        self._change(lambda: added(self.scenes, make()), f"Scene {len(self.scenes) + 1} of your lecture.")
        message, self.message = self.message, ""
        return message

    def open_file(self, text: str) -> None:
        """Append the scenes of a saved lecture that are not in this one."""
        before = len(self.scenes)
        self._change(lambda: joined(self.scenes, opened(text)), "")
        if not self.message:
            self.message = _counted(len(self.scenes) - before)

    def change(self, key: str, what: str, name: str = "") -> str:
        """``what``: up, down, rename, remove, or undo the last change. Returns the key that the scene has afterwards."""
        if what == "undo":
            self.scenes, self._before, self.message = self._before, self.scenes, ""
        elif key not in self.scenes:
            return key
        elif what in MOVES:
            self._change(lambda: moved(self.scenes, key, MOVES[what]), "")
        elif what == "remove":
            self._change(lambda: removed(self.scenes, key), f"“{self.scenes[key].name}” was removed.")
        elif what == "rename":
            self._change(lambda: renamed(self.scenes, key, plain(name))[0], "")
            return key if key in self.scenes else renamed(self._before, key, plain(name))[1]
        return key

    def _change(self, make: Callable[[], Lecture], message: str) -> None:
        """Replace the scenes; after a ``ValueError`` they stay as they are, and its sentence is the message."""
        try:
            made = make()
        except ValueError as error:
            self.message = str(error)
        else:
            self._before, self.scenes, self.message = self.scenes, made, message


def _counted(new: int) -> str:
    if not new:
        return "All scenes of this file are here already."
    return f"{new} scene{'s' if new > 1 else ''} opened from the file."

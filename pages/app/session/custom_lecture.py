"""The reader's own lecture: scenes of their own, in an order that they choose."""

from collections.abc import Callable

from core.config.language import gettext as _
from core.config.language import message_of, ngettext
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
        self._change(lambda: added(self.scenes, make()), _("Scene {n} of your lecture.", n=len(self.scenes) + 1))
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
            self._change(lambda: removed(self.scenes, key), _("“{name}” was removed.", name=self.scenes[key].name))
        elif what == "rename":
            self._change(lambda: renamed(self.scenes, key, plain(name))[0], "")
            return key if key in self.scenes else renamed(self._before, key, plain(name))[1]
        return key

    def _change(self, make: Callable[[], Lecture], message: str) -> None:
        """Replace the scenes; after a ``ValueError`` they stay as they are, and its sentence is the message."""
        try:
            made = make()
        except ValueError as error:
            self.message = message_of(error)
        else:
            self._before, self.scenes, self.message = self.scenes, made, message


def _counted(new: int) -> str:
    if not new:
        return _("All scenes of this file are here already.")
    return ngettext("{n} scene opened from the file.", "{n} scenes opened from the file.", new, n=new)

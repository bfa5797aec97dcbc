"""The scenes of a session: the open, the requested and the completed ones, and the reader's own lecture."""

from collections.abc import Callable, Mapping

from core.config.language import gettext as _
from core.config.language import message_of, ngettext
from core.content.lecture import NONE_YET, Lecture, added, edited, joined, moved, opened, plain, removed
from core.content.scene import Scene
from core.content.scenes import SCENES

MOVES = {"up": -1, "down": 1}


class CustomLecture:
    """The reader's own lecture: the scenes by key, which the reader adds, edits and orders, their state before the last change,
    and a message about that change."""

    def __init__(self) -> None:
        self.scenes, self._before = NONE_YET, NONE_YET
        self.message = ""

    @property
    def can_undo(self) -> bool:
        return list(self._before.items()) != list(self.scenes.items())

    def add(self, make: Callable[[], Scene]) -> str:
        """Append the scene that ``make`` returns. Return a message: the number of the scene, or that of a ``ValueError``."""
        self._change(lambda: added(self.scenes, make()), _("Scene {n} of your lecture.", n=len(self.scenes) + 1))
        message, self.message = self.message, ""
        return message

    def open_file(self, text: str) -> None:
        """Append the scenes of a saved lecture that are not in this lecture."""
        before = len(self.scenes)
        self._change(lambda: joined(self.scenes, opened(text)), "")
        if not self.message:
            self.message = _counted(len(self.scenes) - before)

    def edit(self, key: str, words: Mapping[str, str]) -> str:
        """Replace the words of the scene with this key. Return its new key."""
        if key not in self.scenes:
            return key
        words = {field: plain(text) for field, text in words.items()}
        self._change(lambda: edited(self.scenes, key, words)[0], "")
        return key if key in self.scenes else edited(self._before, key, words)[1]

    def change(self, key: str, what: str) -> None:
        """Move a scene "up" or "down", "remove" it, or "undo" the last change."""
        if what == "undo":
            self.scenes, self._before, self.message = self._before, self.scenes, ""
        elif key in self.scenes and what in MOVES:
            self._change(lambda: moved(self.scenes, key, MOVES[what]), "")
        elif key in self.scenes and what == "remove":
            self._change(lambda: removed(self.scenes, key), _("“{name}” was removed.", name=self.scenes[key].name))

    def _change(self, make: Callable[[], Lecture], message: str) -> None:
        """Replace the scenes. On a ``ValueError``, leave them unchanged and store the error message."""
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


class SceneState:
    """The open scene and whether it was done. Scenes are the built-in scenes and those of the reader's own lecture."""

    def __init__(self, lecture: CustomLecture) -> None:
        self._lecture = lecture
        self.key = ""  # of the open scene; empty if no scene is open
        self.done = False  # whether the open scene has been done since it was opened
        self.paused_at = set[str]()  # n-gram models at whose perplexity the run has paused since then
        self.ever_done = set[str]()  # keys of all scenes that were done
        self.requested: str | None = None  # the key of the scene to open next
        self.opened = 0  # number of requests that were carried out

    @property
    def all(self) -> Mapping[str, Scene]:
        return {**SCENES, **self._lecture.scenes}

    @property
    def sequence(self) -> Mapping[str, Scene]:
        """The scenes that "Next" steps through: the reader's own if one of them is open, else the built-in ones."""
        return self._lecture.scenes if self.key in self._lecture.scenes else SCENES

    def open(self, key: str) -> None:
        self.key, self.done, self.paused_at = key, False, set()

    def follow_url(self, key: str, page: str) -> None:
        """Open the scene in the URL of ``page``. If the URL has no scene, a scene of another page stays open, as only the
        URL of its own page has its key."""
        scene = self.all.get(self.key)
        if key and key != self.key:
            self.open(key)
        elif not key and (not scene or scene.page == page):
            self.key = ""

    def request(self, key: str, opened: int) -> None:
        """Open this scene in the next script run; with an empty key, the start page.

        ``opened`` is the number that was sent to the browser: a request with another number is outdated and ignored.
        """
        if opened == self.opened:
            self.requested = key

    def take_request(self) -> str | None:
        """Return and clear the key of the pending request; None if there is no request."""
        key, self.requested = self.requested, None
        self.opened += key is not None
        return key

    def mark_done(self, key: str) -> None:
        """Mark the scene with this key as done if it is still open."""
        if key == self.key:
            self.done = True
            self.ever_done.add(key)

    def edit_lecture(self, key: str, words: Mapping[str, str]) -> None:
        """Edit a scene of the reader's own lecture. Its key changes; an open scene stays open."""
        changed = self._lecture.edit(key, words)
        if self.key == key:
            self.key = changed

"""The reader's own lecture: a sequence of scenes that the reader adds, edits and orders."""

from collections.abc import Callable, Mapping
from functools import reduce

from core.config.language import gettext as _, message_of, ngettext, sentences
from pages.content.lecture import NONE_YET, Lecture, edited, joined, moved, opened, plain, removed, tallies_in
from pages.content.scene import Scene
from pages.content.tally import Tally, renewed

MOVES = {"up": -1, "down": 1}


class CustomLecture:
    """The scenes by key, their state before the last change, and a message about that change."""

    def __init__(self) -> None:
        self.scenes, self._before = NONE_YET, NONE_YET
        self.message = ""
        self.counted: tuple[Tally, ...] = ()  # how the hall has voted in this session
        self.earlier: tuple[Tally, ...] = ()  # how earlier halls have, from files

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The votes that are saved: those of this hall, and earlier ones on what it was not asked."""
        return reduce(renewed, self.counted, self.earlier)

    @property
    def can_undo(self) -> bool:
        return list(self._before.items()) != list(self.scenes.items())

    def add(self, make: Callable[[], Scene]) -> str:
        """Append the scene that ``make`` returns. Return a message: the number of the scene, or that of a ``ValueError``."""

        def added() -> Lecture:
            scene = make()
            both = joined(self.scenes, {scene.key: scene})
            if len(both) == len(self.scenes):
                raise ValueError(_("This moment is in the lecture already, with the same words."))
            return both

        self._change(added, _("Scene {n} of your lecture.", n=len(self.scenes) + 1))
        message, self.message = self.message, ""
        return message

    def open_file(self, text: str) -> None:
        """Append the scenes of a saved lecture that are not in this lecture, and take over the votes of its hall."""
        before = len(self.scenes)
        self._change(lambda: joined(self.scenes, opened(text)), "")
        if not self.message:
            tallies = tallies_in(text)
            self.earlier = reduce(renewed, tallies, self.earlier)
            self.message = _counted(len(self.scenes) - before, len(tallies))

    def edit(self, key: str, words: Mapping[str, str]) -> None:
        """Replace the words of the scene with this key."""
        if key in self.scenes:
            self._change(lambda: edited(self.scenes, key, {field: plain(text) for field, text in words.items()}), "")

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


def _counted(scenes: int, votes: int) -> str:
    said = ngettext("{n} scene opened from the file.", "{n} scenes opened from the file.", scenes, n=scenes) if scenes else ""
    voted = ngettext("It has the votes on {n} question.", "It has the votes on {n} questions.", votes, n=votes) if votes else ""
    return sentences(said, voted) if said and voted else said or voted or _("All scenes of this file are here already.")

"""The scenes of a session: the open, the requested and the completed ones."""

from collections.abc import Mapping

from pages.app.session.custom_lecture import CustomLecture
from pages.content.scene import Scene
from pages.content.scenes import SCENES


class SceneState:
    """The open scene and whether it was done. Scenes are the built-in scenes and those of the reader's own lecture."""

    def __init__(self, lecture: CustomLecture) -> None:
        self._lecture = lecture
        self.key = ""  # of the open scene; empty if no scene is open
        self.done = False  # whether the open scene has been done since it was opened
        self.held = (0, "")  # the serial number of the run and the key of the scene whose lines it pauses at
        self.ever_done = set[str]()  # keys of all scenes that were done
        self.shown: Mapping[str, str] | None = None  # the numbers in the reason of the open scene
        self.numbers = dict[str, Mapping[str, str]]()  # by the key of a scene: those in its reason, as they were last
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
        self.key, self.done, self.shown = key, False, None

    def close(self) -> None:
        self.key = ""

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

"""The open scene of a session, the next one, and the scenes that were done."""

from collections.abc import Mapping

from core.content.scene import Scene
from core.content.scenes import SCENES
from pages.app.session.custom_lecture import CustomLecture


class SceneState:
    """Which scene is open, by its key, and whether it was done. Scenes are the built-in ones and the reader's own."""

    def __init__(self, lecture: CustomLecture) -> None:
        self._lecture = lecture
        self.key = ""  # of the open scene; empty where none is open
        self.done = False  # whether the open scene was done since it was opened
        self.held = set[str]()  # the n-gram models at whose lines in the chart the run has paused since then
        self.ever_done = set[str]()  # keys
        self.requested: str | None = None  # the key of the scene to open next
        self.opened = 0  # how many requests were carried out

    @property
    def all(self) -> Mapping[str, Scene]:
        return {**SCENES, **self._lecture.scenes}

    @property
    def sequence(self) -> Mapping[str, Scene]:
        """The scenes that "Next" leads through: the reader's own where one of them is open."""
        return self._lecture.scenes if self.key in self._lecture.scenes else SCENES

    def of_page(self, page: str) -> Scene | None:
        """The open scene; None on a page that is not its own."""
        scene = self.sequence.get(self.key)
        return scene if scene and scene.page == page else None

    def open(self, key: str) -> None:
        self.key, self.done, self.held = key, False, set()

    def follow_url(self, key: str, page: str) -> None:
        """Open the scene that the URL of ``page`` names. Where it names none, a scene of another page stays open, as
        only the URL of its own page has its key."""
        scene = self.all.get(self.key)
        if key or not scene or scene.page == page:
            if key not in ("", self.key):
                self.done, self.held = False, set()
            self.key = key

    def request(self, key: str, opened: int) -> None:
        """Open this scene in the next script run; without a key, the start page.

        ``opened`` is the number that the browser was sent: a request with another number is stale, and ignored.
        """
        if opened == self.opened:
            self.requested = key

    def take_request(self) -> str | None:
        """Consume the pending request: its key; None where there is none."""
        key, self.requested = self.requested, None
        self.opened += key is not None
        return key

    def hold(self, models: set[str]) -> None:
        """The run has paused at the lines of these n-gram models."""
        self.held |= models

    def mark_done(self, key: str) -> None:
        """The scene of this key is done, if it is still the open one."""
        if key == self.key:
            self.done = True
            self.ever_done.add(key)

    def edit_lecture(self, key: str, words: Mapping[str, str]) -> None:
        """Edit a scene of the reader's own. Its key changes; if it is open, it stays open."""
        changed = self._lecture.edit(key, words)
        if self.key == key:
            self.key = changed

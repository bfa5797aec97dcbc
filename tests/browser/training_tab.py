"""The Training page in a tab whose connection can be cut, and the state of its run on the server."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.training_page import Training
from tests.browser.waiting import javascript, until

Ask = Callable[[str], Any]
RECORD_UPDATES = javascript("record_updates")


class Connection:
    """The connection between a page and the server, which can be cut and restored."""

    def __init__(self, page: Page) -> None:
        self.is_up, self._is_muted, self._ends = True, False, []
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        if not self.is_up:
            near.close()
            return
        far = near.connect_to_server()
        far.on_message(lambda message: None if self._is_muted else near.send(message))
        self._ends.append((near, far))

    def cut(self) -> None:
        self.is_up = False
        for near, far in self._ends:
            far.close()
            near.close()
        self._ends.clear()

    def mute(self) -> None:
        """Drop all that the server sends until the connection is restored."""
        self._is_muted = True

    def restore(self) -> None:
        self.is_up, self._is_muted = True, False


class TrainingTab(Training):
    def __init__(self, page: Page, ask: Ask) -> None:
        super().__init__(page)
        self.ask, self.serial = ask, max(run["serial"] for run in ask("runs"))

    def run(self) -> dict:
        return until(self.page, lambda: [run for run in self.ask("runs") if run["serial"] == self.serial], bool)[0]

    def wait_for(self, **state: object) -> dict:
        return until(self.page, self.run, lambda run: state.items() <= run.items())

    def start(self) -> "TrainingTab":
        """Play, and wait until the curve has some points."""
        self.play()
        self.wait_for_updates(20)
        return self

    def expect_found(self, least: int) -> None:
        """Wait until the page shows this same run; from the first drawing on, its update is at least ``least``."""
        self.page.wait_for_function("window.updates.size > 0")
        assert min(self.page.evaluate("[...window.updates]")) >= least

        def newest() -> int:
            return max((run["serial"] for run in self.ask("runs") if run["connected"]), default=0)

        until(self.page, newest, lambda serial: serial == self.serial)
        expect(self.page.locator(".page-notice")).to_have_count(0)

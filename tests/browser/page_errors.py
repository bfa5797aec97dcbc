"""Errors in a browser that no assertion of a test detects."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, Request

from tests.dashboard_server import Server

HARMLESS = (  # console errors of Streamlit: text, URL of the script, and above each its cause
    # while a test has cut the connection, Streamlit's timers still send messages
    ("Cannot send rerun backMessage when disconnected from server", re.compile(r"/static/js/index\.[^/]*\.js$")),
    ("WebSocket is already in CLOSING or CLOSED state", re.compile("")),
    # a download button looks for its file when it is drawn; two later scripts that were interrupted before the button may have
    # deleted the file by then, and the next one stores it again
    ("Failed to load resource: the server responded with a status of 404", re.compile(r"/media/[0-9a-f]+\.html$")),
    ("Download Button source error - 404", re.compile(r"/static/js/index\.[^/]*\.js$")),
)


@dataclass
class PageErrorCollector:
    """The pages that one test opened, and the errors in them and on the server."""

    server: Server
    opened: list[Page] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def pages(self) -> list[Page]:
        return [page for page in self.opened if not page.is_closed()]

    def follow(self, page: Page) -> None:
        self.opened.append(page)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"uncaught in the page: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        harmless = any(words in message.text and place.search(where) for words, place in HARMLESS)
        if message.type == "error" and not harmless:
            self.errors.append(f"console: {message.text}  {where}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(self.server.url).netloc:
            self.errors.append(f"a request to another host: {request.url}")

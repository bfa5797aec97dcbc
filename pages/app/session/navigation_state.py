"""The open page of a session, and the URL parameters of each page beside the settings of the run."""

from collections.abc import Mapping

from core.config.link import VIEW
from core.config.settings import Settings


class Navigation:
    """The open page and the next one, and of every page: its own URL parameters and its open section."""

    def __init__(self, settings: Settings) -> None:
        self.page = ""  # URL path of the open page
        self.visits = 0  # how often a page or a section was opened
        self.hidden: tuple[str, ...] = ()  # parts of the pages that the URL hides
        self.url_settings = settings  # those that were written into the URL last
        self._next_page: str | None = None
        self._queries: dict[str, dict[str, str]] = {}
        self._sections: dict[str, tuple[str, str]] = {}  # by page: name and title

    def open(self, page: str) -> None:
        """Record the open page of this script run."""
        self.visits += self.page != page
        self.page = page

    def open_section(self, name: str, title: str) -> None:
        """Record the open section of the open page, with its title."""
        opened, _ = self._sections.get(self.page, ("", ""))
        self.visits += opened != name
        self._sections[self.page] = name, title

    def go_to(self, page: str, query: Mapping[str, str] | None = None) -> None:
        """Open ``page`` next, with these URL parameters, by default those that it had. The scroll position is the browser's."""
        self._next_page = page
        if query is not None:
            self._queries[page] = {name: text for name, text in query.items() if name != VIEW}

    def take_next_page(self) -> str | None:
        """Consume the requested page; None where there is none, or it is open."""
        page, self._next_page = self._next_page, None
        return None if page == self.page else page

    def hide(self, parts: tuple[str, ...]) -> None:
        self.hidden = parts

    @property
    def query(self) -> dict[str, str]:
        """The open page's own URL parameters."""
        return self._queries.setdefault(self.page, {})

    @property
    def section(self) -> str:
        """The title of the section that was drawn last on the open page; empty where none was."""
        return self._sections.get(self.page, ("", ""))[1]

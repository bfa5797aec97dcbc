"""The open page of a session, and the URL parameters of each page besides the settings of the run."""

from collections.abc import Mapping

from core.config.link import VIEW
from core.config.settings import Settings


class Navigation:
    """The open and the requested page, and the URL parameters and the open section of every page."""

    def __init__(self, settings: Settings) -> None:
        self.page = ""  # URL path of the open page
        self.visits = 0  # number of times that a page or a section was opened
        self.hidden: tuple[str, ...] = ()  # parts of the pages that the URL hides
        self.url_settings = settings  # the settings last written into the URL
        self.url_update = 0  # the update last written into the URL; 0 if none was
        self._next_page: str | None = None
        self.begins_anew = False  # whether the requested page forgets what was chosen on it
        self._next_place: str | None = None  # the address of a requested place
        self._queries: dict[str, dict[str, str]] = {}
        self._sections: dict[str, tuple[str, str]] = {}  # page -> name and title

    def open(self, page: str) -> None:
        """Record the open page of this script run. If it is another one than before, no page is requested any more."""
        if page != self.page:
            self.visits += 1
            self.begins_anew &= page == self._next_page
            self.page, self._next_page = page, None

    def open_section(self, name: str, title: str) -> None:
        """Record the open section of the open page, with its title."""
        opened, _ = self._sections.get(self.page, ("", ""))
        self.visits += opened != name
        self._sections[self.page] = name, title

    def go_to(self, page: str, query: Mapping[str, str] | None = None, *, anew: bool = False) -> None:
        """Request ``page`` with these URL parameters, by default its previous ones. The browser sets the scroll
        position. ``anew``: without the choices made on it before."""
        self._next_page, self.begins_anew = page, anew
        if query is not None:
            self._queries[page] = {name: text for name, text in query.items() if name != VIEW}

    def request_place(self, address: str) -> None:
        """Open this address of our own pages in the next script run, as its link does, but with the run of this session."""
        self._next_place = address

    def take_next_place(self) -> str | None:
        """Return and clear the requested address; None if there is none."""
        address, self._next_place = self._next_place, None
        return address

    @property
    def next_page(self) -> str | None:
        """The requested page; None if there is no request or the page is open. It stays requested until a page is opened, as a
        rerun of the open page can end the script that switches."""
        return None if self._next_page == self.page else self._next_page

    @property
    def query(self) -> dict[str, str]:
        """The open page's own URL parameters."""
        return self._queries.setdefault(self.page, {})

    @property
    def section(self) -> str:
        """The title of the section last drawn on the open page; empty if the page has drawn none."""
        return self._sections.get(self.page, ("", ""))[1]

"""A scene: a page at an interesting moment, with a question to ask first, an action, and the result to notice."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from core.config.link import LinkTarget, encoded, target_query
from core.config.settings import DEFAULTS, Settings

Kind = Literal["shown", "pressed", "address", "below", "read"]


class Done(NamedTuple):
    """The condition under which a scene is done.

    ``shown``: its ``notice`` is displayed. ``pressed``: the button labelled ``what`` is clicked. ``address``: the URL changes to
    hold the parameter ``what``: ``name=value``, ``name=`` (absent) or ``name=*`` (any value). ``below``: the run's perplexity is
    below that of the n-gram model, or the number, ``what``. ``read``: the experiment ``what`` has done all of its updates.
    """

    kind: Kind = "shown"
    what: str = ""


class Scene(NamedTuple):
    """``page`` is the URL path of a page, ``place`` the query parameters beside the settings, and ``update`` the update to which
    the run trains as soon as the scene is opened. ``view`` is the key of the part of the page to show, if it is far down;
    ``why_view`` that of the part that shows the reason.
    ``minutes``: the time planned in a lecture, 0 if none is. ``notes`` are for the lecturer alone. ``holds``: n-gram models at
    whose lines the run pauses. ``presses``: the controls that the key K clicks in turn, by button label or ``data-do``
    (shared/scene_actions.js). ``why``: the reason for ``notice`` in steps, with names in braces for the numbers of
    ``pages.reasons``, which ``notice`` may have, too; ``recap``: the line of the closing slide, with numbers of ``why``.
    ``answers`` for the hall, of a scene of the reader's own: the right one, then wrong ones, between ``|``. ``hides``, also of
    such a scene: what of the page is hidden until its notice is shown, a key of ``pages.content.lecture.HIDDEN_PARTS``.
    Words in “ ” are labels on the screen."""

    key: str
    name: str
    page: str
    question: str
    do: str
    notice: str
    done: Done = Done()
    settings: Settings = DEFAULTS
    place: Mapping[str, str] = MappingProxyType({})
    update: int = 0
    view: str = ""
    minutes: int = 0
    notes: str = ""
    holds: tuple[str, ...] = ()
    presses: tuple[str, ...] = ()
    answers: str = ""
    why: tuple[str, ...] = ()
    recap: str = ""
    why_view: str = ""
    hides: str = ""

    @property
    def query(self) -> dict[str, str]:
        """The query parameters of its link."""
        return target_query(LinkTarget(self.settings, self.update, scene=self.key)) | self.place

    @property
    def address(self) -> str:
        """Its page and query string, relative to the URL of the pages."""
        return f"{self.page}?{_spelled(self.settings, self.update, self.key, tuple(self.place.items()))}"


@lru_cache(maxsize=100)
def _spelled(settings: Settings, update: int, key: str, place: tuple[tuple[str, str], ...]) -> str:
    """The query string of a scene. Cached: every visitor's first page links to all scenes."""
    return encoded(target_query(LinkTarget(settings, update, scene=key)) | dict(place))

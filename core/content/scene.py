"""A scene: a page at an interesting moment, with a question to ask first, something to do, and what is to be noticed then."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from core.config.link import LinkTarget, encoded, shortened, target_query
from core.config.settings import DEFAULTS, Settings

Kind = Literal["shown", "pressed", "address", "below", "read"]


class Done(NamedTuple):
    """How a scene knows by itself that it was done.

    ``shown``: what is to be noticed was asked for. ``pressed``: the button that says ``what``. ``address``: it has come to hold
    ``what``, spelled ``name=value``, ``name=`` (not there) or ``name=*`` (whatever). ``below``: the run's perplexity is below
    the line of that counting model, or below that number. ``read``: the run beside, of this name, has done all of its updates.
    """

    kind: Kind = "shown"
    what: str = ""


class Scene(NamedTuple):
    """``page`` is an address, ``place`` what the address holds beside the settings, and ``update`` to which the run trains as
    soon as the scene is opened. ``view`` is the key of the part of the page on which it stands, where that is far down.
    ``seconds``: what doing it takes; ``minutes``: what a lecture plans for it, 0 where nothing is planned. ``notes`` are for the
    lecturer alone. ``holds``: counting models at whose lines the run pauses. ``presses``: what the key K presses in turn, the
    words of a button or the ``data-do`` of a control (shared/scene_actions.js). Words in “ ” are on the screen."""

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
    seconds: int = 15
    view: str = ""
    minutes: int = 0
    notes: str = ""
    holds: tuple[str, ...] = ()
    presses: tuple[str, ...] = ()

    @property
    def query(self) -> dict[str, str]:
        """What its link asks for."""
        return _query(self.settings, self.update, self.key, self.place)

    @property
    def address(self) -> str:
        """Its page and what is asked of it, from the place where the pages are."""
        return f"{self.page}?{_spelled(self.settings, self.update, self.key, tuple(self.place.items()))}"


@lru_cache(maxsize=100)
def _spelled(settings: Settings, update: int, key: str, place: tuple[tuple[str, str], ...]) -> str:
    """Remembered: every visitor's first page has the addresses of all scenes."""
    return encoded(_query(settings, update, key, dict(place)))


def _query(settings: Settings, update: int, key: str, place: Mapping[str, str]) -> dict[str, str]:
    return shortened(target_query(LinkTarget(settings, update, scene=key)) | place)[0]

"""A link: settings and what else an address asks for, as text and back, short enough for whatever passes it on."""

import ipaddress
import re
from collections.abc import Mapping
from reprlib import repr as quoted
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from core.config.knob import Knob
from core.config.language import gettext as _
from core.config.limits import LIMITS
from core.config.settings import DEFAULTS, KNOBS, Settings

HIDE = "hide"
SCENE = "scene"  # the parameter that names the scene of the thread that is open
PRESENT = "present"  # large, for a hall
HIDEABLE = ("sidebar", "thread", "title", "presets", "bar", "knobs", "sample", "restarts", "more", "notes")  # parts of the pages
LONGEST = 2000  # characters of a link that browsers, mail and chat programs pass on whole
NAME = "[a-z0-9_]{1,40}"  # of a scene
ROOM = 1800  # of them for what is asked; the rest is for the name of the server and the page
STEP = "step"
VIEW = "view"  # the key of the part of the page at the top of the window
PAGES = ("recurrent_step", "unrolled", "training", "perplexity", "gradient_flow", "truncation")  # by their addresses
PLACE = {  # what a page may add to the address
    *("section", "text", "picked", "network", "typed", STEP, VIEW),
    *("N", "D", "H", "decimals", "first", "second", "sizes", "pair", "draw"),
    *("model", "beside", "beginning", "ways", "prompt"),
    *("tau", "mode", "scheme", "k1", "k", "T", "order", "race", "task", "radius", "clip", "phi", "losses"),
    *("blocks", "carried", "start", "seeds", "knob", "values", "budget"),
}
NONE_WORD = "none"  # how None is spelled
MOMENT = "update"  # the parameter that says to which update a run trains as soon as its link is opened
FURTHEST = LIMITS.link_updates  # usually some minutes of a default run; who wants more presses play
_MOMENT = Knob("view", "Update", "Up to which the run of a link trains at once.", between=(0, FURTHEST), type=int)
_READERS = {
    str: str,
    int: int,
    float: float,
    bool: {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.__getitem__,
}


class Asked(NamedTuple):
    """A run, the update that it trains to as soon as it is opened, what is ``hidden`` of the pages that show it, whether they
    are presented, and the name of the ``scene`` that it belongs to."""

    settings: Settings = DEFAULTS
    update: int = 0
    hidden: tuple[str, ...] = ()
    presented: bool = False
    scene: str = ""


def written(asked: Asked) -> dict[str, str]:
    """The query that asks for this. Inverse of :func:`read`."""
    moment = {MOMENT: str(asked.update)} if asked.update else {}
    hides = {HIDE: ",".join(asked.hidden)} if asked.hidden else {}
    scene = {SCENE: asked.scene} if asked.scene else {}
    return scene | to_query(asked.settings) | moment | hides | ({PRESENT: "1"} if asked.presented else {})


def read(query: Mapping[str, str]) -> tuple[Asked, list[str]]:
    """What any query asks for, and one sentence for each parameter of it that means nothing, or not all it says."""
    query, notices = dict(query), []
    try:
        update = moment_of(query.pop(MOMENT, "0"))
    except ValueError as error:
        update, notices = 0, [str(error)]
    try:
        presented = is_yes(PRESENT, query.pop(PRESENT, "no"))
    except ValueError as error:
        presented, notices = False, [*notices, str(error)]
    names = [name.strip().lower() for name in query.pop(HIDE, "").split(",")]
    unknown = next((name for name in names if name and name not in HIDEABLE), "")
    if unknown:
        notices.append(_("{part} cannot be hidden; what can: {parts}.", part=quoted(unknown), parts=", ".join(HIDEABLE)))
    scene = query.pop(SCENE, "").strip()
    if scene and not re.fullmatch(NAME, scene):
        scene, notices = "", [*notices, _("There is no scene called {name}.", name=quoted(scene))]
    settings, passed_over = from_query(query)
    hides = tuple(name for name in HIDEABLE if name in names)
    return Asked(settings, update, hides, presented, scene), passed_over + notices


def link(at: str, query: Mapping[str, str]) -> tuple[str, list[str]]:
    """The link to ``at`` that asks for this, and the names of what it is too long for."""
    fitting, left_out = shortened(query, LONGEST - len(at) - 1)
    return (f"{at}?{spelled(fitting)}" if fitting else at), left_out


def shortened(query: Mapping[str, str], room: int = ROOM) -> tuple[dict[str, str], list[str]]:
    """As much of a query as there is room for, in characters, and the names of what is left out: the longest first."""
    fitting, left_out = dict(query), []
    while len(spelled(fitting)) > max(room, 0):
        left_out.append(max(fitting, key=lambda name: len(spelled({name: fitting[name]}))))
        del fitting[left_out[-1]]
    return fitting, left_out


def spelled(query: Mapping[str, str]) -> str:
    """A query as an address has it; no browser makes it longer."""
    return urlencode(query, errors="replace").replace("~", "%7E")


def only_for_this_machine(at: str) -> bool:
    """Whether an address names the machine that opens it, whichever that is; one that is none does not."""
    host = ""
    try:
        host = urlsplit(at).hostname or ""
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def to_query(settings: Settings) -> dict[str, str]:
    """URL parameters: the fields that differ from their default, as text. Inverse of :func:`from_query`."""
    return {name: to_text(getattr(settings, name)) for name in settings.differing(DEFAULTS)}


def from_query(query: dict[str, str], base: Settings = DEFAULTS) -> tuple[Settings, list[str]]:
    """Any URL parameters become valid settings: what cannot be read keeps its value in ``base`` and is told.

    Returns the settings and one sentence per parameter that was passed over.
    """
    values, notices = {}, []
    for name, text in query.items():
        try:
            values[name] = parse(name, text)
        except ValueError as error:
            notices.append(str(error))
    return base.but(**values), notices


def to_text(value: Any) -> str:
    """A value as it is spelled in a URL. ``parse(name, to_text(value)) == value`` for every valid value."""
    if value is None:
        return NONE_WORD
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else str(value)


def parse(name: str, text: str) -> Any:
    """The value of field ``name`` that ``text`` spells, or says as the screen does ("off"); ``ValueError`` with a sentence."""
    if name not in KNOBS:
        raise ValueError(_("There is no setting called {name}.", name=quoted(name)))
    return _read(KNOBS[name], text)


def moment_of(text: str) -> int:
    """The update that a link asks for; ``ValueError`` with a sentence where that is none, or further than a link goes."""
    return _read(_MOMENT, text)


def is_yes(name: str, text: str) -> bool:
    """Whether a parameter that is no setting says yes; ``ValueError`` with a sentence where it says neither yes nor no."""
    try:
        return _READERS[bool](text.strip().lower())
    except KeyError:
        raise ValueError(_("{name} is 1 or 0, not {value}.", name=name, value=quoted(text))) from None


def _read(knob: Knob, text: str) -> Any:
    word = text.strip().lower()
    if word == NONE_WORD and knob.optional:
        return None
    for value, said in knob.words.items():
        if word in (said.lower(), _(said).lower()):
            return value
    try:
        value = _READERS[knob.type](word)
    except (ValueError, KeyError, OverflowError):
        raise knob.refusal(text) from None
    knob.check(value)
    return value

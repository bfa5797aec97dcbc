"""A link: what an address asks for, as text and back, short enough for whatever passes it on."""

import ipaddress
import re
from collections.abc import Mapping
from reprlib import repr as quoted
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from core.config.language import gettext as _
from core.config.query import MOMENT, from_query, is_yes, moment_of, to_query
from core.config.settings import DEFAULTS, Settings

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
    *("section", "text", "network", "typed", STEP, VIEW),
    *("N", "D", "H", "decimals", "first", "second", "sizes", "pair", "draw"),
    *("model", "beside", "beginning", "ways", "prompt"),
    *("tau", "mode", "scheme", "k1", "k", "T", "order", "race", "task", "radius", "clip", "phi", "losses"),
    *("blocks", "carried", "start", "seeds", "knob", "values", "budget"),
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

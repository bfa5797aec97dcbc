"""Links: settings and other state as URL parameters and back, short enough for browsers, mail and chat programs."""

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
SCENE = "scene"  # parameter: the key of the open scene
PRESENT = "present"  # parameter: presentation mode
HIDEABLE = ("sidebar", "scene_bar", "title", "presets", "bar", "knobs", "sample", "restarts", "more", "notes")  # parts of pages
LONGEST_LINK = 2000  # characters of a link that browsers, mail and chat programs do not cut
KEY_PATTERN = "[a-z0-9_]{1,40}"  # pattern of the key of a scene
MAX_QUERY_LENGTH = 1800  # characters of the query of a link; the rest is for the address of the page
STEP_PARAMETER = "step"
VIEW = "view"  # parameter: key of the container at the top of the viewport
PAGE_PATHS = (
    "recurrent_step",
    "unrolled",
    "training",
    "perplexity",
    "gradient_flow",
    "truncation",
    "books",
    "exercises",
)  # by URL path
NONE_WORD = "none"  # None in a URL
MOMENT = "update"  # parameter: the run trains to this update as soon as the link is opened
FURTHEST_UPDATE = LIMITS.link_updates  # some minutes of a default run
TARGET_PARAMETERS = frozenset({*KNOBS, MOMENT, HIDE, PRESENT, SCENE})  # others are the page's
_MOMENT = Knob("view", "Update", "Up to which the run of a link trains at once.", between=(0, FURTHEST_UPDATE), type=int)
_YES_OR_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_READERS = {str: str, int: int, float: float, bool: _YES_OR_NO.__getitem__}


class LinkTarget(NamedTuple):
    """The target of a link: the settings of a run, the update to which it trains at once, the ``hidden`` parts of the pages,
    whether presentation mode is on (``presented``), and the key of the open ``scene``."""

    settings: Settings = DEFAULTS
    update: int = 0
    hidden: tuple[str, ...] = ()
    presented: bool = False
    scene: str = ""


def divided(query: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The part of a query that :func:`parse_query` reads, and the parameters of the page."""
    of_target = {name: text for name, text in query.items() if name in TARGET_PARAMETERS}
    return of_target, {name: text for name, text in query.items() if name not in TARGET_PARAMETERS}


def target_query(target: LinkTarget) -> dict[str, str]:
    """The query of a link. Inverse of :func:`parse_query`."""
    query = {SCENE: target.scene} | to_query(target.settings)
    query |= {MOMENT: str(target.update or ""), HIDE: ",".join(target.hidden), PRESENT: "1" if target.presented else ""}
    return {name: text for name, text in query.items() if text}


def parse_query(query: Mapping[str, str]) -> tuple[LinkTarget, list[str]]:
    """The target of any query, and a sentence for each parameter that is unknown or invalid."""
    query, notices = dict(query), []
    try:
        update = _read(_MOMENT, query.pop(MOMENT, "0"))
    except ValueError as error:
        update, notices = 0, [str(error)]
    present = query.pop(PRESENT, "no")
    presented = _YES_OR_NO.get(present.strip().lower())
    if presented is None:
        notices.append(_("{name} is 1 or 0, not {value}.", name=PRESENT, value=quoted(present)))
    names = re.split(r"\s*,\s*", query.pop(HIDE, "").strip().lower())
    unknown = next((name for name in names if name and name not in HIDEABLE), "")
    if unknown:
        notices.append(_("{part} cannot be hidden; what can: {parts}.", part=quoted(unknown), parts=", ".join(HIDEABLE)))
    scene = query.pop(SCENE, "").strip()
    if scene and not re.fullmatch(KEY_PATTERN, scene):
        scene, notices = "", [*notices, _("There is no scene called {name}.", name=quoted(scene))]
    values, invalid = {}, []
    for name, text in query.items():
        try:
            values[name] = parse(name, text)
        except ValueError as error:
            invalid.append(str(error))
    hides = tuple(name for name in HIDEABLE if name in names)
    return LinkTarget(Settings(**values), update, hides, bool(presented), scene), invalid + notices


def link(at: str, query: Mapping[str, str]) -> tuple[str, list[str]]:
    """The link to the page ``at`` with this query, and the names of the parameters omitted because they do not fit."""
    fitting, left_out = shortened(query, LONGEST_LINK - len(at) - 1)
    return (f"{at}?{encoded(fitting)}" if fitting else at), left_out


def shortened(query: Mapping[str, str], max_length: int = MAX_QUERY_LENGTH) -> tuple[dict[str, str], list[str]]:
    """A query of at most ``max_length`` characters, and the names of the parameters that were omitted, the longest first."""
    fitting, left_out = dict(query), []
    while len(encoded(fitting)) > max(max_length, 0):
        left_out.append(max(fitting, key=lambda name: len(encoded({name: fitting[name]}))))
        del fitting[left_out[-1]]
    return fitting, left_out


def encoded(query: Mapping[str, str]) -> str:
    """A URL-encoded query; ``~`` is encoded, too, so that no browser makes the query longer."""
    return urlencode(query, errors="replace").replace("~", "%7E")


def only_for_this_machine(at: str) -> bool:
    """Whether an address is a loopback one; False for an invalid one."""
    try:
        host = urlsplit(at).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def to_query(settings: Settings) -> dict[str, str]:
    """URL parameters: the fields that differ from their default, as text."""
    return {name: to_text(getattr(settings, name)) for name in settings.differing(DEFAULTS)}


def to_text(value: Any) -> str:
    """A value as text in a URL. ``parse(name, to_text(value)) == value`` for every valid value."""
    if value is None:
        return NONE_WORD
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else str(value)


def parse(name: str, text: str) -> Any:
    """The value of field ``name`` from its text in a URL or on the screen ("off"); ``ValueError`` with a sentence."""
    if name not in KNOBS:
        raise ValueError(_("There is no setting called {name}.", name=quoted(name)))
    return _read(KNOBS[name], text)


def _read(knob: Knob, text: str) -> Any:
    word = text.strip().lower()
    if word == NONE_WORD and knob.optional:
        return None
    for value, label in knob.words.items():
        if word in (label.lower(), _(label).lower()):
            return value
    try:
        value = _READERS[knob.type](word)
    except (ValueError, KeyError, OverflowError):
        raise knob.refusal(text) from None
    knob.check(value)
    return value

"""A lecture as a small file of JSON, and back: whatever is in the file, what is read of it is valid, or refused in a sentence."""

import json
from typing import Any

from core.config.language import gettext as _
from core.config.language import lazy_gettext, sentences
from core.content.lecture import LIMITS, NONE_YET, OPTIONAL, Lecture, added, own_scene, query_of, words_of
from core.content.scene import Scene

FORMAT = "RNN dashboard: a lecture"
VERSION = 1
LONGEST_FILE = 500_000  # characters: as many as the largest lecture can have
FIELDS = {"page": str, "query": dict} | dict.fromkeys(LIMITS, str)  # of a scene

NO_LECTURE = lazy_gettext("This is not the file of a lecture that was saved here.")
TOO_LONG = lazy_gettext("The file of a lecture has up to {most} characters: this has more.")
NEWER = lazy_gettext("This file is of a newer version of the dashboard: it is version {theirs}, and version {ours} is read here.")


def saved(lecture: Lecture) -> str:
    """The text of its file. Inverse of :func:`opened`."""
    scenes = [_held(scene) for scene in lecture.values()]
    return json.dumps({"format": FORMAT, "version": VERSION, "scenes": scenes}, indent=1, ensure_ascii=False)


def _held(scene: Scene) -> dict[str, Any]:
    """What the file holds of a scene: notes and minutes only where there are some."""
    words = {field: text for field, text in words_of(scene).items() if text or field not in OPTIONAL}
    return {"page": scene.page, "query": query_of(scene)} | words


def opened(text: str) -> Lecture:
    """The lecture in the text of a file; ``ValueError`` with a sentence where there is none, or something in it is not valid."""
    lecture = NONE_YET
    for number, held in enumerate(_scenes_in(text), 1):
        try:
            lecture = added(lecture, _scene(held))
        except ValueError as error:
            raise ValueError(sentences(_("Scene {number} of this file cannot be read.", number=number), str(error))) from None
    return lecture


def _scenes_in(text: str) -> list[Any]:
    """What the file has for scenes, of whatever kind each is."""
    if len(text) > LONGEST_FILE:
        raise ValueError(_(TOO_LONG, most=f"{LONGEST_FILE:,}".replace(",", "\u202f")))
    held = _parsed(text)
    if not isinstance(held, dict) or held.get("format") != FORMAT or type(held.get("version")) is not int:
        raise ValueError(_(NO_LECTURE))
    if held["version"] > VERSION:
        raise ValueError(_(NEWER, theirs=str(held["version"])[:20], ours=VERSION))
    if held["version"] != VERSION or held.keys() != {"format", "version", "scenes"} or not isinstance(held["scenes"], list):
        raise ValueError(_(NO_LECTURE))
    return held["scenes"]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or brackets within brackets
        raise ValueError(_(NO_LECTURE)) from None


def _scene(held: Any) -> Any:
    if not isinstance(held, dict) or held.keys() | set(OPTIONAL) != FIELDS.keys():
        raise ValueError(_("It should have {fields}, and nothing else.", fields=", ".join(FIELDS)))
    held = dict.fromkeys(OPTIONAL, "") | held
    for field, kind in FIELDS.items():
        if not isinstance(held[field], kind):
            raise ValueError(_("Its {field} is not of the right kind.", field=field))
    if not all(isinstance(text, str) for text in held["query"].values()):
        raise ValueError(_("Its query has something in it that is no text."))
    return own_scene(**held)

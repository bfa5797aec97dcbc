"""A lecture: a lecturer's own scenes in their order, each a moment of a page with the lecturer's texts.

A lecture is immutable: functions return a new lecture. It is saved as a small JSON file; a file that is not valid is refused with
a sentence.
"""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from reprlib import repr as quoted
from types import MappingProxyType
from typing import Any

from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.link import MAX_QUERY_LENGTH, PAGE_PATHS, SCENE, LinkTarget, divided, encoded, parse_query, target_query
from core.text.corpus import source_of
from pages.content import tally
from pages.content.scene import Scene
from pages.content.tally import Tally

Lecture = Mapping[str, Scene]  # scenes by key, in their order
NONE_YET: Lecture = MappingProxyType({})
MOST = 60  # scenes
TEXT_LIMITS = {
    "name": 60,
    "question": 160,
    "do": 160,
    "notice": 240,
    "notes": 400,
    "answers": 240,
    "minutes": 3,
    "why": 480,
    "hides": 8,
}  # characters, at most
FIELD = {
    "name": lazy_gettext("name"),
    "question": lazy_gettext("question"),
    "do": lazy_gettext("do"),
    "notice": lazy_gettext("notice"),
    "notes": lazy_gettext("notes"),
    "answers": lazy_gettext("answers"),
    "minutes": lazy_gettext("minutes"),
    "why": lazy_gettext("reason"),
    "hides": lazy_gettext("hidden part"),
}
LATER = {"why", "hides"}  # fields that files saved before do not have
HIDDEN_PARTS = {  # what is hidden until the notice of a scene is shown
    "": lazy_gettext("nothing"),
    "page": lazy_gettext("the whole picture"),
    "numbers": lazy_gettext("its numbers"),
    "section": lazy_gettext("the part at which the scene begins"),
}
STEPS = 4  # of a reason, at most
LABEL = re.compile('“([^“”]+)”|"([^"]+)"|„([^“”„]+)“')  # a control that the task names
ANSWERS, BETWEEN = (2, 5), "|"  # the least and the most answers of a scene, and what is between them
JOINERS = "\u200c\u200d"  # invisible, but needed for correct spelling in some scripts
OWN_PREFIX = "own_"  # prefix of the key of a lecturer's scene

ANSWERS_ARE = lazy_gettext("The answers of a scene are {least} to {most}, with | between them, the right one first.")
FORMAT = "RNN dashboard: a lecture"
VERSION = 1
FIELDS, TALLIES = {"format", "version", "scenes"}, "votes"  # of the file; the latter only if a hall has voted
LONGEST_FILE = 1_000_000  # characters: as many as the largest lecture can have

NO_LECTURE = lazy_gettext("This is not the file of a lecture that was saved here.")


def own_scene(page: str, query: Mapping[str, str], **words: str) -> Scene:
    """The scene of a page with the query of its link and these texts, by the fields of ``TEXT_LIMITS``.

    ``ValueError`` with a sentence if any of them is not valid. Each call gives another key.
    """
    if page not in PAGE_PATHS:
        raise ValueError(_("There is no page called {name}.", name=quoted(page)))
    of_target, place = divided(query)
    if any(text != text.encode(errors="replace").decode() for text in (*place, *place.values())):
        raise ValueError(_("It has something in it that is no text."))
    scene = _worded(Scene(OWN_PREFIX + secrets.token_hex(8), "", page, "", "", "", place=place), words)
    target = _target(of_target)
    scene = scene._replace(settings=target.settings, update=target.update)
    if len(encoded(query_of(scene) | {SCENE: scene.key})) > MAX_QUERY_LENGTH:
        raise ValueError(_("It asks for more than a link can hold."))
    return scene


def query_of(scene: Scene) -> dict[str, str]:
    """The complete query of a scene's link, without its key, as :func:`own_scene` reads it."""
    return target_query(LinkTarget(scene.settings, scene.update)) | scene.place


def words_of(scene: Scene) -> dict[str, str]:
    """The lecturer's texts of a scene, by field."""
    texts = {field: str(getattr(scene, field) or "") for field in TEXT_LIMITS}
    return texts | {"why": BETWEEN.join(scene.why)}


def answers_of(scene: Scene) -> list[str]:
    """The answers of a scene for the hall, the right one first."""
    return [answer.strip() for answer in scene.answers.split(BETWEEN)] if scene.answers else []


def plain(text: str) -> str:
    """The text on one line, without invisible characters."""
    return " ".join("".join(c for c in " ".join(text.split()) if c.isprintable() or c in JOINERS).split())


def title_of(page: str) -> str:
    """The title of a page in the navigation."""
    return _(page.replace("_", " ").capitalize())


def joined(lecture: Lecture, other: Lecture) -> Lecture:
    """The lecture with the new scenes of another lecture appended; ``ValueError`` with a sentence for too many."""
    held = [scene._replace(key="") for scene in lecture.values()]
    both = {**lecture, **{key: scene for key, scene in other.items() if scene._replace(key="") not in held}}
    if len(both) > MOST:
        raise ValueError(_("A lecture holds up to {most} scenes: these would be {many}.", most=MOST, many=len(both)))
    return both


def removed(lecture: Lecture, key: str) -> Lecture:
    """The lecture without this scene."""
    return {name: scene for name, scene in lecture.items() if name != key}


def moved(lecture: Lecture, key: str, by: int) -> Lecture:
    """The lecture with this scene moved by ``by`` positions, at most to either end."""
    keys = [name for name in lecture if name != key]
    keys.insert(max(0, list(lecture).index(key) + by), key)
    return {name: lecture[name] for name in keys}


def edited(lecture: Lecture, key: str, words: Mapping[str, str]) -> Lecture:
    """The lecture with new texts of this scene; ``ValueError`` with a sentence if they are not valid."""
    return {**lecture, key: _worded(lecture[key], words)}


def _worded(scene: Scene, words: Mapping[str, str]) -> Scene:
    """The scene with these texts in place of its own; ``ValueError`` with a sentence if one is not valid."""
    words = words_of(scene) | words
    for field, text in words.items():
        if text != plain(text)[: TEXT_LIMITS[field]]:
            values = {"field": _(FIELD[field]), "most": TEXT_LIMITS[field]}
            raise ValueError(_("The {field} of a scene is one line of up to {most} characters that can be seen.", **values))
    if not words["name"]:
        raise ValueError(_("A scene needs a name."))
    if not re.fullmatch("[0-9]*", words["minutes"]):
        raise ValueError(_("The minutes of a scene are a whole number."))
    if words["hides"] not in HIDDEN_PARTS:
        raise ValueError(_("There is nothing called {name} to hide.", name=quoted(words["hides"])))
    why = tuple(step.strip() for step in words["why"].split(BETWEEN)) if words["why"] else ()
    if len(why) > STEPS or not all(why):
        raise ValueError(_("The reason of a scene has up to {most} steps, with | between them.", most=STEPS))
    if (why or words["hides"]) and not words["notice"]:
        raise ValueError(_("What is hidden, and the reason, come with what there is to notice: write that, too."))
    presses = tuple(next(filter(None, found)) for found in LABEL.findall(words["do"]))  # what the key K does
    made = scene._replace(**words | {"minutes": int(words["minutes"] or 0), "why": why, "presses": presses})
    answers, (least, most) = answers_of(made), ANSWERS
    if answers and not (least <= len(set(answers)) == len(answers) <= most and all(answers)):
        raise ValueError(_(ANSWERS_ARE, least=least, most=most))
    return made


def _target(query: Mapping[str, str]) -> LinkTarget:
    """The run in a query; ``ValueError`` with a sentence if the query holds anything else."""
    target, notices = parse_query(query)
    if notices:
        raise ValueError(notices[0])
    if target != LinkTarget(target.settings, target.update):
        raise ValueError(_("It asks for more than a run and a place on its page."))
    if source_of(target.settings).from_reader:
        raise ValueError(_("It asks for a text of the reader's own, which no scene can hold."))
    return target


def saved(lecture: Lecture, tallies: Sequence[Tally] = ()) -> str:
    """The text of the lecture's file, with the votes of its hall. Inverse of :func:`opened`, but for the keys."""
    scenes = [{"page": scene.page, "query": query_of(scene)} | words_of(scene) for scene in lecture.values()]
    votes = {TALLIES: tally.written(tallies)} if tallies else {}
    return json.dumps({"format": FORMAT, "version": VERSION, "scenes": scenes} | votes, indent=1, ensure_ascii=False)


def opened(text: str) -> Lecture:
    """The lecture in the text of a file; ``ValueError`` with a sentence if anything in it is not valid."""
    lecture = NONE_YET
    tallies_in(text)
    for number, held in enumerate(_file(text)["scenes"], 1):
        try:
            scene = _scene(held)
            lecture = joined(lecture, {scene.key: scene})
        except ValueError as error:
            raise ValueError(sentences(_("Scene {number} of this file cannot be read.", number=number), str(error))) from None
    return lecture


def tallies_in(text: str) -> tuple[Tally, ...]:
    """The votes of a hall in the text of a file; ``ValueError`` with a sentence if they are not valid."""
    return tally.read(_file(text).get(TALLIES, []))


def _file(text: str) -> dict[str, Any]:
    """The file with its list of scenes; neither its scenes nor its votes are checked."""
    try:
        held = json.loads(text) if len(text) <= LONGEST_FILE else None
    except (ValueError, RecursionError):  # not JSON, a number of thousands of digits, or too deeply nested
        held = None
    if not isinstance(held, dict) or held.keys() - {TALLIES} != FIELDS or not isinstance(held["scenes"], list):
        raise ValueError(_(NO_LECTURE))
    if (held["format"], repr(held["version"])) != (FORMAT, repr(VERSION)):
        raise ValueError(_(NO_LECTURE))
    return held


def _scene(held: Any) -> Scene:
    fields = ("page", "query", *(field for field in TEXT_LIMITS if field not in LATER))
    if not isinstance(held, dict) or held.keys() - LATER != set(fields) or not isinstance(held["query"], dict):
        names = {"fields": ", ".join(fields), "later": ", ".join(field for field in TEXT_LIMITS if field in LATER)}
        raise ValueError(_("It should have {fields}; it may have {later}, and nothing else.", **names))
    texts = (*held["query"].values(), *(text for field, text in held.items() if field != "query"))
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(_("It has something in it that is no text."))
    return own_scene(**held)

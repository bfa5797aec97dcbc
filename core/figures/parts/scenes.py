"""Data of the scene bar, of all scenes as cards, of the closing slide and of the reader's own lecture: words and links."""

from collections.abc import Collection, Mapping
from typing import TypedDict

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.config.link import VIEW, only_for_this_machine
from core.content.lecture import LIMITS, OWN, Lecture, saved, title_of, words_of
from core.content.notation import named
from core.content.scene import Scene
from core.content.scenes import CHAPTERS, neighbours
from core.figures.parts.share_link import ONLY_HERE, Code, qr_code

SceneLink = tuple[str, str, str]  # key, name, address
ALL = lazy_gettext("all scenes")  # the words for the start page, which has them all
BEGIN, GO_ON, AGAIN = lazy_gettext("Begin:"), lazy_gettext("Go on:"), lazy_gettext("Once more:")


class SceneBar(TypedDict):
    """The open scene, with links to its neighbours."""

    key: str
    opened: int  # another number whenever it is opened anew
    at: str
    name: str
    question: str
    do: str
    notice: str
    done: bool
    presses: list[str]  # of ``core.content.scene.Scene``, as they are on the screen
    watch: tuple[str, str]  # the items of a ``core.content.scene.Done``
    previous: SceneLink
    next: SceneLink
    all: SceneLink
    view: str  # key of the part of the page that it is about, if any
    notes: str  # for the lecturer alone, as are the two below
    follows: str  # the question of the next scene
    planned: tuple[int, int]  # minutes, to the end of this scene and of all; 0 where nothing is planned


class Card(TypedDict):
    """A scene as a card."""

    to: SceneLink
    number: str
    question: str
    done: bool


class Chapter(TypedDict):
    """The scenes of a chapter."""

    name: str
    scenes: list[Card]


class SceneCards(TypedDict):
    """All scenes in their chapters, and the one to begin with."""

    opened: int
    begin: SceneLink
    by_key: bool  # whether Page Down opens it
    words: str
    chapters: list[Chapter]


def scene_bar_data(scene: Scene, scenes: Mapping[str, Scene], *, notation: str, done: bool, opened: int) -> SceneBar:
    before, after = neighbours(scene.key, scenes)
    words = {"question": _question(scene), "do": _text(scene, scene.do), "notice": _text(scene, scene.notice)}
    words["follows"] = _question(after) if after else ""
    return named(words, notation) | {
        "key": scene.key,
        "opened": opened,
        "at": _("{i} of {n}", i=list(scenes).index(scene.key) + 1, n=len(scenes)),
        "name": _text(scene, scene.name),
        "done": done,
        "presses": [_(words) for words in scene.presses],
        "watch": (scene.done.kind, _(scene.done.what) if scene.done.kind == "pressed" else scene.done.what),
        "previous": _link(before),
        "next": _link(after),
        "all": _link(None),
        "view": scene.view or scene.place.get(VIEW, ""),
        "notes": scene.notes,
        "planned": _planned(list(scenes.values()), scene),
    }


def _text(scene: Scene, text: str) -> str:
    """A text of a scene. Those of the reader's own scenes stay as they were written."""
    return text if scene.key.startswith(OWN) else _(text)


def _question(scene: Scene) -> str:
    return _text(scene, scene.question or scene.name)


def _planned(scenes: list[Scene], scene: Scene) -> tuple[int, int]:
    minutes = [scene.minutes for scene in scenes]
    return sum(minutes[: scenes.index(scene) + 1]), sum(minutes)


def scene_cards_data(
    scenes: Mapping[str, Scene], done: Collection[str], last: str, *, by_key: bool, notation: str, opened: int
) -> SceneCards:
    """All scenes in their chapters, and the one after ``last``, the last that was open."""
    numbers = {key: str(number) for number, key in enumerate(scenes, 1)}
    after = neighbours(last, scenes)[1] if last in scenes else None
    to = after or next(iter(scenes.values()))
    return {
        "opened": opened,
        "begin": _link(to),
        "by_key": by_key,
        "words": _(GO_ON if after else AGAIN if last in scenes else BEGIN),
        "chapters": [
            {"name": _(name), "scenes": [_card(one, numbers[one.key], one.key in done, notation) for one in chapter]}
            for name, chapter in CHAPTERS.items()
        ],
    }


def _card(scene: Scene, number: str, done: bool, notation: str) -> Card:
    return {"to": _link(scene), "number": number, "question": named(_(scene.question), notation), "done": done}


class ClosingSlide(TypedDict):
    """What follows the last scene: a link to take home."""

    opened: int
    words: str
    link: str
    code: Code | None  # None where no other machine can open the link
    note: str
    previous: SceneLink


def closing_slide_data(scenes: Mapping[str, Scene], last: str, link: str, *, opened: int) -> ClosingSlide | None:
    """For ``link``, the address of the start page, where ``last`` is the last of these scenes; else None."""
    if not link or last not in scenes or neighbours(last, scenes)[1]:
        return None
    only_here = only_for_this_machine(link)
    own = _("This dashboard, to go on at home")  # a lecture of the reader's own is a file
    return {
        "opened": opened,
        "words": own if last.startswith(OWN) else _("All {n} scenes, to go through at home", n=len(scenes)),
        "link": link,
        "code": None if only_here else qr_code(link),
        "note": _(ONLY_HERE) if only_here else "",
        "previous": _link(scenes[last]),
    }


def _link(scene: Scene | None) -> SceneLink:
    return (scene.key, _text(scene, scene.name), scene.address) if scene else ("", _(ALL), "./")


class OwnScene(TypedDict):
    """A scene of the reader's, with the title of its page and all that was written of it."""

    to: SceneLink
    page: str
    words: dict[str, str]


class LectureScene(TypedDict):
    """All scenes in their order."""

    opened: int
    says: str  # what came of the last change
    undo: bool  # whether there is one to take back
    limits: dict[str, int]  # characters of each of the words
    file: str
    scenes: list[OwnScene]


def lecture_scene(lecture: Lecture, *, says: str, undo: bool, opened: int) -> LectureScene:
    return {
        "opened": opened,
        "says": _(says),
        "undo": undo,
        "limits": LIMITS,
        "file": saved(lecture) if lecture else "",
        "scenes": [_row(scene) for scene in lecture.values()],
    }


def _row(scene: Scene) -> OwnScene:
    return {"to": (scene.key, scene.name, scene.address), "page": title_of(scene.page), "words": words_of(scene)}

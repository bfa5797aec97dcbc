"""A scene's strip, all scenes as cards, and the reader's own lecture: words and links."""

from collections.abc import Collection, Mapping
from typing import TypedDict

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.config.link import VIEW
from core.content.lecture import LIMITS, OWN, Lecture, saved, title_of, words_of
from core.content.notation import named
from core.content.scene import Scene
from core.content.scenes import CHAPTERS, beside

Way = tuple[str, str, str]  # to a scene: key, name, address
ALL = lazy_gettext("all scenes")  # the words for the start page, which has them all
BEGIN, GO_ON, AGAIN = lazy_gettext("Begin:"), lazy_gettext("Go on:"), lazy_gettext("Once more:")


class Strip(TypedDict):
    """A scene of the thread, with the ways to its neighbours."""

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
    previous: Way
    next: Way
    all: Way
    view: str  # the key of the part of the page on which it stands, if any
    notes: str  # for the lecturer alone, as are the two below
    follows: str  # the question of the next scene
    planned: tuple[int, int]  # minutes, to the end of this scene and of all; 0 where nothing is planned


class Card(TypedDict):
    """A scene as a card."""

    to: Way
    number: str
    question: str
    done: bool


class Chapter(TypedDict):
    """The scenes of a chapter."""

    name: str
    scenes: list[Card]


class ThreadCards(TypedDict):
    """All scenes in their chapters, and the one to begin with."""

    opened: int
    begin: Way
    words: str
    chapters: list[Chapter]


def strip_scene(scene: Scene, thread: Mapping[str, Scene], *, notation: str, done: bool, opened: int) -> Strip:
    before, after = beside(scene.key, thread)
    words = {"question": _question(scene), "do": _text(scene, scene.do), "notice": _text(scene, scene.notice)}
    words["follows"] = _question(after) if after else ""
    return named(words, notation) | {
        "key": scene.key,
        "opened": opened,
        "at": _("{i} of {n}", i=list(thread).index(scene.key) + 1, n=len(thread)),
        "name": _text(scene, scene.name),
        "done": done,
        "presses": [_(words) for words in scene.presses],
        "watch": (scene.done.kind, _(scene.done.what) if scene.done.kind == "pressed" else scene.done.what),
        "previous": _way(before),
        "next": _way(after),
        "all": _way(None),
        "view": scene.view or scene.place.get(VIEW, ""),
        "notes": scene.notes,
        "planned": _planned(list(thread.values()), scene),
    }


def _text(scene: Scene, text: str) -> str:
    """A text of a scene. Those of the reader's own scenes stay as they were written."""
    return text if scene.key.startswith(OWN) else _(text)


def _question(scene: Scene) -> str:
    return _text(scene, scene.question or scene.name)


def _planned(scenes: list[Scene], scene: Scene) -> tuple[int, int]:
    minutes = [one.minutes for one in scenes]
    return sum(minutes[: scenes.index(scene) + 1]), sum(minutes)


def cards_scene(thread: Mapping[str, Scene], done: Collection[str], last: str, *, notation: str, opened: int) -> ThreadCards:
    """All scenes in their chapters, and which one comes next for who has been at ``last``."""
    numbers = {key: str(number) for number, key in enumerate(thread, 1)}
    after = beside(last, thread)[1] if last in thread else None
    to = after or next(iter(thread.values()))
    return {
        "opened": opened,
        "begin": _way(to),
        "words": _(GO_ON if after else AGAIN if last in thread else BEGIN),
        "chapters": [
            {"name": _(chapter), "scenes": [_card(one, numbers[one.key], one.key in done, notation) for one in scenes]}
            for chapter, scenes in CHAPTERS.items()
        ],
    }


def _card(scene: Scene, number: str, done: bool, notation: str) -> Card:
    return {"to": _way(scene), "number": number, "question": named(_(scene.question), notation), "done": done}


def _way(scene: Scene | None) -> Way:
    return (scene.key, _text(scene, scene.name), scene.address) if scene else ("", _(ALL), "./")


class OwnScene(TypedDict):
    """A scene of the reader's, with the title of its page and all that was written of it."""

    to: Way
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

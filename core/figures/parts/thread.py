"""The strip of a scene, and all scenes as cards: words and links."""

from collections.abc import Collection, Mapping
from typing import TypedDict

from core.config.link import VIEW
from core.content.notation import named
from core.content.scene import Scene
from core.content.scenes import CHAPTERS, beside

Way = tuple[str, str, str]  # to a scene: key, name, address
ALL = ("", "all scenes", "./")  # the start page, which has them all
BEGIN, GO_ON, AGAIN = "Begin:", "Go on:", "Once more:"


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
    words = {"question": scene.question or scene.name, "do": scene.do, "notice": scene.notice}
    words["follows"] = (after.question or after.name) if after else ""
    return named(words, notation) | {
        "key": scene.key,
        "opened": opened,
        "at": f"{list(thread).index(scene.key) + 1} of {len(thread)}",
        "name": scene.name,
        "done": done,
        "watch": tuple(scene.done),
        "previous": _way(before),
        "next": _way(after),
        "all": ALL,
        "view": scene.view or scene.place.get(VIEW, ""),
        "notes": scene.notes,
        "planned": _planned(list(thread.values()), scene),
    }


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
        "words": GO_ON if after else AGAIN if last in thread else BEGIN,
        "chapters": [
            {"name": chapter, "scenes": [_card(one, numbers[one.key], one.key in done, notation) for one in scenes]}
            for chapter, scenes in CHAPTERS.items()
        ],
    }


def _card(scene: Scene, number: str, done: bool, notation: str) -> Card:
    return {"to": _way(scene), "number": number, "question": named(scene.question, notation), "done": done}


def _way(scene: Scene | None) -> Way:
    return (scene.key, scene.name, scene.address) if scene else ALL

"""Data of the scene bar, of all scenes as cards, of the closing slide and of the reader's own lecture: texts and links."""

from collections.abc import Collection, Mapping, Sequence
from string import Formatter
from typing import TypedDict

from core.config.language import gettext as _, lazy_gettext, ngettext
from core.config.link import VIEW, only_for_this_machine
from pages.content.lecture import HIDDEN_PARTS, OWN_PREFIX, TEXT_LIMITS, Lecture, saved, title_of, words_of
from pages.content.notation import in_notation
from pages.content.scene import Scene
from pages.content.scenes import CHAPTERS, neighbours
from pages.content.tally import Tally
from pages.figures.parts.numbers import count
from pages.figures.parts.share_link import Code, qr_code

SceneLink = tuple[str, str, str]  # key, name, address
Part = tuple[str, bool]  # of a sentence: text, whether it is a number
ALL = lazy_gettext("all scenes")  # text of the link to the start page
BEGIN, GO_ON, AGAIN = lazy_gettext("Begin:"), lazy_gettext("Go on:"), lazy_gettext("Once more:")


class SceneBar(TypedDict):
    """The open scene, with links to its neighbours."""

    key: str
    opened: int  # number of requests carried out so far: a request from the browser with another number is ignored
    at: str
    name: str
    question: str
    do: str
    notice: str
    trains: str  # while the run still trains to the update with which the scene begins
    why: list[list[Part]]  # the reason in steps
    hides: str  # of ``pages.content.scene.Scene``
    done: bool
    presses: list[str]  # of ``pages.content.scene.Scene``, translated
    watch: tuple[str, str]  # the fields of a ``pages.content.scene.Done``
    previous: SceneLink
    next: SceneLink
    all: SceneLink
    view: str  # key of the part of the page that the scene is about, if any
    why_view: str  # key of the part that shows the reason, if it is another one
    notes: str  # for the lecturer only, like the two fields below
    follows: str  # the question of the next scene
    planned: tuple[int, int]  # minutes to the end of this scene, and of all scenes; 0 where nothing is planned


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
    """All scenes by chapter, and the link to the scene to begin with."""

    opened: int
    begin: SceneLink
    by_key: bool  # whether Page Down opens that scene
    words: str
    chapters: list[Chapter]


def scene_bar_data(
    scene: Scene,
    scenes: Mapping[str, Scene],
    *,
    notation: str,
    done: bool,
    opened: int,
    numbers: Mapping[str, str] | None = None,
    trained: int | None = None,
) -> SceneBar:
    """The bar of ``scene``, one of ``scenes``; ``numbers``: those in its reason, without which no reason is given; ``trained``:
    the update that the run has reached while it trains to that with which the scene begins."""
    before, after = neighbours(scene.key, scenes)
    number, minutes = list(scenes).index(scene.key) + 1, [one.minutes for one in scenes.values()]
    words = {"question": _question(scene), "do": _text(scene, scene.do), "notice": _notice(scene, numbers)}
    words["follows"] = _question(after) if after else ""
    return in_notation(words, notation) | {
        "key": scene.key,
        "opened": opened,
        "at": _("{i} of {n}", i=number, n=len(scenes)),
        "name": _text(scene, scene.name),
        "trains": "" if trained is None else _("still training: {n} of {all}", n=count(trained), all=count(scene.update)),
        "why": _reason(scene, numbers, notation),
        "hides": scene.hides,
        "done": done,
        "presses": [_(words) for words in scene.presses],
        "watch": (scene.done.kind, _(scene.done.what) if scene.done.kind == "pressed" else scene.done.what),
        "previous": _link(before),
        "next": _link(after),
        "all": _link(None),
        "view": scene.view or scene.place.get(VIEW, ""),
        "why_view": scene.why_view,
        "notes": scene.notes,
        "planned": (sum(minutes[:number]), sum(minutes)),
    }


class _Few(dict[str, str]):
    """In place of the numbers of a notice, until they are known."""

    def __missing__(self, name: str) -> str:
        return _("a few")


def _notice(scene: Scene, numbers: Mapping[str, str] | None) -> str:
    """What there is to notice, with numbers of the reason in place of their names in braces."""
    notice = _text(scene, scene.notice)
    return notice if scene.key.startswith(OWN_PREFIX) else notice.format_map(_Few(numbers or {}))


def _reason(scene: Scene, numbers: Mapping[str, str] | None, notation: str) -> list[list[Part]]:
    """The steps of the reason; none while a scene's numbers are not known. The reader's own have no numbers to fill in."""
    if scene.key.startswith(OWN_PREFIX):
        return [[(step, False)] for step in scene.why]
    return in_notation([_parts(_(step), numbers) for step in scene.why], notation) if numbers is not None else []


def _parts(sentence: str, numbers: Mapping[str, str]) -> list[Part]:
    """The parts of a sentence with numbers in place of their names in braces."""
    parts = Formatter().parse(sentence)
    return [part for text, name, *_rest in parts for part in ((text, False), (numbers[name] if name else "", True)) if part[0]]


def _text(scene: Scene, text: str) -> str:
    """A text of a scene, translated unless the scene is the reader's own."""
    return text if scene.key.startswith(OWN_PREFIX) else _(text)


def _question(scene: Scene) -> str:
    return _text(scene, scene.question or scene.name)


def scene_cards_data(
    scenes: Mapping[str, Scene], done: Collection[str], last: str, *, by_key: bool, notation: str, opened: int
) -> SceneCards:
    """All scenes by chapter, and a link to the scene after ``last``, the last open scene (else to the first)."""
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
    return {"to": _link(scene), "number": number, "question": in_notation(_(scene.question), notation), "done": done}


class ClosingSlide(TypedDict):
    """The slide after the last scene: what each scene has shown, and a link for the audience with its QR code."""

    opened: int
    words: str
    lines: list[list[Part]]  # of each scene: its line with the numbers that were seen, or its name
    at_home: str
    link: str
    code: Code | None  # None where no other machine can open the link
    previous: SceneLink


def closing_slide_data(
    scenes: Mapping[str, Scene], last: str, link: str, *, seen: Mapping[str, Mapping[str, str]], notation: str, opened: int
) -> ClosingSlide | None:
    """The closing slide with ``link``, the address of the start page; None without it, or if ``last`` is not the last scene.
    ``seen``: the numbers in the reasons of the scenes that were open."""
    if not link or last not in scenes or neighbours(last, scenes)[1]:
        return None
    own = _("This dashboard, to go on at home")  # the link has no scenes of the reader's own: they are in a file
    lines = [
        _parts(_(scene.recap), seen[key]) if scene.recap and key in seen else [(_text(scene, scene.name), False)]
        for key, scene in scenes.items()
    ]
    return {
        "opened": opened,
        "words": _("What the scenes have shown"),
        "lines": in_notation(lines, notation),
        "at_home": own if last.startswith(OWN_PREFIX) else _("All {n} scenes, to go through at home", n=len(scenes)),
        "link": link,
        "code": None if only_for_this_machine(link) else qr_code(link),
        "previous": _link(scenes[last]),
    }


def _link(scene: Scene | None) -> SceneLink:
    return (scene.key, _text(scene, scene.name), scene.address) if scene else ("", _(ALL), "./")


class OwnScene(TypedDict):
    """A scene of the reader's own, with the title of its page and its texts."""

    to: SceneLink
    page: str
    words: dict[str, str]


class LectureData(TypedDict):
    """The reader's own lecture: all scenes in order."""

    opened: int
    says: str  # the result of the last change
    undo: bool  # whether a change can be undone
    limits: dict[str, int]  # characters of each text, at most
    hides: list[tuple[str, str]]  # what a scene can hide: its key, and in words
    file: str
    votes: str  # that the file has those of the hall, if it has
    scenes: list[OwnScene]


def hidden_parts() -> list[tuple[str, str]]:
    """What a scene of the reader's own can hide, by key, in words."""
    return [(key, _(words)) for key, words in HIDDEN_PARTS.items()]


def lecture_data(lecture: Lecture, tallies: Sequence[Tally] = (), *, message: str, undo: bool, opened: int) -> LectureData:
    return {
        "opened": opened,
        "says": _(message),
        "undo": undo,
        "limits": TEXT_LIMITS,
        "hides": hidden_parts(),
        "file": saved(lecture, tallies) if lecture or tallies else "",
        "votes": ngettext(
            "With the hall’s votes on {n} question, in counts.", "With the hall’s votes on {n} questions, in counts.", n, n=n
        )
        if (n := len(tallies))
        else "",
        "scenes": [{"to": _link(scene), "page": title_of(scene.page), "words": words_of(scene)} for scene in lecture.values()],
    }

"""The address of the page: a link opens the same run, and the same section and text of the same page.

The settings of the run are the larger part of it (``core.settings``); the rest is what a page adds of its own.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from core.link import PLACE, PRESENT, SCENE, STEP, Asked, read, shortened, written
from core.query import to_text
from core.scenes.lecture import OWN
from core.scenes.scene import Scene
from core.scenes.thread import SCENES
from core.settings import DEFAULTS, KNOBS, Settings
from core.text.corpus import at_hand, source_of
from pages.app.session.session import Stage
from pages.app.session.tab_identity import look_for_what_was_left, this_tab, wait_for_names

START, TRAINING = "", "training"  # the page at the bare address; and the one that an address opens which only asks for a run
LONGEST = 200  # characters of a typed text that an address holds
NOBODY_YET = "Nobody looks yet."
NOT_HERE = "The address asks for {name} = {wanted!r}, which is not there."
SOMEBODYS = (
    "The scene in this address is of somebody's own lecture, which is in a file and not in a link. "
    "All else that the address asks for is open."
)
TOO_LONG = f"The address holds a text of up to {LONGEST} characters: this one is not in it."
ELSEWHERE = "The run of this tab goes on in a copy of the tab. This is a new one."
OWN_TEXT_IS_NOT_IN_LINKS = "A link does not carry your own text: paste it again. Until then this is the Python manual."


FROM_AFAR = (
    "{name} is not on this server yet: press Download below “Text” on Training, and it trains as this link asks. "
    "Until then this is the Python manual."
)


class Wanted(NamedTuple):
    """A text that has to be fetched first, and the update that it then trains to at once."""

    text: str = ""
    update: int = 0


class Opening(NamedTuple):
    """What the address asks for: a run, a page and the place on it, and sentences about what cannot be had, or not yet."""

    asked: Asked
    page: str
    place: dict[str, str]
    notices: list[str]
    wanted: Wanted = Wanted()


def open_stage(page: str) -> Stage:
    """For the frame: this session's stage, turned to ``page``.

    The first call finds what this tab left when it was here before; or else it reads the address and opens a run.
    """
    tab = this_tab()
    if "stage" in st.session_state and st.session_state["stage"].name != tab.name:
        tab.says.append(ELSEWHERE)
        del st.session_state["stage"]
    if "stage" not in st.session_state:
        wait_for_names(tab)
    look_for_what_was_left(tab)
    if tab.found:
        st.session_state["stage"] = _found(tab.found, _asked(page, tab.found.own_text, tab.found.scenes))
    elif "stage" not in st.session_state:
        st.session_state["stage"] = _opened(_asked(page))
    here = st.session_state["stage"]
    here.name, here.notices = tab.name, [*here.notices, *tab.says]
    tab.found, tab.says = None, []
    here.visits += here.page != page
    here.page = page
    return here


def _asked(page: str, own_text: str = "", scenes: Mapping[str, Scene] = SCENES) -> Opening:
    query = st.query_params.to_dict()
    bare = page == START and not query.keys() - PLACE - {PRESENT}
    place = {name: query.pop(name) for name in PLACE if name in query}
    asked, notices = read(query)
    if asked.scene and asked.scene not in scenes:
        unknown = SOMEBODYS if asked.scene.startswith(OWN) else NOT_HERE.format(name=SCENE, wanted=asked.scene)
        notices = [*notices, unknown]
        asked = asked._replace(scene="")
    opening = Opening(asked, page if bare or page != START else TRAINING, place, notices)
    if page == START and asked.scene:  # its name is enough
        scene = scenes[asked.scene]
        asked = asked._replace(settings=scene.settings.but(notation=asked.settings.notation), update=scene.update)
        opening = Opening(asked, scene.page, dict(scene.place), notices)
    return _for_now(opening, own_text)


def _for_now(opening: Opening, own_text: str) -> Opening:
    """Where its text is not there, what is open until it comes: another run."""
    asked, name = opening.asked, opening.asked.settings.corpus
    if at_hand(name, own_text):
        return opening
    manual = asked._replace(settings=asked.settings.but(corpus=DEFAULTS.corpus), update=0)
    if source_of(asked.settings).from_reader:
        return opening._replace(asked=manual, notices=[*opening.notices, OWN_TEXT_IS_NOT_IN_LINKS])
    told = FROM_AFAR.format(name=KNOBS["corpus"].words[name])
    return opening._replace(asked=manual, notices=[*opening.notices, told], wanted=Wanted(name, asked.update))


def _opened(opening: Opening) -> Stage:
    """A run of its own; where a link asks for a moment of it, it trains up to there once its tab is seen to be present."""
    asked, notices = opening.asked, opening.notices
    try:
        opened = Stage(asked.settings, notices)
    except ValueError as error:
        opened = Stage(Settings(), [*notices, str(error)])
    else:
        opened.run.leave(NOBODY_YET)
        opened.run.play(asked.update)
    opened.wants_text, opened.wants_update = opening.wanted
    _place(opened, opening)
    return opened


def _place(stage: Stage, opening: Opening) -> None:
    asked, page, place = opening[:3]
    stage.places[page], stage.hidden, stage.scene, stage.turn_to = place, asked.hidden, asked.scene, page


def _found(stage: Stage, opening: Opening) -> Stage:
    """What this tab has left. Where the address no longer says what it said then, it was edited: a new run follows it."""
    asked, page, notices = opening.asked, opening.page, opening.notices
    settings = stage.settings if page == START else asked.settings  # that one asks for none
    stage.dragging = False
    scene = stage.scenes.get(stage.scene)
    _place(stage, opening)
    if scene and scene.page != page and not asked.scene:
        stage.scene = scene.key  # only its own page has it in the address
    if asked.update or all(settings.differing(one, "restart", "live") for one in (stage.settings, stage.linked)):
        stage.start(settings)
    if asked.update:
        stage.run.play(asked.update)
    stage.look_at(**{name: getattr(settings, name) for name in settings.differing(stage.settings, "view")})
    stage.notices = [*stage.notices, *notices]
    if opening.wanted.text:
        stage.wants_text, stage.wants_update = opening.wanted
    return stage


def write_url(here: Stage) -> None:
    """Make the address a link to this run and this place of the page.

    Of the play head, and of whether the page is presented, only the browser knows.
    """
    here.linked = here.settings
    query, now = asked_of(here), st.query_params.to_dict()
    query |= {name: now[name] for name in (STEP, PRESENT) if name in now}
    query |= {SCENE: here.scene} if here.in_scene else {}  # also one of the reader's own: this tab knows it
    query, _ = shortened(query)
    if now != query:
        st.query_params.from_dict(query)


def asked_of(here: Stage) -> dict[str, str]:
    """What a link asks for that opens this run and this place of the page; on the start page nothing, for it shows no run."""
    if here.page == START:
        return {}
    scene = here.in_scene
    asked = Asked(here.settings, hidden=here.hidden, scene=scene.key if scene and scene.key in SCENES else "")
    return written(asked) | here.place


class Kept(NamedTuple):
    """What a page keeps in its address under one name: what it is at first, and how any other value is spelled there.

    ``read`` raises ``ValueError`` where a spelling means nothing; ``write`` says None for what no address can hold. ``words``:
    it is text, and stays out of the address while the run learns the reader's own text, for it may be a piece of that.
    ``within``: the wishes of one section, by their name among those of the page, where it is one of them.
    """

    start: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str | None] = to_text
    words: bool = False
    within: str = ""


def one_of(values: Iterable[Any], start: Any = None, *, within: str = "") -> Kept:
    """One of these values; the first, unless told which."""
    spelled = {to_text(value): value for value in values}

    def read(text: str) -> Any:
        if text not in spelled:
            raise ValueError
        return spelled[text]

    return Kept(next(iter(spelled.values())) if start is None else start, read, within=within)


def typed(start: str | None = "") -> Kept:
    """A text that a reader types, as far as an address can hold it."""

    def read(text: str) -> str:
        if len(text) > LONGEST:
            raise ValueError
        return text

    return Kept(start, read, lambda text: text if len(text) <= LONGEST else None, words=True)


def asked_for(here: Stage, name: str, kept: Kept) -> Any:
    """What the address asks for under ``name``; where that is nothing there is, the start, and a sentence that says so."""
    if name not in here.place:
        return kept.start
    try:
        return kept.read(here.place[name])
    except ValueError:
        wanted = here.place.pop(name)
        here.notices.append(NOT_HERE.format(name=name, wanted=wanted[:40]))
        return kept.start


def check_step(here: Stage, T: int) -> None:
    """Where the address puts the play head at a step that a text of T steps does not have, a sentence says so."""
    asked = here.place.pop(STEP, "")
    if asked and asked.removesuffix(" back") not in map(str, range(1, T + 1)):
        here.notices.append(NOT_HERE.format(name=STEP, wanted=asked[:40]))
        st.rerun()


def follow(here: Stage, kept: Mapping[str, Kept], chosen: Mapping[str, Any]) -> None:
    """From now on the address opens what is ``chosen``; it says only what is not as at the start."""
    private = source_of(here.settings).from_reader
    for name, one in kept.items():
        value = (chosen[one.within] if one.within else chosen)[name]
        said = None if value == one.start or (one.words and private) else one.write(value)
        here.place.pop(name, None)
        if said is not None:
            here.place[name] = said
    write_url(here)

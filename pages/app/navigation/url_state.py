"""The URL of the page and the session: a link opens the same run, and the same section and text of the same page.

Most URL parameters are the settings of the run (``core.config.settings``); each page adds some of its own.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.config.link import MOMENT, PLACE, PRESENT, SCENE, STEP, Asked, read, shortened, to_text, written
from core.config.settings import DEFAULTS, KNOBS, Settings
from core.content.lecture import OWN
from core.content.scene import Scene
from core.content.scenes import SCENES
from core.text.corpus import is_available, source_of
from pages.app.connection.tab_identity import restore_session, this_tab, wait_for_names
from pages.app.session.session import Session
from pages.app.session.session_run import PendingText

START, TRAINING = "", "training"  # the page at the bare address; and the one that an address opens which only asks for a run
READING = {"lang", "notation"}  # parameters that change how any page is written, and name no run
LONGEST = 200  # characters of a typed text that an address holds
NOBODY_YET = lazy_gettext("Nobody looks yet.")
NOT_HERE = lazy_gettext("The address asks for {name} = {wanted}, which is not there.")
SOMEBODYS = lazy_gettext(
    "The scene in this address is of somebody's own lecture, which is in a file and not in a link. "
    "All else that the address asks for is open."
)
TOO_LONG = lazy_gettext("The address holds a text of up to {n} characters: this one is not in it.", n=LONGEST)
ELSEWHERE = lazy_gettext("The run of this tab goes on in a copy of the tab. This is a new one.")
OWN_TEXT_IS_NOT_IN_LINKS = lazy_gettext(
    "A link does not carry your own text: paste it again. Until then this is the Python manual."
)


NOT_DOWNLOADED = lazy_gettext(
    "{name} is not on this server yet: press Download below “Text” on Training, and it trains as this link asks. "
    "Until then this is the Python manual."
)


class DeepLink(NamedTuple):
    """What a URL asks for: a run, a page with its own parameters (``query``), and sentences about what is not available.

    ``names_run``: whether it names settings, an update or a scene; a tab that has a run shows that one where it does not.
    """

    asked: Asked
    page: str
    query: dict[str, str]
    notices: list[str]
    names_run: bool = False
    wanted: PendingText = PendingText()


def load_session(page: str) -> Session:
    """The session of this tab, with ``page`` open: the present one, the stored one, or a new one as the URL asks."""
    tab = this_tab()
    if "session" in st.session_state and st.session_state["session"].name != tab.name:
        tab.notices.append(ELSEWHERE)
        del st.session_state["session"]
    if "session" not in st.session_state:
        wait_for_names(tab)
    restore_session(tab)
    if tab.restored:
        st.session_state["session"] = _restored(tab.restored, _read_url(page, tab.restored.own_text, tab.restored.scenes.all))
    elif "session" not in st.session_state:
        st.session_state["session"] = _created(_read_url(page))
    session = st.session_state["session"]
    session.connect(tab.name, page, tab.notices)
    tab.clear()
    return session


def _read_url(page: str, own_text: str = "", scenes: Mapping[str, Scene] = SCENES) -> DeepLink:
    query = st.query_params.to_dict()
    bare = page == START and not query.keys() - PLACE - {PRESENT} - READING
    place = {name: query.pop(name) for name in PLACE if name in query}
    asked, notices = read(query)
    if asked.scene and asked.scene not in scenes:
        unknown = SOMEBODYS if asked.scene.startswith(OWN) else _(NOT_HERE, name=SCENE, wanted=repr(asked.scene))
        notices = [*notices, unknown]
        asked = asked._replace(scene="")
    names_run = bool(query.keys() - READING & {*KNOBS, MOMENT, SCENE})
    opening = DeepLink(asked, page if bare or page != START else TRAINING, place, notices, names_run)
    if page == START and asked.scene:  # its name is enough
        scene = scenes[asked.scene]
        asked = asked._replace(
            settings=scene.settings.but(notation=asked.settings.notation, lang=asked.settings.lang), update=scene.update
        )
        opening = DeepLink(asked, scene.page, dict(scene.place), notices, names_run)
    return _for_now(opening, own_text)


def _for_now(opening: DeepLink, own_text: str) -> DeepLink:
    """Where its text is not there, what is open until it comes: another run."""
    asked, name = opening.asked, opening.asked.settings.corpus
    if is_available(name, own_text):
        return opening
    manual = asked._replace(settings=asked.settings.but(corpus=DEFAULTS.corpus), update=0)
    if source_of(asked.settings).from_reader:
        return opening._replace(asked=manual, notices=[*opening.notices, OWN_TEXT_IS_NOT_IN_LINKS])
    words = KNOBS["corpus"].words
    notice = _(NOT_DOWNLOADED, name=_(words[name]))
    return opening._replace(asked=manual, notices=[*opening.notices, notice], wanted=PendingText(name, asked.update))


def _created(opening: DeepLink) -> Session:
    """A new session; its run trains to the update that the link asks for as soon as the tab's connection is attached to it."""
    asked, notices = opening.asked, opening.notices
    try:
        session = Session(asked.settings, notices)
    except ValueError as error:
        session = Session(Settings(), [*notices, str(error)])
    else:
        session.run.suspend(NOBODY_YET)
        session.run.play(asked.update)
    session.wait_for_text(*opening.wanted)
    _go_to(session, opening)
    return session


def _go_to(session: Session, opening: DeepLink) -> None:
    asked, page, query = opening[:3]
    session.navigation.go_to(page, query)
    session.navigation.hide(asked.hidden)
    session.scenes.follow_url(asked.scene, page)


def _restored(session: Session, opening: DeepLink) -> Session:
    """The stored session of this tab. If the URL names settings other than those it had, somebody edited it: a new run has them,
    and rests."""
    asked = opening.asked
    reading = {name: getattr(asked.settings, name) for name in asked.settings.differing(DEFAULTS) if name in READING}
    settings = asked.settings if opening.names_run else session.settings.but(**reading)
    _go_to(session, opening)
    before = (session.settings, session.navigation.url_settings)
    if asked.update or all(settings.differing(one, "restart", "live") for one in before):
        session.start(settings, rests=True)
    if asked.update:
        session.run.play(asked.update)
    session.change_view(**{name: getattr(settings, name) for name in settings.differing(session.settings, "view")})
    session.notify(*opening.notices)
    if opening.wanted.name:
        session.wait_for_text(*opening.wanted)
    return session


def sync_url(session: Session) -> None:
    """Write the session's run and page into the URL. The play head and presenting are the browser's own parameters: they stay."""
    session.navigation.record_url(session.settings)
    query, now = url_params(session), st.query_params.to_dict()
    query |= {name: now[name] for name in (STEP, PRESENT) if name in now}
    query |= {SCENE: session.scene.key} if session.scene else {}  # also one of the reader's own: this tab knows it
    query, _ = shortened(query)
    if now != query:
        st.query_params.from_dict(query)


def url_params(session: Session) -> dict[str, str]:
    """The URL parameters of a link to this run and page; none on the start page, which shows no run."""
    navigation, scene = session.navigation, session.scene
    if navigation.page == START:
        return {}
    asked = Asked(session.settings, hidden=navigation.hidden, scene=scene.key if scene and scene.key in SCENES else "")
    return written(asked) | navigation.query


class Param(NamedTuple):
    """A URL parameter of a page: the value at ``start``, which the URL leaves out, and how other values are read and written.

    ``read`` raises ``ValueError`` for a text that is no value; ``write`` returns None for a value that no URL can hold.
    ``words``: it is text, and stays out of the URL while the run learns the reader's own text, for it may be a piece of that.
    """

    start: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str | None] = to_text
    words: bool = False


def enum_param(values: Iterable[Any], start: Any = None) -> Param:
    """A parameter with one of these values, at ``start`` the first unless given. A number may be spelled "2" or "2.0"."""
    spelled = {to_text(value): value for value in values}

    def read(text: str) -> Any:
        if text not in spelled:
            text = to_text(float(text))  # ValueError for a word
        if text not in spelled:
            raise ValueError
        return spelled[text]

    return Param(next(iter(spelled.values())) if start is None else start, read)


def text_param(start: str | None = "") -> Param:
    """A parameter that holds a text of up to ``LONGEST`` characters."""

    def read(text: str) -> str:
        if len(text) > LONGEST:
            raise ValueError
        return text

    return Param(start, read, lambda text: text if len(text) <= LONGEST else None, words=True)


def param_from_query(session: Session, name: str, param: Param) -> Any:
    """The value of a parameter in the URL; where that is no value, the one at the start, and a notice."""
    query = session.navigation.query
    if name not in query:
        return param.start
    try:
        return param.read(query[name])
    except ValueError:
        wanted = query.pop(name)
        session.notify(_(NOT_HERE, name=name, wanted=repr(wanted[:40])))
        return param.start


def check_step(session: Session, T: int) -> None:
    """A notice where the URL puts the play head at a step that a text of T steps does not have."""
    asked = session.navigation.query.pop(STEP, "")
    if asked and asked.removesuffix(" back") not in map(str, range(1, T + 1)):
        session.notify(_(NOT_HERE, name=STEP, wanted=repr(asked[:40])))
        st.rerun()


def sync_params(session: Session, params: Mapping[str, Param], chosen: Mapping[str, Any]) -> None:
    """Write the ``chosen`` values into the URL, without those that are as at the start."""
    private, query = source_of(session.settings).from_reader, session.navigation.query
    for name, one in params.items():
        said = None if chosen[name] == one.start or (one.words and private) else one.write(chosen[name])
        query.pop(name, None)
        if said is not None:
            query[name] = said
    sync_url(session)

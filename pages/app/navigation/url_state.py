"""The URL of the page and the session: a link opens the same run, page, section and text.

Most URL parameters are the settings of the run (``core.config.settings``); each page adds its own parameters.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from reprlib import repr as quoted
from typing import Any, NamedTuple

import streamlit as st

from core.config.language import gettext as _, lazy_gettext
from core.config.link import (
    MOMENT,
    PRESENT,
    SCENE,
    STEP_PARAMETER,
    VIEW,
    LinkTarget,
    divided,
    parse_query,
    shortened,
    target_query,
    to_text,
)
from core.config.settings import DEFAULTS, KNOBS, Settings
from core.text.corpus import is_available, source_of
from core.training.run.scheduler import Job
from pages.app.connection.tab_identity import restore_session, this_tab, wait_for_names
from pages.app.server.shared_cache import OPENING, settled
from pages.app.session.session import Session
from pages.app.session.session_run import Made, PendingText, begin
from pages.app.widgets.component_factory import answered_counts
from pages.app.widgets.rerun import record_open_query
from pages.content.lecture import OWN_PREFIX
from pages.content.scene import Scene
from pages.content.scenes import SCENES

START_PAGE, TRAINING = "", "training"  # URL paths: the start page, and the page for a URL without a path but with settings
BEGUN = "begun"  # key of the run that is being made for a new session, in ``st.session_state``
READING = {"lang", "notation"}  # parameters of language and notation, which are not settings of a run
LONGEST_TYPED = 200  # maximum characters of a typed text in a URL
UNAVAILABLE = lazy_gettext("The address asks for {name} = {wanted}, which is not there.")
SOMEBODYS = lazy_gettext(
    "The scene in this address is of somebody's own lecture, which is in a file and not in a link. "
    "All else that the address asks for is open."
)
TOO_LONG = lazy_gettext("The address holds a text of up to {n} characters: this one is not in it.", n=LONGEST_TYPED)
ELSEWHERE = lazy_gettext("The run of this tab goes on in a copy of the tab. This is a new one.")
OWN_TEXT_IS_NOT_IN_LINKS = lazy_gettext(
    "A link does not carry your own text: paste it again. Until then this is the Python manual."
)
NOT_DOWNLOADED = lazy_gettext(
    "{name} is not on this server yet: press Download below “Text” on Training, and it trains as this link asks. "
    "Until then this is the Python manual."
)


class DeepLink(NamedTuple):
    """A parsed URL: a run, a page with its own parameters (``query``), and notices about invalid or unavailable parameters.

    ``names_run``: whether the URL has settings, an update or a scene; otherwise the tab keeps its run. ``by_key``: whether it is
    the key of a scene alone, which opens the scene anew.
    """

    target: LinkTarget
    page: str
    query: dict[str, str]
    notices: list[str]
    names_run: bool = False
    by_key: bool = False
    wanted: PendingText = PendingText()


def load_session(page: str) -> Session:
    """The session of this tab, with ``page`` open: the current or a stored session, or a new one with the settings in the URL."""
    tab = this_tab()
    if "session" in st.session_state and st.session_state["session"].name != tab.name:
        tab.notices.append(ELSEWHERE)
        del st.session_state["session"]
    if "session" not in st.session_state:
        wait_for_names(tab)
    restore_session(tab)
    if tab.restored:
        for key, count in tab.restored.answered.items():
            answered_counts()[key] = max(count, answered_counts().get(key, 0))
        if tab.restored.navigation.page != page:
            tab.restored.stay()
        tab.restored.navigation.open(page)  # before the page is requested that the address names
        session = _restored(tab.restored, _read_url(page, tab.restored.own_text, tab.restored.scenes.all))
    else:
        session = st.session_state.get("session") or _created(_read_url(page))
    session.name, session.answered = tab.name, answered_counts()
    st.session_state["session"] = session  # only now: a session without a name would be taken for that of another tab
    if session.navigation.page != page:
        session.stay()
    if session.navigation.page not in ("", page):
        session.notices = []  # they were about the address of another page
    session.notify(*tab.notices)
    session.navigation.open(page)
    tab.restored, tab.notices = None, []
    return session


def _read_url(page: str, own_text: str = "", scenes: Mapping[str, Scene] = SCENES) -> DeepLink:
    query, place = divided(st.query_params.to_dict())
    target, notices = parse_query(query)
    if target.scene and target.scene not in scenes:
        unknown = SOMEBODYS if target.scene.startswith(OWN_PREFIX) else _(UNAVAILABLE, name=SCENE, wanted=repr(target.scene))
        notices = [*notices, unknown]
        target = target._replace(scene="")
    by_key = page == START_PAGE and bool(target.scene)
    if by_key:  # the key of a scene alone determines page and settings
        scene = scenes[target.scene]
        settings = scene.settings.but(notation=target.settings.notation, lang=target.settings.lang)
        target, page, place = target._replace(settings=settings, update=scene.update), scene.page, dict(scene.place)
    elif target.scene and not place and page == scenes[target.scene].page:  # the scene's page without a section is its own
        place = dict(scenes[target.scene].place)
    elif page == START_PAGE and query.keys() - {PRESENT} - READING:  # the URL has settings, but no page
        page = TRAINING
    names_run = bool(query.keys() - READING & {*KNOBS, MOMENT, SCENE})
    return _for_now(DeepLink(target, page, place, notices, names_run, by_key), own_text)


def _for_now(link: DeepLink, own_text: str) -> DeepLink:
    """The link itself if its text is available; otherwise a link to a run on the default text, with a notice."""
    target, name = link.target, link.target.settings.corpus
    if is_available(name, own_text):
        return link
    manual = target._replace(settings=target.settings.but(corpus=DEFAULTS.corpus), update=0)
    if source_of(target.settings).from_reader:
        return link._replace(target=manual, notices=[*link.notices, OWN_TEXT_IS_NOT_IN_LINKS])
    notice = _(NOT_DOWNLOADED, name=_(KNOBS["corpus"].words[name]))
    return link._replace(target=manual, notices=[*link.notices, notice], wanted=PendingText(name, target.update))


def _created(link: DeepLink) -> Session:
    """A new session; its run trains to the update in the URL once the session is attached to the tab's connection."""
    target, notices = link.target, link.notices
    try:
        session = Session(target.settings, notices, _begun(target.settings))
    except ValueError as error:
        session = Session(Settings(), [*notices, str(error)])
    else:
        session.run.suspend()
        session.open_update(target.update)
    session.wait_for_text(*link.wanted)
    _go_to(session, link)
    return session


def _begun(settings: Settings) -> Job[Made]:
    """The job that makes the run of a new session, once it has ended; it is kept until then."""
    before, job = st.session_state.get(BEGUN, (None, None))
    if before != settings:
        job = begin(settings)
        st.session_state[BEGUN] = settings, job
    settled(job, OPENING)
    del st.session_state[BEGUN]
    return job


def _go_to(session: Session, link: DeepLink) -> None:
    target, page, query = link[:3]
    session.navigation.go_to(page, query)
    session.navigation.hidden = target.hidden
    session.scenes.follow_url(target.scene, page)


def _restored(session: Session, link: DeepLink) -> Session:
    """The stored session of this tab. What the reader has edited starts a new run that trains to the update in the URL: an update
    other than the one last written into the URL, or settings that differ both from the session's and from those written last. So
    does a scene that was not open, without the ghosts and experiments of the runs before."""
    target = link.target
    reading = {name: getattr(target.settings, name) for name in target.settings.differing(DEFAULTS) if name in READING}
    settings = target.settings if link.names_run else session.settings.but(**reading)
    session.notices = []  # they were about an earlier address
    opens = target.scene in session.scenes.all and (link.by_key or target.scene != session.scenes.key)
    _go_to(session, link)
    before = (session.settings, session.navigation.url_settings)
    is_edited = all(settings.differing(one, "restart", "live") for one in before)
    if opens or is_edited or target.update not in (0, session.navigation.url_update):
        session.start(settings, paused=True, then=lambda: _opened(session, link, opens))
    else:
        _say(session, link)
    session.change_view(**{name: getattr(settings, name) for name in settings.differing(session.settings, "view")})
    return session


def _opened(session: Session, link: DeepLink, opens: bool) -> None:
    """Train the run of an address to its update. If it ``opens`` a scene, that is the same whatever was trained before."""
    session.open_update(link.target.update)
    if opens:
        session.scenes.open(link.target.scene)
        session.experiments.clear()
        session.ghosts = []
    _say(session, link)


def _say(session: Session, link: DeepLink) -> None:
    """Show the notices about an address, and wait for the text that it names."""
    session.notify(*link.notices)
    if link.wanted.name:
        session.wait_for_text(*link.wanted)


def sync_url(session: Session) -> None:
    """Write the session's run and page into the URL, with the update that a link trained to while that network is shown. Do not
    change play head and presentation mode, which the browser sets."""
    navigation = session.navigation
    navigation.url_settings = session.settings
    navigation.url_update = 0 if navigation.page == START_PAGE else session.linked_update
    query, now = url_params(session), st.query_params.to_dict()
    query |= {name: now[name] for name in (STEP_PARAMETER, PRESENT) if name in now}
    query |= {MOMENT: str(navigation.url_update)} if navigation.url_update else {}
    query |= {SCENE: session.scene.key} if session.scene else {}  # also the reader's own scene, which exists only in this tab
    query, _ = shortened(query)
    record_open_query(query)
    if now != query:
        st.query_params.from_dict(query)


def url_params(session: Session) -> dict[str, str]:
    """The URL parameters of a link to this run and page; empty on the start page, which shows no run."""
    navigation, scene = session.navigation, session.scene
    if navigation.page == START_PAGE:
        return {}
    target = LinkTarget(session.settings, hidden=navigation.hidden, scene=scene.key if scene and scene.key in SCENES else "")
    return target_query(target) | navigation.query


class Param(NamedTuple):
    """A URL parameter of a page: its default ``start``, which the URL omits, and functions that parse and write other values.

    ``read`` raises ``ValueError`` or ``KeyError`` for an invalid text; ``write`` returns None for a value that is too long.
    ``is_typed``: whether it is typed text. The URL omits it while the run learns the reader's own text, of which it may be part.
    """

    start: Any
    read: Callable[[str], Any]
    write: Callable[[Any], str | None] = to_text
    is_typed: bool = False


def enum_param(values: Iterable[Any], start: Any = None) -> Param:
    """A parameter with one of these values; ``start`` defaults to the first. A number may be spelled "2" or "2.0"."""
    spelled = {to_text(value): value for value in values}

    def read(text: str) -> Any:
        return spelled[text] if text in spelled else spelled[to_text(float(text))]

    return Param(next(iter(spelled.values())) if start is None else start, read)


def text_param(start: str | None = "") -> Param:
    """A parameter that holds a text of up to ``LONGEST_TYPED`` characters."""

    def read(text: str) -> str:
        if len(text) > LONGEST_TYPED:
            raise ValueError
        return text

    return Param(start, read, lambda text: text if len(text) <= LONGEST_TYPED else None, is_typed=True)


def param_from_query(session: Session, name: str, param: Param) -> Any:
    """The value of a parameter in the URL; the default if it is missing, and with a notice if it is invalid."""
    query = session.navigation.query
    if name not in query:
        return param.start
    try:
        return param.read(query[name])
    except (ValueError, KeyError):
        wanted = query.pop(name)
        session.notify(_(UNAVAILABLE, name=name, wanted=repr(wanted[:40])))
        return param.start


def check_names(session: Session, names: Collection[str]) -> None:
    """Add a notice for each parameter in the URL that is not among the page's ``names``, and remove it from the URL."""
    query = session.navigation.query
    for name in query.keys() - {*names, STEP_PARAMETER, VIEW}:
        del query[name]
        session.notify(_("There is no setting called {name}.", name=quoted(name)))


def check_step(session: Session, T: int) -> None:
    """Add a notice and rerun the page if the step in the URL is not a step of a text with T steps."""
    step = session.navigation.query.pop(STEP_PARAMETER, "")
    if step and step.removesuffix(" back") not in map(str, range(1, T + 1)):
        session.notify(_(UNAVAILABLE, name=STEP_PARAMETER, wanted=repr(step[:40])))
        st.rerun()


def sync_params(session: Session, params: Mapping[str, Param], chosen: Mapping[str, Any]) -> None:
    """Write the ``chosen`` values into the URL, except default values."""
    private, query = source_of(session.settings).from_reader, session.navigation.query
    for name, param in params.items():
        text = None if chosen[name] == param.start or (param.is_typed and private) else param.write(chosen[name])
        query.pop(name, None)
        if text is not None:
            query[name] = text
    sync_url(session)

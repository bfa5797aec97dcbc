"""The frame of a page: what moves is drawn again and again, and a page of sections has a bar that turns to each of them."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple

import streamlit as st

from core.content.guide import Hint
from core.content.notation import named
from pages.app.layout import elements
from pages.app.layout.fragment import part
from pages.app.layout.poll_interval import is_outdated, jittered, poll_interval
from pages.app.navigation.url_state import Param, enum_param, param_from_query, sync_params
from pages.app.session.connections import watch_connection
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import sections

PageState = dict[str, Any]  # what the reader has chosen on a page


def auto_refresh(
    show: Callable[..., None],
    moves: Callable[[], bool],
    every: float | None,
    here: Session,
    *given: Any,
    at_rest: float | None = None,
) -> None:
    """``show(here, *given)`` on its own (``part``), again every so many seconds (if any) while something in it ``moves``, or
    ``at_rest``.

    In a crowd that trains these are more seconds (``pages/app/layout/poll_interval.py``).

    The whole page is drawn anew when that is no longer as it was, so that the polling stops or begins; when the run began or
    ceased to train, wherever that was asked for; and when the network that is looked at is another than it was drawn with and
    rests, so that a single update, a change by hand and a look back are seen everywhere.
    """
    moving, playing, progress = moves(), here.run.playing, here.progress
    interval = jittered(poll_interval(every), every) if moving and every else None

    def agree() -> None:
        if (moves(), here.run.playing) != (moving, playing) or (here.progress != progress and not here.moving):
            st.rerun()
        if interval and is_outdated(interval, every):
            st.rerun()

    @wraps(show)  # Streamlit tells fragments apart by their names
    def look() -> None:
        watch_connection(here)
        agree()
        show(here, *given)
        agree()

    part(look, every=interval if moving else at_rest)


@contextmanager
def drawn_consistently(here: Session) -> Iterator[None]:
    """Draw the whole page again if a run began or ceased to train meanwhile: what was drawn before that moment shows another
    state than what was drawn after it, and where nothing is polled any more it would stay so.
    """
    before = _training(here)
    yield
    if _training(here) != before:
        st.rerun()


def _training(here: Session) -> list[bool]:
    return [run.playing for run in here.runs]


def still(here: Session, wishes: PageState) -> bool:
    """Nothing in the section moves by itself."""
    return False


def moves_with_run(here: Session, wishes: PageState) -> bool:
    """The section looks at the live run."""
    return here.moving


class Section(NamedTuple):
    """A section of a page. ``show(here, wishes, ...)`` draws it, every ``every`` seconds while it ``moves(here, wishes)``.

    ``words`` are those on the bar, and ``hint`` stands below it. ``picks`` names the selects beside them, ``press`` says what a
    button does that calls ``on_press(here, wishes)``. ``beside``: widths of the bar and of what the section draws beside it, if
    it wants that place. ``keeps``: which of the wishes stand in the address; the picks always do.
    """

    words: str
    show: Callable[..., None]
    hint: Hint
    picks: tuple[str, ...] = ()
    press: str = ""
    on_press: Callable[[Session, PageState], None] | None = None
    moves: Callable[[Session, PageState], bool] = still
    every: float = 1.0
    beside: tuple[int, int] | None = None
    keeps: Mapping[str, Param] = MappingProxyType({})


class Pick(NamedTuple):
    """A select of the bar: ``options`` are (value, words)."""

    label: str
    options: list[tuple[Hashable, str]]
    help: str


Picks = Mapping[str, Pick]
NO_PICKS: Picks = MappingProxyType({})


def page_state(here: Session, offered: Mapping[str, Section], picks: Picks = NO_PICKS, **start: Any) -> PageState:
    """What the reader has chosen on the open page: at first what the address asks for, or else ``start``."""
    if here.page not in st.session_state:
        kept: dict[str, Param] = {}
        for section in offered.values():
            values = {name: [value for value, _ in picks[name].options] for name in section.picks}
            kept |= section.keeps | {name: enum_param(values[name], start[name]) for name in values}
        here.kept[here.page] = kept
        wishes = start | {"section": param_from_query(here, "section", enum_param(offered))}
        for name, one in kept.items():
            (wishes.setdefault(one.within, {}) if one.within else wishes)[name] = param_from_query(here, name, one)
        st.session_state[here.page] = wishes
    return st.session_state[here.page]


def turn(here: Session, offered: Mapping[str, Section], wishes: PageState, picks: Picks = NO_PICKS) -> None:
    """The bar, a hint, and the section that the bar names."""
    name = wishes["section"]
    here.visits += wishes.get("drawn") != name
    wishes["drawn"] = name
    section = offered[name]
    auto_refresh(_bar_and_section, lambda: section.moves(here, wishes), section.every, here, offered, wishes, picks, name)


def _bar_and_section(here: Session, offered: Mapping[str, Section], wishes: PageState, picks: Picks, name: str) -> None:
    if wishes["section"] != name:  # another section is another page to Streamlit
        st.rerun()
    section = offered[name]
    left, right = st.columns(section.beside) if section.beside else (st.container(), None)
    with left:
        bar(here, offered, wishes, picks)
    elements.hint(section.hint)
    section.show(here, wishes, *([right] if section.beside else []))


def bar(here: Session, offered: Mapping[str, Section], wishes: PageState, picks: Picks = NO_PICKS) -> None:
    """Which section, and what it lets the reader choose; the address follows."""
    name = wishes["section"]
    section = offered[name]
    here.sections[here.page] = named(section.words, here.settings.notation)
    if name != next(iter(offered)) or "section" in here.place:  # also the first, once it was chosen
        here.place["section"] = name
    sync_params(here, here.kept[here.page], wishes)
    sections(
        name,
        {other: named(about.words, here.settings.notation) for other, about in offered.items()},
        label="Section",
        picks=[{"name": pick, "value": wishes[pick], **picks[pick]._asdict()} for pick in section.picks],
        press=section.press,
        on_choose=lambda other: wishes.update(section=other if other in offered else name),
        on_pick=lambda pick, words: pick in picks and _choose(wishes, pick, picks[pick], words),
        on_press=lambda: section.on_press and section.on_press(here, wishes),
        named=here.in_scene.do if here.in_scene else "",
    )


def _choose(wishes: PageState, name: str, pick: Pick, words: str) -> None:
    """The browser says every value in words."""
    values = {str(value): value for value, _ in pick.options}
    wishes[name] = values.get(words, wishes[name])

"""A page of sections: its title, a bar of tabs, and the open section."""

from collections.abc import Callable, Collection, Hashable, Mapping, MutableMapping
from types import MappingProxyType
from typing import Any, NamedTuple

import streamlit as st

from core.config.language import gettext as _
from core.config.link import STEP_PARAMETER, TARGET_PARAMETERS, VIEW
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.navigation.url_state import Param, check_names, enum_param, param_from_query, sync_params
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Button, Select, tabs
from pages.app.widgets.rerun import rerun_page
from pages.content.guide import Hint
from pages.content.notation import in_notation
from pages.figures.parts.numbers import count

SECTION = "section"  # the URL parameter that names the open section


class PageState(dict[str, Any]):
    """The values that the reader has chosen on a page; the page's sections, the selects on its bar, and its URL parameters.

    ``open``: the name of the open section.
    """

    open: str
    sections: Mapping[str, "Section"]
    picks: Mapping[str, "Pick"]
    params: dict[str, Param]

    @property
    def section(self) -> "Section":
        """The open section."""
        return self.sections[self.open]


def run_is_live(session: Session, state: PageState) -> bool:
    """Whether the live run that the section shows is training."""
    return session.is_live


def training_predicate(experiment: str) -> Callable[[Session, PageState], bool]:
    """A function that returns whether the experiment of this name, which the section shows, is training."""
    return lambda session, _state: session.experiments.playing(experiment)


class Section(NamedTuple):
    """A section of a page. ``show(session, state, ...)`` draws it: after an event, and every ``interval`` seconds while
    ``needs_refresh(session, state)``.

    ``words`` is its title on the bar, ``hint`` the text below. ``picks``: names of selects on the bar. ``press``: the label of a
    button that calls ``on_press(session, state)``. ``column_widths``: relative widths of the bar and of a column beside it, which
    is passed to ``show``. ``params``: the values of the state, besides the picks, that are URL parameters. ``alone``: whether it
    shows nothing of the network above it, and so is drawn apart from it.
    """

    words: str
    show: Callable[..., None]
    hint: Hint
    picks: tuple[str, ...] = ()
    press: str = ""
    on_press: Callable[[Session, PageState], None] | None = None
    needs_refresh: Callable[[Session, PageState], bool] = lambda _session, _state: False
    interval: float = 1.0
    column_widths: tuple[int, int] | None = None
    params: Mapping[str, Param] = MappingProxyType({})
    alone: bool = False


class Pick(NamedTuple):
    """A select on the bar. ``options``: pairs (value, words)."""

    label: str
    options: list[tuple[Hashable, str]]
    help: str

    def select(self, name: str, value: Hashable) -> Select:
        """The control, in the reader's language."""
        return Select(name, _(self.label), [(option, _(words)) for option, words in self.options], value, _(self.help))


def page_state(
    session: Session,
    sections: Mapping[str, Section],
    picks: Mapping[str, Pick] = MappingProxyType({}),
    params: Mapping[str, Param] = MappingProxyType({}),
    others: Collection[str] = (),
    **start: Any,
) -> PageState:
    """The state of the open page. Initial values are those in the URL, or else in ``start``. ``params``: URL parameters of the
    page itself; ``others``: names of those that are not in the state. ``ValueError`` for a name that is used twice.
    """
    page = session.navigation.page
    if page not in st.session_state:
        state = PageState(start)
        state.open = param_from_query(session, SECTION, enum_param(sections))
        state.params = params_of(page, sections, params, {*others, *picks})
        for name in {name for section in sections.values() for name in section.picks}:
            state.params[name] = enum_param([value for value, _words in picks[name].options], start[name])
        for name, param in state.params.items():
            state[name] = param_from_query(session, name, param)
        st.session_state[page] = state
    state = st.session_state[page]
    state.sections, state.picks = sections, picks
    check_names(session, {SECTION, *state.params, *others})
    return state


def params_of(
    page: str, sections: Mapping[str, Section], params: Mapping[str, Param], others: Collection[str]
) -> dict[str, Param]:
    """The URL parameters of a page and of all its sections, which share one state. ``ValueError`` for a name that two have
    (unless it is the same object), or one of ``others``, or a setting."""
    found, owners = dict(params), dict.fromkeys(others, page) | dict.fromkeys(params, page)
    owners |= dict.fromkeys(TARGET_PARAMETERS, "core/config") | dict.fromkeys((SECTION, STEP_PARAMETER, VIEW), "every page")
    for key, section in sections.items():
        for name, param in section.params.items():
            if name in owners and found.get(name) is not param:
                raise ValueError(f"Section {key} of page {page} cannot have a parameter {name}: {owners[name]} has it.")
            owners[name] = f"section {key}"
        found |= section.params
    return found


def draw_sections(session: Session, state: PageState) -> None:
    """Draw the bar, a hint and the open section, as a fragment."""
    section = state.section
    auto_refresh(_bar_and_section, lambda: section.needs_refresh(session, state), section.interval, session, state, state.open)


def _bar_and_section(session: Session, state: PageState, name: str) -> None:
    if state.open != name:  # the fragment was created for another section, so the whole page is rerun
        rerun_page()
    section = state.section
    left, right = st.columns(section.column_widths) if section.column_widths else (st.container(), None)
    with left:
        bar(session, state)
    elements.hint(section.hint)
    section.show(session, state, *([right] if section.column_widths else []))


def bar(session: Session, state: PageState) -> None:
    """Draw the tabs of the sections and the selects of the open section, and write their values into the URL."""
    name, section, page = state.open, state.section, session.navigation.page
    navigation, scene, notation = session.navigation, session.scene, session.settings.notation
    navigation.open_section(name, in_notation(_(section.words), notation))
    if name != next(iter(state.sections)) or SECTION in navigation.query:  # the first one only if the URL has a section
        navigation.query[SECTION] = name
    sync_params(session, state.params, state)
    titles = [(other, in_notation(_(about.words), notation)) for other, about in state.sections.items()]
    beside = [state.picks[pick].select(pick, state[pick]) for pick in section.picks]
    press, hidden_in_scenes = _(section.press), {*section.picks}
    if press:
        beside.append(Button("press", press, "reset"))
        hidden_in_scenes |= set() if scene and f"“{press}”" in _(scene.do) else {"press"}  # shown if the scene names it
    tabs(
        titles,
        name,
        beside,
        label=_("Section"),
        on_open=lambda other: open_section(session, page, st.session_state, other),
        on_choose=lambda pick, value: state.update({pick: value}),
        on_press=lambda _name: section.on_press(session, state),
        hidden_in_scenes=hidden_in_scenes,
        key="sections",
    )


def open_section(session: Session, page: str, states: MutableMapping[Hashable, Any], name: str) -> None:
    """Open a section of ``page``, whose tab was pressed, in the next script run. A scene opened after the tabs were drawn
    has removed the page's state (from ``states``): then its new state begins with this section, which was chosen later."""
    session.stay()
    state = states.get(page)
    if state is not None:
        state.open = name
    elif page == session.navigation.page:
        session.navigation.query[SECTION] = name


def open_place(session: Session, address: str) -> None:
    """Open this address of our own pages, from a section or a callback."""
    session.navigation.request_place(address)
    rerun_page()  # the sections are a fragment


def network_title(session: Session, name: str, sentence: str, *, live: bool = True) -> None:
    """Draw the name and the sentence of the page; a notice replaces the sentence if the page shows a trained example in place of
    the ``live`` network."""
    example = session.example if live else None
    if example:
        sentence = _("Trained example, update {n}. Play trains yours.", n=count(example.moment.update))
    elements.title(name, sentence)

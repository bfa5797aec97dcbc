"""The controls of the settings, built from the table of settings, and their event handlers."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from core.config.language import gettext as _, lazy_gettext
from core.config.link import parse, to_text
from core.config.settings import KNOBS, Settings
from core.models.initialisation import own_scales
from core.text.corpus import is_available, source_of
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Button, Control, Knob, Select, Switch, Title, controls
from pages.app.widgets.rerun import rerun_page
from pages.content.notation import in_notation
from pages.figures.parts import words
from pages.figures.parts.numbers import short

SCALES = ("input_scale", "output_scale")  # settings whose defaults depend on the initialisation
SPACES = str.maketrans({"−": "-"} | dict.fromkeys("\u2009\u202f\u00a0 "))  # from numbers as displayed to numbers for Python
RESTARTS = {
    "text": lazy_gettext("The text: restarts training"),
    "network": lazy_gettext("The network: restarts training"),
    "training": lazy_gettext("The training: restarts training"),
}


@dataclass
class KnobState:
    """The state of the live knobs in the browser."""

    dragging: bool = False
    undo: tuple[str, str] = ("", "")  # label of the undo button, and its effect on the network; empty without a move
    page_settings: Settings | None = None  # with which the page was drawn: its sentences name them

    def record_page(self, session: Session) -> None:
        """Record with which settings the page is drawn."""
        self.page_settings = session.settings
        self.update_undo(session)

    def update_undo(self, session: Session) -> None:
        self.undo = _undo_words(session)

    def is_outdated(self, session: Session) -> bool:
        """Whether the page must be redrawn because the run or its settings have changed; False while a knob is dragged."""
        return not self.dragging and (self.undo, self.page_settings) != (_undo_words(session), session.settings)


def knob_state() -> KnobState:
    """The knob state of this tab."""
    return st.session_state.setdefault("knobs", KnobState())


def _undo_words(session: Session) -> tuple[str, str]:
    newest, before = session.monitored.history.moves[-1:], session.monitored.before_last_move()
    return words.undo_sentences(newest[0], before.update if before else None) if newest else ("", "")


def live_knobs(session: Session, *, on_compare: Callable[[], None] | None = None) -> None:
    """Draw the controls of the live settings, and a button that compares two runs, if that is offered."""
    does, spares = knob_state().undo
    compare = [Button("compare", _("Compare two runs"), "beside")] if on_compare else []
    _controls(
        session,
        [Title(_("Live knobs"), spares or _("act while dragged")), Button("undo", does, "undo"), *compare],
        [control(session, name) for name, knob in KNOBS.items() if knob.kind == "live" and knob.acts(session.settings)],
        label=_("Live knobs"),
        variant="live",
        on_compare=on_compare,
    )


def restart_controls(session: Session, group: str) -> None:
    """Draw the controls of a group of settings that restart training, in the order of the table. A change starts a new run."""
    has_lag = source_of(session.settings).has_lag
    names = [name for name, knob in KNOBS.items() if knob.group == group and (name != "lag" or has_lag)]
    _controls(session, *([control(session, name)] for name in names), label=_(RESTARTS[group]), variant="column", key=group)


def _controls(
    session: Session,
    *rows: list[Control],
    label: str,
    variant: str,
    key: str = "live",
    on_compare: Callable[[], None] | None = None,
) -> None:
    state = knob_state()

    def move(name: str, value: Any, done: bool) -> None:
        state.dragging = not done
        choose(session, name, parse(name, value) if isinstance(value, str) else value)  # a select sends the text of its value
        if done and not session.run.playing:
            rerun_page()  # the whole page, as no fragment is rerun periodically while nothing trains

    def press(name: str) -> None:
        if name == "compare" and on_compare:
            on_compare()
        else:
            session.undo()
        rerun_page()  # the whole page, as undo may restore an earlier network

    controls(
        *rows,
        label=label,
        on_move=move,
        on_press=press,
        on_type=lambda name, text: type_in(session, name, text),
        variant=variant,
        key=f"{key}_knobs",
    )


def control(session: Session, name: str, other: Settings | None = None) -> Control:
    """The control of a setting, with its current value; of another run, with its value there."""
    settings, knob = session.settings, KNOBS[name]
    value, help = getattr(other or session.wanted, name), in_notation(_(knob.help), settings.notation)
    if name == "corpus" and session.pending.name:
        value = session.pending.name  # chosen, but not available yet
    in_words = partial(_in_words, settings, session.corpus.tokenizer.size, name)
    if not knob.between:
        options = [(to_text(choice), in_words(choice)) for choice in knob.words]
        return (Switch if knob.type is bool else Select)(
            name, _(knob.label), options, to_text(value), about=help, short=words.name(name)
        )
    places, live = _places(settings, name), knob.kind == "live"
    return Knob(
        name,
        f"{_(knob.label)} {knob.symbol}".strip(),
        list(map(in_words, places)),
        _nearest(places, value, getattr(settings, knob.within) if knob.within else math.inf),
        places,
        help,
        says=in_words(value),
        ends=[in_words(places[0]) if len(places) > 1 else "", in_words(places[-1]) + _(": no cut") * bool(knob.within)]
        if live
        else (),
        ticks=[places.index(mark) for mark in knob.marks if mark in places],
        typed=True,
        settles=not live,
        error=_(session.problem) if session.problem_setting == name else "",
        short=words.name(name),
    )


def _in_words(settings: Settings, vocab_size: int, name: str, value: Any) -> str:
    """The displayed text of a value; for None, the value that None stands for."""
    knob = KNOBS[name]
    if value is None and knob.within:
        return str(getattr(settings, knob.within))
    if value is None and name in SCALES:
        own = own_scales(settings.init, vocab_size, settings.hidden_size, settings.embedding_size)[SCALES.index(name)]
        return f"{short(float(f'{own:.3g}'))} {words.value(name, None)}"
    return words.value(name, value)


def _places(settings: Settings, name: str) -> tuple[Any, ...]:
    """The values of the slider; at the end None, if the setting has an upper bound in another setting (``within``)."""
    knob = KNOBS[name]
    if not knob.within:
        return knob.stops
    return (*[place for place in knob.stops if place < getattr(settings, knob.within)], None)


def _nearest(places: tuple[Any, ...], value: Any, none: float) -> int:
    """The index of the slider value nearest to ``value``; None has the numeric value ``none``."""
    if value in places:
        return places.index(value)
    numbers = [none if place is None else place for place in places]
    return min(range(len(places)), key=lambda i: abs(numbers[i] - value))


def type_in(session: Session, name: str, text: str) -> None:
    """Handle a typed value; report an invalid value beside its control."""
    try:
        value = read(name, text)
    except ValueError as error:
        session.set_problem(str(error), name)
    else:
        choose(session, name, value)
        if not session.run.playing:
            rerun_page()


def read(name: str, text: str) -> Any:
    """Parse a typed value; raise ``ValueError`` with a message if it is invalid."""
    return parse(name, text.translate(SPACES) if text.strip()[:1] in "−-+.0123456789" else text)


def choose(session: Session, name: str, value: Any) -> None:
    """Set a value: a live setting changes the run, any other starts a new run. ``init`` also resets the initial scales."""
    if name == "corpus":
        session.wait_for_text("" if is_available(value, session.own_text) else value)
    session.set_problem("")
    if KNOBS[name].kind == "live":
        session.move(**{name: value})
    elif name != "corpus" or not session.pending.name:
        session.restart(name, **{name: value}, **(dict.fromkeys(SCALES) if name == "init" else {}))

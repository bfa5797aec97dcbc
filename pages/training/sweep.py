"""The sweep on the Training page: networks equal but for one setting, trained side by side, independent of the live run."""

from typing import Any, NamedTuple

import streamlit as st

from core.config.language import gettext as _, message_of
from core.config.settings import KNOBS
from core.text.corpus import is_available
from core.training.experiments.sweep import MOST_SEEDS, MOST_VALUES, VARIED, Sweep, best, default_values, plans
from core.training.experiments.sweep_worker import Budget
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.navigation.url_state import enum_param, param_from_query, sync_params, text_param
from pages.app.panels import sweep_view
from pages.app.panels.settings_controls import read
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Select, Slider, controls
from pages.app.widgets.reader_language import in_reader_language
from pages.content.guide import HINTS
from pages.figures.parts import words
from pages.figures.training.sweep_words import budget_words

NAME = "sweep"  # key of the sweep in session.experiments
CHOSEN = "training_sweep"  # key of the choices in st.session_state
TOKENS, SECONDS = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000), (3.0, 10.0, 30.0)
OFFERED = (*(Budget(tokens=n) for n in TOKENS), *(Budget(seconds=s) for s in SECONDS))
BUDGETS = {budget_words(budget): budget for budget in OFFERED}
SEEDS = range(1, MOST_SEEDS + 1)
PARAMS = {
    "knob": enum_param(VARIED, "learning_rate"),
    "seeds": enum_param(SEEDS),
    "budget": enum_param(BUDGETS, budget_words(Budget(tokens=1_000_000))),
    "values": text_param(),
}


class SweepRequest(NamedTuple):
    """The choices with which the sweep was started."""

    knob: str
    own_text: str


def show(session: Session) -> None:
    """Draw the controls of the sweep and, below them, its results."""
    chosen = choices(session)
    elements.heading(_("Which value? Several networks side by side"), _("equal but for one setting, each with the same budget"))
    elements.hint(HINTS["training"]["sweep"])
    bar(session, chosen)
    values(session, chosen)
    elements.notice(*filter(None, [_(chosen["message"])]))
    if NAME in session.experiments:
        results(session, session.experiments.requests[NAME])


def choices(session: Session) -> dict[str, Any]:
    """The choices: read from the URL at first, and written back into it."""
    if CHOSEN not in st.session_state:
        initial = {name: param_from_query(session, name, param) for name, param in PARAMS.items()}
        st.session_state[CHOSEN] = initial | {"typed": {initial["knob"]: initial["values"]}, "message": ""}
    chosen = st.session_state[CHOSEN]
    if chosen["knob"] not in _varied(session):  # with another optimiser it does nothing
        chosen["knob"] = "learning_rate"
    chosen["values"] = chosen["typed"].get(chosen["knob"], "")
    sync_params(session, PARAMS, chosen)
    return chosen


def bar(session: Session, chosen: dict[str, Any]) -> None:
    """Draw the controls for the setting, the seeds and the budget, and the buttons."""
    controls(
        [
            Select("knob", _("vary"), [(name, _title(name)) for name in _varied(session)], chosen["knob"]),
            Slider("seeds", _("seeds"), list(map(str, SEEDS)), SEEDS.index(chosen["seeds"]), SEEDS),
            Select("budget", _("budget"), [(budget, _(budget)) for budget in BUDGETS], chosen["budget"]),
            *sweep_view.buttons(session, NAME),
        ],
        label=_("Which value?"),
        on_move=lambda name, value, _done: chosen.update({name: value}, message=""),
        on_press=lambda what: press(session, chosen, what),
        key="sweep_bar",
    )


def _varied(session: Session) -> list[str]:
    """The settings that a sweep can vary: those that act beside the others."""
    return [name for name in VARIED if KNOBS[name].acts(session.settings)]


def _title(name: str) -> str:
    return f"{_(KNOBS[name].label)} {KNOBS[name].symbol}".strip()


def values(session: Session, chosen: dict[str, Any]) -> None:
    """Draw the text field with the list of values."""
    knob = chosen["knob"]
    key = f"{CHOSEN}_values_{knob}"

    def typed() -> None:
        chosen["typed"][knob] = st.session_state[key]

    st.text_input(_("Values, at most {n}", n=MOST_VALUES), _listed(session, chosen), key=key, on_change=typed)


def _listed(session: Session, chosen: dict[str, Any]) -> str:
    """The values typed for this setting, or else the values around the present one."""
    knob = chosen["knob"]
    values = default_values(session.settings, knob)
    available = [value for value in values if knob != "corpus" or is_available(value, session.own_text)]
    return chosen["typed"].get(knob) or ", ".join(words.value(knob, value) for value in available)


def read_values(knob: str, text: str) -> list[Any]:
    """Parse a list of values. ``ValueError`` with a message if one is invalid, or if there are none or too many."""
    pieces = [piece.strip() for piece in text.replace(";", ",").split(",")]
    found = list(dict.fromkeys(read(knob, piece) for piece in pieces if piece))
    if not 0 < len(found) <= MOST_VALUES:
        raise ValueError(
            _("Give 1 to {most} different values, with commas between them; these are {n}.", most=MOST_VALUES, n=len(found))
        )
    return found


def press(session: Session, chosen: dict[str, Any], what: str) -> None:
    """Stop or resume the sweep, or begin a sweep of new networks with the present settings of the run."""
    if what != "begin":
        sweep_view.press(session, NAME, what)
        return
    knob, chosen["message"] = chosen["knob"], ""
    try:
        members = plans(session.settings, knob, read_values(knob, _listed(session, chosen)), chosen["seeds"])
    except ValueError as error:
        chosen["message"] = message_of(error)
        return
    sweep = Sweep(members, BUDGETS[chosen["budget"]], session.own_text)
    sweep_view.begin(session, NAME, sweep, SweepRequest(knob, session.own_text))


def results(session: Session, request: SweepRequest) -> None:
    """Draw the charts, rerun while the networks train, and then the button that opens the best network."""
    auto_refresh(charts, lambda: session.experiments.playing(NAME), sweep_view.EVERY, session, request.knob)
    if not session.experiments.playing(NAME) and best(session.experiments[NAME].source.members):
        st.button(_("Open the best one as the run"), on_click=open_best, args=(session, request), key="sweep_open")
        elements.note(_("It is trained anew with the same settings, up to the same update: bit for bit the same network."))
        if is_open(session):
            elements.note(_("The run at the top of this page has its settings."))


def charts(session: Session, knob: str) -> None:
    """Draw the charts of the sweep and the code that trains its networks."""
    sweep_view.charts(session, NAME, knob)
    elements.source("sweep", Sweep)


def is_open(session: Session) -> bool:
    """Whether the run has the settings of the best network."""
    return not best(session.experiments[NAME].source.members).settings.differing(session.settings, "live", "restart")


@in_reader_language
def open_best(session: Session, request: SweepRequest) -> None:
    """Start a run with the settings of the best network, and train it to the update of its newest judgement."""
    member = best(session.experiments[NAME].source.members)

    def begun() -> None:
        if not session.problem:
            session.run.play(until=member.reached.update)

    session.start(member.settings.but(**session.view), request.own_text, then=begun)

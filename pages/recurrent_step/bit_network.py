"""A memory of two units: a network that the reader builds, weight by weight, until it tells a bit of the past."""

import math
from typing import Any

import numpy as np
import streamlit as st

from core.config.language import gettext as _, lazy_gettext, sentences
from core.models.loss import softmax
from core.models.params import Params
from core.models.rnn import forward
from core.training.experiments import bit_descent, bit_tasks
from core.training.experiments.bit_descent import BIT_UPDATES, BitDescent
from core.training.experiments.bit_networks import FIRST_WEIGHTS, HOLDS, in_two_units, solution
from core.training.experiments.bit_tasks import (
    LARGEST_WEIGHT,
    last_states,
    most_needed,
    network,
    perplexity,
    shown_bits,
    task_named,
)
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState, Pick
from pages.app.navigation.url_state import Param, sync_params
from pages.app.server.shared_cache import StillComputing, cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.widgets.components import blocks, cards, grid, live_figure
from pages.app.widgets.control_widgets import Button, Knob, Title, controls
from pages.content.notation import in_full, in_notation
from pages.figures.parts.numbers import decimals, number
from pages.figures.recurrent_step import bit_network as figures
from pages.figures.recurrent_step.bit_network_words import (
    FORGET,
    GOALS,
    held,
    hint_of,
    instruction,
    is_solved,
    result_panel,
    solution_of,
    task_of,
)

Numbers = tuple[float, ...]
PICKS = {
    "goal": Pick("", list(GOALS.items()), lazy_gettext("What the network has to tell after every bit")),
    "units": Pick(lazy_gettext("units"), [(1, "1"), (2, "2")], lazy_gettext("Hidden units: 8 weights with one, 16 with two")),
}
START_PICKS = {"goal": "echo-0", "units": 1}
DECIMALS = 2  # of a weight
EVERY = 10  # updates between two stops of the slider
COLUMNS = (4, 3)
ASKED = {"hint": False, "solved": False, "broken": None, "descent": None, "at": BIT_UPDATES}  # what the reader has asked for
WHICH_IS_WHICH = lazy_gettext(
    "W_xh: the upper row for bit 0, the lower one for bit 1. W_hq and b_q: left for answer 0, right for answer 1."
)


def _read(text: str) -> Numbers:
    numbers = tuple(round(float(number), DECIMALS) for number in text.split("_"))
    if len(numbers) not in map(len, FIRST_WEIGHTS.values()) or not all(abs(number) <= LARGEST_WEIGHT for number in numbers):
        raise ValueError
    return numbers


PARAMS = {"weights": Param(None, _read, lambda numbers: "_".join(f"{number:g}" for number in numbers))}


def show(session: Session, state: PageState) -> None:
    """Draw the network, what it tells, and what the reader has asked for."""
    begin(state)
    found, later = None, None
    try:
        found = descended(task_of(state["goal"]), state["descent"]) if state["descent"] else None
    except StillComputing as computing:  # until then its start is shown
        later = computing
    if found:
        state["weights"] = _rounded(found.weights[state["at"]])
        sync_params(session, PARAMS, state)
    params, notation = network(np.array(weights_of(state))), session.settings.notation
    elements.note(in_notation(sentences(instruction(state["goal"]), _(WHICH_IS_WHICH)), notation))
    bar(state, perplexity(params, task_named(task_of(state["goal"]))))
    names = {name: in_full(name, notation) if name in ("b_h", "b_q") else in_notation(name, notation) for name in params.named()}
    edited = {words: name for name, words in names.items()}
    drawing = in_notation(figures.weights_drawing(params, names, _(state.pop("refused", ""))), notation)
    blocks(drawing, key="bit_weights", on_edit=lambda name, *cell: edit(state, edited.get(name, ""), *cell))
    bits(state, params)
    left, right = st.columns(COLUMNS, gap="small")
    with left:
        result(state, params, notation)
    with right:
        states, answers = last_states(params, task_named(task_of(state["goal"])))
        live_figure(figures.states_figure(params, states, answers), key="bit_states", label=figures.states_label(states))
    if found:
        path(state, found, params, notation)
    if later:
        raise later
    elements.source("bit_network", bit_tasks.echo, bit_tasks.loss_and_gradient, bit_descent.descend)


def begin(state: PageState) -> None:
    """Begin with the start of this task and number of units if either was chosen anew."""
    chosen = state["goal"], state["units"]
    before = state.get("built_for")
    given = state["weights"] is not None and len(state["weights"]) == len(FIRST_WEIGHTS[state["units"]])
    if before != chosen:
        keeps = given and (before is None or (before[1] == chosen[1] and FORGET not in (before[0], chosen[0])))
        state.update(ASKED, built_for=chosen, weights=state["weights"] if keeps else None)


def weights_of(state: PageState) -> Numbers:
    """The weights that are set; at first those of the start."""
    return state["weights"] or start_of(state["goal"], state["units"])


def start_of(goal: str, units: int) -> Numbers:
    """The weights at the beginning of a task."""
    if goal == FORGET:
        return HOLDS if units == 1 else in_two_units(HOLDS)
    return FIRST_WEIGHTS[units]


def bar(state: PageState, now: float) -> None:
    """Draw the perplexity, the buttons, and the slider over the path of gradient descent."""
    broken, task = state["broken"], task_named(task_of(state["goal"]))
    solved = " ✓" if is_solved(now, task) else ""  # the verdict is below the window when presented
    stops = range(0, BIT_UPDATES + 1, EVERY)
    slider = [Knob("at", _("update"), list(map(str, stops)), stops.index(state["at"]), stops)] if state["descent"] else []
    controls(
        [
            Title(_("perplexity {p}", p=number(now)) + solved, _("best possible {p}", p=number(task.best))),
            Button("begin", _("Again"), "reset", help=_("Begin with the first weights")),
            Button("hint", _("Hint"), disabled=state["hint"]),
            Button("solve", _("Solution")),
            Button("descend", _("Gradient descent"), "play", help=_("Let gradient descent find it, from these weights")),
            Button("break", _("Mend it") if broken else _("Break it")),
            *slider,
        ],
        label=_("The network"),
        on_move=lambda name, value, _done: state.update({name: value}),
        on_press=lambda name: press(state, name),
        key="bit_bar",
    )


def press(state: PageState, name: str) -> None:
    """Handle a button."""
    if name == "hint":
        state["hint"] = True
    elif name == "begin":
        state.update(ASKED, weights=None)
    elif name == "solve":
        state.update(ASKED, solved=True, weights=solution_weights(*state["built_for"]))
    elif name == "descend":
        state.update(ASKED, descent=weights_of(state))
    elif name == "break" and state["broken"]:
        index, value = state["broken"]
        state.update(broken=None, descent=None, weights=_with(weights_of(state), index, value))
    elif name == "break":
        index = most_needed(network(np.array(weights_of(state))), task_named(task_of(state["goal"])))
        broken = index, weights_of(state)[index]
        state.update(broken=broken, descent=None, weights=_with(weights_of(state), index, 0.0))


def solution_weights(goal: str, units: int) -> Numbers:
    """The weights of the solution, rounded as the cells are."""
    if goal == FORGET:
        holds = start_of(goal, units)
        return _with(holds, 2 if units == 1 else 4, 0.0)
    return _rounded(np.array(solution(goal, units)))


def edit(state: PageState, name: str, row: int, column: int, text: str) -> None:
    """Set a weight; text that is not a number in range leaves it unchanged, and a notice is shown."""
    params = network(np.array(weights_of(state)))
    try:
        value = float(text.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST_WEIGHT:
        state["refused"] = lazy_gettext(
            "A weight is a number between −{largest} and {largest}; this one stays.", largest=f"{LARGEST_WEIGHT:.0f}"
        )
        return
    values = np.atleast_2d(params.named().get(name, np.zeros((0, 0))))
    if row < values.shape[0] and column < values.shape[1]:
        values[row, column] = value
        state.update(weights=_rounded(params.flat), solved=False, broken=None, descent=None)


def bits(state: PageState, params: Params) -> None:
    """Draw what the network makes of twenty bits."""
    inputs, answers = shown_bits(task_of(state["goal"]), state["draw"])
    trace = forward(params, inputs[:, None])
    p = softmax(trace.logits[:, 0])
    told = [float(p[t, answer]) if answer is not None else math.nan for t, answer in enumerate(answers)]
    grid(figures.bits_grid(inputs.tolist(), trace.h[1:, 0], answers, told), key="bit_grid")


def result(state: PageState, params: Params, notation: str) -> None:
    """Draw the perplexity, the verdict, and what was asked for."""
    goal, units = state["goal"], state["units"]
    task = task_named(task_of(goal))
    now, known = perplexity(params, task), perplexity(network(np.array(solution_weights(goal, units))), task)
    asked = [
        sentences(_("Hint:"), hint_of(goal, units)) if state["hint"] else "",
        explained(state, params, known),
        broken_sentence(state, params, now) if state["broken"] else "",
    ]
    helped = any(state[name] for name in ("hint", "solved", "descent"))  # what cannot be is said after a try
    cards(in_notation([result_panel(goal, units, now, task, known, *asked, helped=helped)], notation), key="bit_result")


def explained(state: PageState, params: Params, known: float) -> str:
    """What the solution does, if it was asked for; after a hint, why the network holds a 1 or not."""
    goal, units, weight = state["goal"], state["units"], float(params.W_hh[0, 0])
    if state["solved"] and not state["broken"]:
        return solution_of(goal, units, known, weight)
    is_silent = units == 1 and not params.b_h.any() and not params.W_xh[0].any()  # token 0 leaves the state to W_hh
    return held(weight) if goal == "hold" and state["hint"] and is_silent else ""


def broken_sentence(state: PageState, params: Params, now: float) -> str:
    """Which weight is missing, and what that costs."""
    index, value = state["broken"]
    before = perplexity(network(np.array(_with(weights_of(state), index, value))), task_named(task_of(state["goal"])))
    places = [(name, *place) for name, values in params.named().items() for place in np.ndindex(np.atleast_2d(values).shape)]
    name, row, column = places[index]
    where = {"name": name, "row": row + 1, "column": column + 1, "value": decimals(value)}
    return sentences(
        _("{name}, row {row}, column {column} is 0 now, not {value}.", **where),
        _(
            "The perplexity goes from {before} to {now}: no other weight alone is missed more.",
            before=number(before),
            now=number(now),
        ),
    )


def path(state: PageState, found: BitDescent, params: Params, notation: str) -> None:
    """Draw the path of gradient descent."""
    best = task_named(task_of(state["goal"])).best
    says = figures.descent_sentence(found)
    left, right = st.columns(2, gap="small")
    with left:
        live_figure(figures.descent_figure(found, state["at"], best), key="bit_descent", label=says)
    with right:
        figure = in_notation(figures.path_figure(found, params, state["at"]), notation)
        live_figure(figure, key="bit_path", label=_("Every weight after every update."))
    elements.note(says)


def _rounded(numbers: Any) -> Numbers:
    return tuple(round(float(number), DECIMALS) + 0.0 for number in numbers)


def _with(numbers: Numbers, index: int, value: float) -> Numbers:
    return (*numbers[:index], value, *numbers[index + 1 :])


@cached_for_all_sessions(max_entries=64)
def descended(task: str, start: Numbers) -> BitDescent:
    """A descent from these weights, shared by all sessions."""
    return bit_descent.descend(start, task_named(task))

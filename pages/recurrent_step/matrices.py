"""The matrices of one step, random and then editable, which two sections show; a printed matrix can be pasted into them."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.one_step_matrices import LARGEST_SIZE, StepMatrices, draw_matrices, with_matrix
from core.analysis.pasted_matrix import MOST_CHARACTERS, read_matrix
from core.config.language import gettext as _, lazy_gettext, message_of
from core.text.randomness import Purpose, generator
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState, Pick
from pages.app.session.session import Session
from pages.app.widgets.reader_language import in_reader_language
from pages.content.notation import in_notation
from pages.figures.parts.numbers import short

UP_TO_SIX = [(n, str(n)) for n in range(1, LARGEST_SIZE + 1)]
PICKS = {
    "N": Pick("N", UP_TO_SIX, lazy_gettext("Rows: sequences in the batch")),
    "D": Pick("D", UP_TO_SIX, lazy_gettext("Width of the input")),
    "H": Pick("H", UP_TO_SIX, lazy_gettext("Hidden units")),
    "decimals": Pick("", [(1, ".0"), (4, ".0000")], lazy_gettext("Decimals of the numbers")),
    "results": Pick(
        "",
        [("shown", lazy_gettext("results shown")), ("hidden", lazy_gettext("I fill in the results"))],
        lazy_gettext("Whether the results are shown, or filled in and checked"),
    ),
}
DRAWN = {"N": 3, "D": 2, "H": 4, "decimals": 1, "draw": 0}  # what random matrices depend on
START = DRAWN | {"results": "shown"}
LARGEST = 99.0  # number that fits into a cell
FINE = 4  # decimals of numbers that one decimal does not hold
GRADIENT = "dh_next"  # of the later loss, which is pasted like a matrix of the step
OUT_OF_RANGE = lazy_gettext(
    "A cell takes a number between −{largest} and {largest}; this one keeps what it had.", largest=f"{LARGEST:.0f}"
)
TOO_LARGE = lazy_gettext("A cell takes a number between −{largest} and {largest}; {number} is none.")
OTHER_SHAPE = lazy_gettext(
    "This is {rows} × {columns}; dh_next is {N} × {H}, like the state: paste the state first, or set N and H."
)


def matrices(session: Session, state: PageState) -> StepMatrices:
    """The session's matrices with its edits; drawn again when sizes, decimals or activation change or the button is pressed."""
    activation = session.settings.activation
    how = _how(session, state)
    if state.get("numbers_for") != how:
        rng = generator(state["draw"], Purpose.DISPLAY)
        sizes = (state[name] for name in ("N", "D", "H"))
        numbers = draw_matrices(*sizes, rng, decimals=state["decimals"], activation=activation)
        state.update(numbers_for=how, matrices=dict(vars(numbers)), gradient=None)
    return StepMatrices(**state["matrices"])


def _how(session: Session, state: PageState) -> tuple:
    return session.settings.activation, *(state[name] for name in DRAWN)


def write(session: Session, state: PageState, name: str, row: int, column: int, text: str, *, digits: int = FINE) -> None:
    """Set a cell to the typed number; text that is not a number in range leaves it unchanged, and a notice is shown."""
    matrix = state.get("gradient") if name == GRADIENT else (state.get("matrices") or {}).get(name)
    try:
        value = float(text.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        value = np.nan
    if not abs(value) <= LARGEST:
        state["notice"] = OUT_OF_RANGE
    elif matrix is not None and row < matrix.shape[0] and column < matrix.shape[1]:
        changed = np.array(matrix)
        changed[row, column] = round(value, digits)
        _keep(session, state, name, changed)


def _keep(session: Session, state: PageState, name: str, values: np.ndarray) -> None:
    """Store a matrix, with the sizes and the decimals that it needs."""
    if name == GRADIENT:
        state["gradient"] = values
        return
    m, activation = StepMatrices(**state["matrices"]), session.settings.activation
    sizes = (LARGEST_SIZE,) * 3
    others = draw_matrices(*sizes, generator(state["draw"], Purpose.DISPLAY), decimals=state["decimals"], activation=activation)
    fitted = with_matrix(m, name, values, others)
    before = m.H.shape
    state.update(matrices=dict(vars(fitted)), N=len(fitted.X), D=fitted.X.shape[1], H=len(fitted.W_hh))
    if fitted.H.shape != before:
        state["gradient"] = None
    if (values != values.round(1)).any():
        state["decimals"] = FINE
    state["numbers_for"] = _how(session, state)


def own_numbers(session: Session, state: PageState, names: Sequence[str]) -> None:
    """Draw the form that takes the print of a tensor into one of the matrices."""
    key = f"own_numbers_{state.open}"
    with st.expander(_("Own numbers: paste a matrix"), key=key, on_change="rerun", type="compact") as panel:
        if not panel.open:
            return
        notation = session.settings.notation
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox(
                _("Matrix"),
                names,
                format_func=lambda name: in_notation("b_h" if name == "b" else name, notation),
                key=f"{key}_name",
            )
            st.text_area(
                _("As PyTorch or NumPy prints it"),
                key=f"{key}_text",
                max_chars=MOST_CHARACTERS,
                height=100,
                placeholder="tensor([[1., 2.], [3., 4.]])",
            )
            st.button(_("Take these numbers"), on_click=partial(_paste, session, state, key), key=f"{key}_take")
        elements.notice(*filter(None, [state.get("refused", "")]))


@in_reader_language
def _paste(session: Session, state: PageState, key: str) -> None:
    name, text = st.session_state[f"{key}_name"], st.session_state[f"{key}_text"]
    state.pop("refused", None)
    try:
        paste(session, state, name, text)
    except ValueError as error:
        state["refused"] = message_of(error)


def paste(session: Session, state: PageState, name: str, text: str) -> None:
    """Replace a matrix by the one in a text. ``ValueError`` with the reason if it is none that the cells can take."""
    values = read_matrix(text)
    largest = float(values.flat[np.abs(values).argmax()])
    if abs(largest) > LARGEST:
        raise ValueError(lazy_gettext(TOO_LARGE, largest=f"{LARGEST:.0f}", number=short(largest)))
    wanted = (state["N"], state["H"])
    if name == GRADIENT and values.shape != wanted:
        rows, columns = values.shape
        raise ValueError(lazy_gettext(OTHER_SHAPE, rows=rows, columns=columns, N=wanted[0], H=wanted[1]))
    _keep(session, state, name, values)

"""X W_xh + H W_hh as one product of concatenated matrices, with random numbers and in the live network."""

import math

import numpy as np

from core.analysis import one_step_matrices as analysis
from core.analysis.unrolled import unroll
from core.config.language import gettext as _, lazy_gettext
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.widgets.components import blocks, cards, diagram
from pages.content.notation import in_notation
from pages.figures.recurrent_step.cells import cells_drawing, cells_words
from pages.figures.recurrent_step.products import products_drawing, products_words
from pages.recurrent_step.matrices import matrices
from pages.recurrent_step.networks import passage

LARGEST = 99.0  # number that fits into a cell


def show(session: Session, state: PageState) -> None:
    """Draw the sum of two products and the one product of concatenated matrices, and three cells of the live network."""
    m = matrices(session, state)
    scene = products_drawing(m, analysis.two_ways(m), decimals=state["decimals"], notice=_(state.pop("notice", "")))
    notation = session.settings.notation
    names = {in_notation(name, notation): name for name in state["matrices"]}
    blocks(in_notation(scene, notation), key="products", on_edit=lambda name, *cell: edit(state, names.get(name, ""), *cell))
    cards(in_notation(products_words(session.settings.activation), notation), key="products_words")
    cells(session, state)


def cells(session: Session, state: PageState) -> None:
    """Draw three adjacent steps of the live network on held-out text."""
    tokenizer, params, activation = session.corpus.tokenizer, session.params(), session.settings.activation
    tokens = passage(session, state["draw"])
    u = unroll(params, tokens[:-1], tokens[1:], activation=activation)
    with elements.place("three_cells"):
        elements.heading(_("Three cells, opened"), cells_words(params, activation))
    diagram(cells_drawing(u, params, tokenizer.symbols(u.tokens), tokenizer.vocab), key="cells")


def edit(state: PageState, name: str, row: int, column: int, text: str) -> None:
    """Set a cell to the typed number; text that is not a number in range leaves it unchanged, and a notice is shown."""
    matrix = (state.get("matrices") or {}).get(name)
    try:
        value = float(text.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        value = math.nan
    if abs(value) <= LARGEST:
        if matrix is not None and row < matrix.shape[0] and column < matrix.shape[1]:
            state["matrices"][name] = np.array(matrix)
            state["matrices"][name][row, column] = round(value, state["decimals"])
    else:
        state["notice"] = lazy_gettext(
            "A cell takes a number between −{largest} and {largest}; this one keeps what it had.", largest=f"{LARGEST:.0f}"
        )

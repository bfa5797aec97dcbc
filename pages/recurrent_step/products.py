"""X W_xh + H W_hh as one product of concatenated matrices, with random numbers and in the live network."""

from core.analysis import one_step_matrices as analysis
from core.analysis.unrolled import unroll
from core.config.language import gettext as _
from core.models import rnn
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.widgets.components import blocks, cards, diagram
from pages.content.notation import in_notation
from pages.figures.recurrent_step.cells import cells_drawing, cells_words
from pages.figures.recurrent_step.products import products_drawing, products_words
from pages.recurrent_step.matrices import matrices, own_numbers, write
from pages.recurrent_step.networks import passage


def show(session: Session, state: PageState) -> None:
    """Draw the sum of two products and the one product of concatenated matrices, and three cells of the live network."""
    m = matrices(session, state)
    shown, hidden = {"decimals": state["decimals"], "notice": _(state.pop("notice", ""))}, state["results"] == "hidden"
    scene = products_drawing(m, analysis.two_ways(m), **shown, hidden=hidden)
    notation = session.settings.notation
    names = {in_notation(name, notation): name for name in state["matrices"]}
    own_numbers(session, state, ("X", "W_xh", "H", "W_hh"))

    def edit(name: str, *cell: int | str) -> None:
        write(session, state, names.get(name, ""), *cell, digits=state["decimals"])

    blocks(in_notation(scene, notation), key="products", on_edit=edit)
    cards(in_notation(products_words(session.settings.activation), notation), key="products_words")
    cells(session, state)
    elements.source("products", analysis.two_ways, rnn.step)


def cells(session: Session, state: PageState) -> None:
    """Draw three adjacent steps of the live network on held-out text."""
    tokenizer, params, activation = session.corpus.tokenizer, session.params(), session.settings.activation
    tokens = passage(session, state["draw"])
    u = unroll(params, tokens[:-1], tokens[1:], activation=activation)
    with elements.place("three_cells"):
        elements.heading(_("Three cells, opened"), cells_words(params, activation))
    diagram(cells_drawing(u, params, tokenizer.symbols(u.tokens), tokenizer.vocab), key="cells")

"""One step forward and back, with the numbers of the two products."""

import numpy as np
import streamlit as st

from core.analysis import one_step_matrices as analysis
from core.analysis.one_step_matrices import LETTERS_OF, StepBack, StepMatrices
from core.config.language import gettext as _
from core.text.randomness import Purpose, generator
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.widgets.components import blocks, cards, diagram, listing, live_figure
from pages.content.notation import in_notation
from pages.figures.recurrent_step.back import EDITED, slope_figure, slope_label, step_back_drawing, step_back_words
from pages.figures.recurrent_step.back_listing import back_listing_drawing
from pages.figures.recurrent_step.graph import graph_drawing
from pages.recurrent_step.matrices import GRADIENT, matrices, own_numbers, write

LINK = "one_step_back"  # of the equations and their code


def show(session: Session, state: PageState) -> None:
    """Draw the graph of one step, its equations, and the slope of the activation at every unit."""
    activation, notation = session.settings.activation, session.settings.notation
    m = matrices(session, state)
    b = step_back(session, state, m)
    hidden = state["results"] == "hidden"
    if not hidden:  # the graph has all results
        diagram(in_notation(graph_drawing(m, b), notation), key="graph")
    own_numbers(session, state, (*LETTERS_OF, GRADIENT))
    drawing = step_back_drawing(m, b, notice=_(state.pop("notice", "")), hidden=hidden)
    names = {in_notation(name, notation): name for name in EDITED}

    def edit(name: str, row: int, column: int, text: str) -> None:
        if name in names:
            change(session, state, b, names[name], (row, column), text)

    blocks(in_notation(drawing, notation) | {"link": LINK}, key="back", on_edit=edit)
    elements.source("back", lit=lambda: code(m, b, notation, hidden=hidden))
    if not hidden:
        _slopes(b, activation)


def code(m: StepMatrices, b: StepBack, notation: str, *, hidden: bool) -> None:
    """Draw the code of every equation, by the name of its result."""
    drawing = back_listing_drawing(m, b, hidden=hidden)
    listing({"link": LINK, "drawing": drawing | {"substeps": in_notation(drawing["substeps"], notation)}})


def step_back(session: Session, state: PageState, m: StepMatrices) -> StepBack:
    """The step forward and back: from a random loss, or from the reader's own gradient."""
    return analysis.one_step_back(m, generator(state["draw"], Purpose.TARGETS), session.settings.activation, state["gradient"])


def change(session: Session, state: PageState, b: StepBack, name: str, cell: tuple[int, int], text: str) -> None:
    """Set a cell: those of a transposed matrix belong to the matrix itself, those of any row of the repeated bias to its one row.
    A gradient that came from the loss is from now on the reader's."""
    matrix, transposed = EDITED[name]
    row, column = cell[::-1] if transposed else cell
    from_loss = matrix == GRADIENT and state["gradient"] is None
    if from_loss:
        if b.dh_next.shape != state["matrices"]["H"].shape:
            return  # of a drawing before the sizes were changed
        state["gradient"] = b.dh_next
    write(session, state, matrix, 0 if matrix == "b" else row, column, text)
    if from_loss and state["gradient"] is b.dh_next:  # the text was refused
        state["gradient"] = None


def _slopes(b: StepBack, activation: str) -> None:
    left, right = st.columns((1, 1.6), gap="medium")
    with left:
        reach = max(4.0, 1.1 * float(np.abs(b.a).max()))
        chart = slope_figure(b, analysis.slope_curve(reach, activation))
        live_figure(chart, key="slope", label=slope_label(b))
    with right:
        cards(step_back_words(b), key="back_words")

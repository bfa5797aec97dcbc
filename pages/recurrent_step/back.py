"""One step forward and back, with the numbers of the two products."""

import numpy as np
import streamlit as st

from core.analysis import one_step_matrices as analysis
from core.text.randomness import Purpose, generator
from core.training.simple_rnnlm import RNN
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.widgets.components import blocks, cards, diagram, live_figure
from pages.content.notation import in_notation
from pages.figures.recurrent_step.back import slope_figure, slope_label, step_back_drawing, step_back_words
from pages.figures.recurrent_step.graph import graph_drawing
from pages.recurrent_step.matrices import matrices


def show(session: Session, state: PageState) -> None:
    """Draw the graph of one step, its equations, and the slope of the activation at every unit."""
    activation, notation = session.settings.activation, session.settings.notation
    m = matrices(session, state)
    b = analysis.one_step_back(m, generator(state["draw"], Purpose.TARGETS), activation)
    diagram(in_notation(graph_drawing(m, b), notation), key="graph")
    blocks(in_notation(step_back_drawing(m, b), notation), key="back")
    left, right = st.columns((1, 1.6), gap="medium")
    with left:
        reach = max(4.0, 1.1 * float(np.abs(b.a).max()))
        chart = slope_figure(b, analysis.slope_curve(reach, activation))
        live_figure(chart, key="slope", label=slope_label(b))
    with right:
        cards(step_back_words(b), key="back_words")
    elements.source("back", RNN, analysis.one_step_back)

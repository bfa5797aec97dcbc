"""The data of the Gradient flow page, which each of its sections receives, and what several sections share."""

from typing import NamedTuple

import streamlit as st

from core.analysis.backward import BackwardPass
from core.analysis.displayed_text import Reading
from core.analysis.gradient_flow import GradientFlow, LagCurve
from core.analysis.unrolled import Unrolled
from pages.app.panels.text_model_picker import Network
from pages.app.widgets.components import comparison, live_figure
from pages.figures.parts.chart import Figure
from pages.figures.parts.tables import Comparison

LINK = "gradient_flow"  # of the components that share the play head
LARGEST = 512  # units: the singular values and eigenvalues of larger matrices would delay all other sessions


class PageData(NamedTuple):
    """A network, a text, and the forward and backward pass over it: float64, one sequence, from a state of zeros."""

    network: Network
    reading: Reading
    name: str  # of the text: components with the same name share the play head
    forward: Unrolled
    backward: BackwardPass
    flow: GradientFlow
    additive: LagCurve  # of the same weights with an additive path
    untrained: LagCurve | None  # of the live network before its first update; None if another network is shown


def chart_and_numbers(chart_key: str, chart: Figure, numbers_key: str, numbers: Comparison) -> None:
    """Draw a chart and, beside it, its numbers, whose sentence is also the text alternative of the chart."""
    left, right = st.columns((1.3, 1), gap="medium")
    with left:
        live_figure(chart, key=chart_key, label=numbers["sentence"])
    with right:
        comparison(numbers, key=numbers_key)

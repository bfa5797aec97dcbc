"""The data of the Gradient flow page, which each of its sections receives."""

from typing import Any, NamedTuple

from core.analysis.backward import BackwardPass
from core.analysis.displayed_text import Reading
from core.analysis.gradient_flow import GradientFlow, LagCurve
from core.analysis.unrolled import Unrolled
from pages.app.panels.text_model_picker import Network


class PageData(NamedTuple):
    """A network, a text, and the forward and backward pass over it: float64, one sequence, from a state of zeros."""

    network: Network
    reading: Reading
    name: str  # of the text: components with the same name share the play head
    forward: Unrolled
    backward: BackwardPass
    flow: GradientFlow
    scene: dict[str, Any]  # data of the drawing
    untrained: LagCurve | None  # of the live network before its first update; None if another network is shown

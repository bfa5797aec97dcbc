"""The computation graph of one step, forward and backward (Deep Learning from Scratch 2, figures 5-19 and 5-20)."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

import numpy as np

from core.analysis.one_step_matrices import StepBack, StepMatrices
from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.figures.recurrent_step.blocks import Cells, Diagram, DiagramScene, Point, times

WIDTH, HEIGHT = 972, 432  # px
LARGEST = 36  # px of the longer side of the largest matrix
WIRE_OFFSET = 4  # px from the middle of a wire to its forward and its backward line
LEAF = 112, 200  # x of the matrices of an input, and of the start of its wire
ROWS = {"h_prev": 34, "W_hh": 108, "x": 208, "W_xh": 282, "b_h": 378}  # y of each input
NODES = {  # name: x, y, width, operation forward and backward
    "h_prev W_hh": (262, 71, 88, "MatMul", lazy_gettext("two MatMuls")),
    "x W_xh": (262, 245, 88, "MatMul", lazy_gettext("two MatMuls")),
    "repeat": (262, 378, 88, "", ""),
    "sum": (452, 158, 48, "+", lazy_gettext("copy")),
    "t": (600, 158, 48, "+", lazy_gettext("copy")),
    "h_next": (750, 158, 80, "", ""),
}
NODE_HEIGHT = 44  # height of a node, px


class _Edge(NamedTuple):
    """The matrix on a wire and its gradient, with the printed names of both; ``title`` is shown when they are opened."""

    forward: str
    back: str
    value: np.ndarray
    gradient: np.ndarray
    title: str


def graph_scene(m: StepMatrices, b: StepBack) -> DiagramScene:
    """Every wire with its matrix (forward) and its gradient (backward); the numbers of t are open at first."""
    drawing = _Graph(b, _("One step as a computation graph: forward in blue, backward in orange and dashed."))
    for name, edge in _leaves(m, b).items():
        drawing.leaf(name, edge)
    inner = _inner(b)
    for (x, y), edge in zip(((316, 71), (316, 245), (316, 378), (486, 158), (628, 158), (800, 158)), inner, strict=True):
        drawing.inner(x, y, edge)
    drawing.nodes()
    for path in WIRES:
        drawing.both_ways(*path)
    return drawing.diagram.scene(open=len(ROWS) + 4)


WIRES: tuple[tuple[Point, ...], ...] = (
    ((200, 34), (262, 34), (262, 49)),
    ((200, 108), (262, 108), (262, 93)),
    ((200, 208), (262, 208), (262, 223)),
    ((200, 282), (262, 282), (262, 267)),
    ((200, 378), (218, 378)),
    ((306, 71), (452, 71), (452, 136)),
    ((306, 245), (452, 245), (452, 180)),
    ((306, 378), (600, 378), (600, 180)),
    ((476, 158), (576, 158)),
    ((624, 158), (710, 158)),
    ((790, 158), (972, 158)),
)


def _leaves(m: StepMatrices, b: StepBack) -> dict[str, _Edge]:
    """The inputs of the graph: previous state, input of the step, weights and bias."""
    state = _("The state of the step before. Its gradient goes back to it.")
    weights = _("Learnt. Every step adds its share to the gradient.")
    return {
        "h_prev": _Edge("h_{prev}", "dh_{prev}", m.H, b.dh_prev, state),
        "W_hh": _Edge("W_{hh}", "dW_{hh}", m.W_hh, b.dW_hh, weights),
        "x": _Edge("x", "dx", m.X, b.dx, _("The input. Its gradient goes down to the embedding.")),
        "W_xh": _Edge("W_{xh}", "dW_{xh}", m.W_xh, b.dW_xh, weights),
        "b_h": _Edge("b_{h}", "db_{h}", m.b, b.db[None], _("Learnt: one row. Its gradient is the sum of all rows of dt.")),
    }


def _inner(b: StepBack) -> list[_Edge]:
    """The intermediate results and the new state."""
    copied = _("A sum passes the same dt back to everything that was added.")
    repeated, same = _("{bias} repeated", bias="b_{h}"), _("The same b_h in every row: this is what broadcasting does.")
    slope = _("The pre-activation. dt is dh_next times {activation}′.", activation=b.activation)
    return [
        _Edge("h_{prev} W_{hh}", "dt", b.from_memory, b.dt, copied),
        _Edge("x W_{xh}", "dt", b.from_input, b.dt, copied),
        _Edge(repeated, "dt", b.bias, b.dt, same),
        _Edge(_("sum"), "dt", b.from_memory + b.from_input, b.dt, copied),
        _Edge("t", "dt", b.a, b.dt, slope),
        _Edge("h_{next}", "dh_{next}", b.h_next, b.dh_next, _("The new state. Its gradient comes from the loss.")),
    ]


class _Graph:
    """Builds the drawing. Each forward matrix has its own colour scale; the gradients share one."""

    def __init__(self, b: StepBack, label: str) -> None:
        (N, H), D = b.dt.shape, b.dx.shape[1]
        self.b, self.diagram = b, Diagram(WIDTH, HEIGHT, label)
        self.side = LARGEST / max(N, D, H)
        self._back = Cells(2, b.dh_next, b.dt, b.dW_hh, b.dW_xh, b.dh_prev, b.dx, b.db)

    def leaf(self, name: str, edge: _Edge) -> None:
        """Add an input: names at the left, then its matrix and its gradient."""
        x, y = LEAF[0], ROWS[name]
        self._names(0, y - 4, y + 18, edge)
        self._matrices(x, y - LARGEST / 2, edge)

    def inner(self, x: float, y: float, edge: _Edge) -> None:
        """Add an intermediate result: its matrix and its gradient above the wire, names below."""
        self._matrices(x, y - 8 - LARGEST, edge)
        self._names(x, y + 24, y + 44, edge)

    def nodes(self) -> None:
        N, phi = len(self.b.dt), self.b.activation
        own = {
            "repeat": (lazy_gettext("repeat ×{N}", N=N), lazy_gettext("sum of {N}", N=N)),
            "h_next": (phi, lazy_gettext("times {activation}′", activation=phi)),
        }
        for name, (x, y, width, *does) in NODES.items():
            forward, back = own.get(name, does)
            self.diagram.box(x, y, width, NODE_HEIGHT, (_(forward), "strong"), (_(back), "back"))

    def both_ways(self, *points: Point) -> None:
        """Add a forward wire in blue and, beside it, a backward wire in orange."""
        self.diagram.wire(*_shifted(points, WIRE_OFFSET))
        self.diagram.wire(*reversed(_shifted(points, -WIRE_OFFSET)), tone="back")

    def _names(self, x: float, y: float, below: float, edge: _Edge) -> None:
        self.diagram.words(x, y, edge.forward, "forward")
        self.diagram.words(x, below, edge.back, "back")
        self.diagram.words(x + _width(edge.forward), y, times(edge.value.shape), "muted")

    def _matrices(self, x: float, y: float, edge: _Edge) -> None:
        forward = Cells(2, edge.value).part("", edge.value)["cells"]
        back = self._back.part("", edge.gradient)["cells"]
        shape, side = times(edge.value.shape), self.side
        place = self.diagram.place(
            edge.title,
            [
                {"name": edge.forward, "shape": _("{shape}, forward", shape=shape), "tone": "forward", "cells": forward},
                {"name": edge.back, "shape": _("{shape}, backward", shape=shape), "tone": "back", "cells": back},
            ],
        )
        top = y + (LARGEST - side * len(forward)) / 2
        self.diagram.grid(x, top, side, side, forward, "forward", place)
        self.diagram.grid(x + LARGEST + 8, top, side, side, back, "back", place)


def _shifted(points: Sequence[Point], offset: float) -> list[Point]:
    """A horizontal path, perhaps with a vertical end, moved ``offset`` px up and sideways, clear of the opposite wire."""
    start, (end, last) = points[0][1], points[-1]
    aside = offset if last > start else -offset if last < start else 0
    return [(x + (aside if x == end else 0), y - (offset if y == start else 0)) for x, y in points]


def _width(name: str) -> float:
    """The approximate width of a printed name with a gap, px."""
    low = sum(map(len, re.findall(r"_\{(.*?)\}", name)))
    high = re.sub(r"_\{.*?\}", "", name)
    return 10 * (len(high) + sum(east_asian_width(letter) in "WF" for letter in high)) + 7 * low + 10

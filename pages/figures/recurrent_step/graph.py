"""The computation graph of one step, forward and backward (Deep Learning from Scratch 2, figures 5-19 and 5-20)."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple
from unicodedata import east_asian_width

import numpy as np

from core.analysis.one_step_matrices import StepBack, StepMatrices
from core.config.language import gettext as _, lazy_gettext
from pages.figures.recurrent_step.blocks import Box, CellGrid, Cells, DiagramDrawing, Point, Wire, Words, times

WIDTH, HEIGHT = 972, 432  # px
LARGEST = 36  # px of the longer side of the largest matrix
WIRE_OFFSET = 4  # px from the middle of a wire to its forward and its backward line
INPUT_X = 112  # of the matrices of the inputs
NODES = (  # x, y, width, operation forward and backward
    (262, 71, 88, "MatMul", lazy_gettext("two MatMuls")),
    (262, 245, 88, "MatMul", lazy_gettext("two MatMuls")),
    (262, 378, 88, lazy_gettext("repeat ×{N}"), lazy_gettext("sum of {N}")),
    (452, 158, 48, "+", lazy_gettext("copy")),
    (600, 158, 48, "+", lazy_gettext("copy")),
    (750, 158, 80, "{activation}", lazy_gettext("times {activation}′")),
)
NODE_HEIGHT = 44  # height of a node, px
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


class _Edge(NamedTuple):
    """The matrix on a wire and its gradient: their x, the y of the wire, the printed names of both, and both matrices; ``title``
    is shown when they are opened."""

    x: float
    y: float
    forward: str
    back: str
    value: np.ndarray
    gradient: np.ndarray
    title: str


def graph_drawing(m: StepMatrices, b: StepBack) -> dict[str, Any]:
    """A ``DiagramDrawing`` as a dict: every wire with its matrix (forward) and its gradient (backward); t is open at first.

    Each forward matrix has its own colour scale; the gradients share one.
    """
    edges = _edges(m, b)
    label = _("One step as a computation graph: forward in blue, backward in orange and dashed.")
    drawing = DiagramDrawing([WIDTH, HEIGHT], label, open=[edge.forward for edge in edges].index("t"))
    gradients = Cells(2, *(edge.gradient for edge in edges))
    side = LARGEST / max(*b.dt.shape, b.dx.shape[1])
    for edge in edges:
        _add_edge(drawing, edge, gradients, side)
    values = {"N": len(b.dt), "activation": b.activation}
    for x, y, width, forward, back in NODES:
        lines = [(_(forward, **values), "strong"), (_(back, **values), "back")]
        drawing.boxes.append(Box(x, y, width, NODE_HEIGHT, lines))
    for path in WIRES:
        drawing.wires += [Wire(_shifted(path, WIRE_OFFSET)), Wire(_shifted(path, -WIRE_OFFSET)[::-1], "back")]
    return asdict(drawing)


def _edges(m: StepMatrices, b: StepBack) -> list[_Edge]:
    """The inputs of the graph, the intermediate results, and the new state."""
    state = _("The state of the step before. Its gradient goes back to it.")
    learnt = _("Learnt. Every step adds its share to the gradient.")
    row = _("Learnt: one row. Its gradient is the sum of all rows of dt.")
    copied = _("A sum passes the same dt back to everything that was added.")
    repeated, same = _("{bias} repeated", bias="b_{h}"), _("The same b_h in every row: this is what broadcasting does.")
    slope = _("The pre-activation. dt is dh_next times {activation}′.", activation=b.activation)
    new = _("The new state. Its gradient is given, by the loss or by you.")
    return [
        _Edge(INPUT_X, 34, "h_{prev}", "dh_{prev}", m.H, b.dh_prev, state),
        _Edge(INPUT_X, 108, "W_{hh}", "dW_{hh}", m.W_hh, b.dW_hh, learnt),
        _Edge(INPUT_X, 208, "x", "dx", m.X, b.dx, _("The input. Its gradient goes down to the embedding.")),
        _Edge(INPUT_X, 282, "W_{xh}", "dW_{xh}", m.W_xh, b.dW_xh, learnt),
        _Edge(INPUT_X, 378, "b_{h}", "db_{h}", m.b, b.db[None], row),
        _Edge(316, 71, "h_{prev} W_{hh}", "dt", b.from_memory, b.dt, copied),
        _Edge(316, 245, "x W_{xh}", "dt", b.from_input, b.dt, copied),
        _Edge(316, 378, repeated, "dt", b.bias, b.dt, same),
        _Edge(486, 158, _("sum"), "dt", b.from_memory + b.from_input, b.dt, copied),
        _Edge(628, 158, "t", "dt", b.a, b.dt, slope),
        _Edge(800, 158, "h_{next}", "dh_{next}", b.h_next, b.dh_next, new),
    ]


def _add_edge(drawing: DiagramDrawing, edge: _Edge, gradients: Cells, side: float) -> None:
    """Add a matrix and its gradient in cells of ``side`` px: above their names, or beside them for an input."""
    # The top of the matrices, and the place of the name; ``below`` is the y of the gradient's name.
    if edge.x == INPUT_X:
        top, x, y, below = edge.y - LARGEST / 2, 0, edge.y - 4, edge.y + 18
    else:
        top, x, y, below = edge.y - 8 - LARGEST, edge.x, edge.y + 24, edge.y + 44
    shape, place = times(edge.value.shape), len(drawing.places)
    drawing.words += [
        Words(x, y, edge.forward, "forward"),
        Words(x, below, edge.back, "back"),
        Words(x + _width(edge.forward), y, shape, "muted"),
    ]
    forward, back = Cells(2, edge.value).cells(edge.value), gradients.cells(edge.gradient)
    matrices = [
        {"name": edge.forward, "shape": _("{shape}, forward", shape=shape), "tone": "forward", "cells": forward},
        {"name": edge.back, "shape": _("{shape}, backward", shape=shape), "tone": "back", "cells": back},
    ]
    drawing.places.append({"title": edge.title, "matrices": matrices})
    top += (LARGEST - side * len(forward)) / 2
    drawing.grids += [
        CellGrid(edge.x, top, side, side, forward, "forward", place),
        CellGrid(edge.x + LARGEST + 8, top, side, side, back, "back", place),
    ]


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

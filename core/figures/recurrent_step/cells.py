"""Three recurrent cells side by side, each opened: concatenate, fully connected + phi, copy (D2L 8.4, Fig. 8.4.1)."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Integer

from core.analysis.unrolled import Unrolled, most_probable, top_variance_units
from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.figures.parts.network import UNITS
from core.figures.parts.numbers import count, fixed, in_hundred
from core.figures.parts.symbols import fitted
from core.figures.recurrent_step.blocks import BlockCell, Diagram, DiagramScene, times
from core.models.params import Params

STEPS = 3
PITCH, HEIGHT = 324, 226  # px of a cell
INPUT_CELLS = 11  # cells of an input vector, at most
STRIP, INPUT, STATE = 22, 44, 80  # px: width of a vector, height of an input and of a state
TOP = 34  # y of an input vector
COPY_X = 284  # x at which the new state is copied
STATE_WIRE_Y = TOP + INPUT + 4 + STATE / 2  # y of the wire that passes the state on


def cells_scene(u: Unrolled, params: Params, symbols: Sequence[str], vocabulary: Sequence[str]) -> DiagramScene:
    """The last three steps of a text as cells, with x above h as in [x, h]. ``symbols`` are the input tokens."""
    T = len(u.tokens)
    first = max(T - STEPS, 0)
    read = "".join(symbols[first:])
    label = _("Three cells side by side, which read “{text}”: each joins its input and the state of the step before.", text=read)
    diagram = Diagram(PITCH * STEPS, HEIGHT, label)
    units = top_variance_units(u.h[1:], UNITS)
    states = _column(u.h[:, units], units, lazy_gettext("unit {i}: {value}"))
    inputs = [[[one] for one in vector] for vector in input_vectors(params, u.tokens, INPUT_CELLS)]
    for place, t in enumerate(range(first, T)):
        _cell(diagram, PITCH * place, t, (inputs[t], states[t], states[t + 1]), fitted(symbols[t], 40, 17), u.activation)
        best = most_probable(u.p[t], 1)[0]
        guess = f"{fitted(vocabulary[best], 28, 15)} {_('{n} %', n=in_hundred(u.p[t, best]))}"
        diagram.box(PITCH * place + COPY_X, 16, 76, 28, (guess, "code"))
    diagram.wire((PITCH * STEPS - 48, STATE_WIRE_Y), (PITCH * STEPS - 4, STATE_WIRE_Y))
    return diagram.scene()


def _cell(diagram: Diagram, x: float, t: int, vectors: tuple[list, list, list], token: str, activation: str) -> None:
    """Add the cell of step ``t`` with its left edge at ``x``; all cells are drawn alike."""
    source, before, after = vectors
    middle = TOP + (INPUT + 4 + STATE) / 2
    diagram.box(x + 34, TOP + INPUT / 2, 46, 30, (token, "code"))
    diagram.words(x + 12, TOP - 6, "x_{t}", "forward", step=t)
    diagram.wire((x + 58, TOP + INPUT / 2), (x + 84, TOP + INPUT / 2))
    diagram.words(x + 20, STATE_WIRE_Y - 10, "h_{t-1}", step=t)
    diagram.wire((x and x + 276 - PITCH, STATE_WIRE_Y), (x + 84, STATE_WIRE_Y))  # the first wire begins at the edge
    diagram.grid(x + 88, TOP, STRIP, INPUT / len(source), source, "input")
    diagram.grid(x + 88, TOP + INPUT + 4, STRIP, STATE / len(before), before, "memory")
    diagram.wire((x + 114, middle), (x + 136, middle))
    lines = [(line, "") for line in _("fully\nconnected").splitlines()]
    diagram.box(x + 184, middle, 92, 84, *lines, (f"+ {activation}", "strong"))
    diagram.wire((x + 231, STATE_WIRE_Y), (x + 248, STATE_WIRE_Y))
    diagram.grid(x + 252, TOP + INPUT + 4, STRIP, STATE / len(after), after, "memory")
    diagram.wire((x + COPY_X, STATE_WIRE_Y), (x + COPY_X, 32))
    for place, words in ((99, "[x_{t}, h_{t-1}]"), (263, "h_{t}")):
        diagram.words(x + place, HEIGHT - 44, words, anchor="middle", step=t)
    for place, words in ((99, _("concatenate")), (COPY_X + 6, _("copy"))):
        diagram.words(x + place, HEIGHT - 22, words, "muted", anchor="middle")


def cells_words(params: Params, activation: str) -> str:
    """The shapes within one cell, and the weights that all three share, in a sentence."""
    D, H = params.W_xh.shape
    return _(
        "[x, h]: 1×({D} + {H}) = {joined}; weights {weights}, the same in all cells; h: {state}. Then {activation}.",
        D=count(D),
        H=count(H),
        joined=times((1, D + H)),
        weights=times((D + H, H)),
        state=times((1, H)),
        activation=activation,
    )


def input_vectors(params: Params, tokens: Integer[np.ndarray, " T"], most: int) -> list[list[BlockCell]]:
    """Each token's input vector in at most ``most`` cells: one-hot, or the coordinates of the embedding that vary most."""
    if params.W_emb is None:
        return [_one_hot(token, params.vocab_size, min(params.vocab_size, most)) for token in tokens.tolist()]
    vectors = params.W_emb[tokens].astype(np.float64)
    shown = top_variance_units(vectors, most)
    return [[cell for (cell,) in column] for column in _column(vectors[:, shown], shown, lazy_gettext("number {i}: {value}"))]


def _one_hot(token: int, V: int, cells: int) -> list[BlockCell]:
    """A one-hot vector of V places, shrunk to ``cells`` cells; the 1 is in the cell that covers its place."""
    tooltip = _("1 at place {place} of {V}, else 0", place=token + 1, V=V)
    return [("", float(cell == cells * token // V), tooltip) for cell in range(cells)]


def _column(values: np.ndarray, numbers: np.ndarray | Sequence[int], tooltip: str) -> list[list[list[BlockCell]]]:
    """Each row of ``values`` as a column of cells on one colour scale; ``tooltip`` is a template for its number and value."""
    finite = np.nan_to_num(values)
    scale = float(np.abs(finite).max(initial=0.0)) or 1.0
    return [
        [
            [("", round(float(value) / scale, 3), _(tooltip, i=i + 1, value=fixed(value, 2)))]
            for i, value in zip(numbers, row, strict=True)
        ]
        for row in finite
    ]

"""One recurrent cell opened: concatenate, fully connected + phi, copy. What the drawing needs for every step of a text.

The states are not sent here: they are those of ``core.figures.unrolled.heat_map``, and ``places`` says where the
units of the drawing stand in it. Source: D2L 8.4, Fig. 8.4.1.
"""

from typing import Any

import numpy as np
from jaxtyping import Float

from core.analysis.unrolled import Unrolled, liveliest, most_probable
from core.content.notation import FIRST, named
from core.figures.parts.network import UNITS, hundredths
from core.figures.parts.numbers import count, decimals, number, probability, target_probability
from core.figures.parts.symbols import fitted, visible
from core.models.params import Params
from core.text.tokenizer import Tokenizer

TOKEN_ROOM, TOKEN_FONT = 76, 17  # px in the box of the token
GUESS_ROOM, GUESS_FONT = 72, 15  # px for the best guess
TARGET_ROOM = 36  # px for the target beside its loss
LAWS = {
    "before": "h_{t-1}",
    "input": "x_{t}",
    "joined": "[x_{t}, h_{t-1}]",
    "sum": "a_{t} = [x_{t}, h_{t-1}] [W_{xh}; W_{hh}] + b_{h}",
    "state": "h_{t} = φ(a_{t})",
    "after": "h_{t}",
    "output": "o_{t} = h_{t} W_{hq} + b_{q}",
}


def cell_scene(u: Unrolled, params: Params, tokenizer: Tokenizer, drawn: list[int], notation: str = FIRST) -> dict[str, Any]:
    """The cell at every step: shapes, the input vector, the best guess and the loss in words.

    ``drawn`` are the rows of the heat map that the strips show. An input vector is the place of its one, or where there is an
    embedding its liveliest coordinates in hundredths of the largest.
    """
    H, V = u.h.shape[1], u.p.shape[1]
    return {
        "places": drawn,
        "laws": {name: law.replace("φ", u.activation) for name, law in named(LAWS, notation).items()},
        "activation": u.activation,
        "shapes": shapes(params.W_xh.shape[0], H, V),
        "shown": f"{len(drawn)} of {count(H)} units" if len(drawn) < H else f"all {H} units",
        "input": _input(u, params),
        "steps": [_step(u, t, tokenizer) for t in range(len(u.tokens))],
    }


def shapes(D: int, H: int, V: int) -> dict[str, str]:
    """The shape of everything in the drawing, rows by columns."""
    return {
        "state": f"1 × {count(H)}",
        "sum": f"{count(D)} + {count(H)}",
        "joined": f"1 × {count(D + H)}",
        "weights": f"{count(D + H)} × {count(H)}",
        "output": f"1 × {count(V)}",
    }


def _input(u: Unrolled, params: Params) -> dict[str, Any]:
    """One-hot: the size and where each step's one stands. Embedded: what is shown of each step's vector."""
    if params.W_emb is None:
        V = u.p.shape[1]
        return {"said": f"one-hot, 1 of {count(V)}", "size": V, "ones": u.tokens.tolist(), "rows": []}
    vectors = params.W_emb[u.tokens].astype(np.float64)
    shown = liveliest(vectors, UNITS)
    limit = _largest(vectors[:, shown])
    D = vectors.shape[1]
    said = f"{len(shown)} of {count(D)}" if len(shown) < D else f"{D} numbers"
    return {"said": f"{said}, ±{number(limit, 2)}", "size": len(shown), "ones": [], "rows": hundredths(vectors[:, shown], limit)}


def _largest(values: Float[np.ndarray, "T shown"]) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0.0)) or 1.0


def _step(u: Unrolled, t: int, tokenizer: Tokenizer) -> list[str]:
    """Of one step: token, best guess and its probability, target, its probability and its loss in nats."""
    best, target = most_probable(u.p[t], 1)[0], int(u.targets[t])
    token, guess, label = (visible(symbol) for symbol in tokenizer.symbols(np.array([u.tokens[t], best, target])))
    p = float(u.p[t, target])
    return [
        fitted(token, TOKEN_ROOM, TOKEN_FONT),
        fitted(guess, GUESS_ROOM, GUESS_FONT),
        probability(float(u.p[t, best])),
        fitted(label, TARGET_ROOM, GUESS_FONT),
        target_probability(p),
        decimals(float(u.losses[t])),
    ]

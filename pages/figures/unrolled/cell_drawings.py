"""All units over time as a heat map, one recurrent cell opened (concatenate, fully connected + phi, copy), layers over time.

Only the heat map sends the states; ``places`` of a cell are the rows of its units in the heat map. Sources: D2L 8.4, Fig. 8.4.1;
names of the layers: Deep Learning from Scratch 2, 5.2 to 5.4.
"""

import base64
from typing import Literal, NamedTuple, TypedDict

import numpy as np

from core.analysis.unrolled import Unrolled, highest_first, most_probable, top_variance_units
from core.config.language import gettext as _, lazy_gettext
from core.models.params import Params
from core.text.tokenizer import Tokenizer
from pages.content.notation import FIRST_SOURCE, in_notation
from pages.figures.parts.network import STRIP_UNITS, hundredths, largest_of, limit_of
from pages.figures.parts.numbers import count, decimals, number, probability
from pages.figures.parts.symbols import fitted

TOKEN_ROOM, TOKEN_FONT = 76, 17  # px in the box of the token
GUESS_ROOM, GUESS_FONT = 72, 15  # px for the best guess
TARGET_ROOM = 36  # px for the target beside its loss
NO_EMBEDDING = lazy_gettext("not in this network: the input is one-hot, and x W_{xh} already picks a row")
AFFINE = lazy_gettext("one product for all N·T rows")
STATEFUL = lazy_gettext("recurrent layer, stateful")
LAWS = {
    "before": "h_{t-1}",
    "input": "x_{t}",
    "joined": "[x_{t}, h_{t-1}]",
    "sum": "a_{t} = [x_{t}, h_{t-1}] [W_{xh}; W_{hh}] + b_{h}",
    "state": "h_{t} = φ(a_{t})",
    "after": "h_{t}",
    "output": "o_{t} = h_{t} W_{hq} + b_{q}",
}
MAPPED = 256  # rows of the heat map, at most
LISTED = 8  # units listed with their numbers


class CellInput(TypedDict):
    """One-hot: the size, and in ``ones`` the index of the 1 at each step. Embedded: in ``rows`` the most variable coordinates of
    each step's vector, in hundredths of the largest."""

    text: str
    size: int
    ones: list[int]
    rows: list[list[int]]


class CellDrawing(TypedDict):
    """The cell at every step. A step: token, best guess and its probability, target, its probability and its loss in nats."""

    places: list[int]  # rows of the heat map that the strips show
    laws: dict[str, str]
    activation: str
    shapes: dict[Literal["state", "sum", "joined", "weights", "output"], str]  # rows by columns
    shown: str
    input: CellInput
    steps: list[list[str]]


class LayersDrawing(TypedDict):
    """Four layers from the top: name of the Time layer, name of the layer of one step, parameters, name and shape of the output,
    (N, T, ...) as in Deep Learning from Scratch 2."""

    rows: list[tuple[str, str, str, str]]
    target: str
    embedded: bool
    losses: list[str]
    sums: list[str]
    mean: str


def cell_drawing(
    u: Unrolled, params: Params, tokenizer: Tokenizer, drawn: list[int], notation: str = FIRST_SOURCE
) -> CellDrawing:
    """``drawn`` are the rows of the heat map that the strips show."""
    D, H, V = params.W_xh.shape[0], u.h.shape[1], u.p.shape[1]
    return {
        "places": drawn,
        "laws": {name: law.replace("φ", u.activation) for name, law in in_notation(LAWS, notation).items()},
        "activation": u.activation,
        "shapes": {
            "state": _by(1, H),
            "sum": f"{count(D)} + {count(H)}",
            "joined": _by(1, D + H),
            "weights": _by(D + H, H),
            "output": _by(1, V),
        },
        "shown": _("{n} of {H} units", n=len(drawn), H=count(H)) if len(drawn) < H else _("all {H} units", H=H),
        "input": _input(u, params),
        "steps": [_step(u, t, tokenizer) for t in range(len(u.tokens))],
    }


def _input(u: Unrolled, params: Params) -> CellInput:
    if params.W_emb is None:
        V = u.p.shape[1]
        return {"text": _("one-hot, 1 of {V}", V=count(V)), "size": V, "ones": u.tokens.tolist(), "rows": []}
    vectors = params.W_emb[u.tokens].astype(np.float64)
    shown = top_variance_units(vectors, STRIP_UNITS)
    limit = largest_of(vectors[:, shown])
    n, D, most = len(shown), vectors.shape[1], number(limit, 2)
    return {
        "text": _("{n} of {D}, ±{most}", n=n, D=count(D), most=most) if n < D else _("{D} numbers, ±{most}", D=D, most=most),
        "size": n,
        "ones": [],
        "rows": hundredths(vectors[:, shown], limit),
    }


def _step(u: Unrolled, t: int, tokenizer: Tokenizer) -> list[str]:
    best, target = most_probable(u.p[t], 1)[0], int(u.targets[t])
    token, guess, label = tokenizer.symbols([int(u.tokens[t]), best, target])
    return [
        fitted(token, TOKEN_ROOM, TOKEN_FONT),
        fitted(guess, GUESS_ROOM, GUESS_FONT),
        probability(float(u.p[t, best])),
        fitted(label, TARGET_ROOM, GUESS_FONT),
        number(float(u.p[t, target]), 2),
        decimals(float(u.losses[t])),
    ]


def layers_drawing(u: Unrolled, params: Params) -> LayersDrawing:
    T, H, V = len(u.tokens), u.h.shape[1], u.p.shape[1]
    W_xh, embedded = params.W_xh.shape, params.W_emb is not None
    rows = [
        ("TimeSoftmaxWithLoss", "Softmax with Loss", _("no parameters"), _("1 number")),
        ("TimeAffine", "Affine", f"W_{{hq}} {_by(H, V)}, b_q {count(V)}: {_(AFFINE)}", _by(1, T, V)),
        ("TimeRNN", "RNN", f"W_{{xh}} {_by(*W_xh)}, W_{{hh}} {_by(H, H)}, b_h {count(H)}: {_(STATEFUL)}", f"hs {_by(1, T, H)}"),
        (
            "TimeEmbedding", "Embedding", f"W_{{emb}} {_by(V, W_xh[0])}" if embedded else _(NO_EMBEDDING),
            f"xs {_by(1, T, W_xh[0])}",
        ),
    ]  # fmt: skip
    return {
        "rows": rows,
        "target": _("target: the input, shifted by one") if np.array_equal(u.tokens[1:], u.targets[:-1]) else _("target"),
        "embedded": embedded,
        "losses": [decimals(float(loss)) for loss in u.losses],
        "sums": [decimals(-float(nats)) for nats in u.log_likelihoods],
        "mean": decimals(float(u.mean_losses[-1]), 3),
    }


def _by(*sizes: int) -> str:
    return " × ".join(map(count, sizes))


class Units(NamedTuple):
    """Unit indices, the highest mean state first: the units of the heat map, those of them in the strips, and those of these
    that are listed with their numbers."""

    mapped: list[int]
    drawn: list[int]
    listed: list[int]


class HeatMap(TypedDict):
    """The states of all units over time, or of the ``MAPPED`` units of largest variance if there are more."""

    title: str
    units: list[int]
    states: str  # (T, units), signed bytes in base64: hundredths of the limit
    drawn: list[int]  # indices in ``units`` of the units in the drawing
    limit: float
    ends: list[str]


def units_of(u: Unrolled) -> Units:
    """The units of largest variance over a text. Call it once per text: during training, each unit then keeps its row."""
    return Units(*(highest_first(u.h[1:], count).tolist() for count in (MAPPED, STRIP_UNITS, LISTED)))


def heat_map(u: Unrolled, units: Units) -> HeatMap:
    H, shown, limit = u.h.shape[1], len(units.mapped), limit_of(u)
    values, digits = np.array(hundredths(u.h[1:, units.mapped], limit), np.int8), 0 if limit == 1 else 1
    return {
        "title": _("All {H} units", H=count(H)) if shown == H else _("{n} of {H} units", n=shown, H=count(H)),
        "units": units.mapped,
        "states": base64.b64encode(values.tobytes()).decode(),
        "drawn": [units.mapped.index(unit) for unit in units.drawn],
        "limit": limit,
        "ends": [decimals(limit, digits, sign=True), "0", decimals(-limit, digits, sign=True)],
    }

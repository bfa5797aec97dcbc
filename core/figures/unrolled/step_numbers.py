"""What the Unrolled page shows of a forward pass beside its drawing: every step in numbers, and all units over time.

All steps are sent at once, rounded and as words, so that the browser can follow the play head without asking.
"""

import base64
import math
from typing import Any

import numpy as np

from core.analysis.unrolled import Dependence, Unrolled, exponentials, liveliest, most_changed, most_probable
from core.figures.parts.network import UNITS, hundredths, limit_of
from core.figures.parts.numbers import count, decimals, number, precise, probability, share, signed, target_probability
from core.figures.parts.symbols import visible
from core.text.tokenizer import Tokenizer

PARTS = ("input", "memory", "bias", "= a", "h")
LISTED = 8  # units in numbers
BEST = 12  # predictions in numbers
FULL = 3.0  # an addend from here on has the full colour: tanh(3) = 0.995
HEAT_UNITS = 256  # rows of the heat map, at most
LARGEST = 1000.0  # from here on a number is sent as words
MOVED_FLOOR = 0.001  # a prediction that moved less is drawn as this
SUBSTEPS = (
    ("embed", "x_{t} W_{xh}: one-hot, so it is the row of W_{xh} for “{x}”"),
    ("pre-activation", "a_{t} = x_{t} W_{xh} + h_{t-1} W_{hh} + b_{h}   (concatenate, then fully connected)"),
    ("tanh", "h_{t} = tanh(a_{t}),  copied twice: up to o_{t}, and on to the next step"),
    ("logits", "o_{t} = h_{t} W_{hq} + b_{q}"),
    ("softmax", "p_{t} = softmax(o_{t})"),
    ("loss", "L_{t} = −ln p_{t}(“{y}”)"),
)
EMBEDDED = "x_{t} = the row of W_{emb} for “{x}”"


def substeps(activation: str, *, embedded: bool) -> list[list[str]]:
    """Name and equation of what happens within one step, in order.

    ``_{...}`` is an index, t in it the step; ``{x}`` stands for the token and ``{y}`` for its target.
    """
    steps = [[name.replace("tanh", activation), law.replace("tanh", activation)] for name, law in SUBSTEPS]
    if embedded:
        steps[0][1] = EMBEDDED
    return steps


def step_numbers(u: Unrolled, tokenizer: Tokenizer) -> dict[str, Any]:
    """Every step in numbers: addends of the units it changed most, shares, logits to probabilities, loss."""
    units, shares = _units(u), u.shares
    state = f"h_{{t}} = {u.activation}(x_{{t}} W_{{xh}} + h_{{t-1}} W_{{hh}} + b_{{h}})"
    means, perplexities = u.mean_losses, u.running_perplexity
    return {
        "laws": {"state": state, "output": "o → exp o → p"},
        "parts": PARTS,
        "full": [round(100 * limit) for limit in (*[FULL] * 4, limit_of(u))],
        "steps": [
            {
                "units": units[t],
                "shares": [share(float(part)) for part in shares[t]],
                "output": _output(u, t, tokenizer),
                "loss": _loss(u, t, tokenizer, float(means[t]), perplexities[t]),
            }
            for t in range(len(u.tokens))
        ],
    }


def _units(u: Unrolled) -> list[list[list[Any]]]:
    """For every step the units it changed most: number, addends, their sum, and the state."""
    listed = most_changed(u.h, LISTED)
    parts = np.stack([u.from_input, u.from_memory, np.broadcast_to(u.bias, u.a.shape), u.a, u.h[1:]], axis=-1)
    values = np.take_along_axis(parts, listed[..., None], axis=1).tolist()
    return [
        [[unit, *map(rounded, row)] for unit, row in zip(listed[t].tolist(), values[t], strict=True)] for t in range(len(listed))
    ]


def rounded(value: float) -> int | str:
    """A number as whole hundredths, which the browser writes with sign and two decimals; as words where it is too large."""
    return round(100 * value) if abs(value) < LARGEST else signed(value)


def _output(u: Unrolled, t: int, tokenizer: Tokenizer) -> dict[str, Any]:
    """Logit, exponential and probability of the best tokens and the target; and all the rest as one row."""
    logits, p, target = u.logits[t], u.p[t], int(u.targets[t])
    tokens = most_probable(p, BEST)
    tokens = tokens if target in tokens else [*tokens[:-1], target]
    exps, shifted = exponentials(logits)
    symbols = [visible(symbol) for symbol in tokenizer.symbols(tokens)]
    rows = [
        [symbol, rounded(float(logits[i])), precise(float(exps[i])), probability(float(p[i]))]
        for symbol, i in zip(symbols, tokens, strict=True)
    ]
    others = np.setdiff1d(np.arange(len(p)), tokens)
    rest = [count(len(others)), precise(float(exps[others].sum())), probability(float(p[others].sum()))]
    return {
        "rows": rows,
        "target": tokens.index(target),
        "rest": rest if len(others) else [],
        "sum": precise(float(exps.sum())),
        "shifted": shifted,
    }


def _loss(u: Unrolled, t: int, tokenizer: Tokenizer, mean: float, perplexity: float) -> dict[str, str]:
    target = int(u.targets[t])
    p, nats = float(u.p[t, target]), float(u.losses[t])
    return {
        "target": visible(tokenizer.symbols([target])[0]),
        "p": target_probability(p),
        "nats": decimals(nats),
        "mean": decimals(mean),
        "perplexity": number(perplexity),
    }


def heat_map(u: Unrolled) -> dict[str, Any]:
    """The states of all units (of the liveliest, where there are too many) over time, and which of them the drawing shows."""
    units = liveliest(u.h[1:], HEAT_UNITS)
    values = np.array(hundredths(u.h[1:, units], limit_of(u)), np.int8)
    H, limit = u.h.shape[1], limit_of(u)
    return {
        "title": f"All {count(H)} units" if len(units) == H else f"{len(units)} of {count(H)} units",
        "units": [] if len(units) == H else units.tolist(),
        "count": len(units),
        "states": base64.b64encode(values.tobytes()).decode(),  # (T, units), signed bytes: hundredths of the limit
        "drawn": np.searchsorted(units, liveliest(u.h[1:], UNITS)).tolist(),
        "limit": limit,
        "ends": [signed(limit, 0 if limit == 1 else 1), "0", signed(-limit, 0 if limit == 1 else 1)],
    }


def dependence_scene(d: Dependence, u: Unrolled, tokenizer: Tokenizer) -> dict[str, Any]:
    """The triangle of what moves what: per output the size of its move for every input up to it, in words and as a shade.

    Cells beyond the diagonal are named by ``changed`` only if they changed, which no causal network lets them.
    """
    T = len(u.tokens)
    return {
        "inputs": [visible(symbol) for symbol in tokenizer.symbols(u.tokens)],
        "targets": [visible(symbol) for symbol in tokenizer.symbols(u.targets)],
        "instead": [visible(symbol) for symbol in tokenizer.symbols(d.replaced_by)],
        "words": [[moved_in_words(d.moved[t, k]) for k in range(t + 1)] for t in range(T)],
        "shades": [[moved_shade(d.moved[t, k]) for k in range(t + 1)] for t in range(T)],
        "changed": [[t, k] for t in range(T) for k in range(t + 1, T) if not d.same[t, k]],
        "ends": [f"≤ {MOVED_FLOOR:g}", "1"],
    }


def moved_shade(moved: float) -> int:
    """A distance on a logarithmic scale from MOVED_FLOOR (0) to 1 (100)."""
    if not moved > MOVED_FLOOR:
        return 0
    return round(100 * (1 - math.log10(min(moved, 1.0)) / math.log10(MOVED_FLOOR)))


def moved_in_words(moved: float) -> str:
    """How far an input moves an output, to two digits; a dash where that is not known."""
    return "–" if math.isnan(moved) else f"<{MOVED_FLOOR:g}" if moved < MOVED_FLOOR else f"{moved:.2g}"

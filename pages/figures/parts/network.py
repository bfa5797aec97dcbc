"""The drawing of the unrolled network: all positions are computed here, the browser only draws and animates it.

Time runs left to right. Rows from the top: loss, prediction, state, input. A column is one time step, ``pitch`` px wide; x
within a column is relative to its middle. Narrow columns show fewer details, so that all text remains legible:

======  ==============  ==========================================  ================
roomy   pitch >= 96     the three best predictions, and the target  loss as a number
middle  34 to 96        the target and its probability              loss as a number
tight   below 34        the target and a bar                        loss as a dot
======  ==============  ==========================================  ================
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.unrolled import Unrolled, most_probable, top_variance_units
from core.config.language import gettext as _, lazy_gettext
from core.text.tokenizer import Tokenizer
from pages.content.notation import FIRST_SOURCE, in_notation
from pages.figures.parts.numbers import decimals, number, probability, share
from pages.figures.parts.symbols import CHARACTER, fitted, visible

DRAWING_WIDTH, HEIGHT, GUTTER, NETWORK_RIGHT = 972, 292, 92, 14  # px
STRIP_UNITS = 16  # units of the state in a strip
STRIP = (124, 236)  # y of both ends of a strip
ROWS = (
    (lazy_gettext("loss"), 26),
    (lazy_gettext("prediction"), 80),
    (lazy_gettext("state h"), 180),
    (lazy_gettext("input x"), 270),
)
TARGET_ONLY = lazy_gettext("p(target)")  # in place of "prediction", if columns show no other prediction
ROOMY, MIDDLE = 96, 34  # px of pitch
MIN_PITCH_BESIDE = 58  # px of pitch that a large dot and its number need side by side
LARGEST_DOT_NATS = 9.0  # losses from this value on have the largest, darkest dot
FASTEST, SLOWEST = 140, 320  # ms per step at T = 40 and at T = 6
WIDEST = {"character": 104, "word": 120}  # px of pitch in a scene, at most: six columns fit into a window in presentation mode
SLOW_PACE, MAX_SLOW_TOKENS = 800, 8  # ms per step in a scene, for a text of at most 8 tokens
SUBSTEPS = (
    (lazy_gettext("embed"), lazy_gettext("x_{t} W_{xh}: one-hot, so it is the row of W_{xh} for “{x}”")),
    (
        lazy_gettext("pre-activation"),
        lazy_gettext("a_{t} = x_{t} W_{xh} + h_{t-1} W_{hh} + b_{h}   (concatenate, then fully connected)"),
    ),
    ("tanh", lazy_gettext("h_{t} = tanh(a_{t}),  copied twice: up to o_{t}, and on to the next step")),
    (lazy_gettext("logits"), "o_{t} = h_{t} W_{hq} + b_{q}"),
    ("softmax", "p_{t} = softmax(o_{t})"),
    (lazy_gettext("loss"), "L_{t} = −ln p_{t}(“{y}”)"),
)
WEIGHTS = {"xh": "W_{xh}", "hh": "W_{hh}", "hq": "W_{hq}"}  # labels by arrow
EMBEDDED = lazy_gettext("x_{t} = the row of W_{emb} for “{x}”")


@dataclass(frozen=True)
class Layout:
    """Positions and sizes within a column, in px."""

    density: str
    pitch: float
    strip: float  # width of a state strip
    box: float  # width of an input box
    box_font: int
    gap: int  # between a strip and an arrow
    half: float  # half the width that a prediction may take
    symbols: float  # width of the symbols in a prediction; 0: they are drawn on their bars
    losses: tuple[int, int, int, float]  # of a loss: x of the dot, x of the number, font size; scale of the dots


Dot = tuple[float, int, str]  # of a loss: radius in px, shade, and the text beside it
Prediction = tuple[str, str, float, bool]  # symbol, probability as text, length of its bar (0 to 1), whether it is the target


class Column(TypedDict):
    """A time step; ``labels`` are its input and its target."""

    x: float
    input: str
    labels: list[str]
    state: list[int]
    prediction: list[Prediction]
    loss: Dot


class Loop(TypedDict):
    """The network before it is unrolled: one column in the middle, and the arrow from its state back onto itself."""

    x: float
    path: str
    tip: list[float]
    label: list[float]


class NetworkDrawing(TypedDict):
    """The forward pass as a drawing: sizes in px, shades in hundredths of a scale, words as plain text."""

    size: list[int]
    layout: Layout
    rows: list[tuple[str, int]]  # name, y
    strip: tuple[int, int]
    units: list[int]
    loop: Loop
    names: dict[str, str]
    means: list[Dot]
    pace: int  # ms per step
    holds: list[int]  # the steps, from 0, at which the animation pauses
    columns: list[Column]


def layout_of(T: int, longest: int, *, in_scene: bool = False) -> Layout:
    """The layout of ``T`` columns whose longest symbol has ``longest`` characters."""
    widest = WIDEST["word" if longest > 1 else "character"] if in_scene else math.inf
    pitch = min((DRAWING_WIDTH - GUTTER - NETWORK_RIGHT) / T, widest)
    density = "roomy" if pitch >= ROOMY else "middle" if pitch >= MIDDLE else "tight"
    font = {"roomy": 20, "middle": 17, "tight": 14}[density] if longest == 1 else 16 if density == "roomy" else 14
    box = min(36.0, 0.62 * pitch)
    if longest > 1:
        box = min(pitch - 10, max(box, longest * CHARACTER * font + 14))
    middle = (-12, 4, 14, 1.0) if pitch >= MIN_PITCH_BESIDE else (-12, -4, 13, 0.45)
    losses = {"roomy": (-18, 2, 17, 1.0), "middle": middle, "tight": (0, 4, 14, 0.8)}
    return Layout(
        density=density,
        pitch=round(pitch, 3),
        strip=round(min(max(0.36 * pitch, 8), 40), 2),
        box=round(box, 2),
        box_font=font,
        gap=4 if pitch >= MIDDLE else 3,
        half=round((min(pitch, 150) - 14) / 2, 2) if density == "roomy" else round(pitch / 2 - 3, 2),
        symbols=11 if longest == 1 else 0,
        losses=losses[density],
    )


def network_drawing(
    u: Unrolled,
    tokenizer: Tokenizer,
    units: Sequence[int] | None = None,
    notation: str = FIRST_SOURCE,
    *,
    in_scene: bool = False,
) -> NetworkDrawing:
    """The forward pass ``u`` as a drawing. Strips show ``units``, by default those of largest variance. In a scene, columns are
    narrow enough to see all of a short text, which is played slowly and pauses at every input that occurs more than once."""
    T = len(u.tokens)
    inputs, targets = tokenizer.symbols(u.tokens), tokenizer.symbols(u.targets)
    layout = layout_of(T, max(len(visible(symbol)) for symbol in [*inputs, *targets]), in_scene=in_scene)
    width = round(GUTTER + T * layout.pitch + NETWORK_RIGHT)
    pace = min(max(FASTEST + (40 - T) / 34 * (SLOWEST - FASTEST), FASTEST), SLOWEST)
    units = top_variance_units(u.h[1:], STRIP_UNITS).tolist() if units is None else units
    states, slow = hundredths(u.h[1:, units], limit_of(u)), in_scene and T <= MAX_SLOW_TOKENS
    return {
        "size": [width, HEIGHT],
        "layout": asdict(layout),
        "rows": [(_(TARGET_ONLY if name == "prediction" and layout.density != "roomy" else name), y) for name, y in ROWS],
        "strip": STRIP,
        "units": units,
        "loop": loop_of(layout, width),
        "names": in_notation(WEIGHTS, notation),
        "means": [loss_dot(float(mean), layout) for mean in u.mean_losses],
        "pace": SLOW_PACE if slow else round(pace),
        "holds": [t for t in range(T) if slow and inputs.count(inputs[t]) > 1],
        "columns": [
            {
                "x": round(GUTTER + layout.pitch * (t + 0.5), 2),
                "input": fitted(inputs[t], layout.box - 6, layout.box_font),
                "labels": [visible(inputs[t]), visible(targets[t])],
                "state": states[t],
                "prediction": _prediction(u.p[t], int(u.targets[t]), tokenizer, layout),
                "loss": loss_dot(float(u.losses[t]), layout),
            }
            for t in range(T)
        ],
    }


def loop_of(layout: Layout, width: int) -> Loop:
    edge, mid = layout.strip / 2 + layout.gap, (STRIP[0] + STRIP[1]) / 2
    out, reach = mid + 26, edge + 84
    path = f"M{edge:g} {out:g}C{reach:g} {out + 40:g} {reach:g} {mid - 66:g} {edge + 6:g} {mid - 26:g}"
    return {"x": (width + GUTTER - NETWORK_RIGHT) / 2, "path": path, "tip": [edge, mid - 26], "label": [edge + 70, mid]}


def loss_dot(nats: float, layout: Layout) -> Dot:
    size = LARGEST_DOT_NATS if math.isnan(nats) else min(max(nats, 0.0), LARGEST_DOT_NATS)
    radius = (3 + 9.5 * math.sqrt(size / LARGEST_DOT_NATS)) * layout.losses[3]
    return round(radius, 1), round(10 + 84 * size / LARGEST_DOT_NATS), _beside_dot(nats, layout)


def _beside_dot(nats: float, layout: Layout) -> str:
    """A loss as the number beside its dot; large losses with fewer decimals, huge ones abbreviated."""
    if layout.density == "middle" and 1000 <= nats < math.inf:
        return f"{nats / 1000:.0f}k" if nats < 1e6 else f">{number(10.0 ** math.floor(math.log10(nats)), 1)}"
    usual, most = (1 if layout.density == "middle" else 2), (9.95 if layout.pitch < MIN_PITCH_BESIDE else 99.95)
    return decimals(nats, usual if nats < most else usual - 1)


def _prediction(p: Float[np.ndarray, " V"], target: int, tokenizer: Tokenizer, layout: Layout) -> list[Prediction]:
    """The three most probable tokens, the third replaced by the target if that is not among them; in a narrow column only
    the target."""
    best = most_probable(p, 3) if layout.density == "roomy" else []
    shown = best if target in best else [*best[:2], target]
    room, font = {
        "roomy": (2 * layout.half - 46, 14),
        "middle": (layout.pitch - 8, 16),
        "tight": (layout.pitch - 2, 14),
    }[layout.density]
    names = [fitted(symbol, room, font) for symbol in tokenizer.symbols(shown)]
    return [
        (name, probability(float(p[token])), share(float(p[token])), token == target)
        for name, token in zip(names, shown, strict=True)
    ]


def limit_of(u: Unrolled) -> float:
    """The absolute state that has the full colour: 1, or the largest state for ReLU, which has no upper bound."""
    return largest_of(u.h) if u.activation == "relu" else 1.0


def largest_of(values: Float[np.ndarray, "..."]) -> float:
    """The largest finite absolute value; 1 if that is zero or no value is finite."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0.0)) or 1.0


def hundredths(values: Float[np.ndarray, "..."], limit: float) -> list[Any]:
    """Values as whole hundredths of ``limit``, from -100 to 100; 0 for NaN."""
    with np.errstate(all="ignore"):
        return np.rint(100 * np.clip(np.nan_to_num(values / limit, nan=0.0), -1, 1)).astype(int).tolist()


def forward_substeps(activation: str, *, embedded: bool) -> list[list[str]]:
    """Name and equation of each sub-step of the forward pass, in order.

    ``_{...}`` is an index, t in it the step; ``{x}`` stands for the token and ``{y}`` for its target.
    """
    steps = [[_(name).replace("tanh", activation), _(law).replace("tanh", activation)] for name, law in SUBSTEPS]
    if embedded:
        steps[0][1] = _(EMBEDDED)
    return steps

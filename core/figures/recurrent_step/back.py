"""One step backward: the computational graph of the RNN layer."""

import numpy as np
from jaxtyping import Float

from core.analysis.recurrent_step.back import StepBack
from core.analysis.recurrent_step.matrices import StepMatrices
from core.figures.parts.chart import layout
from core.figures.parts.numbers import fixed
from core.figures.parts.style import Scene, colour
from core.figures.recurrent_step.blocks import Cells, equation, matrix

BACK_DECIMALS = 2
CURVE_HEIGHT = 250


def step_back_scene(m: StepMatrices, b: StepBack) -> Scene:
    """Six equations, each with its shapes and numbers; the products are those that the shapes allow."""
    N, H = b.dt.shape
    cells = Cells(BACK_DECIMALS, b.dh_next, b.slope, b.dt), Cells(BACK_DECIMALS, m.X, m.H, m.W_xh, m.W_hh)
    flow, given = cells
    out = Cells(BACK_DECIMALS, b.dW_hh, b.dW_xh, b.dh_prev, b.dx, b.db[None])
    dt = flow.part("dt", b.dt, "back")
    scenes = [
        equation(
            "dt = dh_next * (1 − h_next ** 2)", "∂L/∂A_t = ∂L/∂H_t ⊙ φ^′(A_t)", "Each unit for itself: no product, one factor.",
            [matrix("dh_{next}", [flow.part("dh_next", b.dh_next, "back")], "cell-of"), "*",
             matrix("1 − h_{next}^2", [flow.part("slope", b.slope)], "cell-of"), "=", matrix("dt", [dt], "cell")],
        ),
        equation(
            "db = sum(dt, axis=0)", "∂L/∂b_h = Σ_n ∂L/∂A_t[n]", f"b was added to all {N} rows, so it hears the sum of all {N}.",
            [matrix("dt", [dt], "column"), "Σ rows =", matrix("db", [out.part("db", b.db[None], "back")], "cell")],
        ),
        equation(
            "dWh = dot(h_prev.T, dt)", "∂L/∂W_{hh} = H_{t−1}^⊤ ∂L/∂A_t", f"({H}×{N})·({N}×{H}): only so it gives {H}×{H}.",
            [matrix("H_{t−1}^⊤", [given.part("h_prev.T", m.H.T, "memory")], "row"), "·", matrix("dt", [dt], "column"), "=",
             matrix("dW_{hh}", [out.part("dW_hh", b.dW_hh, "back")], "cell")],
        ),
        equation(
            "dh_prev = dot(dt, Wh.T)", "∂L/∂H_{t−1} = ∂L/∂A_t W_{hh}^⊤", "This goes on to the step before: it is its dh_next.",
            [matrix("dt", [dt], "row"), "·", matrix("W_{hh}^⊤", [given.part("Wh.T", m.W_hh.T)], "column"), "=",
             matrix("dh_{prev}", [out.part("dh_prev", b.dh_prev, "back")], "cell")],
        ),
        equation(
            "dWx = dot(x.T, dt)", "∂L/∂W_{xh} = X_t^⊤ ∂L/∂A_t", "As dWh, with what came in instead of what was remembered.",
            [matrix("X_t^⊤", [given.part("x.T", m.X.T, "input")], "row"), "·", matrix("dt", [dt], "column"), "=",
             matrix("dW_{xh}", [out.part("dW_xh", b.dW_xh, "back")], "cell")],
        ),
        equation(
            "dx = dot(dt, Wx.T)", "∂L/∂X_t = ∂L/∂A_t W_{xh}^⊤", "This goes down to the embedding.",
            [matrix("dt", [dt], "row"), "·", matrix("W_{xh}^⊤", [given.part("Wx.T", m.W_xh.T)], "column"), "=",
             matrix("dx", [out.part("dx", b.dx, "back")], "cell")],
        ),
    ]  # fmt: skip
    return {"cell": [32, 26, 12], "equations": scenes, "each": True, "lit": [0, 0]}


def slope_figure(b: StepBack, curve: tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]) -> Scene:
    """tanh' with every unit of the step on it: where a unit stands is what it lets through."""
    axes = layout("pre-activation a", "tanh′ = 1 − tanh² = 1/cosh²", height=CURVE_HEIGHT)
    reach = float(curve[0][-1])
    axes["margin"] = {"l": 52, "r": 8, "t": 8, "b": 48}
    axes["xaxis"] |= {"range": [-reach, reach], "tickvals": [-4, -2, 0, 2, 4]}
    axes["yaxis"] |= {"range": [0, 1.08], "tickvals": [0, 0.5, 1]}
    rows, units = np.indices(b.a.shape)
    line = {
        "type": "scatter",
        "mode": "lines",
        "x": curve[0].round(3).tolist(),
        "y": curve[1].round(4).tolist(),
        "hoverinfo": "skip",
        "line": {"color": colour("baseline-3"), "width": 2},
    }
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": b.a.ravel().round(4).tolist(),
        "y": b.slope.ravel().round(4).tolist(),
        "text": [f"row {n + 1}, unit {j + 1}" for n, j in zip(rows.ravel().tolist(), units.ravel().tolist(), strict=True)],
        "hovertemplate": "%{text}<br>a = %{x}, lets %{y} through<extra></extra>",
        "marker": {"color": colour("backward"), "size": 11, "line": {"color": colour("background"), "width": 1}},
    }
    return {"data": [line, dots], "layout": axes}


def slope_label(b: StepBack) -> str:
    """The chart in words."""
    low, high = fixed(b.slope.min(), 2), fixed(b.slope.max(), 2)
    return f"tanh′ over the pre-activation. The factors of {b.slope.size} units reach from {low} to {high}."


def step_back_words(b: StepBack) -> list[Scene]:
    """Where the orange begins, and what the curve says."""
    closed = int((b.slope < CLOSED).sum())
    return [
        {
            "title": "One step, backward",
            "aside": "orange: what flows back",
            "formula": [["dh_{next}", "back"], [" → ", ""], ["dt", "back"], [" → ", ""], [RESULTS, "back"]],
            "sentences": [
                [
                    ["The step is ", ""], ["h_{next} = tanh(h_{prev} W_h + x W_x + b)", "maths"],
                    [", with the numbers of “Two products, one product”. ", ""],
                    ["dh_{next}", "maths"],
                    [" comes from the loss above it (in a longer text, also from the step after it); ", ""],
                    ["everything else follows, and each product is the one that its shapes allow.", ""],
                ],
                [
                    ["Each dot on the curve is one unit of one row. ", ""],
                    [f"{closed} of {b.slope.size} let less than a tenth of the gradient through", "strong"],
                    [": far from a = 0, tanh is flat. That factor, once for every step, is why gradients vanish.", ""],
                ],
                [["Above each equation: the second source's code, and the first source's derivative in the same shapes.", ""]],
            ],
        }
    ]  # fmt: skip


RESULTS = "db, dW_h, dh_{prev}, dW_x, dx"
CLOSED = 0.1  # a tenth: a factor below it is said to let little through

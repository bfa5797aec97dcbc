"""One step forward and backward in numbers: the equations of the RNN layer (Deep Learning from Scratch 2, 5.3.1)."""

import numpy as np
from jaxtyping import Float

from core.analysis.one_step_matrices import StepBack, StepMatrices, ways_to_multiply
from core.config.language import gettext as _
from core.config.language import lazy_gettext, rich_text, sentences
from core.figures.parts.chart import Figure, layout, marker, scatter
from core.figures.parts.numbers import fixed
from core.figures.parts.style import Pieces, colour
from core.figures.parts.tables import Panel
from core.figures.recurrent_step.blocks import Blocks, Cells, Equation, Matrix, equation, matrix, times

BACK_DECIMALS = 2
CURVE_HEIGHT = 250
SLOPES = {  # phi': the code of Deep Learning from Scratch 2, the name above its matrix, the title of the chart's axis
    "tanh": ("1 - h_next ** 2", "1 − h_{next}^2", "tanh′ = 1 − tanh² = 1/cosh²"),
    "sigmoid": ("h_next * (1 - h_next)", "h_{next} (1 − h_{next})", "sigmoid′ = sigmoid · (1 − sigmoid)"),
    "relu": ("h_next > 0", "h_{next} > 0", lazy_gettext("relu′ = 1 where t > 0, else 0")),
}
FROM_UNIT = lazy_gettext("Row i, column j belongs to the weight from unit i to unit j, so h_prev stands first.")
FROM_INPUT = lazy_gettext("Row i, column j belongs to the weight from input i to unit j, so x stands first.")
TURNED = lazy_gettext("Backward goes through the same weights the other way, so {weights} is transposed.")


def step_back_scene(m: StepMatrices, b: StepBack) -> Blocks:
    """Seven equations, each with its shapes and numbers: one forward, in which the bias is repeated, and six backward."""
    panels = _Panels(m, b)
    equations = [
        panels.forward(),
        panels.slope(),
        panels.bias(),
        panels.weights("W_hh", "W_{hh}", "h_prev", "H_{t−1}", "memory", _(FROM_UNIT)),
        panels.passed_on("h_prev", "H_{t−1}", "W_hh", "W_{hh}", _("It goes on to the step before, as that step's dh_next.")),
        panels.weights("W_xh", "W_{xh}", "x", "X_t", "input", _(FROM_INPUT)),
        panels.passed_on("x", "X_t", "W_xh", "W_{xh}", _("It goes down to the embedding.")),
    ]
    return {"cell": [32, 26, 12], "equations": equations, "each": True, "lit": [0, 0]}


class _Panels:
    """The equations of one step: code as in Deep Learning from Scratch 2, derivative as in D2L for the same shapes, matrices."""

    def __init__(self, m: StepMatrices, b: StepBack) -> None:
        self.b = b
        self.given = {"h_prev": m.H, "x": m.X, "W_hh": m.W_hh, "W_xh": m.W_xh}
        self.results = {"W_hh": b.dW_hh, "W_xh": b.dW_xh, "h_prev": b.dh_prev, "x": b.dx, "b_h": b.db[None]}
        self._given = Cells(BACK_DECIMALS, *self.given.values())
        self._found = Cells(BACK_DECIMALS, *self.results.values())
        self._flow = Cells(BACK_DECIMALS, b.dh_next, b.slope, b.dt)
        self._dt = [self._flow.part("dt", b.dt, "back")]

    def forward(self) -> Equation:
        """t = h_prev W_hh + x W_xh + b_h, with the single row of b_h repeated."""
        b, cells = self.b, Cells(BACK_DECIMALS, self.b.from_memory, self.b.from_input, self.b.bias, self.b.a)
        repeated = _("{bias} repeated", bias="b_h")
        words = _(
            "Forward: b_h is one row, repeated so that all {N} rows get it. Then h_next = {activation}(t).",
            N=len(b.bias),
            activation=b.activation,
        )
        return equation(
            "t = dot(h_prev, W_hh) + dot(x, W_xh) + b_h", "A_t = H_{t−1} W_{hh} + X_t W_{xh} + b_h", words,
            [matrix("h_{prev} W_{hh}", [cells.part("h_prev W_hh", b.from_memory, "memory")], "cell-of"), "+",
             matrix("x W_{xh}", [cells.part("x W_xh", b.from_input, "input")], "cell-of"), "+",
             matrix(repeated, [cells.part(repeated, b.bias)], "cell-of"), "=",
             matrix("t", [cells.part("t", b.a)], "cell")],
        )  # fmt: skip

    def slope(self) -> Equation:
        """dt = dh_next * phi'."""
        b, (code, name) = self.b, SLOPES[self.b.activation][:2]
        words = _("Element by element: each number times {activation}′ at its own t.", activation=b.activation)
        return equation(
            f"dt = dh_next * ({code})", f"∂L/∂A_t = ∂L/∂H_t ⊙ {b.activation}^′(A_t)", words,
            [matrix("dh_{next}", [self._flow.part("dh_next", b.dh_next, "back")], "cell-of"), "*",
             matrix(name, [self._flow.part(_("slope"), b.slope)], "cell-of"), "=", matrix("dt", self._dt, "cell")],
        )  # fmt: skip

    def bias(self) -> Equation:
        """db: the sum of the rows of dt, because b_h is added to every row."""
        words = _("Backward: b_h was used in all {N} rows, so db_h is the sum of the {N} rows.", N=len(self.b.dt))
        return equation(
            "db_h = sum(dt, axis=0)", "∂L/∂b_h = Σ_n ∂L/∂A_t[n]", words,
            [matrix("dt", self._dt, "column"), _("Σ rows ="), self._result("b_h", "db_h", "db_h")],
        )  # fmt: skip

    def weights(self, name: str, of: str, x: str, factor: str, tone: str, why: str) -> Equation:
        """dW = x^T dt."""
        left = self.given[x].T
        return equation(
            f"d{name} = dot({x}.T, dt)", f"∂L/∂{of} = {factor}^⊤ ∂L/∂A_t", self._shapes(name, (x, left), ("dt", self.b.dt), why),
            [matrix(f"{factor}^⊤", [self._given.part(f"{x}.T", left, tone)], "row"), "·", matrix("dt", self._dt, "column"), "=",
             self._result(name, f"d{of}", f"d{of}".replace("{", "").replace("}", ""))],
        )  # fmt: skip

    def passed_on(self, name: str, of: str, W: str, weights: str, where: str) -> Equation:
        """dx = dt W^T."""
        right = self.given[W].T
        words = self._shapes(name, ("dt", self.b.dt), (W, right), _(TURNED, weights=W))
        return equation(
            f"d{name} = dot(dt, {W}.T)", f"∂L/∂{of} = ∂L/∂A_t {weights}^⊤", sentences(words, where),
            [matrix("dt", self._dt, "row"), "·", matrix(f"{weights}^⊤", [self._given.part(f"{W}.T", right)], "column"), "=",
             self._result(name, "dh_{prev}" if name == "h_prev" else "dx", f"d{name}")],
        )  # fmt: skip

    def _result(self, name: str, printed: str, label: str) -> Matrix:
        return matrix(printed, [self._found.part(label, self.results[name], "back")], "cell")

    def _shapes(self, name: str, one: tuple[str, np.ndarray], other: tuple[str, np.ndarray], why: str) -> str:
        """The shapes of a product, and whether they alone determine it."""
        (a, left), (b, right), wanted = one, other, self.results[name].shape
        shapes = {"left": times(left.shape), "right": times(right.shape), "wanted": times(wanted)}
        product = _("({left})·({right}) = {wanted}.", **shapes)
        ways = ways_to_multiply(left.shape, right.shape, wanted)
        if ways == 1:
            only = _("Of the 8 ways to multiply {a} and {b}, transposed or not, only this one has this shape.", a=a, b=b)
            return sentences(product, only)
        several = _("Of the 8 ways to multiply {a} and {b}, transposed or not, {n} have this shape.", a=a, b=b, n=ways)
        return sentences(product, several, why)


def slope_figure(b: StepBack, curve: tuple[Float[np.ndarray, " P"], Float[np.ndarray, " P"]]) -> Figure:
    """The curve of phi' with a dot for every unit of the step, at the factor by which the gradient is multiplied there."""
    axes = layout(_("pre-activation t"), _(SLOPES[b.activation][2]), height=CURVE_HEIGHT)
    reach = float(curve[0][-1])
    axes["margin"] = {"l": 52, "r": 8, "t": 8, "b": 48}
    axes["xaxis"] |= {"range": [-reach, reach], "tickvals": [-4, -2, 0, 2, 4]}
    axes["yaxis"] |= {"range": [0, 1.08], "tickvals": [0, 0.5, 1]}
    look = {"color": colour("baseline-3"), "width": 2}
    line = scatter("slope", curve[0].round(3).tolist(), curve[1].round(4).tolist(), line=look)
    units = [_("row {n}, unit {j}", n=n + 1, j=j + 1) for n, j in np.ndindex(b.a.shape)]
    places, hover = (
        (b.a.ravel().round(4).tolist(), b.slope.ravel().round(4).tolist()),
        _("%{text}<br>t = %{x}, lets %{y} through"),
    )
    look = marker(11, "backward", "background", 1)
    dots = scatter("units", *places, mode="markers", hover=hover, text=units, marker=look)
    return {"data": [line, dots], "layout": axes}


def slope_label(b: StepBack) -> str:
    """The chart in words."""
    low, high = fixed(b.slope.min(), 2), fixed(b.slope.max(), 2)
    return _(
        "{activation}′ over the pre-activation. The factors of {n} units reach from {low} to {high}.",
        activation=b.activation,
        n=b.slope.size,
        low=low,
        high=high,
    )


def step_back_words(b: StepBack) -> list[Panel]:
    """Two panels: an explanation of the slope curve, and how to read the equations."""
    reading = {"title": _("How to read the equations"), "sentences": [rich_text(_(sentence)) for sentence in READING]}
    return [{"title": _("What the curve says"), "sentences": [_curve(b)]}, reading]


def _curve(b: StepBack) -> Pieces:
    text = sentences(
        _("Each dot is one unit of one row."),
        _(FLAT[b.activation]),
        _("Every step back multiplies by such a factor once more."),
    )
    return rich_text(text, closed=int((b.slope < SMALL_SLOPE).sum()), n=b.slope.size)


FLAT = {
    "tanh": lazy_gettext(
        "<strong>{closed} of {n} let less than a tenth of the gradient through</strong>: far from t = 0, tanh is flat."
    ),
    "sigmoid": lazy_gettext(
        "<strong>{closed} of {n} let less than a tenth of the gradient through</strong>: far from t = 0, the sigmoid is flat, "
        "and even at t = 0 its slope is only a quarter."
    ),
    "relu": lazy_gettext(
        "<strong>{closed} of {n} let less than a tenth of the gradient through</strong>: below t = 0, relu is flat."
    ),
}
READING = (
    lazy_gettext(
        "<maths>dh_{next}</maths> comes from the loss of this step. In a longer text it also comes from the step after it. "
        "All else follows from it."
    ),
    lazy_gettext("Left above each equation: the code, in NumPy. Right: the derivative that it computes."),
    lazy_gettext("Rest on a number of a result: the row and the column that make it light up."),
)
SMALL_SLOPE = 0.1  # a unit with a smaller factor counts as letting "less than a tenth of the gradient through"

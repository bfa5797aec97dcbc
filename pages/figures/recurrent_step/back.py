"""One step forward and backward in numbers: the equations of the RNN layer (Deep Learning from Scratch 2, 5.3.1)."""

import numpy as np
from jaxtyping import Float

from core.analysis.one_step_matrices import StepBack, StepMatrices, ways_to_multiply
from core.config.language import gettext as _, lazy_gettext, rich_text, sentences
from pages.figures.parts.chart import Figure, layout, marker, scatter
from pages.figures.parts.numbers import decimals
from pages.figures.parts.style import colour
from pages.figures.parts.tables import Panel, panel
from pages.figures.recurrent_step.blocks import Blocks, Cells, Equation, Matrix, equation, times

DECIMALS = 2
CURVE_HEIGHT = 250
SLOPES = {  # phi': the code of Deep Learning from Scratch 2, the name above its matrix, the title of the chart's axis
    "tanh": ("1 - h_next ** 2", "1 − h_{next}^2", "tanh′ = 1 − tanh² = 1/cosh²"),
    "sigmoid": ("h_next * (1 - h_next)", "h_{next} (1 − h_{next})", "sigmoid′ = sigmoid · (1 − sigmoid)"),
    "relu": ("h_next > 0", "h_{next} > 0", lazy_gettext("relu′ = 1 where t > 0, else 0")),
}
FROM_UNIT = lazy_gettext("Row i, column j belongs to the weight from unit i to unit j, so h_prev stands first.")
FROM_INPUT = lazy_gettext("Row i, column j belongs to the weight from input i to unit j, so x stands first.")
TURNED = lazy_gettext("Backward goes through the same weights the other way, so {weights} is transposed.")


EDITED = {  # what is given, by the id of its cells: the matrix, and whether they show it transposed
    "h_prev.T": ("H", True), "x.T": ("X", True), "W_hh.T": ("W_hh", True), "W_xh.T": ("W_xh", True), "b_h": ("b", False),
    "dh_next": ("dh_next", False),
}  # fmt: skip


def step_back_drawing(m: StepMatrices, b: StepBack, *, notice: str = "", hidden: bool = False) -> Blocks:
    """Seven equations, each with its shapes and numbers: one forward, in which the bias is repeated, and six backward. What is
    given can be edited (EDITED).

    The code is that of Deep Learning from Scratch 2, the derivative that of D2L for the same shapes.
    """
    phi, N = b.activation, len(b.dt)
    slope_code, slope, _title = SLOPES[phi]
    terms = Cells(DECIMALS, b.from_memory, b.from_input, b.bias, b.a)
    flow = Cells(DECIMALS, b.dh_next, b.slope, b.dt)
    gradients = Cells(DECIMALS, b.dW_hh, b.dW_xh, b.dh_prev, b.dx, b.db)
    dt, db = flow.matrix("dt", b.dt, "cell", "back"), gradients.matrix("db_h", b.db[None], "cell", "back")
    forward = equation(
        "t = dot(h_prev, W_hh) + dot(x, W_xh) + b_h", "A_t = H_{t−1} W_{hh} + X_t W_{xh} + b_h",
        _("Forward: b_h is one row, repeated so that all {N} rows get it. Then h_next = {activation}(t).", N=N, activation=phi),
        [terms.matrix("h_{prev} W_{hh}", b.from_memory, "cell-of", "memory"), "+",
         terms.matrix("x W_{xh}", b.from_input, "cell-of", "input"), "+",
         terms.matrix(_("{bias} repeated", bias="b_h"), b.bias, "cell-of", id="b_h", edit=True), "=",
         terms.matrix("t", b.a, "cell")],
    )  # fmt: skip
    element_by_element = equation(
        f"dt = dh_next * ({slope_code})", f"∂L/∂A_t = ∂L/∂H_t ⊙ {phi}^′(A_t)",
        _("Element by element: each number times {activation}′ at its own t.", activation=phi),
        [flow.matrix("dh_{next}", b.dh_next, "cell-of", "back", edit=True), "*",
         flow.matrix(slope, b.slope, "cell-of", id=_("slope")), "=", dt],
    )  # fmt: skip
    bias = equation(
        "db_h = sum(dt, axis=0)", "∂L/∂b_h = Σ_n ∂L/∂A_t[n]",
        _("Backward: b_h was used in all {N} rows, so db_h is the sum of the {N} rows.", N=N),
        [dt | {"lights": "column"}, _("Σ rows ="), db],
    )  # fmt: skip
    equations = [forward, element_by_element, bias, *_products(m, b, dt, gradients)]
    return {"cell": [32, 26, 12], "equations": equations, "each": True, "lit": [0, 0], "notice": notice, "hidden": hidden}


def _products(m: StepMatrices, b: StepBack, dt: Matrix, gradients: Cells) -> list[Equation]:
    """The gradients of both weight matrices (x^T dt), and those passed on (dt W^T)."""
    given = Cells(DECIMALS, m.H, m.X, m.W_hh, m.W_xh)
    factors = {  # by name in the code: values, and the matrix as it is drawn
        "dt": (b.dt, dt),
        "h_prev": (m.H.T, given.matrix("H_{t−1}^⊤", m.H.T, tone="memory", id="h_prev.T", edit=True)),
        "x": (m.X.T, given.matrix("X_t^⊤", m.X.T, tone="input", id="x.T", edit=True)),
        "W_hh": (m.W_hh.T, given.matrix("W_{hh}^⊤", m.W_hh.T, id="W_hh.T", edit=True)),
        "W_xh": (m.W_xh.T, given.matrix("W_{xh}^⊤", m.W_xh.T, id="W_xh.T", edit=True)),
    }
    before, embedding = _("It goes on to the step before, as that step's dh_next."), _("It goes down to the embedding.")
    products = (  # code, derivative, both factors, name and values of the result, why it is this product, where it goes
        ("dW_hh = dot(h_prev.T, dt)", "∂L/∂W_{hh} = H_{t−1}^⊤ ∂L/∂A_t", "h_prev", "dt", "dW_{hh}", b.dW_hh, _(FROM_UNIT), ""),
        ("dh_prev = dot(dt, W_hh.T)", "∂L/∂H_{t−1} = ∂L/∂A_t W_{hh}^⊤", "dt", "W_hh", "dh_{prev}", b.dh_prev,
         _(TURNED, weights="W_hh"), before),
        ("dW_xh = dot(x.T, dt)", "∂L/∂W_{xh} = X_t^⊤ ∂L/∂A_t", "x", "dt", "dW_{xh}", b.dW_xh, _(FROM_INPUT), ""),
        ("dx = dot(dt, W_xh.T)", "∂L/∂X_t = ∂L/∂A_t W_{xh}^⊤", "dt", "W_xh", "dx", b.dx, _(TURNED, weights="W_xh"), embedding),
    )  # fmt: skip
    equations = []
    for code, derivative, left, right, name, result, why, where in products:
        (one, row), (other, column) = factors[left], factors[right]
        words = sentences(_shapes(left, one.shape, right, other.shape, result.shape, why), where)
        items = [row | {"lights": "row"}, "·", column | {"lights": "column"}, "=", gradients.matrix(name, result, "cell", "back")]
        equations.append(equation(code, derivative, words, items))
    return equations


def _shapes(a: str, left: tuple[int, ...], b: str, right: tuple[int, ...], wanted: tuple[int, ...], why: str) -> str:
    """The shapes of a product, and whether they alone determine it."""
    product = _("({left})·({right}) = {wanted}.", left=times(left), right=times(right), wanted=times(wanted))
    ways = ways_to_multiply(left, right, wanted)
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
    stroke = {"color": colour("baseline-3"), "width": 2}
    line = scatter("slope", curve[0].round(3).tolist(), curve[1].round(4).tolist(), line=stroke)
    x, y = b.a.ravel().round(4).tolist(), b.slope.ravel().round(4).tolist()
    units = [_("row {n}, unit {j}", n=n + 1, j=j + 1) for n, j in np.ndindex(b.a.shape)]
    hover, dot = _("%{text}<br>t = %{x}, lets %{y} through"), marker(11, "backward", "background", 1)
    dots = scatter("units", x, y, mode="markers", hover=hover, text=units, marker=dot)
    return {"data": [line, dots], "layout": axes}


def slope_label(b: StepBack) -> str:
    """The chart in words."""
    low, high = decimals(b.slope.min(), 2), decimals(b.slope.max(), 2)
    return _(
        "{activation}′ over the pre-activation. The factors of {n} units reach from {low} to {high}.",
        activation=b.activation,
        n=b.slope.size,
        low=low,
        high=high,
    )


def step_back_words(b: StepBack) -> list[Panel]:
    """Two panels: an explanation of the slope curve, and how to read the equations."""
    curve = sentences(
        _("Each dot is one unit of one row."),
        _(FLAT[b.activation]),
        _("Every step back multiplies by such a factor once more."),
    )
    return [
        panel(_("What the curve says"), rich_text(curve, closed=int((b.slope < SMALL_SLOPE).sum()), n=b.slope.size)),
        panel(_("How to read the equations"), *(rich_text(_(sentence)) for sentence in READING)),
    ]


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
        "<maths>dh_{next}</maths> is given: from the loss of this step, or by you. In a longer text it also comes from the step "
        "after it. All else follows from it."
    ),
    lazy_gettext("Left above each equation: the code, in NumPy. Right: the derivative that it computes."),
    lazy_gettext("Point at a number of a result, or tap it: the row and the column that make it light up."),
)
SMALL_SLOPE = 0.1  # a unit with a smaller factor counts as letting "less than a tenth of the gradient through"

"""Two products, one product: the concatenation identity (first source, section 8.4)."""

import numpy as np
from jaxtyping import Float

from core.analysis.one_step_matrices import StepMatrices, TwoWays
from core.config.language import gettext as _
from core.config.language import rich_text
from core.figures.parts.numbers import fixed, number
from core.figures.parts.tables import Panel
from core.figures.recurrent_step.blocks import Blocks, Cells, WrittenSums, bracketed, cell_size, matrix, result_decimals


def products_scene(m: StepMatrices, ways: TwoWays, *, decimals: int, notice: str = "") -> Blocks:
    """X W_xh + H W_hh above, [X, H] [W_xh; W_hh] below, cell by cell the same."""
    N, D, H = *m.X.shape, m.W_hh.shape[0]
    cell = cell_size(D + 4 * H, decimals)
    given = Cells(decimals, m.X, m.W_xh, m.H, m.W_hh)
    result = Cells(result_decimals(cell, decimals), ways.two, ways.one)
    X, W_xh = given.part("X", m.X, "input", edit=True), given.part("W_xh", m.W_xh, "input", edit=True)
    h, W_hh = given.part("H", m.H, "memory", edit=True), given.part("W_hh", m.W_hh, "memory", edit=True)
    above = [
        matrix("X", [X], "row"), "·", matrix("W_{xh}", [W_xh], "column"), "+",
        matrix("H", [h], "row"), "·", matrix("W_{hh}", [W_hh], "column"), "=",
        matrix("X W_{xh} + H W_{hh}", [result.part(_("sum of two products"), ways.two)], "cell"),
    ]  # fmt: skip
    below = [
        matrix("[X, H]", [X, h], "row"), "·", matrix("[W_{xh} ; W_{hh}]", [W_xh, W_hh], "column", stack="down"), "=",
        matrix(_("the same"), [result.part(_("one product"), ways.one)], "cell"),
    ]  # fmt: skip
    return {
        "cell": cell,
        "equations": [above, below],
        "beside": 1,
        "lit": [min(1, N - 1), min(2, H - 1)],
        "sum": _sum(ways, D, decimals),
        "notice": notice,
    }


def products_words(activation: str) -> list[Panel]:
    """The sentence that the two equations prove."""
    proved = _(
        "So a recurrent layer is one affine layer. It reads <input>the input</input> and <memory>the state of the step "
        "before</memory>, side by side. Type other numbers into the cells: both results stay equal up to rounding."
    )
    return [
        {
            "formula": [
                [f"H_t = {activation}(", ""],
                ["X_t W_{xh}", "input"],
                [f" + H_{{t−1}} W_{{hh}} + b_h)  =  {activation}([", ""],
                ["X_t", "input"],
                [", H_{t−1}] [", ""],
                ["W_{xh}", "input"],
                [" ; W_{hh}] + b_h)", ""],
            ],
            "sentences": [rich_text(proved)],
        }
    ]


def _sum(ways: TwoWays, D: int, decimals: int) -> WrittenSums:
    """The addends of every cell, written out; those from the input are blue."""
    left, right = ways.together, ways.stacked
    return {
        "title": _("The cell under the pointer"),
        "addends": [
            [_addends(left[n], right[:, j], ways.addends[n, j], D, decimals) for j in range(right.shape[1])]
            for n in range(len(left))
        ],
        "totals": [[fixed(value, max(2, decimals)) for value in row] for row in ways.one],
        "note": [[_("largest difference of all cells"), number(ways.difference, 2) if ways.difference else _("exactly 0")]],
    }


def _addends(
    row: Float[np.ndarray, " K"], column: Float[np.ndarray, " K"], products: Float[np.ndarray, " K"], D: int, decimals: int
) -> list[list[str]]:
    tones = ["input"] * D + ["memory"] * (len(row) - D)
    return [
        [fixed(a, decimals), bracketed(b, decimals), fixed(product, max(2, decimals)), tone]
        for a, b, product, tone in zip(row, column, products, tones, strict=True)
    ]

"""Products written out: the concatenation identity (D2L 8.4), and two words in both orders (Deep Learning from Scratch 2)."""

import numpy as np
from jaxtyping import Float

from core.analysis.one_step_matrices import BothOrders, StepMatrices, TwoWays, difference
from core.config.language import gettext as _
from core.config.language import lazy_gettext, rich_text
from core.figures.parts.numbers import count, fixed, number
from core.figures.parts.tables import Panel
from core.figures.recurrent_step.blocks import (
    Blocks,
    Cells,
    Matrix,
    MatrixPart,
    WrittenSums,
    bracketed,
    cell_size,
    equation,
    matrix,
    result_decimals,
)

WAYS = (  # key of its number of weights, title of its panel, title of its card, effect on the order of the words
    ("mean", lazy_gettext("Mean of word vectors (continuous bag of words, CBOW)"), lazy_gettext("The mean loses the order"),
     lazy_gettext("One matrix for any number of words. But every order of the words has the same mean: CBOW cannot know which "
                  "came first.")),
    ("joined", lazy_gettext("Side by side"), lazy_gettext("Side by side costs more for every word"),
     lazy_gettext("Every place has its own matrix. The order is kept, but the number of weights grows with the number "
                  "of words.")),
    ("state", lazy_gettext("One after the other, with a state"), lazy_gettext("A state costs one matrix more"),
     lazy_gettext("The matrix of the state is used again for every word. The order is kept, and the number of weights does "
                  "not grow.")),
)  # fmt: skip
ONE_ORDER = lazy_gettext("The same word twice has only one order: choose two different words.")


def products_scene(m: StepMatrices, ways: TwoWays, *, decimals: int, notice: str = "") -> Blocks:
    """X W_xh + H W_hh above, [X, H] [W_xh; W_hh] below: the same result in every cell."""
    N, D, H = *m.X.shape, m.W_hh.shape[0]
    cell = cell_size(D + 4 * H, decimals)
    given = Cells(decimals, m.X, m.W_xh, m.H, m.W_hh)
    result = Cells(result_decimals(cell, decimals), ways.two_products, ways.one_product)
    X, W_xh = given.part("X", m.X, "input", edit=True), given.part("W_xh", m.W_xh, "input", edit=True)
    h, W_hh = given.part("H", m.H, "memory", edit=True), given.part("W_hh", m.W_hh, "memory", edit=True)
    above = [
        matrix("X", [X], "row"), "·", matrix("W_{xh}", [W_xh], "column"), "+",
        matrix("H", [h], "row"), "·", matrix("W_{hh}", [W_hh], "column"), "=",
        matrix("X W_{xh} + H W_{hh}", [result.part(_("sum of two products"), ways.two_products)], "cell"),
    ]  # fmt: skip
    below = [
        matrix("[X, H]", [X, h], "row"), "·", matrix("[W_{xh} ; W_{hh}]", [W_xh, W_hh], "column", stack="down"), "=",
        matrix(_("the same"), [result.part(_("one product"), ways.one_product)], "cell"),
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
    """The formula that the two equations prove, and a sentence on it."""
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
    left, right = ways.concatenated, ways.stacked
    return {
        "title": _("The cell under the pointer"),
        "addends": [
            [_addends(left[n], right[:, j], ways.addends[n, j], D, decimals) for j in range(right.shape[1])]
            for n in range(len(left))
        ],
        "totals": [[fixed(value, max(2, decimals)) for value in row] for row in ways.one_product],
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


def order_scene(o: BothOrders, words: tuple[str, str]) -> Blocks:
    """Two words combined in three ways, each in both orders, with the difference of the results (equal words: only one order)."""
    sides = _means(o, words), _joined(o, words), _states(o, words)
    rows = o.mean, o.joined, o.states
    panels = [
        equation(
            _(way[1]),
            "",
            _(ONE_ORDER) if words[0] == words[1] else _compared(each),
            [*left, "=" if difference(each) == 0 else "≠", *right],
        )
        for way, (left, right), each in zip(WAYS, sides, rows, strict=True)
    ]
    return {"cell": [42, 30, 16], "each": True, "wide": True, "equations": panels}


def _vectors(o: BothOrders, words: tuple[str, str]) -> list[MatrixPart]:
    cells = Cells(1, o.vectors)
    return [cells.part(word, row[None], "input") for word, row in zip(words, o.vectors, strict=True)]


def _means(o: BothOrders, words: tuple[str, str]) -> tuple[list[Matrix | str], list[Matrix | str]]:
    (x, y), cells = _vectors(o, words), Cells(2, o.mean)
    a, b = (f"x_{{{word}}}" for word in words)
    one, other = ([cells.part(_("mean"), o.mean[i : i + 1])] for i in (0, 1))
    return ["½ (", matrix(a, [x]), "+", matrix(b, [y]), ") =", matrix(_("mean"), one)], [matrix(f"½ ({b} + {a})", other)]


def _joined(o: BothOrders, words: tuple[str, str]) -> list[list[Matrix]]:
    x = _vectors(o, words)
    return [[matrix(f"[x_{{{words[i]}}}, x_{{{words[1 - i]}}}]", [x[i], x[1 - i]])] for i in (0, 1)]


def _states(o: BothOrders, words: tuple[str, str]) -> list[list[Matrix]]:
    cells = Cells(2, o.states)
    states = [cells.part(_("state"), o.states[i : i + 1], "memory") for i in (0, 1)]
    names = (_("h after {first}, {second}", first=words[i], second=words[1 - i]) for i in (0, 1))
    return [[matrix(name, [state])] for name, state in zip(names, states, strict=True)]


def _compared(rows: Float[np.ndarray, "2 W"]) -> str:
    largest = difference(rows)
    if largest == 0:
        return _("The same numbers: the order is lost.")
    return _("Different numbers, by up to {difference}.", difference=fixed(largest, 2))


def order_words(prices: dict[int, dict[str, int]]) -> list[Panel]:
    """One panel for each way: the number of weights before the hidden layer, for several numbers of words."""
    return [
        {
            "title": _(title),
            "rows": [[_("weights for {n} words", n=n), count(price[name])] for n, price in prices.items()],
            "sentences": [[[_(sentence), ""]]],
        }
        for name, _panel, title, sentence in WAYS
    ]

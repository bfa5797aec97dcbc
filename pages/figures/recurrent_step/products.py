"""Products written out: the concatenation identity (D2L 8.4), and two words in both orders (Deep Learning from Scratch 2)."""

import numpy as np

from core.analysis.one_step_matrices import BothOrders, StepMatrices, TwoWays, difference
from core.config.language import gettext as _, lazy_gettext, rich_text
from pages.figures.parts.numbers import MINUS, count, decimals, number
from pages.figures.parts.tables import Panel, panel
from pages.figures.recurrent_step.blocks import WIDTH, Blocks, Cells, WrittenSums, equation, matrix

CELL_WIDTH = {1: (25, 45), 4: (52, 58)}  # decimals: narrowest and widest cell, px
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


def products_drawing(m: StepMatrices, ways: TwoWays, *, decimals: int, notice: str = "", hidden: bool = False) -> Blocks:
    """X W_xh + H W_hh above, [X, H] [W_xh; W_hh] below: the same result in every cell."""
    N, D, H = *m.X.shape, m.W_hh.shape[0]
    cell = _cell_size(D + 4 * H, decimals)
    given = Cells(decimals, m.X, m.W_xh, m.H, m.W_hh)
    wide = cell[0] >= 40  # room for one more decimal
    result = Cells(2 if decimals == 1 and wide else decimals, ways.two_products, ways.one_product)
    X, W_xh = given.part("X", m.X, "input", edit=True), given.part("W_xh", m.W_xh, "input", edit=True)
    h, W_hh = given.part("H", m.H, "memory", edit=True), given.part("W_hh", m.W_hh, "memory", edit=True)
    above = [
        matrix("X", [X], "row"), "·", matrix("W_{xh}", [W_xh], "column"), "+",
        matrix("H", [h], "row"), "·", matrix("W_{hh}", [W_hh], "column"), "=",
        result.matrix("X W_{xh} + H W_{hh}", ways.two_products, "cell", id=_("sum of two products")),
    ]  # fmt: skip
    below = [
        matrix("[X, H]", [X, h], "row"), "·", matrix("[W_{xh} ; W_{hh}]", [W_xh, W_hh], "column", stack="down"), "=",
        result.matrix(_("the same"), ways.one_product, "cell", id=_("one product")),
    ]  # fmt: skip
    return {
        "cell": cell,
        "equations": [above, below],
        "beside": 1,
        "lit": [min(1, N - 1), min(2, H - 1)],
        "sum": _sum(ways, D, decimals),
        "notice": notice,
        "hidden": hidden,
    }


def _cell_size(columns: int, decimals: int) -> list[int]:
    """Width, height and font size of a cell, px: five matrices with ``columns`` columns in all fit into one line if possible."""
    narrow, wide = CELL_WIDTH[decimals]
    room = (WIDTH - 5 * 42) // columns - 2
    width = min(max(room, narrow), wide)
    return [width, 30 if width >= 38 else 28, 16 if width >= 42 and decimals == 1 else 14 if width >= 32 else 12]


def products_words(activation: str) -> list[Panel]:
    """The formula that the two equations prove, and a sentence on it."""
    proved = _(
        "So a recurrent layer is one affine layer. It reads <input>the input</input> and <memory>the state of the step "
        "before</memory>, side by side. Type other numbers into the cells: both results stay equal up to rounding."
    )
    formula = [
        f"H_t = {activation}(", ("X_t W_{xh}", "input"), f" + H_{{t−1}} W_{{hh}} + b_h)  =  {activation}([", ("X_t", "input"),
        ", H_{t−1}] [", ("W_{xh}", "input"), " ; W_{hh}] + b_h)",
    ]  # fmt: skip
    return [panel("", rich_text(proved), formula=formula)]


def _sum(ways: TwoWays, D: int, given: int) -> WrittenSums:
    """The addends of every cell, the sum of those from the input, which are blue, and that of those from the state."""
    digits = max(2, given)
    split = np.stack([ways.addends[:, :, :D].sum(2), ways.addends[:, :, D:].sum(2)], 2)

    def addends(n: int, j: int) -> list[list[str]]:
        return [
            [decimals(a, given), _bracketed(b, given), decimals(product, digits), "input" if k < D else "memory"]
            for k, (a, b, product) in enumerate(zip(ways.concatenated[n], ways.stacked[:, j], ways.addends[n, j], strict=True))
        ]

    N, H = ways.one_product.shape
    return {
        "title": _("The outlined cell"),
        "addends": [[addends(n, j) for j in range(H)] for n in range(N)],
        "names": ("X W_{xh}", "H W_{hh}"),
        "parts": [[(decimals(x, digits), decimals(h, digits)) for x, h in row] for row in split],
        "totals": [[decimals(value, digits) for value in row] for row in ways.one_product],
        "note": [[_("largest difference of all cells"), number(ways.difference, 2) if ways.difference else _("exactly 0")]],
    }


def _bracketed(value: float, digits: int) -> str:
    """A number to be written after an operator: in brackets when it is negative."""
    text = decimals(value, digits)
    return f"({text})" if text.startswith(MINUS) else text


def order_drawing(o: BothOrders, words: tuple[str, str]) -> Blocks:
    """Two words combined in three ways, each in both orders, with the difference of the results (equal words: only one order)."""
    vectors, means, states = Cells(1, o.vectors), Cells(2, o.mean), Cells(2, o.states)
    one, other = words
    a, b = f"x_{{{one}}}", f"x_{{{other}}}"
    x, y = (vectors.part(word, row[None], "input") for word, row in zip(words, o.vectors, strict=True))
    mean, same_mean = (means.part(_("mean"), row[None]) for row in o.mean)
    state, other_state = (states.part(_("state"), row[None], "memory") for row in o.states)
    name, other_name = (_("h after {first}, {second}", first=p, second=q) for p, q in ((one, other), (other, one)))
    sides = (  # of the equation, for each of WAYS
        (["½ (", matrix(a, [x]), "+", matrix(b, [y]), ") =", matrix(_("mean"), [mean])], matrix(f"½ ({b} + {a})", [same_mean])),
        ([matrix(f"[{a}, {b}]", [x, y])], matrix(f"[{b}, {a}]", [y, x])),
        ([matrix(name, [state])], matrix(other_name, [other_state])),
    )
    equations = []
    for (_name, title, *_words), (left, right), results in zip(WAYS, sides, (o.mean, o.joined, o.states), strict=True):
        largest = difference(results)
        compared = _("Different numbers, by up to {difference}.", difference=decimals(largest, 2))
        if one == other:
            compared = _(ONE_ORDER)
        elif largest == 0:
            compared = _("The same numbers: the order is lost.")
        equations.append(equation(_(title), "", compared, [*left, "=" if largest == 0 else "≠", right]))
    return {"cell": [42, 30, 16], "each": True, "wide": True, "equations": equations}


def order_words(prices: dict[int, dict[str, int]]) -> list[Panel]:
    """One panel for each way: the number of weights before the hidden layer, for several numbers of words."""
    return [
        panel(_(title), _(words), rows=[[_("weights for {n} words", n=n), count(price[name])] for n, price in prices.items()])
        for name, _equation, title, words in WAYS
    ]

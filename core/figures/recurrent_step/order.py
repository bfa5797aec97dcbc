"""Two words in both orders: summed, side by side, one after the other."""

from typing import Any

import numpy as np
from jaxtyping import Float

from core.analysis.recurrent_step.order import BothOrders, difference
from core.figures.parts.numbers import count, fixed
from core.figures.parts.style import Scene
from core.figures.recurrent_step.blocks import Cells, equation, matrix

ORDER_DECIMALS = 1


def order_scene(o: BothOrders, words: tuple[str, str]) -> Scene:
    """Two words in both orders, put together in three ways."""
    one, other = words
    given = Cells(ORDER_DECIMALS, o.vectors)
    made = Cells(2, o.summed), Cells(2, o.states)
    x, y = given.part(one, o.vectors[:1], "input"), given.part(other, o.vectors[1:], "input")
    a, b = _subscript(one), _subscript(other)

    def summed(row: int, left: Scene, right: Scene, names: tuple[str, str]) -> list[Any]:
        return [
            matrix(f"x_{names[0]}", [left]), "+", matrix(f"x_{names[1]}", [right]), "=",
            matrix("sum", [made[0].part("sum", o.summed[row : row + 1])]),
        ]  # fmt: skip

    def state(row: int, names: tuple[str, str]) -> Scene:
        return matrix(f"h after {names[0]}, {names[1]}", [made[1].part("state", o.states[row : row + 1], "memory")])

    return {
        "cell": [42, 30, 16],
        "each": True,
        "wide": True,
        "equations": [
            equation(
                "Sum of word vectors (CBOW)", "", _compared(o.summed),
                [*summed(0, x, y, (a, b)), _sign(o.summed), *summed(1, y, x, (b, a))],
            ),
            equation(
                "Side by side", "", _compared(o.joined),
                [matrix(f"[x_{a}, x_{b}]", [x, y]), _sign(o.joined), matrix(f"[x_{b}, x_{a}]", [y, x])],
            ),
            equation(
                "One after the other", "", _compared(o.states),
                [state(0, words), _sign(o.states), state(1, (other, one))],
            ),
        ],
    }  # fmt: skip


def _subscript(word: str) -> str:
    return f"{{{word}}}"


def _sign(rows: Float[np.ndarray, "2 W"]) -> str:
    return "=" if difference(rows) == 0 else "≠"


def _compared(rows: Float[np.ndarray, "2 W"]) -> str:
    largest = difference(rows)
    return (
        "The same numbers: which word came first is lost."
        if largest == 0
        else f"Different numbers, by up to {fixed(largest, 2)}."
    )


def order_words(prices: dict[int, dict[str, int]], same: bool) -> list[Scene]:
    """What each way costs: weights before the hidden layer, by the number of words."""
    told = [
        ("sum", "The sum is cheap and deaf", "One matrix for any number of words, but every order gives one and the same sum."),
        ("joined", "Side by side pays by the word", "Every place has a matrix of its own: the weights grow with the window."),
        ("state", "A state pays once", "One matrix more, for the state, whatever the length: order is heard, nothing grows."),
    ]
    cards = [
        {
            "title": title,
            "rows": [[f"weights for {n} words", count(price[name])] for n, price in prices.items()],
            "sentences": [[[sentence, ""]]],
        }
        for name, title, sentence in told
    ]
    if same:
        cards[0]["sentences"].append([["The same word twice has only one order: choose two different ones.", "strong"]])
    return cards

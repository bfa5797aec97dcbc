"""Every matrix to one scale, and what does not grow with the length of the text."""

import math
import re
from collections.abc import Sequence

from core.analysis.recurrent_step.shapes import Numbers
from core.figures.parts.numbers import count
from core.figures.parts.style import Scene
from core.figures.recurrent_step.blocks import times

DRAWING = (880, 100)  # px that the matrices of one line may take, and the height of the tallest
GAPS = 36  # px between two matrices


def shapes_scene(N: int, D: int, H: int, V: int, activation: str) -> Scene:
    """Every matrix of one step, to one scale; D = 0 is a one-hot input, V wide. Filled: learnt. Outlined: computed each step."""
    width = D or V
    lines = [
        [
            _shape("X_t", N, width, "input"), "·", _shape("W_{xh}", width, H, "learnt"), "+",
            _shape("H_{t−1}", N, H, "memory"), "·", _shape("W_{hh}", H, H, "learnt"), "+",
            _shape("b_h", 1, H, "learnt"), f"{activation} →", _shape("H_t", N, H, "memory"),
        ],
        [
            _shape("H_t", N, H, "memory"), "·", _shape("W_{hq}", H, V, "learnt"), "+",
            _shape("b_q", 1, V, "learnt"), "=", _shape("O_t", N, V, "plain"),
            *(["  X_t: rows of", _shape("W_{emb}", V, D, "learnt")] if D else []),
        ],
    ]  # fmt: skip
    scale = min(_scale([item for item in line if isinstance(item, dict)]) for line in lines)
    for item in (item for line in lines for item in line if isinstance(item, dict)):
        item |= {"w": round(item.pop("columns") * scale, 2), "h": round(item.pop("rows") * scale, 2)}
    return {"lines": lines, "scale": f"{1 / scale:.2g} numbers a pixel" if scale < 1 else f"{scale:.2g} pixels a number"}


def _shape(name: str, rows: int, columns: int, tone: str) -> Scene:
    return {"name": name, "rows": rows, "columns": columns, "says": f"{count(rows)}×{count(columns)}", "tone": tone}


def _scale(items: Sequence[Scene]) -> float:
    """Pixels a number at which a line of matrices is neither too wide nor too high."""
    room = DRAWING[0] - GAPS * len(items)
    return min(room / sum(item["columns"] for item in items), DRAWING[1] / max(item["rows"] for item in items), 30.0)


def shapes_words(n: Numbers) -> list[Scene]:
    """What is learnt, matrix by matrix; and that it is the same however long the text."""
    return [
        {
            "title": "Learnt (second source's name)",
            "aside": f"{count(n.total)} numbers",
            "rows": [
                [[[MATHS[name], "maths"], [f"  {SECOND_NAMES[name]}  {times(shape)}", ""]], count(math.prod(shape))]
                for name, shape in n.learnt.items()
            ],
        },
        {
            "title": "The same for longer texts",
            "rows": [[f"T = {T}: learnt", count(n.total)] for T in n.kept],
            "sentences": [
                [
                    ["The same matrices are used in every step", "strong"],
                    [", because the law of the text is taken not to change with time.", ""],
                ]
            ],
        },
        {
            "title": "What does grow",
            "rows": [[f"T = {T}: states kept", count(kept)] for T, kept in n.kept.items()],
            "sentences": [[["T·N·H numbers: not learnt, only kept until the gradient has come back past them.", ""]]],
        },
    ]


MATHS = {name: re.sub("_(.*)", r"_{\1}", name) for name in ("W_xh", "W_hh", "b_h", "W_hq", "b_q", "W_emb")}
SECOND_NAMES = {"W_xh": "Wx", "W_hh": "Wh", "b_h": "b", "W_hq": "affine W", "b_q": "affine b", "W_emb": "embed_W"}

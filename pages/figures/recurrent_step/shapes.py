"""All matrices to one scale, the rows of text in X_t, and which sizes grow with the length of the text."""

import math
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
from jaxtyping import Integer

from core.config.language import gettext as _, rich_text
from core.models.params import Params, count as parameters, shapes_of
from core.text.tokenizer import Tokenizer
from pages.content.notation import WEIGHT_NAMES, in_formula
from pages.figures.parts.numbers import count, number
from pages.figures.parts.symbols import visible_inline
from pages.figures.parts.tables import Panel, panel
from pages.figures.recurrent_step.blocks import times
from pages.figures.recurrent_step.cells import input_vectors

DRAWING = (880, 100)  # px: width for the matrices of one line, and height of the tallest matrix, at most
GAPS = 36  # px between two matrices
MAX_COPY_SPACING = 8  # px between two copies of a matrix, at most
ROWS = 5  # rows of text shown
INPUT_CELLS = 48  # cells of one input vector, at most
SHOWN = {"char": 20, "word": 4}  # tokens shown of a row


class Shape(TypedDict):
    """A matrix to scale, in px; ``copies`` of it overlap, ``every`` px apart."""

    name: str
    says: str
    tone: str
    copies: int
    w: float
    h: float
    every: float


class ShapesDrawing(TypedDict):
    """Lines of matrices and the operators between them."""

    lines: list[list[Shape | str]]
    scale: str


class TextRow(TypedDict):
    """A row of X_t: the last ``token``, the ``text`` before it, and the token's input vector as (level, tooltip)."""

    text: str
    token: str
    cells: list[tuple[float, str]]


class TextRows(TypedDict):
    """The first rows of X_t."""

    title: str
    shape: str
    rows: list[TextRow]
    more: str
    says: str


def shapes_drawing(N: int, D: int, H: int, V: int, T: int, activation: str) -> ShapesDrawing:
    """All matrices of one step to one scale, and the T stored states; D = 0 means a one-hot input of width V.

    Filled: learnt. Outlined: computed at each step.
    """
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
            *(["  " + _("X_t: rows of"), _shape("W_{emb}", V, D, "learnt")] if D else []),
        ],
    ]  # fmt: skip
    scale = min(_scale([item for item in line if isinstance(item, dict)]) for line in lines)
    lines.append([_shape("H_1, …, H_T" if T > 1 else "H_1", N, H, "memory", T)])
    for item in (item for line in lines for item in line if isinstance(item, dict)):
        item |= {"w": round(item.pop("columns") * scale, 2), "h": round(item.pop("rows") * scale, 2)}
        room = (DRAWING[0] - GAPS - item["w"]) / max(item["copies"] - 1, 1)
        item["every"] = round(min(MAX_COPY_SPACING, room), 3)
    words = _("{n} pixels a number", n=number(scale, 2))
    if scale < 1:
        words = _("{n} numbers a pixel", n=number(1 / scale, 2))
    return {"lines": lines, "scale": words}


def _shape(name: str, rows: int, columns: int, tone: str, copies: int = 1) -> dict[str, Any]:
    size_text = times((rows, columns))
    if copies > 1:
        size_text = _("{count} times {shape}, stored for the backward pass", count=count(copies), shape=size_text)
    return {"name": name, "rows": rows, "columns": columns, "says": size_text, "tone": tone, "copies": copies}


def _scale(items: Sequence[dict[str, Any]]) -> float:
    """Pixels per number, at most 30, at which a line of matrices fits into ``DRAWING``."""
    room = DRAWING[0] - GAPS * len(items)
    return min(room / sum(item["columns"] for item in items), DRAWING[1] / max(item["rows"] for item in items), 30.0)


def rows_drawing(window: Integer[np.ndarray, "rows T"], N: int, length: int, params: Params, tokenizer: Tokenizer) -> TextRows:
    """The first of the N rows of X_T: the last of T tokens and its input vector; ``length`` is the length of the whole text."""
    T, shown, blank = window.shape[1], SHOWN[tokenizer.unit], " " if tokenizer.unit == "word" else ""
    vectors = input_vectors(params, window[:, -1], INPUT_CELLS)
    texts = [[visible_inline(symbol) for symbol in tokenizer.symbols(row[-shown:])] for row in window]
    rows = [
        {
            "text": "".join(word + blank for word in text[:-1]),
            "token": text[-1],
            "cells": [(level, tooltip) for _text, level, tooltip in vector],
        }
        for text, vector in zip(texts, vectors, strict=True)
    ]
    shape = times((N, params.W_xh.shape[0]))
    return {
        "title": _("The rows of X_t, here at t = {T}", T=T),
        "shape": _("{shape}, one-hot", shape=shape) if params.W_emb is None else shape,
        "rows": rows,
        "more": _("and {n} rows more", n=count(N - len(window))) if len(window) < N else "",
        "says": _where(N, T, length),
    }


def _where(N: int, T: int, length: int) -> str:
    if length < N * T:
        return _(
            "This text has {n} tokens for N·T = {read}: too short to train on, so the rows overlap.",
            n=count(length),
            read=count(N * T),
        )
    return _(
        "Every row reads its own part of the text, which begins {n} tokens after that of the row above.",
        n=count(length // N),
    )


def shapes_words(N: int, D: int, H: int, V: int, T: int) -> list[Panel]:
    """Panels: the learnt numbers of each matrix, the same for every T, and the stored states, which grow with T."""
    total, steps = count(parameters(V, H, D)), sorted({1, T})
    same = _(
        "<strong>The same matrices are used in every step</strong>: a longer text needs no more parameters. How a text goes on "
        "is taken not to depend on the place in it."
    )
    learnt = []
    for name, shape in shapes_of(V, H, D).items():
        layer = _("{layer}, {shape}", layer=_(WEIGHT_NAMES[name].layer), shape=times(shape))
        learnt.append([[[in_formula(name), "maths"], ["  " + layer, ""]], count(math.prod(shape))])
    kept = rich_text(_("T·N·H numbers: not learnt, only kept until the gradient has come back past them."))
    return [
        panel(_("Learnt, by layer"), aside=_("{n} numbers", n=total), rows=learnt),
        panel(_("Does not grow with T"), rich_text(same), rows=[[_("T = {T}: learnt", T=count(step)), total] for step in steps]),
        panel(_("Grows with T"), kept, rows=[[_("T = {T}: states kept", T=count(step)), count(step * N * H)] for step in steps]),
    ]

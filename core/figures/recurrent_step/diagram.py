"""Drawings of boxes, wires, words and small matrices, placed in px."""

from collections.abc import Sequence
from typing import TypedDict

from core.figures.recurrent_step.blocks import BlockCell

Point = tuple[float, float]


class Wire(TypedDict):
    """Through its points, with a head at the last."""

    points: list[list[float]]
    tone: str


class Box(TypedDict):
    """Around (x, y), with lines of [words, tone]."""

    x: float
    y: float
    w: float
    h: float
    lines: list[list[str]]


class Words(TypedDict):
    """A formula or, in the tones "said" and "muted", plain words; its index t is that of ``step``, from 0."""

    x: float
    y: float
    text: str
    tone: str
    anchor: str
    step: int


class CellGrid(TypedDict):
    """A matrix from (x, y) on, whose cells are w x h; ``opens`` is the place that it opens."""

    x: float
    y: float
    w: float
    h: float
    cells: list[list[BlockCell]]
    tone: str
    opens: int | None


class OpenedMatrix(TypedDict):
    """A matrix in numbers."""

    name: str
    shape: str
    tone: str
    cells: list[list[BlockCell]]


class OpenedPlace(TypedDict):
    """What is opened below the drawing."""

    title: str
    matrices: list[OpenedMatrix]


class DiagramScene(TypedDict):
    """A drawing in px; ``open`` is the place opened at first."""

    size: list[int]
    label: str
    wires: list[Wire]
    boxes: list[Box]
    words: list[Words]
    grids: list[CellGrid]
    places: list[OpenedPlace]
    open: int


class Diagram:
    """A drawing so many px wide and high; ``label`` says in words what it shows. Things are added to it one by one."""

    def __init__(self, width: int, height: int, label: str) -> None:
        self.size, self.label = (width, height), label
        self._wires: list[Wire] = []
        self._boxes: list[Box] = []
        self._words: list[Words] = []
        self._grids: list[CellGrid] = []
        self._places: list[OpenedPlace] = []

    def wire(self, *points: Point, tone: str = "forward") -> None:
        self._wires.append({"points": [list(point) for point in points], "tone": tone})

    def box(self, x: float, y: float, w: float, h: float, *lines: tuple[str, str]) -> None:
        self._boxes.append({"x": x, "y": y, "w": w, "h": h, "lines": [list(line) for line in lines]})

    def words(self, x: float, y: float, text: str, tone: str = "", anchor: str = "start", step: int = 0) -> None:
        self._words.append({"x": x, "y": y, "text": text, "tone": tone, "anchor": anchor, "step": step})

    def grid(
        self, x: float, y: float, w: float, h: float, cells: list[list[BlockCell]], tone: str, opens: int | None = None
    ) -> None:
        self._grids.append({"x": x, "y": y, "w": w, "h": h, "cells": cells, "tone": tone, "opens": opens})

    def place(self, title: str, matrices: Sequence[OpenedMatrix]) -> int:
        """A place whose matrices can be opened; its number."""
        self._places.append({"title": title, "matrices": list(matrices)})
        return len(self._places) - 1

    def scene(self, open: int = 0) -> DiagramScene:
        return {
            "size": list(self.size),
            "label": self.label,
            "wires": self._wires,
            "boxes": self._boxes,
            "words": self._words,
            "grids": self._grids,
            "places": self._places,
            "open": open,
        }

"""Drawings of boxes, wires, words and small matrices, placed in px."""

from collections.abc import Sequence
from typing import Any

from core.figures.parts.style import Scene

Point = tuple[float, float]


class Diagram:
    """A drawing so many px wide and high; ``label`` says in words what it shows. Things are added to it one by one."""

    def __init__(self, width: int, height: int, label: str) -> None:
        self.size, self.label = (width, height), label
        self._wires: list[Scene] = []
        self._boxes: list[Scene] = []
        self._words: list[Scene] = []
        self._grids: list[Scene] = []
        self._places: list[Scene] = []

    def wire(self, *points: Point, tone: str = "forward") -> None:
        """A wire through these points, with a head at the last."""
        self._wires.append({"points": [list(point) for point in points], "tone": tone})

    def box(self, x: float, y: float, w: float, h: float, *lines: tuple[str, str]) -> None:
        """A box around (x, y) with lines of (words, tone)."""
        self._boxes.append({"x": x, "y": y, "w": w, "h": h, "lines": [list(line) for line in lines]})

    def words(self, x: float, y: float, text: str, tone: str = "", anchor: str = "start", step: int = 0) -> None:
        """A formula or, in the tones "said" and "muted", plain words; its index t is that of ``step``, from 0."""
        self._words.append({"x": x, "y": y, "text": text, "tone": tone, "anchor": anchor, "step": step})

    def grid(self, x: float, y: float, w: float, h: float, cells: list[list[Any]], tone: str, opens: int | None = None) -> None:
        """A matrix from (x, y) on, whose cells are w x h px; ``opens`` is the place that it opens."""
        self._grids.append({"x": x, "y": y, "w": w, "h": h, "cells": cells, "tone": tone, "opens": opens})

    def place(self, title: str, matrices: Sequence[Scene]) -> int:
        """A place whose matrices can be opened; its number."""
        self._places.append({"title": title, "matrices": list(matrices)})
        return len(self._places) - 1

    def scene(self, open: int = 0) -> Scene:
        """Everything, as the browser draws it; ``open`` is the place opened at first."""
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

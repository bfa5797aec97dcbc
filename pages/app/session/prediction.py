"""The learning curve that the reader predicts, drawn into the chart. The run does not depend on it."""

from contextlib import suppress
from typing import Any

from core.training.curves import Point
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.user_prediction import Expectation, drawn, one_update, room


class Prediction:
    """The drawn curve, and whether the reader is drawing one."""

    def __init__(self) -> None:
        self.drawing = False
        self.curve: Expectation | None = None

    def set_drawing(self, begins: bool) -> None:
        """The reader begins to draw, or stops."""
        self.drawing = begins

    def draw(self, line: list[Any], across: str, serial: int, monitored: MonitoredTrainer) -> None:
        """Replace the curve by this line; an empty one removes it, an invalid one is ignored."""
        self.drawing = False
        with suppress(ValueError):
            self.curve = drawn(line, across, _update_size(monitored), monitored.step, serial) if line else None

    def clear(self) -> None:
        """Remove the curve, as a new run begins."""
        self.curve = None

    def room(self, monitored: MonitoredTrainer) -> Point | None:
        """The extent of the chart while the reader draws."""
        return room(monitored.step, _update_size(monitored)) if self.drawing else None


def _update_size(monitored: MonitoredTrainer) -> Point:
    return one_update(monitored.settings, monitored.trainer.updates_per_epoch)

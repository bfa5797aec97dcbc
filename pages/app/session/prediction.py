"""The learning curve that the reader predicts and draws into the chart. It does not affect the run."""

from contextlib import suppress
from typing import Any

from core.training.curves import Point
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.user_prediction import Expectation, drawn, one_update, room


class Prediction:
    """The predicted curve, and whether the reader is drawing."""

    def __init__(self) -> None:
        self.drawing = False
        self.curve: Expectation | None = None

    def set_drawing(self, begins: bool) -> None:
        """Start or stop drawing."""
        self.drawing = begins

    def draw(self, line: list[Any], across: str, serial: int, monitored: MonitoredTrainer) -> None:
        """Replace the curve by this line; an empty line removes it, an invalid line is ignored."""
        self.drawing = False
        with suppress(ValueError):
            self.curve = drawn(line, across, _update_size(monitored), monitored.step, serial) if line else None

    def room(self, monitored: MonitoredTrainer) -> Point | None:
        """The extent of the chart while the reader draws, else None."""
        return room(monitored.step, _update_size(monitored)) if self.drawing else None


def _update_size(monitored: MonitoredTrainer) -> Point:
    return one_update(monitored.settings, monitored.trainer.updates_per_epoch)

"""What the reader has answered on the page of exercises: kept with the session, so also when its tab is loaded again."""

from dataclasses import dataclass, field
from typing import NamedTuple

from core.config.language import Message
from core.training.experiments.predictions import Outcome


class Predicted(NamedTuple):
    """A prediction about the run with this serial number, made at an update: the index of the chosen answer, or the guessed
    number; the question as it was asked; and its outcome, None until the run is there."""

    serial: int
    update: int
    chosen: float
    question: Message
    outcome: Outcome | None = None


@dataclass
class Answers:
    """``typed`` and ``hints`` (how many were taken) by set and kind; ``written`` by exercise of a book, with those ``compared``
    with the model answer; ``predicted`` by prediction."""

    typed: dict[tuple[int, str], str] = field(default_factory=dict)
    hints: dict[tuple[int, str], int] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    compared: set[str] = field(default_factory=set)
    predicted: dict[str, Predicted] = field(default_factory=dict)

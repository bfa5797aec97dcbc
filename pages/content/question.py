"""The kinds of question that a hall answers: a choice, a number, or a drawn curve."""

from typing import Literal, NamedTuple

Truth = Literal["table", "floor", "overflow"]


class Wrong(NamedTuple):
    """A wrong answer, and the misunderstanding that leads to it."""

    words: str
    misunderstanding: str


class Choice(NamedTuple):
    """The right answer and one to four wrong ones. ``question``: in place of that of the scene, if that has other answers."""

    right: str
    wrong: tuple[Wrong, ...]
    question: str = ""


class Guess(NamedTuple):
    """A wrong number, and the misunderstanding that leads to it."""

    value: float
    misunderstanding: str


class Number(NamedTuple):
    """A number between two bounds, on a logarithmic scale if ``log``. ``truth`` names the function of core that computes it
    (``pages/app/session/room_questions.py``)."""

    low: float
    high: float
    truth: Truth
    wrong: tuple[Guess, ...] = ()
    log: bool = False
    question: str = ""


class Curve(NamedTuple):
    """Perplexity against updates 1 to ``until``, both on logarithmic axes. ``hands``: the question where hands are counted."""

    until: int
    hands: Choice
    question: str = ""


Question = Choice | Number | Curve

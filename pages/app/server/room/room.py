"""A room: one question at a time, and the two votes of a hall on it. Plain data; ``registry.py`` says which thread changes it.

The steps of a question: ``first`` vote, ``talk`` (nothing is shown to the hall yet), ``second`` vote, ``truth`` (both votes and
the right answer). A question is of no step before it is asked and after the truth.
"""

import math
import secrets
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from core.config.limits import LIMITS
from pages.content.tally import Tally
from pages.figures.room import votes

STEPS = {"": "first", "first": "talk", "talk": "second", "second": "truth", "truth": ""}
OPEN = ("first", "second")
HANDS = 10_000  # counted for an answer, at most
LATE = "late"


class Asked(NamedTuple):
    """A question as it is asked. ``options`` in the order of the hall, ``right`` and ``wrong`` by their index in it.

    ``words`` and ``options`` are messages, which each phone translates, unless they are the reader's ``own``. ``bounds`` of a
    number, or of the updates of a curve; ``guesses``: wrong numbers with their misunderstandings. ``top`` of a curve in nats;
    ``lines`` are names and losses of n-gram models.
    """

    scene: str
    kind: str  # choice, number or curve
    words: str
    options: tuple[str, ...] = ()
    right: int = -1
    misunderstandings: tuple[str, ...] = ()
    own: bool = False
    bounds: tuple[float, float] = (1.0, 1.0)
    log: bool = False
    guesses: tuple[tuple[float, str], ...] = ()
    top: float = 0.0
    lines: tuple[tuple[str, float], ...] = ()
    truth: float = math.nan


def shuffled(right: str, wrong: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The options of a choice in an order that is drawn once, as fields of :class:`Asked`."""
    answers = [(right, ""), *wrong]
    secrets.SystemRandom().shuffle(answers)
    words, misunderstandings = zip(*answers, strict=True)
    return {"options": words, "right": words.index(right), "misunderstandings": misunderstandings}


class Vote:
    """The answers of one vote: those of phones by their name, and counted hands by option or bin."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.hands: Counter[int] = Counter()


class Room:
    """The hall's room of one session."""

    def __init__(self) -> None:
        self.asked: Asked | None = None
        self.step = ""
        self.number = 0  # of the question
        self.votes: list[Vote] = []
        self.version = 0  # grows with everything that phones are shown
        self.phones: set[str] = set()  # names of those that have joined
        self._before = 0  # phones that had joined when places were made

    @property
    def is_open(self) -> bool:
        return self.step in OPEN

    def ask(self, asked: Asked) -> None:
        """Open the first vote on a question; the votes of the last one are forgotten."""
        self.asked, self.votes, self.number = asked, [Vote()], self.number + 1
        self._go("first")

    def go_on(self) -> None:
        """Go to the next step."""
        if not self.asked:
            return
        self._go(STEPS[self.step])
        if self.step == "second":
            self.votes.append(Vote())

    def tell_truth(self) -> None:
        """Show the votes and the truth, also without a second vote."""
        if self.asked and self.step:
            self._go("truth")

    def leave(self) -> None:
        """End the question; who has joined stays."""
        self._go("")

    def _go(self, step: str) -> None:
        self.step = step
        self.asked = self.asked if step else None
        self.version += 1

    def count_hands(self, place: int, many: int) -> None:
        """Count hands for an option of a choice or a bin of a number, in the vote that is open."""
        places = self.places
        if self.is_open and 0 <= place < places and 0 <= many <= HANDS:
            self.votes[-1].hands[place] = many

    @property
    def places(self) -> int:
        """The number of counts of a vote: options, or bins of a number; 0 for a curve."""
        kind = self.asked.kind if self.asked else ""
        return len(self.asked.options) if kind == "choice" else votes.BINS if kind == "number" else 0

    @property
    def right(self) -> int:
        """The option that is right, or the bin of the right number; -1 if there is none."""
        asked = self.asked
        if not asked or asked.kind != "number" or not math.isfinite(asked.truth):
            return asked.right if asked else -1
        return votes.histogram([asked.truth], *asked.bounds, log=asked.log).index(1)

    def counts(self, vote: Vote) -> list[int]:
        """How many answered each option or bin, by phone and by hand."""
        asked, given = self.asked, list(vote.answers.values())
        if asked.kind == "number":
            by_phone = votes.histogram(given, *asked.bounds, log=asked.log)
        else:
            by_phone = [given.count(place) for place in range(self.places)]
        return [many + vote.hands[place] for place, many in enumerate(by_phone)]

    def tally(self) -> Tally | None:
        """The votes so far in counts; None of curves, which have no counts, and without a question."""
        if not self.asked or not self.places:
            return None
        asked, answers = self.asked, list(map(str, self.asked.options))
        if asked.kind == "number":
            answers = [f"{low:g} – {high:g}" for low, high in pairwise(votes.edges(*asked.bounds, log=asked.log))]
        return Tally(str(asked.words), tuple(dict(zip(answers, self.counts(vote), strict=True)) for vote in self.votes))

    def answered(self) -> int:
        """How many have answered in the newest vote."""
        return len(self.votes[-1].answers) + sum(self.votes[-1].hands.values()) if self.votes else 0

    def join(self, phone: str) -> bool:
        """Let a phone in; False if the room is full."""
        if phone not in self.phones and len(self.phones) - self._before >= LIMITS.room_phones:
            return False
        self.phones.add(phone)
        return True

    def make_places(self) -> None:
        """Let as many phones in again as fit into a room, beside those that have joined."""
        self._before = len(self.phones)

    def answer(self, phone: str, number: Any, vote: Any, answer: Any) -> None:
        """Take the answer of a phone to a question and vote, in place of its earlier one. ``ValueError`` if it is not one, and
        ``ValueError(LATE)`` if another or no vote is open."""
        if (
            not self.is_open
            or type(number) is not int
            or type(vote) is not int
            or (number, vote) != (self.number, len(self.votes))
        ):
            raise ValueError(LATE)
        self.votes[-1].answers[phone] = self._checked(answer)

    def _checked(self, answer: Any) -> Any:
        asked = self.asked
        if asked.kind == "curve":
            return votes.checked_curve(answer, asked.top)
        if asked.kind == "number" and votes.is_number(answer) and asked.bounds[0] <= answer <= asked.bounds[1]:
            return float(answer)
        if asked.kind == "choice" and type(answer) is int and 0 <= answer < len(asked.options):
            return answer
        raise ValueError("That is no answer to this question.")

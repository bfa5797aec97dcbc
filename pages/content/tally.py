"""How a hall has voted, in counts: saved with a lecture, so that another hall can be compared with it.

Who answered what is in no tally, as it is in no room once the question is over.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from core.config.language import gettext as _, lazy_gettext

MOST = 100  # tallies of a file
LONGEST = 300  # characters of a question or an answer
VOTES, ANSWERS, COUNT = (1, 2), (2, 6), 100_000  # the least and the most votes and answers, and the most for an answer
NO_TALLY = lazy_gettext("The votes in this file are not those of a hall.")


class Tally(NamedTuple):
    """The votes on a question: how many gave each answer. ``question`` and answers are messages, or the reader's own words."""

    question: str
    votes: tuple[Mapping[str, int], ...]

    def of_same(self, other: "Tally") -> bool:
        """Whether another tally is of the same question with the same answers."""
        return self.question == other.question and self.votes[0].keys() == other.votes[0].keys()


def renewed(tallies: Iterable[Tally], new: Tally) -> tuple[Tally, ...]:
    """The tallies with a new one, in place of an earlier one of the same question; the oldest go where they are too many. A new
    one in which nobody voted changes nothing: that was a rehearsal."""
    if not any(any(vote.values()) for vote in new.votes):
        return tuple(tallies)
    return (*(one for one in tallies if not one.of_same(new)), new)[-MOST:]


def written(tallies: Iterable[Tally]) -> list[dict[str, Any]]:
    """The tallies as JSON. Inverse of :func:`read`."""
    return [{"question": one.question, "votes": [dict(vote) for vote in one.votes]} for one in tallies]


def read(held: Any) -> tuple[Tally, ...]:
    """The tallies in the JSON of a file; ``ValueError`` with a sentence if it is anything else."""
    if not isinstance(held, list) or len(held) > MOST or not all(map(_is_tally, held)):
        raise ValueError(_(NO_TALLY))
    return tuple(Tally(one["question"], tuple(one["votes"])) for one in held)


def _is_tally(held: Any) -> bool:
    if not isinstance(held, dict) or held.keys() != {"question", "votes"} or not _is_text(held["question"]):
        return False
    votes, (least, most) = held["votes"], VOTES
    is_list = isinstance(votes, list) and least <= len(votes) <= most
    return is_list and all(map(_is_vote, votes)) and all(vote.keys() == votes[0].keys() for vote in votes)


def _is_vote(vote: Any) -> bool:
    least, most = ANSWERS
    is_counted = isinstance(vote, dict) and least <= len(vote) <= most
    return is_counted and all(_is_text(answer) and type(many) is int and 0 <= many <= COUNT for answer, many in vote.items())


def _is_text(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text) <= LONGEST and text == text.encode(errors="replace").decode()

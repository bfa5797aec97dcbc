"""Numbers of the reasons about the live run."""

import math
from contextlib import suppress

from core.analysis.perplexity import continuations
from core.models.loss import perplexity_of
from core.models.sampling import RnnReader
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_run
from pages.content.lessons import chosen as chosen_lesson
from pages.figures.parts.numbers import count, number
from pages.figures.training.chart_marks import crossings
from pages.perplexity.choice import cleaning
from pages.perplexity.continuations import RAINING

WAYS = "outside", "in San Francisco"


def lines_passed(session: Session) -> dict[str, str] | None:
    """The lines of the n-grams that the run has passed and when, the best of all lines, and the run's newest judgement."""
    passed = {one.name: one.point.update for one in crossings(session.monitored.history.judged, session.baselines)}
    lines = {line.name: line.perplexity for line in session.baselines}
    if not passed.keys() >= {"unigram", "bigram"}:
        return None
    return {
        "V": count(session.corpus.tokenizer.size),
        "unigram": number(lines["unigram"]),
        "first": count(passed["unigram"]),
        "bigram": number(lines["bigram"]),
        "second": count(passed["bigram"]),
        "best": number(min(lines.values())),
    } | _judged(session)


def per_token(session: Session) -> dict[str, str] | None:
    """The surprise at a short and at a long continuation, of the whole and of one token."""
    if not session.corpus.is_text:
        return None
    tokenizer, how = session.corpus.tokenizer, {"cleaning": cleaning(session)}

    def found() -> list:
        with suppress(ValueError):  # a text without the symbols of this beginning
            return continuations(RnnReader(session.params(), session.settings.activation), tokenizer, RAINING, WAYS, **how)
        return []

    both = cached_for_run(session, "reason_continuations", found)
    if not both:
        return None
    one, other = both
    if not (one.count and other.count and math.isfinite(one.nats + other.nats)):
        return None
    return {"n": str(one.count), "nats": number(one.nats), "mean": number(one.per_token)} | {
        "n2": str(other.count), "nats2": number(other.nats), "mean2": number(other.per_token)
    }  # fmt: skip


def three_numbers(session: Session) -> dict[str, str] | None:
    """The mean of the last epoch, the newest judgement, and the number that the book prints."""
    lesson, epochs = chosen_lesson(session.settings), session.monitored.history.epochs.points
    printed = dict(lesson.printed) if lesson else {}
    if not epochs or not printed:
        return None
    last = max(printed)
    return {
        "weights": count(session.monitored.trainer.params.flat.size),
        "n": count(len(session.corpus.train) + 1),
        "epoch": count(round(epochs[-1].epoch)),
        "mean": number(perplexity_of(epochs[-1].nats)),
        "last": str(last),
        "book": number(printed[last]),
    } | _judged(session)


def _judged(session: Session) -> dict[str, str]:
    """The newest judgement and the update that it is of."""
    view = session.snapshot().view
    return {"now": number(view.perplexity), "at": count(view.judged.update)}

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
from pages.figures.perplexity.continuations import one_in
from pages.figures.training.chart_marks import crossings
from pages.perplexity.choice import cleaning
from pages.perplexity.continuations import RAINING

WAYS = "outside", "banana tree", "in San Francisco"


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
    """The surprise at three continuations, how much more probable the first is than the second, and the surprise per token."""
    if not session.corpus.is_text:
        return None
    tokenizer, how = session.corpus.tokenizer, {"cleaning": cleaning(session)}

    def found() -> list:
        with suppress(ValueError):  # a text without the symbols of this beginning
            return continuations(RnnReader(session.params(), session.settings.activation), tokenizer, RAINING, WAYS, **how)
        return []

    read = cached_for_run(session, "reason_continuations", found)
    if not read or not all(one.count and math.isfinite(one.nats) for one in read):
        return None
    short, odd, long = read
    return {
        "n": str(short.count),
        "nats": number(short.nats),
        "chance": one_in(short.nats),
        "odd": number(odd.nats),
        "gap": number(odd.nats - short.nats),
        "odds": one_in(odd.nats - short.nats),
        "mean": number(short.per_token),
        "n2": str(long.count),
        "nats2": number(long.nats),
        "mean2": number(long.per_token),
    }


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

"""The predictions that can be made about a run, with its own numbers."""

from typing import Any

from core.models.loss import perplexity_of
from core.models.ngram import Baseline
from core.training.experiments import predictions as outcomes
from core.training.optimizers import rate_at
from pages.app.session.session import Session
from pages.content.predictions import PREDICTIONS
from pages.figures.parts.numbers import count, number, short


def asked_with(session: Session) -> dict[str, dict[str, Any]]:
    """The predictions that can be made about this run, each with the numbers in its question."""
    trainer, now = session.monitored.trainer, number(perplexity_of(session.monitored.judgement.nats))
    settings, tau, updates = trainer.settings, outcomes.truncation_of(trainer), count(outcomes.UPDATES)
    lines, larger = lines_of(session), settings.moved(learning_rate=outcomes.tenfold_rate(trainer))
    values: dict[str, dict[str, Any]] = {"guess": {"now": now, "n": updates}, "state": {}}
    if len(lines) == 2:
        values["line"] = {"now": now, "n": updates, "unigram": number(lines[0].perplexity), "bigram": number(lines[1].perplexity)}
    if tau > 1:
        values["truncation"] = {"tau": count(tau), "half": count(tau // 2)}
    if settings.num_steps > 1:
        values["back"] = {"back": count(outcomes.steps_back(trainer))}
    if larger.learning_rate > settings.learning_rate:
        usual, rate = (short(rate_at(one, trainer.step)) for one in (settings, larger))
        values["rate"] = {"usual": usual, "rate": rate}
    return {name: values[name] for name in PREDICTIONS if name in values}


def lines_of(session: Session) -> list[Baseline]:
    """The unigram and the bigram, if n-grams apply to the text."""
    return sorted((line for line in session.baselines if line.order in (1, 2)), key=lambda line: line.order)

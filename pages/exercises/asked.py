"""The predictions that can be made about a run, with its own numbers, and what has become of those that were made."""

from typing import Any

from core.models.ngram import Baseline
from core.training.experiments import predictions as outcomes
from core.training.experiments.predictions import Outcome
from core.training.optimizers import rate_at
from pages.app.session.answers import Predicted
from pages.app.session.session import Session
from pages.content.predictions import PREDICTIONS
from pages.figures.parts.numbers import count, number, short


def asked_with(session: Session) -> dict[str, dict[str, Any]]:
    """The predictions that can be made about this run, each with the numbers in its question."""
    values = (_about_training(session) if outcomes.goes_on(session.monitored.trainer) else {}) | _about_the_next_window(session)
    return {name: values[name] for name in PREDICTIONS if name in values}


def _about_training(session: Session) -> dict[str, dict[str, Any]]:
    now, lines = number(session.monitored.history.judged[-1].perplexity), lines_of(session)
    values = {"guess": {"now": now, "n": count(outcomes.UPDATES)}}
    if len(lines) == 2 and outcomes.tell_apart(*lines):
        unigram, bigram = (number(line.perplexity) for line in lines)
        values["line"] = values["guess"] | {"unigram": unigram, "bigram": bigram}
    return values


def _about_the_next_window(session: Session) -> dict[str, dict[str, Any]]:
    trainer = session.monitored.trainer
    settings, tau, values = trainer.settings, outcomes.truncation_of(trainer), {}
    if tau > 1:
        values["truncation"] = {"tau": count(tau), "half": count(outcomes.halved(tau))}
    if settings.carry_state and trainer.step:  # else zeros are what is carried
        values["state"] = {}
    if settings.num_steps > 1:
        values["back"] = {"back": count(outcomes.steps_back(trainer))}
    larger = settings.moved(learning_rate=outcomes.tenfold_rate(trainer))
    usual, rate = (rate_at(one, trainer.step) for one in (settings, larger))
    if rate > usual:
        values["rate"] = {"usual": short(usual), "rate": short(rate)}
    return values


def lines_of(session: Session) -> list[Baseline]:
    """The unigram and the bigram, if n-grams apply to the text."""
    return sorted((line for line in session.baselines if line.order in (1, 2)), key=lambda line: line.order)


def known(session: Session, name: str) -> Predicted | None:
    """The prediction that was made about the present run, with its outcome if that is there by now."""
    one = session.answers.predicted.get(name)
    if not one or one.serial != session.monitored.serial:
        return None
    if not one.outcome and PREDICTIONS[name].trains:
        one = session.answers.predicted[name] = one._replace(outcome=_trained(session, name, one))
    return one


def _trained(session: Session, name: str, one: Predicted) -> Outcome | None:
    """The outcome of a prediction about training: once the run was judged at its update, or later."""
    judged = [point for point in session.monitored.history.judged if point.update >= one.update + outcomes.UPDATES]
    if not judged:
        return None
    if name == "guess":
        return outcomes.as_guessed(one.chosen, judged[0].perplexity)
    return outcomes.against_lines(judged[0].perplexity, *lines_of(session))

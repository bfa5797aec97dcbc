"""Numbers of the reasons about experiments and languages whose best value is known."""

import math
from collections.abc import Generator
from contextlib import suppress
from itertools import islice

import numpy as np
import streamlit as st

from core.analysis import vanishing
from core.analysis.perplexity import means_of_choices
from core.analysis.vanishing import FRESH_T
from core.models.initialisation import spectral_radius
from core.models.rnn import forward
from core.text.languages import NOISE, echo_floor_with_reset, lag_floor
from core.training.tbptt import Diverged, Trainer
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_corpus
from pages.content.scenes import SCENES
from pages.figures.parts.numbers import count, number, short
from pages.gradient_flow.what_if import fresh_experiment
from pages.perplexity.against_counting import run_summary

UNTIL_OVERFLOW = 100  # updates within which the scene "too fast" diverges


def choices(_session: Session) -> dict[str, str]:
    """Two tokens with p = 0.8 and 0.2: their choices and the geometric mean."""
    p = 0.8, 0.2
    means = means_of_choices(np.array(p))
    one, other = map(short, means.choices)
    return {"p": short(p[0]), "q": short(p[1]), "one": one, "other": other, "mean": number(means.geometric)} | {
        "wrong": short(means.arithmetic)
    }


def repeated_bits(_session: Session) -> dict[str, str]:
    """The costs of a bit that repeats and of one that does not, in nats, and their mean."""
    sure, miss = -math.log(1 - NOISE), -math.log(NOISE)
    return {"keep": short(1 - NOISE), "noise": short(NOISE), "sure": number(sure), "miss": number(miss)} | {
        "mean": number((1 - NOISE) * sure + NOISE * miss),
        "floor": number(lag_floor()),
    }


def factor_per_step(session: Session) -> dict[str, str] | None:
    """The mean slope of the fresh network at the chosen radius, and the measured factor per step back."""
    state = st.session_state.get("gradient_flow") or {}
    if (state.get("phi") or session.settings.activation) != "tanh":
        return None
    radius = state.get("radius", 0.5)
    return {
        "radius": short(radius),
        "slope": number(_mean_slope(radius), 2),
        "factor": number(fresh_experiment(radius, FRESH_T, "tanh").rate),
    }


@cached_for_all_sessions(max_entries=64)
def _mean_slope(radius: float) -> float:
    params = vanishing.at_radius(vanishing.fresh_network(), radius)
    return float(forward(params, vanishing.fresh_text()[0]).slope[1:].mean())


def answers_in_a_window(session: Session) -> dict[str, str]:
    """The coin tosses in a window one longer than the lag, and the lowest perplexity there."""
    k = (st.session_state.get("truncation") or {}).get("k", 4)
    return {"k": str(k), "tau": str(k + 1), "bound": number(echo_floor_with_reset(k, k + 1))} | {
        "twice": str(2 * k),
        "half": number(echo_floor_with_reset(k, 2 * k)),
    }


def answers_before_the_reset(session: Session) -> dict[str, str] | None:
    """The coin tosses and the sure answers of a window, half of each, and the mean of their choices."""
    T, k = session.settings.num_steps, session.settings.lag
    if 2 * k != T:
        return None
    return {"T": str(T), "k": str(k), "sure": str(T - k), "bound": number(echo_floor_with_reset(k, T))}


def before_overflow(session: Session) -> list[tuple[float, float]]:
    """The gradient norm and the spectral radius after it of each update of the scene's run before it overflows."""
    settings = SCENES["too_fast"].settings

    def trained() -> Generator[float, None, list[tuple[float, float]]]:
        trainer, found = Trainer(settings, session.corpus), []
        with suppress(Diverged):
            for update in islice(trainer, UNTIL_OVERFLOW):
                found.append((update.grad_norm, spectral_radius(trainer.params.W_hh)))
                yield update.step / UNTIL_OVERFLOW
        return found

    return cached_for_corpus(session, "before_overflow", trained)


def last_steps(session: Session) -> dict[str, str] | None:
    """The largest gradient norm before the scene's run overflows, that of the update before, and what it does to W_hh."""
    found = before_overflow(session)
    norms, radii = [norm for norm, _radius in found], [radius for _norm, radius in found]
    at = max(range(len(norms)), key=norms.__getitem__)
    if not 0 < at < len(norms) < UNTIL_OVERFLOW:
        return None
    return {
        "earlier": str(at),
        "before": number(norms[at - 1], 3),
        "at": str(at + 1),
        "last": number(norms[at], 3),
        "radius": number(radii[at - 1]),
        "wider": number(radii[at]),
        "failed": str(len(norms) + 1),
        "rate": short(SCENES["too_fast"].settings.learning_rate),
    }


def table_of_pairs(session: Session) -> dict[str, str] | None:
    """The table of pairs and the network on the 1000 words that both have learnt."""
    name = SCENES["beating"].done.what
    run = session.experiments.get(name)
    if run is None or not run.source.step:
        return None
    found = run_summary(session, name, run)
    return {
        "table": number(found.table.perplexity),
        "network": number(run.snapshot().view.perplexity),
        "at": count(run.snapshot().view.judged.update),
        "weights": count(found.parameters),
        "n": count(len(run.source.corpus.train) + 1),
    }

"""The losses of each model on the tokens that judge every run; the sidebar shows the perplexity of the network's losses."""

from collections.abc import Generator

import numpy as np

from core.config.language import gettext as _
from core.config.settings import Settings
from core.models.ngram import NgramReader
from core.models.params import Params
from core.training.run.scheduler import in_slices
from pages.app.session.session import Session
from pages.app.session.session_cache import STEADY, cached_for_corpus, cached_for_run, cached_for_serial
from pages.figures.parts.numbers import count
from pages.figures.parts.symbols import kind_of
from pages.perplexity.choice import Choice, counted


def judged_label(session: Session) -> str:
    """A description of the judged tokens."""
    held = session.monitored.held_out
    tokens = {"n": count(held.tokens), "kind": _(kind_of(session.corpus)), "text": judged_text_name(session)}
    if held.rows > 1:
        return _("the {n} {kind}s of {text} that judge the run, in {rows} pieces", rows=held.rows, **tokens)
    return _("the {n} {kind}s of {text} that judge the run", **tokens)


def judged_text_name(session: Session) -> str:
    """The name of the judged text: the training text or held-out text."""
    return _("the training text") if session.monitored.held_out.on_training_text else _("held-out text")


def judged_key(session: Session) -> tuple[int, int]:
    """A cache key for the choice of judged tokens in one text."""
    return session.monitored.held_out.rows, session.monitored.held_out.tokens


def context_key(session: Session) -> tuple[int, int, int, bool]:
    """The key of what is computed on the judged tokens with the context of the network."""
    return *judged_key(session), session.settings.num_steps, session.settings.carry_state


def losses(session: Session, chosen: Choice) -> np.ndarray:
    """-ln p of every judged token by the chosen model, in reading order, (L,), nats."""
    reader = chosen.reader
    if chosen.moves:
        return live_losses(session)
    if isinstance(reader, NgramReader):
        return counted_losses(session)[reader.order]
    cache_key = session.monitored.serial, session.settings.carry_state
    settings = session.settings.but(activation=reader.activation)
    return cached_for_serial(session, "losses", chosen.serial, lambda: _read(session, reader.params, settings), *cache_key)


def live_losses(session: Session) -> np.ndarray:
    """The losses of the network as it is now."""
    settings = session.settings
    return cached_for_run(
        session, "losses", lambda: _read(session, session.params(), settings), settings.carry_state, refresh=STEADY
    )


def counted_losses(session: Session) -> list[np.ndarray]:
    """The losses of the counting models, by order, with the same context as the network."""
    held_out, carry = session.monitored.held_out, session.settings.carry_state
    model, key = counted(session), context_key(session)
    return cached_for_corpus(session, "counted_losses", lambda: held_out.counted_losses(model, carry), *key)


def _read(session: Session, params: Params, settings: Settings) -> Generator[None, None, np.ndarray]:
    """The losses of a network, evaluated as in judging a run: every row begins with a zero state."""
    parts = yield from in_slices(session.monitored.held_out.losses(params, settings))
    return np.concatenate(parts).T.ravel()

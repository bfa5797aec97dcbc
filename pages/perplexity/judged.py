"""The tokens that judge every run, and what each model makes of them: the perplexity of the sidebar is that of these losses."""

import numpy as np

from core.config.settings import Settings
from core.figures.parts.numbers import count
from core.figures.parts.symbols import kind_of
from core.models.ngram import NgramReader
from core.models.params import Params
from pages.app.server.compute_lock import iterate_with_compute_lock
from pages.app.session.session import Session
from pages.app.session.session_cache import STEADY, cached_for_corpus, cached_for_run, cached_for_serial
from pages.perplexity.choice import Choice, counted


def where(here: Session) -> str:
    """Which text that is, in words."""
    held, kind = here.watched.held_out, kind_of(here.corpus)
    pieces = f", in {held.rows} pieces" if held.rows > 1 else ""
    return f"the {count(held.tokens)} {kind}s of {part(here)} that judge the run{pieces}"


def part(here: Session) -> str:
    """What that text is to the run."""
    return "the training text" if here.watched.held_out.on_training_text else "held-out text"


def which(here: Session) -> tuple[int, int]:
    """Tells apart the choices of tokens that can be made of one text."""
    return here.watched.held_out.rows, here.watched.held_out.tokens


def losses(here: Session, chosen: Choice) -> np.ndarray:
    """-ln p of every judged token by a model of the bar, in reading order, (L,), nats."""
    reader = chosen.reader
    if chosen.moves:
        return live_losses(here)
    if isinstance(reader, NgramReader):
        return counted_losses(here)[reader.order]
    what = here.watched.serial, here.settings.carry_state
    settings = here.settings.but(activation=reader.activation)
    return cached_for_serial(here, "losses", chosen.serial, lambda: _read(here, reader.params, settings), *what)


def live_losses(here: Session) -> np.ndarray:
    """Those of the network as it is now."""
    return cached_for_run(
        here, "losses", lambda: _read(here, here.params(), here.settings), here.settings.carry_state, pace=STEADY
    )


def counted_losses(here: Session) -> list[np.ndarray]:
    """Those of every order of the counting models, after the same context as the network."""
    held_out, carry = here.watched.held_out, here.settings.carry_state
    what = *which(here), here.settings.num_steps, carry
    return cached_for_corpus(here, "counted_losses", lambda: held_out.counted_losses(counted(here), carry), *what)


def _read(here: Session, params: Params, settings: Settings) -> np.ndarray:
    """As a run is judged: every piece from an empty state."""
    return np.concatenate(list(iterate_with_compute_lock(here.watched.held_out.losses(params, settings)))).T.ravel()

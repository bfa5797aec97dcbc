"""The tokens that judge every run, and what each model makes of them: the perplexity of the sidebar is that of these losses."""

import numpy as np

from core.figures.parts.numbers import count
from core.figures.parts.symbols import kind_of
from core.models.ngram import NgramReader
from core.models.params import Params
from core.settings import Settings
from pages.app.server.compute_lock import in_turns
from pages.app.session.session import Stage
from pages.app.session.session_cache import STEADY, of_run, of_serial, of_text
from pages.perplexity.choice import Choice, counted


def where(here: Stage) -> str:
    """Which text that is, in words."""
    held, kind = here.watched.held_out, kind_of(here.corpus)
    pieces = f", in {held.rows} pieces" if held.rows > 1 else ""
    return f"the {count(held.tokens)} {kind}s of {part(here)} that judge the run{pieces}"


def part(here: Stage) -> str:
    """What that text is to the run."""
    return "the training text" if here.watched.held_out.on_training_text else "held-out text"


def which(here: Stage) -> tuple[int, int]:
    """Tells apart the choices of tokens that can be made of one text."""
    return here.watched.held_out.rows, here.watched.held_out.tokens


def losses(here: Stage, chosen: Choice) -> np.ndarray:
    """-ln p of every judged token by a model of the bar, in reading order, (L,), nats."""
    reader = chosen.reader
    if chosen.moves:
        return live_losses(here)
    if isinstance(reader, NgramReader):
        return counted_losses(here)[reader.order]
    what = here.watched.serial, here.settings.carry_state
    settings = here.settings.but(activation=reader.activation)
    return of_serial(here, "losses", chosen.serial, lambda: _read(here, reader.params, settings), *what)


def live_losses(here: Stage) -> np.ndarray:
    """Those of the network as it is now."""
    return of_run(here, "losses", lambda: _read(here, here.params(), here.settings), here.settings.carry_state, pace=STEADY)


def counted_losses(here: Stage) -> list[np.ndarray]:
    """Those of every order of the counting models, which may look at what stands before a piece."""
    held = here.watched.held_out

    def found() -> list[np.ndarray]:
        return [-np.log(p[held.positions]) for p in counted(here).probabilities(held.source)]

    return of_text(here, "counted_losses", found, *which(here))


def _read(here: Stage, params: Params, settings: Settings) -> np.ndarray:
    """As a run is judged: every piece from an empty state."""
    return np.concatenate(list(in_turns(here.watched.held_out.losses(params, settings)))).T.ravel()

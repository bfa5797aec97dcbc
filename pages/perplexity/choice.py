"""The models to choose from: the live run now, what earlier runs left, and the counting models; two of them side by side."""

from typing import NamedTuple

import numpy as np

from core.figures.parts.words import differing
from core.models.ngram import NAMES, NgramModel, NgramReader, fit, tokens_of
from core.models.sampling import Reader, RnnReader
from core.text.corpus import source_of
from core.training.history import Ghost
from pages.app.session.session import Session
from pages.app.session.session_cache import Pace, cached_for_corpus, cached_for_run

FRESH = Pace(0.0, 0.8)  # a copy of a network that trains is new enough for so long to answer a key or a click
LIVE = "live"
NONE = "none"
NETWORK = "the network"
COUNTED = "counted"  # counted-0 is uniform, counted-5 the 5-gram
GHOST = "ghost"
NOT_FINITE = "The network's numbers are no longer finite, so it has no opinion of this text. Go back, or start again."


class Choice(NamedTuple):
    """A model to look at. No two models of a session have one key; ``serial`` is the number of the run, 0 of a counting model.

    ``progress``: how far the network was that ``reader`` is a copy of; its first number is the update.
    """

    key: str
    name: str
    reader: Reader
    serial: int = 0
    progress: tuple[int, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether it changes while the run trains."""
        return self.key == LIVE


def offered(here: Session) -> dict[str, str]:
    """Key and name of every model that reads this text's symbols."""
    ghosts = {_key(ghost): differing(ghost.settings, here.settings) for ghost in readable(here)}
    counted = {f"{COUNTED}-{order}": name for order, name in enumerate(NAMES)}
    return {LIVE: NETWORK} | {key: f"earlier: {name}" for key, name in ghosts.items()} | counted


def _key(ghost: Ghost) -> str:
    return f"{GHOST}-{ghost.serial}"


def readable(here: Session) -> list[Ghost]:
    """The ghosts whose network was kept and reads the same symbols."""
    tokenizer = here.corpus.tokenizer
    return [ghost for ghost in here.ghosts if ghost.params is not None and ghost.tokenizer == tokenizer]


def ghosts_not_offered(here: Session) -> str:
    """Why some earlier runs are not among the models, or nothing."""
    tokenizer = here.corpus.tokenizer
    other = sum(ghost.params is not None and ghost.tokenizer != tokenizer for ghost in here.ghosts)
    large = sum(ghost.params is None for ghost in here.ghosts)
    said = [
        f"{_runs(other)} read other symbols" if other else "",
        f"{_runs(large)} had too many weights to keep" if large else "",
    ]
    return f"Not offered: {', '.join(filter(None, said))}." if other or large else ""


def _runs(number: int) -> str:
    return f"{number} earlier run{'s' * (number > 1)} that"


def choose(here: Session, key: str) -> Choice:
    """The model with this key; the live run where it is no longer there."""
    kind, _, which = key.partition("-")
    if kind == COUNTED and which in map(str, range(len(NAMES))):
        return Choice(key, NAMES[int(which)], NgramReader(counted(here), int(which)))
    for ghost in readable(here):
        if key == _key(ghost):
            reader = RnnReader(ghost.params.copy(np.float64), ghost.settings.activation)
            return Choice(key, "earlier run", reader, ghost.serial)
    return _live(here)


def _live(here: Session) -> Choice:
    """The network as it is now, in float64; copied when it has moved on, while it trains not more often than it is looked at."""

    def copied() -> tuple[RnnReader, tuple[int, ...]]:
        return RnnReader(here.params().copy(np.float64), here.settings.activation), here.progress

    reader, progress = cached_for_run(here, "live", copied, pace=FRESH)
    return Choice(LIVE, NETWORK, reader, here.watched.serial, progress)


def counted(here: Session) -> NgramModel:
    """The 1- to 5-grams of the training text."""
    return cached_for_corpus(here, "counted", lambda: fit(tokens_of(here.corpus.train), here.corpus.tokenizer.size))


def cleaning(here: Session) -> str:
    """How a typed text is cleaned: as the training text was."""
    return here.settings.cleaning if source_of(here.settings).cleaned else "keep"

"""The models to choose from: the live network, the networks of earlier runs, and the counting models."""

from typing import NamedTuple

import numpy as np

from core.config.language import gettext as _, lazy_gettext, ngettext
from core.models.ngram import ORDER_NAMES, NgramModel, NgramReader, fit, tokens_of
from core.models.sampling import NextToken, RnnReader
from core.text.corpus import source_of
from core.training.history import Ghost
from pages.app.session.session import Session
from pages.app.session.session_cache import RefreshPolicy, cached_for_corpus, cached_for_run
from pages.figures.parts.words import differing

FRESH = RefreshPolicy(0.0, 0.8)  # while the run trains, keys and clicks are handled with a copy up to 0.8 s old
LIVE = "live"
NONE = "none"
NETWORK = lazy_gettext("the network")
COUNTED = "counted"  # counted-0 is uniform, counted-5 the 5-gram
GHOST = "ghost"
NOT_FINITE = lazy_gettext(
    "The network's numbers are no longer finite, so it has no opinion of this text. Go back, or start again."
)


class Choice(NamedTuple):
    """A model to show. ``key`` is unique in a session; ``serial`` is the number of the run, 0 for a counting model.

    ``name`` is in English, and translated where it is shown. ``progress`` is that of the network when ``reader`` was copied; its
    first number is the update.
    """

    key: str
    name: str
    reader: NextToken
    serial: int = 0
    progress: tuple[int, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether the model changes while the run trains."""
        return self.key == LIVE


def offered(session: Session) -> dict[str, str]:
    """The key and name of every model with the vocabulary of this text."""
    ghosts = {_key(ghost): differing(ghost.settings, session.settings) for ghost in readable(session)}
    counted = {f"{COUNTED}-{order}": _(name) for order, name in enumerate(ORDER_NAMES)}
    return {LIVE: _(NETWORK)} | {key: _("earlier: {differences}", differences=name) for key, name in ghosts.items()} | counted


def _key(ghost: Ghost) -> str:
    return f"{GHOST}-{ghost.serial}"


def readable(session: Session) -> list[Ghost]:
    """The ghosts whose network was kept and has the same vocabulary."""
    tokenizer = session.corpus.tokenizer
    return [ghost for ghost in session.ghosts if ghost.params is not None and ghost.tokenizer == tokenizer]


def ghosts_not_offered(session: Session) -> str:
    """A sentence why some earlier runs are not among the models; empty if all are."""
    tokenizer = session.corpus.tokenizer
    other = sum(ghost.params is not None and ghost.tokenizer != tokenizer for ghost in session.ghosts)
    large = sum(ghost.params is None for ghost in session.ghosts)
    runs = {
        ngettext("{n} earlier run that read other symbols", "{n} earlier runs that read other symbols", other, n=other): other,
        ngettext("{n} earlier run that had too many weights to keep", "{n} earlier runs that had too many weights to keep",
                 large, n=large): large,
    }  # fmt: skip
    left_out = ", ".join(words for words, n in runs.items() if n)
    return _("Not offered: {runs}.", runs=left_out) if left_out else ""


def choose(session: Session, key: str) -> Choice:
    """The model with this key, or the live network if that model no longer exists."""
    kind, _dash, which = key.partition("-")
    if kind == COUNTED and which in map(str, range(len(ORDER_NAMES))):
        return Choice(key, ORDER_NAMES[int(which)], NgramReader(counted(session), int(which)))
    for ghost in readable(session):
        if key == _key(ghost):
            reader = RnnReader(ghost.params.copy(np.float64), ghost.settings.activation)
            return Choice(key, lazy_gettext("earlier run"), reader, ghost.serial)
    return _live(session)


def _live(session: Session) -> Choice:
    """The live network in float64; copied again after further updates: while it trains, at most every 0.8 s (``FRESH``)."""

    def copied() -> tuple[RnnReader, tuple[int, ...]]:
        return RnnReader(session.params().copy(np.float64), session.settings.activation), session.progress

    reader, progress = cached_for_run(session, "live", copied, refresh=FRESH)
    return Choice(LIVE, NETWORK, reader, session.serial, progress)


def counted(session: Session) -> NgramModel:
    """The 1- to 5-grams of the training text."""
    return cached_for_corpus(session, "counted", lambda: fit(tokens_of(session.corpus.train), session.corpus.tokenizer.size))


def cleaning(session: Session) -> str:
    """How a typed text is cleaned: as the training text was."""
    return session.settings.cleaning if source_of(session.settings).cleaned else "keep"

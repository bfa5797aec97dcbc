"""Compression: the size of the same text in bytes, in bits per symbol, by the loss of a model, and with zlib and lzma."""

import math
from collections.abc import Generator, Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.compression import Gap, Size, compressor_sizes, gap_of_network, gap_on_lag, model_size, plain_sizes
from core.config.language import gettext as _, lazy_gettext
from core.models.ngram import ORDER_NAMES
from core.models.params import Params
from core.text.corpus import load_corpus
from core.training.experiments.comparisons import TASK_RECIPE
from core.training.run.scheduler import in_slices
from core.training.tbptt import Trainer
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.session.session_cache import STEADY, cached_for_corpus, cached_for_run, cached_for_serial
from pages.app.widgets.components import cards, live_figure
from pages.figures.parts.symbols import kind_of
from pages.figures.perplexity import compression as figures
from pages.perplexity.evaluation import context_key, counted_losses, judged_label, live_losses

LAG = TASK_RECIPE.but(  # learns the lag-4 language in well under a second
    corpus="lag", lag=4, max_tokens=120_000, num_steps=16, output_scale=0.01, optimizer="adam", learning_rate=0.003
)
UPDATES = 600
MEASURED_AT = sorted({0, *np.geomspace(1, UPDATES, 24).astype(int).tolist()})  # updates after which the gap is measured
LZMA_PREFIX_CHARS = 500_000  # characters of the training text at most that lzma reads first


def show(session: Session, state: PageState) -> None:
    corpus, kind = session.corpus, kind_of(session.corpus)
    sizes = _sizes(session)
    elements.heading(_("Bits"), _("{where}, stored in different ways", where=judged_label(session)))
    floor = None if corpus.floor is None else math.log2(corpus.floor)
    live_figure(figures.sizes_figure(sizes, kind, floor), key="sizes", label=figures.sizes_label(sizes, kind))
    cards(figures.sizes_words(sizes, corpus.tokenizer.size, kind, floor), key="sizes_words")
    elements.heading(_("Never below the entropy"), _("a language whose source is known, and a network learning it"))
    _draw_entropy_gap(session)
    elements.source("compression", model_size, compressor_sizes, gap_on_lag)


def _sizes(session: Session) -> list[Size]:
    """The size of the judged text in every format; only the network's is computed again as the run trains."""
    nats = live_losses(session)
    network = model_size(lazy_gettext("the network"), "network", float(nats.sum()), len(nats))
    counted = counted_losses(session)
    return [*cached_for_corpus(session, "fixed_sizes", lambda: _fixed(session, counted), *context_key(session)), network]


def _fixed(session: Session, counted: Sequence[np.ndarray]) -> Generator[None, None, list[Size]]:
    """The sizes other than the network's. ``counted``: the losses of the counting models, by order."""
    stream, corpus = session.monitored.held_out.judged, session.corpus
    text, tokens = corpus.tokenizer.decode(stream.targets), len(stream)
    sizes = plain_sizes(text, tokens, corpus.tokenizer.size)
    for name, nats in list(zip(ORDER_NAMES, counted, strict=True))[1:]:
        sizes.append(model_size(name, "counted", float(nats.sum()), tokens))
    packed = yield from in_slices(compressor_sizes(text, tokens, *_lzma_prefix(session)))
    return [*sizes, *(size for size in packed if size is not None)]


def _lzma_prefix(session: Session) -> tuple[str, str]:
    """The end of the training text, which lzma reads first, and the name of that format; both empty if this text is judged."""
    corpus = session.corpus
    if session.monitored.held_out.on_training_text:
        return "", ""
    text = corpus.tokenizer.decode(corpus.train.targets[-LZMA_PREFIX_CHARS:])
    whole = len(corpus.train) <= LZMA_PREFIX_CHARS and len(text) <= LZMA_PREFIX_CHARS
    return text[-LZMA_PREFIX_CHARS:], lazy_gettext("lzma + training text") if whole else lazy_gettext("lzma + end of training")


def _draw_entropy_gap(session: Session) -> None:
    """Draw the gap to the entropy: of the live run if its language has a known entropy, else of a small run."""
    if session.corpus.floor is not None:
        lag, about = session.settings.lag, _("The network of this run: at the updates that are kept, and now.")
        with st.spinner(_("Reading")):
            history = _live_gap_history(session)
    else:
        sizes = {"H": LAG.hidden_size, "n": UPDATES}
        lag = LAG.lag
        about = _("A network of {H} units, trained for {n} updates on this page, judged on bits it has not seen.", **sizes)
        with st.spinner(_("Training a small network on the lag language, this once")):
            history = small_run()
    live_figure(figures.gap_figure(history, lag), key="gap", label=figures.gap_label(history))
    cards([figures.gap_words(history[-1].gap, lag)], key="gap_words")
    elements.note(about)


def _live_gap_history(session: Session) -> list[figures.GapAtUpdate]:
    settings, stream = session.settings, session.corpus.held_out or session.corpus.train

    def gap(params: Params) -> Gap:
        return gap_of_network(params, stream, settings)

    now = cached_for_run(session, "gap", lambda: gap(session.params()), settings.carry_state, refresh=STEADY)
    update = session.snapshot().view.point.update
    moments = [
        figures.GapAtUpdate(
            moment.update, cached_for_serial(session, "gap", moment.serial, partial(gap, moment.params), settings.carry_state)
        )
        for moment in session.milestones
        if moment.update < update or not update
    ]
    return [*moments, figures.GapAtUpdate(update, now)] if update else moments


@cached_for_all_sessions(max_entries=1)
def small_run() -> Generator[None, None, list[figures.GapAtUpdate]]:
    """The gap of a small network on the lag language after each of ``MEASURED_AT``, shared by all sessions."""
    corpus = load_corpus(LAG)
    trainer, found = Trainer(LAG, corpus), []
    for update in MEASURED_AT:
        while trainer.step < update:
            next(trainer)
            yield
        found.append(figures.GapAtUpdate(update, gap_of_network(trainer.params, corpus.held_out, LAG)))
    return found

"""Compression: the same text in bytes, in bits for each symbol, in a model's bits, and packed by zlib and lzma."""

import math
from itertools import islice
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.compression import Size, model_size, plain_sizes, programs
from core.analysis.divergence import Gap, gap_on_lag
from core.figures.parts.symbols import kind_of
from core.figures.perplexity import compression as figures
from core.models.loss import cross_entropy
from core.models.ngram import NAMES, NgramReader
from core.models.params import Params
from core.models.rnn import forward
from core.settings import Settings
from core.text.corpus import Corpus, load_corpus
from core.training.tbptt import Trainer
from core.training.turns import compute
from pages.perplexity import choice
from pages.perplexity.reading import live_losses, losses, of_run, stretch, where
from pages.ui import frame
from pages.ui.components.cards.cards import cards
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.kept import of_text
from pages.ui.source import source
from pages.ui.state import Stage

LAG = Settings(  # learns the lag-4 language in well under a second
    corpus="lag",
    lag=4,
    max_tokens=120_000,
    hidden_size=32,
    num_steps=16,
    init="identity",
    gain=1.0,
    input_scale=0.5,
    output_scale=0.01,
    optimizer="adam",
    learning_rate=0.003,
)
UPDATES = 600
LOOKS = tuple(dict.fromkeys([0, *np.geomspace(1, UPDATES, 24).astype(int).tolist()]))  # updates after which the gap is taken
AT_ONCE = 20  # updates for which the right to compute is held
MOST_BEFORE = 500_000  # letters of the training text that lzma reads first
END = object()
ROWS, LENGTH = 32, 256  # of the held-out text that the gap is taken on


def compression(here: Stage, view: dict[str, Any]) -> None:
    corpus, kind = here.corpus, kind_of(here.corpus)
    sizes = _sizes(here)
    tokens = sizes[0].tokens
    frame.heading("Bits", f"{where(here, tokens)}, stored in different ways")
    floor = None if corpus.floor is None else math.log2(corpus.floor)
    live_figure(figures.sizes_figure(sizes, kind, floor), key="sizes", keep="", label=figures.sizes_label(sizes, kind))
    cards(figures.sizes_words(sizes, corpus.tokenizer.size, kind, floor), key="sizes_words")
    frame.heading("Never below the entropy", "a language whose source is known, and a network learning it")
    _gap(here)
    source("compression", model_size, programs, gap_on_lag)


def _sizes(here: Stage) -> list[Size]:
    """All ways of storing the stretch; only the network's is new whenever the run has moved on."""
    nats = live_losses(here)
    network = model_size("RNN, now", "network", float(nats.sum()), len(nats))
    fixed = of_text(here, "fixed_sizes", lambda: _fixed(here), len(nats), *_network_sizes(here))
    return [*fixed, network]


def _network_sizes(here: Stage) -> tuple[int, ...]:
    """What the length of the stretch depends on."""
    return here.settings.hidden_size, here.settings.embedding_size


def _fixed(here: Stage) -> list[Size]:
    stream, corpus = stretch(here), here.corpus
    text, tokens = corpus.tokenizer.decode(stream.targets), len(stream)
    sizes = plain_sizes(text, tokens, corpus.tokenizer.size)
    for order in range(1, len(NAMES)):
        nats = losses(here, NgramReader(choice.counted(here), order), stream)
        sizes.append(model_size(NAMES[order], "counted", float(nats.sum()), tokens))
    packed = programs(text, tokens, *_read_before(here))
    while True:
        here.run.heartbeat()  # this session's card cannot, as long as this runs
        with compute():
            size = next(packed, END)
        if size is END:
            return sizes
        if size is not None:
            sizes.append(size)


def _read_before(here: Stage) -> tuple[str, str]:
    """The training text, or as much of its end as lzma reads in good time, and what lzma after it is called."""
    corpus = here.corpus
    if here.watched.held_out.on_training_text:
        return "", ""
    text = corpus.tokenizer.decode(corpus.train.targets[-MOST_BEFORE:])
    whole = len(corpus.train) <= MOST_BEFORE and len(text) <= MOST_BEFORE
    return text[-MOST_BEFORE:], "lzma + training text" if whole else "lzma + end of training"


def _gap(here: Stage) -> None:
    """On the live run's own language where it learns one, else on a small run of this section's own."""
    lag = here.settings.lag
    if here.corpus.floor is not None:
        with st.spinner("Reading"):
            passed = _passed_live(here)
    else:
        lag = LAG.lag
        with st.spinner("Training a small network on the lag language, this once"):
            passed = small_run()
    live_figure(figures.gap_figure(passed, lag), key="gap", keep="", label=figures.gap_label(passed))
    cards(figures.gap_words(passed[-1].gap, lag), key="gap_words")
    if here.corpus.floor is not None:
        frame.note("The live run, at the moments it remembers and now.")
    else:
        frame.note(
            f"A network of {LAG.hidden_size} units, trained for {UPDATES} updates on this page, judged on bits it has not seen."
        )


def _passed_live(here: Stage) -> list[figures.Passed]:
    now = of_run(here, "gap", lambda: _take(here.run.params(), here.settings, here.corpus))
    update = here.run.snapshot().view.point.update
    moments = [
        figures.Passed(moment.update, _moment_gap(here, moment.update, moment.params))
        for moment in list(here.watched.history.moments)
        if moment.update < update or not update
    ]
    return [*moments, figures.Passed(update, now)] if update else moments


def _moment_gap(here: Stage, update: int, params: Params) -> Gap:
    kept = st.session_state.setdefault("perplexity_gaps", {})
    key = id(here.run), update, here.settings.carry_state
    if key not in kept:
        if len(kept) > 40:
            kept.clear()
        kept[key] = here.run, _take(params, here.settings, here.corpus)
    return kept[key][1]


def _take(params: Params, settings: Settings, corpus: Corpus) -> Gap:
    """The gap on rows of the held-out text (of the training text without one), read in windows as in training."""
    stream = corpus.held_out or corpus.train
    length = min(LENGTH, len(stream))
    rows = max(min(ROWS, len(stream) // length), 1)
    places = np.arange(rows) * (len(stream) // rows) + np.arange(length)[:, None]
    inputs, targets, h, parts = stream.inputs[places], stream.targets[places], None, []
    with compute(), np.errstate(all="ignore"):
        for start in range(0, length, settings.num_steps):
            window = slice(start, start + settings.num_steps)
            trace = forward(params, inputs[window], h, activation=settings.activation)
            parts.append(cross_entropy(trace.logits, targets[window]))
            h = trace.h[-1] if settings.carry_state else None
        return gap_on_lag(np.concatenate(parts), inputs, targets, settings.lag)


@st.cache_resource(show_spinner=False)
def small_run() -> list[figures.Passed]:
    """A small network learns the lag language; its gap after some of the updates. Everybody else may compute in between."""
    with compute():
        corpus = load_corpus(LAG)
        trainer = Trainer(LAG, corpus)
    passed = []
    for look in LOOKS:
        while trainer.step < look:
            with compute():
                list(islice(trainer, min(AT_ONCE, look - trainer.step)))
        passed.append(figures.Passed(look, _take(trainer.params, LAG, corpus)))
    return passed

"""Against counting: every model on the same text, by position in the window; and when a table beats the network."""

import math
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.position import (
    Table,
    counting_by_position,
    network_by_position,
    perplexities,
    plain_bigrams,
    position_bins,
    window_starts,
)
from core.figures.parts.models_table import Network, models_grid
from core.figures.parts.numbers import count
from core.figures.parts.symbols import kind_of
from core.figures.perplexity import against_counting as figures
from core.lessons import lesson
from core.text.corpus import Stream
from core.training.held_out import HeldOut
from core.training.history import thin
from core.training.live_run import LiveRun
from core.training.tbptt import Trainer
from core.training.turns import compute
from core.training.watched import Watched
from pages.perplexity import choice
from pages.perplexity.reading import of_run
from pages.ui import frame
from pages.ui.components.grid.grid import grid
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.kept import of_text
from pages.ui.source import source
from pages.ui.state import Stage, text_of

LONGEST = 100_000  # tokens of the held-out text that windows are taken from
WINDOWS = 1024  # read for the picture by position, at most
WORK = 1_200_000_000  # multiplications that reading them may take: about a fifth of a second
LESSON = "Deep Learning from Scratch 2, section 5.5"
WORDS = {"1 000 words": 1000, "10 000 words": 10_000}
EPOCHS = 100  # as the source trains
EVERY = 1.0  # seconds between two pictures of the two runs
POINTS = 160  # of a curve
PATIENCE = 8.0  # seconds: the page may be busy reading for the picture above
RUNS = "perplexity_memorising"


def counting(here: Stage, view: dict[str, Any]) -> None:
    _table(here)
    _by_position(here)
    frame.heading("A table can win", "on the text it was counted on: the second source's network and 1 000 words")
    runs = st.session_state.get(RUNS)
    playing = bool(runs) and any(run.playing for run, _ in runs.values())
    st.fragment(_memorising, run_every=EVERY if playing else None)(here, playing)
    source("counting", network_by_position, counting_by_position, plain_bigrams)


def _table(here: Stage) -> None:
    settings, corpus, held, kind = here.settings, here.corpus, here.watched.held_out, kind_of(here.corpus)
    part = "training" if held.on_training_text else "held-out"
    frame.heading(
        "One text, all models", f"{count(held.tokens)} {kind}s of the {part} text, the same as in the chart on Training"
    )

    def plain() -> Table:
        with compute():
            return plain_bigrams(corpus.train, _judged(held), corpus.tokenizer.size)

    table = of_text(here, "plain_bigrams", plain, settings.hidden_size, settings.embedding_size, settings.carry_state)
    network = Network("RNN, now", here.watched.trainer.params.flat.size, here.run.snapshot().view.judged.nats)
    grid(models_grid(here.baselines, network, corpus.tokenizer.size, kind, table), key="models")
    if math.isinf(table.perplexity):
        frame.note("Without smoothing, one pair that training never saw is held impossible, and the perplexity is infinite.")


def _judged(held: HeldOut) -> Stream:
    """The pairs on which a run is judged."""
    return Stream(held.source.inputs[held.positions], held.source.targets[held.positions])


def _by_position(here: Stage) -> None:
    """Every window begins with an empty state, so all models know the same tokens of it."""
    settings, kind = here.settings, kind_of(here.corpus)
    T, source = settings.num_steps, here.watched.held_out.source
    stream = source[:LONGEST]
    starts = window_starts(len(stream), T, _windows(here))
    frame.heading(
        "By position in the window", f"what one more {kind} of context is worth; the state is emptied before each window"
    )
    bins = position_bins(T)

    model = choice.counted(here)

    def counted() -> list[list[float]]:
        with compute():
            return [perplexities(order, bins) for order in counting_by_position(model, stream, starts, T)]

    by_order = of_text(here, "counted_by_position", counted, len(starts))
    network = of_run(here, "by_position", lambda: _network_by_position(here, stream, starts, bins))
    carried = here.run.snapshot().view.perplexity if settings.carry_state else math.nan
    figure = figures.position_figure(bins, by_order, network, carried, kind)
    live_figure(figure, key="position", keep="", label=figures.position_label(bins, network))
    frame.note(
        f"{count(len(starts))} windows of {T}. An n-gram uses n − 1 {kind}s and no more; the network can use them all"
        + ("; it was trained on carried states, not on empty ones." if settings.carry_state else ".")
    )


def _windows(here: Stage) -> int:
    settings, V = here.settings, here.corpus.tokenizer.size
    each = settings.num_steps * settings.hidden_size * (settings.hidden_size + settings.embedding_size + V)
    return max(min(WINDOWS, WORK // each), 8)


def _network_by_position(here: Stage, stream: Stream, starts: np.ndarray, bins: list) -> list[float]:
    parts, reading = (
        [],
        network_by_position(here.run.params(), stream, starts, here.settings.num_steps, activation=here.settings.activation),
    )
    while True:
        here.run.heartbeat()  # this session's card cannot, as long as this runs
        with compute(), np.errstate(all="ignore"):
            part = next(reading, None)
        if part is None:
            return perplexities(np.concatenate(parts, axis=1), bins)
        parts.append(part)


def _memorising(here: Stage, polled: bool) -> None:
    """Two runs of their own, trained beside the live run when asked for; they pause themselves when nobody looks."""
    runs = st.session_state.get(RUNS)
    if not runs:
        frame.note(
            "The same network on ten times the words, too. Both read theirs 100 times, as the source does: a second of computing "
            "for the one, half a minute for the other. Compare them at the same update, and at the end."
        )
        st.button("Train both networks", key="perplexity_train", on_click=_train)
        return
    for run, _ in runs.values():
        run.heartbeat()
    shown = [_shown(name, run, table) for name, (run, table) in runs.items()]
    updates = max(run.source.trainer.updates_per_epoch * EPOCHS for run, _ in runs.values())
    live_figure(figures.memorising_figure(shown, updates), key="memorising", keep="", label=figures.memorising_label(shown))
    grid(figures.memorising_grid(shown), key="memorising_numbers")
    playing = any(run.playing for run, _ in runs.values())
    if playing:
        st.button("Pause", key="perplexity_pause", on_click=_pause)
    elif any(_left(run) for run, _ in runs.values()):
        st.button("Go on", key="perplexity_go_on", on_click=_go_on)
    frame.note(
        "Preset of Deep Learning from Scratch 2, 5.5. The table knows how often each pair came, so on its own text it is hard to "
        "beat; on any other text it meets pairs that it holds impossible."
    )
    if playing != polled:
        st.rerun()


def _train() -> None:
    """Both networks from the beginning, each with its own bigram table."""
    runs = {}
    for name, words in WORDS.items():
        settings = lesson(LESSON).settings.but(max_tokens=words)
        corpus, _ = text_of(settings, "")
        with compute():
            watched = Watched(Trainer(settings, corpus), corpus)
            table = plain_bigrams(corpus.train, _judged(watched.held_out), corpus.tokenizer.size)
            runs[name] = LiveRun(watched, patience=PATIENCE), table
    st.session_state[RUNS] = runs
    _go_on()


def _go_on() -> None:
    for run, _ in st.session_state[RUNS].values():
        if _left(run):
            run.play(until=run.source.trainer.updates_per_epoch * EPOCHS)


def _pause() -> None:
    for run, _ in st.session_state[RUNS].values():
        run.pause()


def _left(run: LiveRun) -> bool:
    return run.source.step < run.source.trainer.updates_per_epoch * EPOCHS


def _shown(name: str, run: LiveRun, table: Table) -> figures.Memorising:
    watched = run.source
    return figures.Memorising(
        name,
        thin(list(watched.history.judged), POINTS),
        table,
        watched.trainer.params.flat.size,
        run.snapshot().view.epoch,
        len(watched.corpus.train),
        watched.corpus.tokenizer.size,
    )

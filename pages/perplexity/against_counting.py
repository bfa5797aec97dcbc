"""Against counting: all models on the same text, by position in the window, and a text on which a table beats the network."""

import math
from collections.abc import Callable, Generator

import numpy as np
import streamlit as st

from core.analysis import position
from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.settings import Settings
from core.training.curves import thin
from core.training.run.live_run import LiveRun
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.run.scheduler import compute, in_slices
from core.training.tbptt import Trainer
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.corpus_cache import text_of
from pages.app.session.session import Session
from pages.app.session.session_cache import STEADY, cached_for_corpus, cached_for_run, cached_for_serial
from pages.app.widgets.components import grid, live_figure
from pages.content.lessons import lesson
from pages.figures.parts.numbers import count
from pages.figures.parts.symbols import kind_of
from pages.figures.perplexity import against_counting as figures
from pages.figures.perplexity.against_counting import Network, models_grid
from pages.perplexity.choice import counted
from pages.perplexity.evaluation import judged_key, judged_label, judged_text_name

LONGEST = 100_000  # held-out tokens from which windows are taken, at most
WINDOWS = 1024  # at most, for the chart by position
WORK = 1_200_000_000  # multiplications at most for reading these windows: about a fifth of a second
LESSON = "Deep Learning from Scratch 2, section 5.5"
WORDS = {lazy_gettext("1 000 words"): 1000, lazy_gettext("10 000 words"): 10_000}
EPOCHS = 100  # as in Deep Learning from Scratch 2
MORE = 2  # times as many passes, to which a scene trains on
POINTS = 160  # of a curve at most
SMOOTHED = lazy_gettext(
    "Unigram to 5-gram are smoothed: they keep a part of the probability for what training never saw (Witten and Bell 1991). "
    "“Bigram, not smoothed” keeps none; it is the plain table c(h, w) / c(h). No model may use more context than the network has "
    "read since its state was zero."
)
NEVER_SEEN = lazy_gettext(
    "Here it meets a pair that training never saw. It gives this pair probability 0, so its perplexity is infinite."
)


def show(session: Session, state: PageState) -> None:
    _table(session)
    _by_position(session)
    with elements.place("table_can_win"):
        if not session.scene:  # the heading answers the scene's question
            about = _("on the text it was counted on: the second source's network and 1 000 words")
            elements.heading(_("A table can win"), about)
        _memorising(session)
    elements.source("counting", position.network_by_position, position.counting_by_position, position.plain_bigrams)


def _table(session: Session) -> None:
    corpus, judged, V = session.corpus, session.monitored.held_out.judged, session.corpus.tokenizer.size
    elements.heading(_("One text, all models"), _("{where}, the same as in the chart on Training", where=judged_label(session)))
    table = cached_for_corpus(
        session, "plain_bigrams", lambda: position.plain_bigrams(corpus.train, judged, V), *judged_key(session)
    )
    network = Network(_("the network"), session.monitored.trainer.params.flat.size, session.snapshot().view.judged.nats)
    grid(models_grid(session.baselines, network, V, kind_of(corpus), table), key="models")
    elements.note(sentences(_(SMOOTHED), _(NEVER_SEEN) if math.isinf(table.perplexity) else ""))


def _by_position(session: Session) -> None:
    """Draw perplexity by position. Each window begins with a zero state, so all models have the same context."""
    settings, kind, V = session.settings, kind_of(session.corpus), session.corpus.tokenizer.size
    T, H, stream = settings.num_steps, settings.hidden_size, session.monitored.held_out.source[:LONGEST]
    affordable = WORK // (T * H * (H + settings.embedding_size + V))
    starts = position.window_starts(len(stream), T, max(min(WINDOWS, affordable), 8))
    elements.heading(
        _("By position in the window"),
        _("what one more {kind} of context is worth; the state is reset before each window", kind=_(kind)),
    )
    bins = position.position_bins(T)
    model = counted(session)

    def by_counting() -> list[list[float]]:
        orders = position.counting_by_position(model, stream, starts, T)
        return [position.perplexities(order, bins) for order in orders]

    def by_network() -> Generator[None, None, list[float]]:
        parts = position.network_by_position(session.params(), stream, starts, T, activation=settings.activation)
        return position.perplexities(np.concatenate((yield from in_slices(parts)), axis=1), bins)

    by_order = cached_for_corpus(session, "counted_by_position", by_counting, len(starts))
    network = cached_for_run(session, "by_position", by_network, refresh=STEADY)
    carried = session.snapshot().view.perplexity if settings.carry_state else math.nan
    figure = figures.position_figure(bins, by_order, network, carried, kind)
    live_figure(figure, key="position", label=figures.position_label(bins, network))
    windows = {"n": count(len(starts)), "T": T, "kind": _(kind), "text": judged_text_name(session)}
    elements.note(
        sentences(
            _("Measured on {n} windows of {T} {kind}s, spread over {text}.", **windows),
            _("An n-gram is a Markov model: it uses the last n − 1 {kind}s and no more.", kind=_(kind)),
            _("The network can use all of them; it was trained on states that were carried on, not on empty ones.")
            if settings.carry_state
            else _("The network can use all of them."),
        )
    )


def _names(session: Session) -> list[str]:
    """The names of the runs of this section; in a scene, which waits for them, the first alone."""
    return list(WORDS)[:1] if session.scene else list(WORDS)


def _runs(session: Session) -> dict[str, LiveRun]:
    """The runs of this section, by name; empty before they are requested."""
    return {name: session.experiments[name] for name in _names(session) if name in session.experiments}


def is_training(session: Session) -> bool:
    """Whether one of the runs trains."""
    return any(run.playing for run in _runs(session).values())


def _memorising(session: Session) -> None:
    """Draw runs trained on request, independent of the live run. In a scene they exist at once, so that a chart is drawn."""
    runs = _prepared(session) if session.scene else _runs(session)
    begun = len(runs) == len(_names(session)) and any(run.source.step or run.playing for run in runs.values())
    if not begun and not session.scene:
        elements.note(
            _(
                "Two networks with the same settings: one learns 1 000 words, the other 10 000. Each reads them 100 times, as in "
                "the source. The first takes about a second, the second half a minute. Compare both at one update and at the end."
            )
        )
    word, does = _button(session, runs, begun=begun)
    if word:
        st.button(word, key="perplexity_train", on_click=does, args=(session,))
    if not runs:
        return
    shown = [run_summary(session, name, run) for name, run in runs.items()]
    updates = max(map(_most if session.scene else _updates, runs.values()))
    passes = (EPOCHS, _updates(*runs.values())) if session.scene else None
    live_figure(figures.memorising_figure(shown, updates, passes), key="memorising", label=figures.memorising_label(shown))
    grid(figures.memorising_grid(shown), key="memorising_numbers")
    elements.note(
        _(
            "Preset of Deep Learning from Scratch 2, 5.5. The bigram that is not smoothed knows how often each pair came, so it "
            "is hard to beat on its own text. On any other text it meets pairs that it never saw, and gives them probability 0."
        )
    )


def _button(session: Session, runs: dict[str, LiveRun], *, begun: bool) -> tuple[str, Callable[[Session], None]]:
    """What the button above the chart says and does; it says nothing if all is trained."""
    if is_training(session):
        return _("Pause"), _pause
    if session.scene and not any(map(_has_updates_left, runs.values())):
        return (_("Train on"), train_on) if any(run.source.step < _most(run) for run in runs.values()) else ("", train_on)
    if begun:
        return (_("Go on") if any(map(_has_updates_left, runs.values())) else ""), train
    return (_("Train for 100 passes") if session.scene else _("Train both networks")), train


def _prepared(session: Session) -> dict[str, LiveRun]:
    """The runs, those created that do not exist: all at once, because a fragment may be rerun meanwhile."""
    missing = [name for name in _names(session) if name not in session.experiments]
    session.experiments.update({name: _run(lesson(LESSON).settings.but(max_tokens=WORDS[name])) for name in missing})
    return _runs(session)


def _run(settings: Settings) -> LiveRun:
    corpus = text_of(settings, "")[0]
    return LiveRun(compute(lambda: MonitoredTrainer(Trainer(settings, corpus), corpus)))


def train(session: Session) -> None:
    """Train the shown networks to their last update; create first those that do not exist."""
    for run in filter(_has_updates_left, _prepared(session).values()):
        run.play(until=_updates(run))


def train_on(session: Session) -> None:
    """Train on, to ``MORE`` times as many passes."""
    for run in _prepared(session).values():
        run.play(until=_most(run))


def _pause(session: Session) -> None:
    for run in _runs(session).values():
        run.pause()


def _updates(run: LiveRun) -> int:
    """The number of updates in ``EPOCHS`` epochs of the run's text."""
    return run.source.trainer.updates_per_epoch * EPOCHS


def _most(run: LiveRun) -> int:
    return MORE * _updates(run)


def _has_updates_left(run: LiveRun) -> bool:
    return run.source.step < _updates(run)


def run_summary(session: Session, name: str, run: LiveRun) -> figures.Memorising:
    """The judgements of a run so far, and a bigram table of the same text."""
    monitored, size = run.source, run.source.corpus.tokenizer.size
    text, judged = monitored.corpus.train, monitored.held_out.judged
    table = cached_for_serial(session, "table", monitored.serial, lambda: position.plain_bigrams(text, judged, size))
    points, weights = thin(list(monitored.history.judged), POINTS), monitored.trainer.params.flat.size
    return figures.Memorising(name, points, table, weights, run.snapshot().view.point.epoch, size)

"""The cache of texts, counting models and untrained networks, shared by all sessions."""

from typing import Any

from core.config.settings import TEXT_FIELDS, Settings
from core.models.ngram import Baseline, baselines, fit, tokens_of
from core.text.corpus import Corpus, load_corpus, source_of
from core.training.held_out import HeldOut
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.snapshots import Beginning
from core.training.tbptt import Trainer
from pages.app.server.setup_lock import with_setup_lock
from pages.app.server.shared_cache import cached_for_all_sessions

# Counting models, evaluated after the tokens that the network has read, by ``carry_state``
Lines = dict[bool, tuple[Baseline, ...]]


def fields_of(settings: Settings) -> tuple[Any, ...]:
    """The values of all settings that the text depends on."""
    return tuple(getattr(settings, name) for name in TEXT_FIELDS)


def text_of(settings: Settings, own_text: str) -> tuple[Corpus, Lines]:
    """The text to train on, and its counting models, evaluated on the held-out part. A reader's own text is not cached."""
    if source_of(settings).from_reader:
        corpus = with_setup_lock(lambda: load_corpus(settings, own_text))
        return corpus, with_setup_lock(lambda: _count(corpus, HeldOut(settings, corpus)))
    corpus = _shared_text(fields_of(settings), settings)
    held_out = HeldOut(settings, corpus)
    judged = held_out.rows, held_out.tokens, settings.num_steps
    return corpus, _shared_lines(fields_of(settings), judged, corpus, held_out)


def create_trainer(settings: Settings, corpus: Corpus) -> MonitoredTrainer:
    """The trainer of a new run. The untrained network is cached, except for a reader's own text."""
    beginning = None if source_of(settings).from_reader else _shared_beginning(settings, corpus)
    first = beginning and beginning.moment.state
    return with_setup_lock(lambda: MonitoredTrainer(Trainer(settings, corpus, first=first), corpus, beginning=beginning))


@cached_for_all_sessions(max_entries=12, set_up=with_setup_lock)
def _shared_text(fields: tuple[Any, ...], _settings: Settings) -> Corpus:
    return load_corpus(_settings)


@cached_for_all_sessions(max_entries=24, set_up=with_setup_lock)
def _shared_lines(fields: tuple[Any, ...], judged: tuple[int, ...], _corpus: Corpus, _held_out: HeldOut) -> Lines:
    """``judged`` is part of the key, as it affects the evaluated tokens if the state is reset or nothing is held out."""
    return _count(_corpus, _held_out)


@cached_for_all_sessions(max_entries=8, set_up=with_setup_lock)
def _shared_beginning(settings: Settings, _corpus: Corpus) -> Beginning:
    return MonitoredTrainer(Trainer(settings, _corpus), _corpus).beginning


def _count(corpus: Corpus, held_out: HeldOut) -> Lines:
    if not corpus.is_text:  # its targets are not the next inputs, so n-grams do not apply
        return {True: (), False: ()}
    counted = fit(tokens_of(corpus.train), corpus.tokenizer.size)
    return {carry: baselines(counted, held_out.counted_losses(counted, carry)) for carry in (True, False)}

"""A short real run for every lesson: figures are tested with the data of real runs."""

from collections.abc import Sequence

import pytest

from core.models.ngram import Baseline, baselines, fit, tokens_of
from core.text.corpus import load_corpus
from core.training.run.live_run import Snapshot
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Trainer
from pages.content.lessons import LESSONS

UPDATES = 4


@pytest.fixture(scope="session", params=LESSONS, ids=lambda lesson: lesson.name)
def monitored(request: pytest.FixtureRequest) -> MonitoredTrainer:
    settings = request.param.settings
    if not settings.max_tokens:
        settings = settings.but(max_tokens=20_000)
    corpus = load_corpus(settings)
    monitored = MonitoredTrainer(Trainer(settings, corpus), corpus)
    for _ in range(UPDATES):
        next(monitored)
    monitored.change(learning_rate=settings.learning_rate / 2)
    next(monitored)
    return monitored


@pytest.fixture(scope="session")
def lines(monitored: MonitoredTrainer) -> Sequence[Baseline]:
    if not monitored.corpus.is_text:
        return ()
    counted = fit(tokens_of(monitored.corpus.train), monitored.corpus.tokenizer.size)
    return baselines(counted, monitored.held_out.counted_losses(counted, monitored.settings.carry_state))


@pytest.fixture
def snapshot(monitored: MonitoredTrainer) -> Snapshot:
    return Snapshot("training", "", monitored.view(), 1234.0)

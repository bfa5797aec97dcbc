"""A short real run for every lesson: figures are tested on what the product draws."""

from collections.abc import Sequence

import pytest

from core.content.lessons import LESSONS
from core.models.ngram import Baseline, baselines, fit, tokens_of
from core.text.corpus import load_corpus
from core.training.run.live_run import Snapshot
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Trainer

UPDATES = 4


@pytest.fixture(scope="session", params=LESSONS, ids=lambda lesson: lesson.name)
def watched(request: pytest.FixtureRequest) -> MonitoredTrainer:
    settings = request.param.settings
    if not settings.max_tokens:
        settings = settings.but(max_tokens=20_000)
    corpus = load_corpus(settings)
    watched = MonitoredTrainer(Trainer(settings, corpus), corpus)
    for _ in range(UPDATES):
        next(watched)
    watched.change(learning_rate=settings.learning_rate / 2)
    next(watched)
    return watched


@pytest.fixture(scope="session")
def lines(watched: MonitoredTrainer) -> Sequence[Baseline]:
    if not watched.corpus.is_text:
        return ()
    counted = fit(tokens_of(watched.corpus.train), watched.corpus.tokenizer.size)
    return baselines(counted, watched.held_out.counted_losses(counted, watched.settings.carry_state))


@pytest.fixture
def snapshot(watched: MonitoredTrainer) -> Snapshot:
    return Snapshot("training", "", watched.view(), 1234.0)

"""A short real run for every lesson: figures are tested on what the product draws."""

from collections.abc import Sequence

import pytest

from core.content.lessons import LESSONS
from core.models.ngram import Baseline, baselines, fit, tokens_of
from core.text.corpus import load_corpus
from core.training.run.live_run import Snapshot
from core.training.run.monitored_trainer import Watched
from core.training.tbptt import Trainer

UPDATES = 4


@pytest.fixture(scope="session", params=LESSONS, ids=lambda lesson: lesson.name)
def watched(request: pytest.FixtureRequest) -> Watched:
    settings = request.param.settings
    if not settings.max_tokens:
        settings = settings.but(max_tokens=20_000)
    corpus = load_corpus(settings)
    watched = Watched(Trainer(settings, corpus), corpus)
    for _ in range(UPDATES):
        next(watched)
    watched.change(learning_rate=settings.learning_rate / 2)
    next(watched)
    return watched


@pytest.fixture(scope="session")
def lines(watched: Watched) -> Sequence[Baseline]:
    if not watched.corpus.is_text:
        return ()
    counted = fit(tokens_of(watched.corpus.train), watched.corpus.tokenizer.size)
    return baselines(counted, watched.held_out.counted_losses(counted, watched.settings.carry_state))


@pytest.fixture
def snapshot(watched: Watched) -> Snapshot:
    return Snapshot("training", "", watched.look(), 1234.0)

"""A short real run for every lesson, small enough to be quick: figures are tested on what the product draws."""

import pytest

from core.lessons import LESSONS
from core.models.ngram import baselines
from core.text.corpus import load_corpus
from core.training.tbptt import Trainer
from core.training.watched import Watched

UPDATES = 4


@pytest.fixture(scope="session", params=LESSONS, ids=lambda lesson: lesson.name)
def watched(request):
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
def lines(watched):
    if not watched.corpus.is_text:
        return ()
    held_out = watched.held_out
    return baselines(watched.corpus.train, held_out.source, watched.corpus.tokenizer.size, held_out.positions)

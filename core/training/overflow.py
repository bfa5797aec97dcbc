"""When training overflows: run ahead with another trainer."""

from core.config.settings import Settings
from core.text.corpus import Corpus
from core.training.tbptt import Diverged, Trainer


def updates_until_overflow(settings: Settings, corpus: Corpus, most: int) -> int | None:
    """The first update at which the loss or its gradient overflows, from 1; None if none of the first ``most`` does."""
    trainer = Trainer(settings, corpus)
    try:
        for _update in range(most):
            next(trainer)
    except Diverged as error:
        return error.step
    return None

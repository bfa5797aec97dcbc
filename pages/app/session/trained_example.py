"""Networks that the server trains for sessions with an untrained run: one network per settings, shared by all sessions."""

import threading
from collections import OrderedDict
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from core.config.limits import LIMITS
from core.config.settings import DEFAULTS, Settings
from core.text.corpus import Corpus, source_of
from core.training.run.scheduler import Job, outside, start
from core.training.snapshots import Moment, View
from core.training.tbptt import Diverged
from pages.app.session.corpus_cache import create_trainer

UPDATES = 1000
AFFORDABLE = 100_000_000  # weights times tokens of one update: a second or two per 100 updates


class TrainedExample(NamedTuple):
    """A trained network without the state of its optimizer, as it is never trained further."""

    milestones: tuple[Moment, ...]  # the network at updates 0, 10, 100 and at the last one
    view: View

    @property
    def moment(self) -> Moment:
        """The trained network."""
        return self.milestones[-1]


class TrainedExamples:
    """An LRU cache of ``max_examples`` networks by settings. One network is trained at a time, by the scheduler.

    Methods may be called from any thread; none of them waits for training.
    """

    def __init__(self, max_examples: int = LIMITS.examples) -> None:
        self.max_examples = max_examples
        self._guard = threading.Lock()  # guards the fields below
        self._kept: OrderedDict[Settings, TrainedExample | None] = OrderedDict()  # None: training diverged
        self.training: Settings | None = None  # of the network that is being trained
        self._job: Job[None] | None = None

    def find(self, settings: Settings, corpus: Corpus) -> TrainedExample | None:
        """The network with these settings; None if it is not trained yet or cannot be trained.

        Start its training unless another network is being trained or training would take too long.
        """
        key = _without_view(settings)
        affordable = work(settings, corpus) <= AFFORDABLE and not source_of(settings).from_reader
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            if affordable and self.max_examples and self.training is None:
                self.training, self._job = key, start(self._train(key, corpus), "training")
        return None

    def awaited(self, settings: Settings) -> bool:
        """Whether the network with these settings is being trained."""
        return self.training == _without_view(settings)

    def _train(self, key: Settings, corpus: Corpus) -> Generator[None, None, None]:
        found = None
        try:
            with suppress(Diverged):
                found = yield from trained(key, corpus)
        finally:
            with self._guard:
                self.training, self._kept[key] = None, found
                while len(self._kept) > self.max_examples:
                    self._kept.popitem(last=False)


def work(settings: Settings, corpus: Corpus) -> int:
    """Weights times tokens of one update: approximately the number of multiplications in its forward pass."""
    H, V, D = settings.hidden_size, corpus.tokenizer.size, settings.embedding_size
    return settings.batch_size * settings.num_steps * (H * (H + (D or 1) + V))


def trained(settings: Settings, corpus: Corpus) -> Generator[None, None, TrainedExample]:
    """Train a network for ``UPDATES`` updates, or until its learning rate is zero. Raises ``Diverged`` on overflow."""
    monitored = yield from outside(lambda: create_trainer(settings, corpus))
    while monitored.step < UPDATES and not monitored.stop_reason:
        next(monitored)
        yield
    monitored.evaluate()
    monitored.resample()
    last = monitored.history.moments.at(monitored.step) or monitored.now()
    earlier = [moment for moment in monitored.history.moments.milestones if moment.update < last.update]
    return TrainedExample(tuple(replace(moment, state={}) for moment in (*earlier, last)), monitored.view())


def _without_view(settings: Settings) -> Settings:
    """The same settings with default view settings, which do not affect training."""
    return settings.but(**{name: getattr(DEFAULTS, name) for name in settings.differing(DEFAULTS, "view")})


examples = TrainedExamples()

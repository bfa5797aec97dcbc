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
from core.training.run.live_run import how_many_train
from core.training.run.scheduler import WAIT, Job, Wait, outside, start
from core.training.snapshots import Moment, View
from core.training.tbptt import Diverged
from pages.app.session.corpus_cache import create_trainer

UPDATES = 1000
AFFORDABLE = 100_000_000  # multiplications of a forward pass, about: a second or two per 100 updates
MOST = LIMITS.examples  # networks that are kept


class TrainedExample(NamedTuple):
    """A trained network without the state of its optimizer, as it is never trained further."""

    milestones: tuple[Moment, ...]  # the network at updates 0, 10, 100 and at the last one
    view: View

    @property
    def moment(self) -> Moment:
        """The trained network."""
        return self.milestones[-1]


_lock = threading.Lock()
_jobs: OrderedDict[Settings, Job[TrainedExample | None]] = OrderedDict()  # the last used at the end
_awaited: set[Settings] = set()  # those of them that a page waits for; one of these at a time is not done


def find_example(settings: Settings, corpus: Corpus, *, awaited: bool = True) -> TrainedExample | None:
    """The network with these settings; None if it is not trained yet or cannot be trained. Does not wait for training.

    The scheduler begins to train it, unless it trains another one or training would take too long. One that is not ``awaited`` is
    trained only while no reader's run is.
    """
    key, tokens = _without_view(settings), settings.batch_size * settings.num_steps
    H, V, D = settings.hidden_size, corpus.tokenizer.size, settings.embedding_size or 1
    affordable = tokens * H * (H + D + V) <= AFFORDABLE and not source_of(settings).from_reader
    with _lock:
        is_free = all(_jobs[one].done for one in _awaited)
        if key not in _jobs and affordable and MOST and is_free:
            _jobs[key] = start(_trained(key, corpus), "training")
            if len(_jobs) > MOST:
                _awaited.discard(_jobs.popitem(last=False)[0])
        if key not in _jobs:
            return None
        if awaited:
            _awaited.add(key)
        _jobs.move_to_end(key)
        return _jobs[key].result() if _jobs[key].done else None


def is_being_trained(settings: Settings) -> bool:
    """Whether the network with these settings is being trained."""
    job = _jobs.get(_without_view(settings))
    return job is not None and not job.done


def _trained(settings: Settings, corpus: Corpus) -> Generator[Wait | None, None, TrainedExample | None]:
    """Train a network for ``UPDATES`` updates, or until its learning rate is zero. None if it diverges."""
    monitored = yield from outside(lambda: create_trainer(settings, corpus))
    with suppress(Diverged):
        while monitored.step < UPDATES and not monitored.stop_reason:
            for _piece in monitored.pieces():
                yield
            while settings not in _awaited and how_many_train():
                yield WAIT
        monitored.evaluate()
        monitored.resample()
        last = monitored.history.moments.at(monitored.step) or monitored.now()
        earlier = [moment for moment in monitored.history.moments.milestones if moment.update < last.update]
        return TrainedExample(tuple(replace(moment, state={}) for moment in (*earlier, last)), monitored.view())


def _without_view(settings: Settings) -> Settings:
    """The same settings with default view settings, which do not affect training."""
    return settings.but(**{name: getattr(DEFAULTS, name) for name in settings.differing(DEFAULTS, "view")})

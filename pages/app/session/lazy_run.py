"""An untrained run is stored as its settings alone, and made again when its tab is connected again."""

from typing import NamedTuple

from core.config.language import lazy_gettext
from core.config.settings import Settings
from core.text.corpus import Corpus, source_of
from core.training.run.monitored_trainer import MonitoredRun, MonitoredTrainer
from pages.app.session.corpus_cache import run_on

NOBODY = lazy_gettext("Nobody looks.")


class ActiveRun(NamedTuple):
    """A run, and what it trains. ``begun``: by this session, from its settings alone."""

    watched: MonitoredTrainer
    run: MonitoredRun
    begun: bool = False

    @property
    def runs(self) -> tuple[MonitoredRun, ...]:
        """The runs that exist."""
        return (self.run,)

    def active(self) -> "ActiveRun":
        return self

    def dormant(self, speed: float) -> "ActiveRun | DormantRun":
        """What to store of it: its settings, if it is untrained. A run on a reader's own text stays: to make it again is slow."""
        settings = self.watched.settings
        untouched = self.begun and self.run.snapshot().state == "untrained" and self.watched.is_initial
        if not untouched or source_of(settings).from_reader:
            return self
        return DormantRun(settings, self.watched.corpus, speed, self.watched.serial)


class DormantRun(NamedTuple):
    """All that it takes to make an untrained run again, with the same number."""

    settings: Settings
    corpus: Corpus
    speed: float
    serial: int

    @property
    def runs(self) -> tuple[MonitoredRun, ...]:
        return ()

    def dormant(self, speed: float) -> "DormantRun":
        return self

    def active(self) -> ActiveRun:
        """The run, made again; no tab is connected to it yet."""
        watched = run_on(self.settings, self.corpus)
        watched.serial = self.serial
        run = MonitoredRun(watched, speed=self.speed)
        run.suspend(NOBODY)
        return ActiveRun(watched, run, begun=True)

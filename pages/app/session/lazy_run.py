"""The run of a session, stored as settings only while it is untrained and no tab is connected."""

from typing import NamedTuple

from core.config.language import lazy_gettext
from core.text.corpus import source_of
from core.training.run.fair_lock import FairLock
from core.training.run.monitored_run import MonitoredRun
from core.training.run.monitored_trainer import MonitoredTrainer
from pages.app.session.corpus_cache import create_trainer

NOT_CONNECTED = lazy_gettext("Nobody looks.")


class ActiveRun(NamedTuple):
    """A run and its trainer."""

    monitored: MonitoredTrainer
    run: MonitoredRun


class LazyRun:
    """A run that may be dormant if it is ``recreatable`` from its settings. Methods may be called from any thread."""

    def __init__(self, monitored: MonitoredTrainer, speed: float, recreatable: bool) -> None:
        self._lock = FairLock()
        self._recreatable = recreatable
        self._now: ActiveRun | None = ActiveRun(monitored, MonitoredRun(monitored, speed=speed))  # None while dormant
        self._settings, self._corpus, self._serial, self._speed = monitored.settings, monitored.corpus, monitored.serial, speed

    @property
    def runs(self) -> tuple[MonitoredRun, ...]:
        """The run; empty while it is dormant."""
        now = self._now
        return (now.run,) if now else ()

    def active(self) -> ActiveRun:
        """The run. A dormant run is recreated with the same serial number, suspended until a tab is connected."""
        now = self._now
        if now:
            return now
        with self._lock:
            if not self._now:
                monitored = create_trainer(self._settings, self._corpus)
                monitored.serial = self._serial
                self._now = ActiveRun(monitored, MonitoredRun(monitored, speed=self._speed))
                self._now.run.suspend(NOT_CONNECTED)
            return self._now

    def make_dormant(self, speed: float) -> None:
        """Drop the run if it is untrained, except a run on a reader's own text, which is slow to recreate."""
        now = self._now
        if not now or not self._recreatable or source_of(now.monitored.settings).from_reader:
            return
        if now.run.snapshot().state == "untrained" and now.monitored.is_initial:
            self._settings, self._speed, self._now = now.monitored.settings, speed, None

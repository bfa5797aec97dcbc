"""A run that nothing was done with: it need not be kept to be found again, for it begins again as it was."""

from typing import NamedTuple

from core.settings import Settings
from core.text.corpus import Corpus, source_of
from core.training.watched import Watched
from core.training.watched_run import WatchedRun
from pages.app.session.corpus_cache import run_on

NOBODY = "Nobody looks."


class Trained(NamedTuple):
    """A run, and what it trains. ``begun``: here, with its settings alone."""

    watched: Watched
    run: WatchedRun
    begun: bool = False

    @property
    def runs(self) -> tuple[WatchedRun, ...]:
        """Those that are here."""
        return (self.run,)

    def unfolded(self) -> "Trained":
        return self

    def folded(self, speed: float) -> "Trained | Folded":
        """What to keep of it. Of a run on a reader's own text all: to begin again is long."""
        settings = self.watched.settings
        untouched = self.begun and self.run.snapshot().state == "untrained" and self.watched.untouched
        if not untouched or source_of(settings).from_reader:
            return self
        return Folded(settings, self.watched.corpus, speed, self.watched.serial)


class Folded(NamedTuple):
    """All that an untouched run takes to begin again; with its number, for it is the same."""

    settings: Settings
    corpus: Corpus
    speed: float
    serial: int

    @property
    def runs(self) -> tuple[WatchedRun, ...]:
        return ()

    def folded(self, speed: float) -> "Folded":
        return self

    def unfolded(self) -> Trained:
        """The run, at which nobody looks yet."""
        watched = run_on(self.settings, self.corpus)
        watched.serial = self.serial
        run = WatchedRun(watched, speed=self.speed)
        run.leave(NOBODY)
        return Trained(watched, run, begun=True)

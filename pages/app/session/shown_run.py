"""The run that all pages of a session show: its text, its view settings, and the shown moment of its history."""

from functools import lru_cache
from typing import Any, NamedTuple

from core.config.settings import KNOBS, Settings
from core.models.ngram import Baseline
from core.models.params import Params
from core.text.corpus import Corpus
from core.training.run.live_run import Snapshot
from core.training.run.monitored_run import MonitoredRun
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.snapshots import Moment, View
from pages.app.session.corpus_cache import Lines
from pages.app.session.trained_example import TrainedExample


class HistoryView(NamedTuple):
    """A moment of the history, and the view of the run at that moment."""

    moment: Moment
    view: View


@lru_cache(maxsize=256)  # a script run calls it a hundred times
def _with_view(trained: Settings, view: tuple[tuple[str, Any], ...]) -> Settings:
    return trained.but(**dict(view))


def view_of(settings: Settings) -> dict[str, Any]:
    """The view settings, which do not affect training."""
    return {name: getattr(settings, name) for name, knob in KNOBS.items() if knob.kind == "view"}


class ShownRun:
    """The run of a session, as it is now or as it was at a moment of its history."""

    view: dict[str, Any]  # the view settings: name -> value

    def _show(self, monitored: MonitoredTrainer, lines: Lines, own_text: str) -> None:
        """Make this run the run of the session."""
        self.corpus: Corpus = monitored.corpus
        self.lines = lines
        self.own_text = own_text
        self.run = MonitoredRun(monitored, speed=self.view["speed"])
        self.past: HistoryView | None = None

    @property
    def monitored(self) -> MonitoredTrainer:
        """The trainer of the run."""
        return self.run.source

    @property
    def settings(self) -> Settings:
        """The settings of the run at the shown moment, with the view settings of the session."""
        return _with_view(self.past.moment.settings if self.past else self.run.settings, tuple(self.view.items()))

    @property
    def example(self) -> TrainedExample | None:
        """The trained network that the open page shows instead of the untrained run."""
        return None

    @property
    def shown(self) -> HistoryView | TrainedExample | None:
        """The moment of the history or the trained example that is shown instead of the current run; None if the run is shown."""
        return self.past or self.example

    @property
    def baselines(self) -> tuple[Baseline, ...]:
        """The counting models, evaluated after the same tokens as the network."""
        return self.lines[self.settings.carry_state]

    @property
    def is_live(self) -> bool:
        """Whether the shown network is being trained; False for a moment of the history."""
        return self.run.playing and not self.past

    @property
    def progress(self) -> tuple[int, int, bool]:
        """The version of the shown network, for caches; its first element is the number of updates."""
        shown = self.shown
        if not shown:
            return self.monitored.network_version
        return shown.moment.update, -shown.moment.serial, shown.moment.settings.carry_state

    @property
    def serial(self) -> int:
        """The unique number of the run, or of the trained example that is shown instead."""
        example = self.example
        return example.moment.serial if example else self.monitored.serial

    @property
    def update(self) -> int:
        """The number of updates of the shown network."""
        return self.progress[0]

    @property
    def run_update(self) -> int:
        """The number of updates of the reader's own run, or of its shown moment."""
        return self.past.moment.update if self.past else self.monitored.step

    @property
    def milestones(self) -> list[Moment]:
        """The moments at updates 0, 10, 100, 1000 ... up to the shown update."""
        example = self.example
        if example:
            return list(example.milestones)
        return [moment for moment in self.monitored.history.moments.milestones if moment.update <= self.update]

    def params(self) -> Params:
        """The parameters of the shown network. Waits for the end of the current update."""
        shown = self.shown
        return shown.moment.params if shown else self.run.params()

    def snapshot(self) -> Snapshot:
        """The state and the view of the shown network."""
        example = self.example
        return Snapshot("paused", "", example.view, 0.0) if example else self.run_snapshot()

    def run_snapshot(self) -> Snapshot:
        """The snapshot of the run. If a moment is shown, the view is that of the moment, but the training state is current."""
        now = self.run.snapshot()
        if not self.past:
            return now
        state = "training" if now.state in ("training", "waiting") else "paused"
        return Snapshot(state, "", self.past.view, now.tokens_per_second)

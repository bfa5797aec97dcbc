"""A live run whose knobs move while it trains."""

from typing import Any

from core.config.settings import Settings
from core.models.params import Params
from core.training.run.live_run import LiveRun
from core.training.run.monitored_trainer import MonitoredTrainer


class MonitoredRun(LiveRun):
    """A live run of a :class:`MonitoredTrainer`."""

    source: MonitoredTrainer

    @property
    def settings(self) -> Settings:
        """The settings as they will be at the next update."""
        moves = [knobs for command, knobs in tuple(self._commands) if command == self.source.change]
        settings = self.source.settings  # read after them: a move that is done meanwhile is done twice, which changes nothing
        for knobs in moves:
            settings = settings.moved(**knobs)
        return settings

    def change(self, **knobs: Any) -> None:
        """Move live knobs, from the next update on. ``ValueError`` if one is not live or not valid."""
        self.settings.moved(**knobs)
        self.between_updates(self.source.change, **knobs)

    def undo(self) -> None:
        """Put the last moved knob back."""
        self.between_updates(self.source.undo)

    def scale_to_radius(self, radius: float) -> None:
        """Scale W_hh to this spectral radius between two updates; training continues."""
        self.between_updates(self.source.scale_to_radius, radius=radius)

    def params(self) -> Params:
        """A copy of the parameters between two updates. Waits for the update that is under way, not for other runs."""
        with self._changing:
            return self.source.trainer.params.frozen_copy()

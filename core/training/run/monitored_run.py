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
        """The settings of the next update, pending moves included."""
        moves = [knobs for command, knobs in tuple(self._commands) if command == self.source.change]
        settings = self.source.settings  # read after the moves: a move done meanwhile is applied twice, without effect
        for knobs in moves:
            settings = settings.moved(**knobs)
        return settings

    def play(self, until: int | None = None, goal: str = "") -> bool:
        """As of any run; a line of ``hold_at`` at which it has paused is left behind."""
        self.source.pass_lines()
        return super().play(until, goal)

    def change(self, **knobs: Any) -> None:
        """Move live knobs, from the next update on. ``ValueError`` if one is not live or not valid."""
        self.settings.moved(**knobs)
        self.between_updates(self.source.change, **knobs)

    def undo(self) -> None:
        """Undo the last move of a knob."""
        self.between_updates(self.source.undo)

    def scale_to_radius(self, radius: float) -> None:
        """Scale W_hh to this spectral radius between two updates; training continues."""
        self.between_updates(self.source.scale_to_radius, radius=radius)

    def params(self) -> Params:
        """A copy of the parameters between two updates. Waits for the current update, not for other runs."""
        with self._changing:
            return self.source.trainer.params.frozen_copy()

"""The runs that sections of pages train beside the run of the session."""

from typing import Any

from core.training.run.live_run import LiveRun


class Experiments(dict[str, LiveRun]):
    """Runs by a name of their section's own. Like the run of the session, they pause while no tab is connected."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: dict[str, Any] = {}  # what the reader had chosen when a run was begun, by its name

    def begin(self, name: str, run: LiveRun, request: Any = None) -> LiveRun:
        """Store a run that is about to train; the earlier one of this name is paused."""
        if name in self:
            self[name].pause()
        self.requests[name], self[name] = request, run
        return run

    def remove(self, name: str) -> None:
        """Pause and forget the run of this name, if there is one."""
        if name in self:
            self.pop(name).pause()

    def clear(self) -> None:
        """Pause and forget all runs."""
        for run in self.values():
            run.pause()
        super().clear()

    def playing(self, name: str) -> bool:
        return name in self and self[name].playing

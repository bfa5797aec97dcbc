"""The live knobs on Training as the browser shows them."""

from core.figures.parts.words import put_back
from core.training.run.monitored_trainer import Watched


class KnobState:
    """Whether one of them is being dragged, and what the undo button was last drawn to say."""

    def __init__(self) -> None:
        self.dragging = False
        self._undo = ("", "")

    def drag(self, dragging: bool) -> None:
        self.dragging = dragging

    def draw_undo(self, watched: Watched) -> tuple[str, str]:
        """What the undo button has to say now: what it would put back, and what not."""
        self._undo = _undo(watched)
        return self._undo

    def is_outdated(self, watched: Watched) -> bool:
        """Whether the button has to be drawn again: the run has changed since. Not while a knob is dragged."""
        return not self.dragging and _undo(watched) != self._undo


def _undo(watched: Watched) -> tuple[str, str]:
    """Empty where there is nothing to undo."""
    newest, before = watched.history.moves[-1:], watched.before_last_move()
    return put_back(newest[0], before.update if before else None) if newest else ("", "")

"""What the buttons of the run do, wherever they stand."""

import math
from typing import Any

from core.figures.parts.numbers import count
from core.training.divergence import remedy as remedy_for
from pages.ui.state import Stage

PATIENCE = 1.0  # seconds; a single update that takes longer is not waited for


def command(stage: Stage, what: str, value: Any) -> None:
    """play, pause, step, reset, run_to (an update), across (updates, tokens, seconds), speed (updates per second)."""
    run = stage.run
    if what == "play":
        run.play()
    elif what == "pause":
        run.pause()
        run.join(PATIENCE)  # so that the page shows the very update at which it stopped
    elif what == "step":
        run.step()
    elif what == "reset":
        stage.start(stage.settings)
    elif what == "run_to" and isinstance(value, int | float) and math.isfinite(value):
        until = int(min(value, 1e12))
        stage.tell(f"Update {count(until)} is behind: start over to run to it." if until <= run.source.step else "")
        run.play(until=until)
    elif what in ("across", "speed"):
        stage.look_at(**{what: value})


def remedy(stage: Stage, what: str) -> None:
    """Mend a diverged run and go on: halve the learning rate, or clip the gradient."""
    stage.move(**remedy_for(stage.run.settings, what))
    stage.run.play()

"""How often a page is looked at again: as the crowd allows. One reader never notices; of sixty, nobody waits for the others.

A look takes some milliseconds in which nothing trains, whoever looks: with every run that trains there are fewer for each. What
rests is looked at less often the more visitors there are, so that who comes does not wait for those who only look.
"""

from typing import NamedTuple

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from core.training.live_run import how_many_train
from pages.ui.door import door


class Pace(NamedTuple):
    """For up to so many ``runs`` that train: the ``least`` seconds between two looks, and how many ``times`` the usual ones."""

    runs: float
    least: float
    times: float


AT_REST = 20  # looks per second of all visitors together at what rests
PACES = (Pace(6, 0.0, 1.0), Pace(15, 0.5, 1.0), Pace(30, 1.0, 2.0), Pace(float("inf"), 2.0, 3.0))


def seconds_between_looks(usual: float, runs: int | None = None) -> float:
    """Between two looks that are ``usual`` seconds apart where nobody else trains."""
    training = how_many_train() if runs is None else runs
    pace = next(pace for pace in PACES if training <= pace.runs)
    return max(pace.least, pace.times * usual)


def seconds_at_rest(usual: float, visitors: int | None = None) -> float:
    """Between two looks at what rests, that are ``usual`` seconds apart where few are here."""
    return max(usual, (door().inside if visitors is None else visitors) / AT_REST)


class Timer:
    """When a fragment is looked at again, in which something is ``moving`` or all rests: after ``usual`` seconds (never, where
    that is None), or in a crowd after ``seconds``.
    """

    def __init__(self, usual: float | None, *, moving: bool) -> None:
        self._usual = usual
        self._between = seconds_between_looks if moving else seconds_at_rest
        self.seconds = usual and self._between(usual)

    def adapt(self) -> None:
        """Within the fragment: where the crowd is another, have the browser ask for it at another pace."""
        if self._usual is None or (seconds := self._between(self._usual)) == self.seconds:
            return
        self.seconds = seconds
        message = ForwardMsg()  # Streamlit has no word for it; drawing all of the page anew would do the same
        message.auto_rerun.interval, message.auto_rerun.fragment_id = seconds, ThreadState.get().fragment_id
        get_script_run_ctx().enqueue(message)

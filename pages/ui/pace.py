"""How often what moves is looked at: as often as the crowd allows. One reader never notices; of sixty, nobody waits for another.

A look takes some milliseconds in which nothing trains, whoever looks: with every run that trains there are fewer for each. And
none of a crowd looks exactly as often as another: who came together would look together, and wait for each other, for ever.
"""

import random

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from core.training.live_run import how_many_train
from pages.ui.door import door

MOVING = 25  # looks per second, at most, at one thing in each of all runs that train
MANY = 15  # runs that train, from which on what is looked at seldom is looked at more seldom still
AT_REST = 15  # looks per second of all tabs together, at most, at what rests in them
SPREAD = 0.2  # in a crowd, up to so much longer than the others do


def seconds_between_looks(usual: float, runs: int | None = None, spread: float = 0.0) -> float:
    """Between two looks that are ``usual`` seconds apart where nobody else trains; in a crowd by a part ``spread`` more."""
    training = how_many_train() if runs is None else runs
    return max(usual, (1 + spread) * training * max(1 / MOVING, usual / MANY))


def seconds_at_rest(usual: float, tabs: int | None = None) -> float:
    """Between two looks at what rests, which are ``usual`` seconds apart where few tabs are open."""
    return max(usual, (door().inside if tabs is None else tabs) / AT_REST)


class Timer:
    """When a fragment is looked at again: after ``usual`` seconds (never, where that is None), or in a crowd after ``seconds``;
    as fits what ``moves``, or what rests.
    """

    def __init__(self, usual: float | None, *, moves: bool) -> None:
        self._usual, self._moves = usual, moves
        self._spread = random.uniform(0.0, SPREAD)
        self.seconds = usual and self._now()

    def adapt(self) -> None:
        """Within the fragment: where the crowd is another, have the browser ask for it at another pace."""
        if self._usual is None or (seconds := self._now()) == self.seconds:
            return
        self.seconds = seconds
        message = ForwardMsg()  # Streamlit has no word for it; drawing all of the page anew would do the same
        message.auto_rerun.interval, message.auto_rerun.fragment_id = seconds, ThreadState.get().fragment_id
        get_script_run_ctx().enqueue(message)

    def _now(self) -> float:
        return seconds_between_looks(self._usual, spread=self._spread) if self._moves else seconds_at_rest(self._usual)

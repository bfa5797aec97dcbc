"""How often the browser reruns a fragment that shows a run while it trains."""

import random

from core.training.run.live_run import how_many_train

RERUNS = 15  # per second, at most, of one fragment in each session whose run trains: the rest of the processor trains
MANY = 10  # runs that train, from which on also a fragment that is rerun seldom is rerun less often
JITTER = 0.2  # in a crowd an interval is longer by up to this share, so that sessions that open together do not rerun together


def poll_interval(usual: float) -> float:
    """Seconds between two reruns: ``usual`` with few runs that train in this process, and more with many."""
    return max(usual, how_many_train() * max(1 / RERUNS, usual / MANY))


def jittered(interval: float, usual: float) -> float:
    """The interval of one fragment of one session; the ``usual`` one as it is."""
    return interval if interval == usual else interval * random.uniform(1, 1 + JITTER)


def is_outdated(interval: float, usual: float) -> bool:
    """Whether a fragment that was drawn with this interval should be drawn with another one, for many more runs train, or fewer.

    Only a new drawing of the page can change ``run_every``, so small differences are left.
    """
    return not interval / 2 <= poll_interval(usual) <= 2 * interval

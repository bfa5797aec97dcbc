"""How often the browser reruns a fragment that shows a run while it trains."""

from core.training.live_run import how_many_train

# Per second, at most, of one fragment in each session whose run trains: what they leave of the processor is training's
RERUNS = 25
MANY = 15  # runs that train, from which on also a fragment that is rerun seldom is rerun less often


def poll_interval(usual: float) -> float:
    """Seconds between two reruns: ``usual`` with few runs that train in this process, and more with many."""
    return max(usual, how_many_train() * max(1 / RERUNS, usual / MANY))


def is_outdated(interval: float, usual: float) -> bool:
    """Whether a fragment that was drawn with this interval should be drawn with another one, for many more runs train, or fewer.

    Only a new drawing of the page can change ``run_every``, so small differences are left.
    """
    return not interval / 2 <= poll_interval(usual) <= 2 * interval

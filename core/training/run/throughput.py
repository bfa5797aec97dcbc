"""How fast a run is: tokens per second, over the last second or so."""

import time
from collections import deque

OVER = 1.0  # seconds


class Rate:
    """Tell it now and then how many tokens have been read; it says how many a second that is."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def begin(self) -> None:
        """Nothing of before counts any more."""
        self._seen.clear()

    def of(self, tokens: int) -> float:
        """Tokens per second, now that this many have been read; 0 at first."""
        now = time.monotonic()
        self._seen.append((now, tokens))
        while now - self._seen[0][0] > OVER and len(self._seen) > 2:
            self._seen.popleft()
        then, before = self._seen[0]
        return (tokens - before) / (now - then) if now > then else 0.0

"""How much is done: updates of a process since its start, and tokens per second of a run."""

import threading
import time
from collections import deque

OVER = 1.0  # seconds


class Throughput:
    """Tokens per second of a run, from the tokens read at several moments."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def begin(self) -> None:
        """Start anew."""
        self._seen.clear()

    def of(self, tokens: int) -> float:
        """Tokens per second, now that this many have been read; 0 at first."""
        now = time.monotonic()
        self._seen.append((now, tokens))
        while now - self._seen[0][0] > OVER and len(self._seen) > 2:
            self._seen.popleft()
        then, before = self._seen[0]
        return (tokens - before) / (now - then) if now > then else 0.0


class Counter:
    """How often something happened in this process. Any thread may add to it."""

    def __init__(self) -> None:
        self.number = 0
        self._guard = threading.Lock()

    def add(self) -> None:
        with self._guard:
            self.number += 1


updates_done = Counter()  # of all runs; a leg of networks side by side counts as one

"""What a process counts from when it began."""

import threading


class Tally:
    """How often something happened in this process. Any thread may add to it."""

    def __init__(self) -> None:
        self.number = 0
        self._guard = threading.Lock()

    def add(self) -> None:
        with self._guard:
            self.number += 1


updates_done = Tally()  # of all runs; a leg of networks side by side counts as one

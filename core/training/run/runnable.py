"""What a live run drives."""

from typing import Any

from core.training.tbptt import Trainer


class Source:
    """What a run can drive: an iterator of updates. What it shows beside is its own choice; by default that is nothing."""

    trainer: Trainer  # whose tokens per second are told

    def __iter__(self) -> "Source":
        return self

    @property
    def step(self) -> int:
        """Updates done so far."""
        raise NotImplementedError

    def __next__(self) -> Any:
        """One update."""
        raise NotImplementedError

    def look(self) -> Any:
        """What there is to see now, as an immutable value."""

    @property
    def settled(self) -> bool:
        """Whether what it shows was judged on the network as it is now."""
        return True

    @property
    def enough(self) -> str:
        """Why more updates are not worth doing, in a sentence; empty as long as they are."""
        return ""

    def settle(self) -> None:
        """Judge the network as it is now: somebody looks at it."""

    def catch_up(self) -> bool:
        """Do a part of what could wait while it trained; False where nothing waits."""
        return False

    def refresh(self) -> None:
        """Write anew what is written about once a second."""

    def release_buffers(self) -> None:
        """Free what only training needs until the next update."""

"""What a live run drives."""

from collections.abc import Iterator
from typing import Any

from core.training.tbptt import Trainer


class Runnable(Iterator[Any]):
    """An iterator of updates. What it shows beside them is its own choice: here that is nothing."""

    trainer: Trainer

    @property
    def step(self) -> int:
        """Updates done so far."""
        return self.trainer.step

    @property
    def tokens(self) -> int:
        """Tokens read so far."""
        return self.trainer.tokens

    def view(self) -> Any:
        """What there is to see now, as an immutable value."""

    @property
    def is_evaluated(self) -> bool:
        """Whether what it shows was judged on the network as it is now."""
        return True

    @property
    def stop_reason(self) -> str:
        """Why more updates are not worth doing, in a sentence; empty as long as they are."""
        return ""

    def evaluate(self) -> None:
        """Judge the network as it is now."""

    def evaluate_pending(self) -> bool:
        """Do a part of what could wait while it trained; False where nothing waits."""
        return False

    def resample(self) -> None:
        """Write a new sample: about once a second."""

    def release_buffers(self) -> None:
        """Free what only training needs until the next update."""

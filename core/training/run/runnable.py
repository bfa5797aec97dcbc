"""The interface of a computation that a live run drives."""

from collections.abc import Iterator
from typing import Any

from core.training.tbptt import Trainer


class Runnable(Iterator[Any]):
    """An iterator of updates. By default it has no view, no evaluation and no samples."""

    trainer: Trainer
    outside = False  # whether an update computes in other processes: the scheduler computes meanwhile

    @property
    def step(self) -> int:
        """Updates done so far."""
        return self.trainer.step

    @property
    def tokens(self) -> int:
        """Tokens read so far."""
        return self.trainer.tokens

    def pieces(self) -> Iterator[Any]:
        """One update and what is due after it, in pieces of some milliseconds: between two of them others may compute, but
        nothing may change this run."""
        yield next(self)

    def view(self) -> Any:
        """The current results for the pages, as an immutable value."""

    @property
    def is_evaluated(self) -> bool:
        """Whether the newest judgement is of the current network."""
        return True

    @property
    def stop_reason(self) -> str:
        """A sentence on why training should stop; empty while it should continue."""
        return ""

    def evaluate(self) -> None:
        """Judge the current network."""

    def judging(self) -> Iterator[Any]:
        """``evaluate()`` in pieces of some milliseconds; the network does not change between them."""
        yield self.evaluate()

    def resample(self) -> None:
        """Generate a new sample. Called about once a second."""

    def release_buffers(self) -> None:
        """Free the buffers of training; the next update allocates them again."""

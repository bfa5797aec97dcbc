"""What happens when the numbers of a run overflow: it goes back to its last sound state, and says what would help."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.config.language import lazy_gettext
from core.config.settings import KNOBS, Settings


class Diverged(ArithmeticError):
    """A loss or gradient was no finite number, or too large to be squared.

    The trainer has gone back to ``last_finite_step`` and can go on from there.
    """

    def __init__(self, step: int, last_finite_step: int) -> None:
        super().__init__(
            lazy_gettext(
                "At update {step} the loss or its gradient overflowed. "
                "Everything is as it was after update {last}; a smaller learning rate or clipping helps.",
                step=step,
                last=last_finite_step,
            )
        )
        self.step = step
        self.last_finite_step = last_finite_step


def remedy(settings: Settings, name: str) -> dict[str, float]:
    """The live settings that may keep such a run from diverging: "halve_rate", or "clip" (at 1, or at half of what it was)."""
    if name == "halve_rate":
        return {"learning_rate": max(settings.learning_rate / 2, KNOBS["learning_rate"].low)}
    return {"clip_norm": min(1.0, settings.clip_norm / 2 or 1.0)}


class LastGood:
    """A copy of some arrays and numbers, taken again at every update whose loss and gradient are finite.

    ``arrays`` are those that the run changes in place; ``shared`` is such a copy of them that others hold, too.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], shared: Mapping[str, Any] | None = None, **numbers: int) -> None:
        self._arrays, self._shared = arrays, shared is not None
        self.state = shared or copied(arrays, **numbers)

    def take(self, **numbers: int) -> None:
        """Copy the arrays as they are now: into the same memory, unless that is shared."""
        if self._shared:
            self.state, self._shared = copied(self._arrays), False
        else:
            for name, array in self._arrays.items():
                np.copyto(self.state[name], array)
        self.state |= numbers


def copied(arrays: Mapping[str, np.ndarray], **numbers: int) -> dict[str, Any]:
    """Copies of the arrays beside the numbers: a state that :func:`put_back` can go back to."""
    return {name: array.copy() for name, array in arrays.items()} | numbers


def put_back(state: Mapping[str, Any], arrays: Mapping[str, np.ndarray], *numbers: str) -> list[int]:
    """Write a state's arrays into ``arrays``; the state's numbers of these names. ``ValueError`` if it does not fit."""
    wrong = [name for name, array in arrays.items() if np.shape(state.get(name)) != array.shape]
    if wrong or not set(numbers) <= state.keys():
        raise ValueError(f"This state is of another network: {', '.join(wrong) or ', '.join(numbers)} do not fit.")
    for name, array in arrays.items():
        np.copyto(array, state[name])
    return [int(state[name]) for name in numbers]

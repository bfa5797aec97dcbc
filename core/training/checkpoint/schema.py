"""Which arrays a checkpoint holds, and what each of them has to be: a table, and how it is held against a file.

Nothing here makes an array of a size that a file only claims: types and lengths are compared first, with what is there.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from core.config.settings import KNOBS, Settings
from core.models.params import count, shapes_of
from core.training.optimizers import make_optimizer

MOST_UPDATES = 2**53  # up to here a float64 holds every whole number
MOST_SEEN = 2**18  # points of a curve, or flags: every update of seven hours of slow motion
SIGNED = ("m_sum",)  # what an optimiser remembers that may be below zero
BYTES = ".bytes"  # how the word for the length of a text ends
LIVE = tuple(name for name, knob in KNOBS.items() if knob.kind == "live")  # the columns of ``moments.knobs``
LAST = 5  # numbers of an update: its step, loss, gradient norm before and after clipping, learning rate


class Part(NamedTuple):
    """What one array has to be. In a shape a word stands for any length, and the same word for the same length."""

    dtype: str
    shape: tuple[int | str, ...]
    holds: Callable[[np.ndarray], bool]


def anything(array: np.ndarray) -> bool:
    return True


def finite(array: np.ndarray) -> bool:
    return bool(np.isfinite(array).all())


def sizes(array: np.ndarray) -> bool:
    """Finite, and none below zero."""
    return finite(array) and not bool((array < 0).any())


def losses(array: np.ndarray) -> bool:
    """None below zero; but a network whose numbers overflowed was judged, too."""
    return not bool((array < 0).any())


def whole_rows(array: np.ndarray) -> bool:
    """Rows of sizes, or of no numbers at all."""
    none = np.isnan(array).all(axis=-1)
    return sizes(array[~none])


def updates(array: np.ndarray) -> bool:
    """Numbers of updates."""
    return sizes(array) and not bool((array > MOST_UPDATES).any())


def in_order(array: np.ndarray) -> bool:
    """Numbers of updates, none before the one before it."""
    return updates(array) and not bool((array[1:] < array[:-1]).any())


def layout(settings: Settings, vocab_size: int) -> dict[str, Part]:
    """Name -> what it has to be, for every array of a run with these settings."""
    shapes, state = shapes_of(vocab_size, settings.hidden_size, settings.embedding_size), _state(settings, vocab_size)
    return {
        **{f"params.{name}": Part(_dtype(settings), shape, finite) for name, shape in shapes.items()},
        **{name: part for name, part in state.items() if name != "params"},
        "seconds": Part("<f8", (), sizes),
        "last": Part("<f8", (LAST,), whole_rows),
        **_strings("vocabulary", vocab_size),
        **_strings("text", "texts"),
        **_seen(),
        **_moments(state),
    }


def _seen() -> dict[str, Part]:
    """The curves, and the knobs that were moved."""
    return {
        **_curve("judged", losses),
        **_curve("training", sizes),
        "training.smooth": Part("<f8", ("training",), finite),
        "training.filling": Part("<f8", (2,), sizes),
        **_curve("epochs", sizes),
        "epochs.filling": Part("<f8", (2,), sizes),
        "flags.updates": Part("<i8", ("flags",), updates),
        "flags.seconds": Part("<f8", ("flags",), sizes),
        "flags.values": Part("<f8", ("flags", 2), anything),
        **_strings("flags.names", "flags"),
        "moves": Part("<i8", ("moves",), in_order),
    }


def _moments(state: Mapping[str, Part]) -> dict[str, Part]:
    """A row for each moment."""
    return {
        **{f"moments.{name}": part._replace(shape=("moments", *part.shape)) for name, part in state.items()},
        "moments.seconds": Part("<f8", ("moments",), sizes),
        "moments.last": Part("<f8", ("moments", LAST), whole_rows),
        "moments.knobs": Part("<f8", ("moments", len(LIVE)), anything),
        "moments.before_move": Part("|u1", ("moments",), anything),
        **_strings("moments.samples", "moments"),
    }


def unfit(arrays: Mapping[str, np.ndarray], parts: Mapping[str, Part]) -> str:
    """The name of an array that is not what it has to be, is missing, or is too many; "" when all are right."""
    lengths: dict[str, int] = {}
    different = sorted(arrays.keys() ^ parts.keys())
    return different[0] if different else next((name for name, part in parts.items() if not _is(arrays[name], part, lengths)), "")


def _is(array: np.ndarray, part: Part, lengths: dict[str, int]) -> bool:
    if array.dtype.str != part.dtype or array.ndim != len(part.shape):
        return False
    both = zip(part.shape, array.shape, strict=True)
    wanted = tuple(lengths.setdefault(said, there) if isinstance(said, str) else said for said, there in both)
    few = all(said.endswith(BYTES) or lengths[said] <= MOST_SEEN for said in part.shape if isinstance(said, str))
    return few and array.shape == wanted and part.holds(array)


def _state(settings: Settings, vocab_size: int) -> dict[str, Part]:
    """What :meth:`core.training.tbptt.Trainer.state` gives."""
    dtype, size = _dtype(settings), count(vocab_size, settings.hidden_size, settings.embedding_size)
    return {
        "params": Part(dtype, (size,), finite),
        "h": Part(dtype, (settings.batch_size, settings.hidden_size), finite),
        **_optimizer(settings, size),
        "step": Part("<i8", (), updates),
        "position": Part("<i8", (), updates),
    }


def _optimizer(settings: Settings, size: int) -> dict[str, Part]:
    """What the optimiser remembers: an optimiser of no parameters tells the names, and which arrays have one number for each."""
    remembered = make_optimizer(settings.optimizer, 0, settings.dtype).state
    return {
        f"optimizer.{name}": Part(array.dtype.str, array.shape if array.size else (size,), finite if name in SIGNED else sizes)
        for name, array in remembered.items()
    }


def _curve(name: str, nats: Callable[[np.ndarray], bool]) -> dict[str, Part]:
    return {
        f"{name}.updates": Part("<i8", (name,), in_order),
        f"{name}.seconds": Part("<f8", (name,), sizes),
        f"{name}.nats": Part("<f8", (name,), nats),
    }


def _strings(name: str, length: int | str) -> dict[str, Part]:
    """Several texts as one: all in UTF-8, and where each of them ends."""
    return {name: Part("|u1", (name + BYTES,), anything), f"{name}.ends": Part("<i8", (length,), in_order)}


def _dtype(settings: Settings) -> str:
    return np.dtype(settings.dtype).newbyteorder("<").str

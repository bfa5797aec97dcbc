"""A run that trains becomes a checkpoint: what it knows, and what was seen of it, as arrays."""

import math
import platform
from collections.abc import Sequence

import numpy as np

from core.text.corpus import source_of
from core.training.checkpoint.checkpoint import Checkpoint, identity
from core.training.checkpoint.encoding import number_of, pack_texts
from core.training.checkpoint.schema import LAST, LIVE, MOST_SEEN
from core.training.curves import Point, thin
from core.training.history import History
from core.training.run.monitored_trainer import Watched
from core.training.snapshots import Moment
from core.training.tbptt import Update

OVERFLOWED = (
    "The numbers of this network have overflowed, so it cannot be saved. Do one update more: the run goes back to where it was "
    "sound."
)


def kept(run: Watched, own_text: str = "") -> Checkpoint:
    """A run as it is now, and judged; ``own_text`` is what the reader brought, if it learns that.

    Between two updates only. First networks that still wait to be judged are left out: see that they have been (``catch_up``).
    ``ValueError`` with a sentence where the network's numbers are no longer finite.
    """
    run.settle()
    now, history = run.now(), run.history
    if not all(np.isfinite(part).all() for part in now.state.values()):
        raise ValueError(OVERFLOWED)
    own = [own_text] if source_of(run.settings).from_reader else []
    arrays = {
        **{f"params.{name}": weights for name, weights in now.params.named().items()},
        **{name: np.asarray(part) for name, part in now.state.items() if name != "params"},
        "seconds": np.array(now.point.seconds),
        "last": np.array(_numbers(now.last)),
        **pack_texts("vocabulary", run.corpus.tokenizer.vocab),
        **_curve("judged", thin(history.judged, MOST_SEEN - 1)),
        **_curve("training", history.training.points),
        "training.smooth": np.array(history.training.smooth, np.float64),
        "training.filling": np.array(history.training.filling, np.float64),
        **_curve("epochs", history.epochs.points),
        "epochs.filling": np.array(history.epochs.filling, np.float64),
        **_flags(history),
        **_moments(history.moments.kept),
        **pack_texts("text", own),
    }
    return Checkpoint(run.settings, arrays, identity(run.corpus), platform.python_version())


def _numbers(last: Update | None) -> list[float]:
    """An update as the numbers that the others can be computed from."""
    return [last.step, last.loss, last.grad_norm, last.clipped_norm, last.learning_rate] if last else [math.nan] * LAST


def _curve(name: str, points: Sequence[Point]) -> dict[str, np.ndarray]:
    return {
        f"{name}.updates": np.array([point.update for point in points], np.int64),
        f"{name}.seconds": np.array([point.seconds for point in points], np.float64),
        f"{name}.nats": np.array([point.nats for point in points], np.float64),
    }


def _flags(history: History) -> dict[str, np.ndarray]:
    flags = history.flags
    moves = [i for i, flag in enumerate(flags) if any(flag is move for move in history.moves)]
    return {
        "flags.updates": np.array([flag.point.update for flag in flags], np.int64),
        "flags.seconds": np.array([flag.point.seconds for flag in flags], np.float64),
        "flags.values": np.array([[number_of(flag.old), number_of(flag.new)] for flag in flags], np.float64).reshape(-1, 2),
        **pack_texts("flags.names", [flag.name for flag in flags]),
        "moves": np.array(moves, np.int64),
    }


def _moments(moments: Sequence[Moment]) -> dict[str, np.ndarray]:
    states = {name: np.stack([moment.state[name] for moment in moments]) for name in moments[0].state}
    knobs = [[number_of(getattr(moment.settings, name)) for name in LIVE] for moment in moments]
    return {
        **{f"moments.{name}": stacked for name, stacked in states.items()},
        "moments.seconds": np.array([moment.point.seconds for moment in moments]),
        "moments.last": np.array([_numbers(moment.last) for moment in moments]),
        "moments.knobs": np.array(knobs),
        "moments.before_move": np.array([moment.before_move for moment in moments], np.uint8),
        **pack_texts("moments.samples", [moment.sample or "" for moment in moments]),
    }

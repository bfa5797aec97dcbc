"""What is wrong with a run, found from both of its curves: the mean losses of training windows, and those on held-out text."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from core.training.curves import Curve, Point
from core.training.held_out import FEWEST_BLOCKS, NOISE_ERRORS, Judgement, standard_error

ENOUGH = 100  # updates with the present settings, after which windows should be better than the unigram
FEWEST = 2 * FEWEST_BLOCKS  # updates with the present settings, to compare their windows with earlier ones
LASTING = (
    5  # judgements after the lowest one, over a quarter of its updates: a network swings by more than the error of a judgement
)
UNMOVED = 0.05  # relative: if all windows are this close to the loss of the untrained network, it has not begun to learn
Kind = Literal["", "overflows", "overfitting", "too_fast"]


class Diagnosis(NamedTuple):
    """What is wrong ("": nothing known) since which update, and the update of a stored moment to go back to (-1: none).

    "overflows": the next window overflows, so that no learning rate helps.
    """

    kind: Kind = ""
    since: int = 0
    back: int = -1


NOTHING = Diagnosis()


class Judged(NamedTuple):
    """A judgement, and its point on the curve."""

    point: Point
    judgement: Judgement

    @property
    def nats(self) -> float:
        return self.judgement.nats


def diagnose(
    training: Curve, judged: Sequence[Point], now: Judged, lowest: Judged, *, since: int, unigram: float, on_training_text: bool
) -> Diagnosis:
    """What is wrong at the newest judgement, ``now``, the last of ``judged``; ``lowest`` is the one of the lowest loss, ``since``
    the update of the last move of a knob, ``unigram`` a loss in nats. A run that is judged on its training text is not said to
    overfit."""
    if is_too_fast(training.points, now, lowest, since=since, untrained=judged[0].nats, unigram=unigram):
        return Diagnosis("too_fast", since)
    if not on_training_text and is_overfitting(training, judged, now, lowest, unigram):
        return Diagnosis("overfitting", lowest.point.update)
    return NOTHING


def is_worse(now: Judged, lowest: Judged) -> bool:
    """Whether held-out text got worse: paired, by more than NOISE_ERRORS standard errors."""
    worse = now.nats > lowest.nats and not now.judgement.within_noise(lowest.judgement)
    return worse and now.point.update > lowest.point.update


def is_overfitting(training: Curve, judged: Sequence[Point], now: Judged, lowest: Judged, unigram: float) -> bool:
    """Whether held-out text has lastingly got worse since its lowest loss, while training windows got better, and better than
    the unigram. ``judged`` ends with ``now``."""
    later = len(judged) - bisect_right(judged, lowest.point.update, key=lambda point: point.update)
    if later < LASTING or now.point.update < 1.25 * lowest.point.update or not is_worse(now, lowest):
        return False
    if not training.points or training.smooth[-1] > unigram:
        return False
    then = bisect_left(training.points, lowest.point.update, key=lambda point: point.update)
    return training.smooth[-1] < training.smooth[min(then, len(training.smooth) - 1)]


def is_too_fast(training: Sequence[Point], now: Judged, lowest: Judged, *, since: int, untrained: float, unigram: float) -> bool:
    """Whether the training windows since update ``since``, the last move of a knob, stay worse than the unigram (nats), or are
    worse than all earlier ones while held-out text got worse, too.

    ``untrained``: the loss of the untrained network, nats. A run whose windows still fall, or that has not begun, is only slow.
    """
    updates, nats = np.array([point[:1] + point[3:4] for point in training], float).reshape(-1, 2).T
    last = updates[-1] if len(updates) else 0
    done = last - since
    if done < FEWEST:
        return False
    recent = nats[updates > max(since, last - max(done / 2, FEWEST))]
    earlier = nats[: len(nats) - len(recent)]
    if not is_clear(recent):
        return False
    begun = np.abs(nats - untrained).max() > UNMOVED * untrained
    if done >= ENOUGH and _is_above(recent, unigram) and begun and not (_mean(recent) < untrained and _falls(recent)):
        return True
    return is_clear(earlier) and is_worse(now, lowest) and _is_above(recent, _mean(earlier), _error(earlier))


def is_clear(nats: np.ndarray) -> bool:
    """Whether there are enough points for a standard error."""
    return len(nats) >= FEWEST_BLOCKS


def _falls(nats: np.ndarray) -> bool:
    half = len(nats) // 2
    return _mean(nats[half:]) < _mean(nats[:half]) - NOISE_ERRORS * _error(nats)


def _is_above(nats: np.ndarray, level: float, error: float = 0.0) -> bool:
    return _mean(nats) - level > NOISE_ERRORS * math.hypot(_error(nats), error)


def _mean(nats: np.ndarray) -> float:
    return float(nats.mean())


def _error(nats: np.ndarray) -> float:
    """The standard error of the mean of neighbouring, and so dependent, windows."""
    return standard_error(np.array([part.mean() for part in np.array_split(nats, FEWEST_BLOCKS)]))

"""What would happen next in a run, for a reader who predicts it: each outcome is computed from the run's own next window.

Nothing here changes the run: what trains is a copy.
"""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from core.config.settings import KNOBS
from core.models.loss import cross_entropy, perplexity
from core.models.ngram import Baseline
from core.models.rnn import Trace, backward, forward
from core.text.corpus import Corpus
from core.text.token_stream import Window, Windows
from core.training.optimizers import norm, rate_at
from core.training.tbptt import Diverged, Trainer

UPDATES = 100  # until the outcome of the predictions about training
STEPS_BACK = 10
ALIKE = 0.05  # relative: two norms that differ by no more are about equal
BARELY = 0.01  # and two perplexities
CLOSE = 0.1  # relative: a predicted perplexity that is as close is right
LITTLE, MUCH = 0.01, 0.5  # shares of a gradient: less than the first is little, more than the second is much


class Outcome(NamedTuple):
    """The index of the right answer, -1 if a number is not finite or no gradient is there, and the numbers that decide it."""

    right: int
    numbers: tuple[float, ...]


def truncation_of(trainer: Trainer) -> int:
    """The steps between two cuts: T without truncation."""
    return min(trainer.settings.truncation or trainer.settings.num_steps, trainer.settings.num_steps)


def halved(tau: int) -> int:
    """Half of a truncation, at least one step."""
    return max(1, tau // 2)


def halved_truncation(trainer: Trainer, corpus: Corpus) -> Outcome:
    """The norms of the next window's gradient before clipping, with the run's truncation and with half of it: the second is
    smaller (0), about equal (1) or larger (2)."""
    (_inputs, targets), trace = next_window(trainer, corpus)
    tau = truncation_of(trainer)
    norms = [norm(backward(trace, targets, truncation=one).dparams.flat) for one in (tau, halved(tau))]
    return _compared(*norms, ALIKE)


def zero_state(trainer: Trainer, corpus: Corpus) -> Outcome:
    """The perplexities of the next window read from the state that was carried, and from zeros: the second is lower (0), about
    equal (1) or higher (2)."""
    (inputs, targets), trace = next_window(trainer, corpus)
    zero = forward(trainer.params, inputs, activation=trainer.settings.activation)
    return _compared(*(_perplexity(one, targets) for one in (trace, zero)), BARELY)


def steps_back(trainer: Trainer) -> int:
    """How many steps back the gradient is followed: at most STEPS_BACK."""
    return min(STEPS_BACK, trainer.settings.num_steps - 1)


def share_left(trainer: Trainer, corpus: Corpus) -> Outcome:
    """The norm of the last loss's gradient at its own state and ``steps_back`` states earlier, without truncation: more than MUCH
    of it is left (0), less than LITTLE (2), or something between (1)."""
    (_inputs, targets), trace = next_window(trainer, corpus)
    weights = np.zeros(targets.shape, trace.h.dtype)
    weights[-1] = 1 / targets.shape[1]
    dh, T = backward(trace, targets, weights=weights).dh, len(targets)
    here, there = norm(dh[T].ravel()), norm(dh[T - steps_back(trainer)].ravel())
    share = there / here if here else math.nan
    return Outcome(-1 if not math.isfinite(share) else 0 if share > MUCH else 2 if share < LITTLE else 1, (here, there, share))


def tenfold_rate(trainer: Trainer) -> float:
    """Ten times the learning rate, or the highest one there is."""
    return min(10 * trainer.settings.learning_rate, KNOBS["learning_rate"].high)


def tenfold(trainer: Trainer, corpus: Corpus) -> Outcome:
    """The perplexities of the next window before the next update, after it, and after it with ``tenfold_rate``: the third is
    higher than the first or infinite (2), else lower than the second (0), else neither (1)."""
    (inputs, targets), trace = next_window(trainer, corpus)
    numbers = [_perplexity(trace, targets)]
    for rate in (trainer.settings.learning_rate, tenfold_rate(trainer)):
        other = Trainer(trainer.settings.moved(learning_rate=rate), corpus)
        other.restore(trainer.state())
        try:
            next(other)
        except Diverged:
            return Outcome(-1, tuple(numbers))
        h0 = trace.h[0]
        numbers.append(_perplexity(forward(other.params, inputs, h0, activation=trace.activation), targets))
    before, usual, larger = numbers
    if not (math.isfinite(before) and math.isfinite(usual)):
        return Outcome(-1, tuple(numbers))
    return Outcome(2 if not larger <= before else 0 if larger < usual else 1, tuple(numbers))


def goes_on(trainer: Trainer) -> bool:
    """Whether its rate falls to zero, so that it stops, only after the outcome of the predictions about training."""
    return rate_at(trainer.settings, trainer.step + UPDATES - 1) > 0


COMPUTED: Mapping[str, Callable[[Trainer, Corpus], Outcome]] = {
    "truncation": halved_truncation, "state": zero_state, "back": share_left, "rate": tenfold,
}  # fmt: skip


def tell_apart(unigram: Baseline, bigram: Baseline) -> bool:
    """Whether the bigram's perplexity is clearly below the unigram's."""
    return bigram.perplexity < (1 - BARELY) * unigram.perplexity


def against_lines(reached: float, unigram: Baseline, bigram: Baseline) -> Outcome:
    """Where a perplexity lies: above the unigram's (0), between both (1), or below the bigram's (2)."""
    lines = unigram.perplexity, bigram.perplexity
    right = 2 if reached < lines[1] else 1 if reached < lines[0] else 0
    return Outcome(right if math.isfinite(reached) else -1, (reached, *lines))


def as_guessed(guess: float, reached: float) -> Outcome:
    """Whether a guessed perplexity was close (0), too low (1) or too high (2)."""
    if not math.isfinite(reached):
        return Outcome(-1, (guess, reached))
    return Outcome(0 if abs(guess / reached - 1) <= CLOSE else 1 if guess < reached else 2, (guess, reached))


def next_window(trainer: Trainer, corpus: Corpus) -> tuple[Window, Trace]:
    """The inputs and targets that the next update reads, and its forward pass."""
    settings, state = trainer.settings, trainer.state()
    windows = Windows(corpus.train, settings.batch_size, settings.num_steps)
    windows.position = state["position"]
    inputs, targets = next(windows)
    h0 = state["h"] if settings.carry_state else None
    return (inputs, targets), forward(trainer.params, inputs, h0, activation=settings.activation)


def _perplexity(trace: Trace, targets: np.ndarray) -> float:
    return perplexity(cross_entropy(trace.logits, targets))


def _compared(usual: float, other: float, alike: float) -> Outcome:
    """Whether the other number is smaller (0), about equal (1) or larger (2)."""
    if not (math.isfinite(usual) and math.isfinite(other) and usual > 0):
        return Outcome(-1, (usual, other))
    return Outcome(1 if abs(other / usual - 1) <= alike else 0 if other < usual else 2, (usual, other))

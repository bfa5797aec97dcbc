"""Tasks for a network of two tokens and one or two units, and its exact perplexity on them.

The reader of a section sets the weights by hand, so the number that judges them may not depend on which bits were drawn: it is
the mean over all strings of ``STRING_LENGTH`` bits, each with its probability. Only predictions whose answer has been read count;
the first ones of a string, which could only be guessed, have the weight 0.

The network reads bit x_t at step t, from a state of zeros. Echo k: the answer is the bit of k steps before, x_(t-k). Lag k: it
is the next bit, which repeats that of k steps before it with probability 1 - ``NOISE``. Hold: token 1 comes once or never, and
the answer is whether it has come.

Why one unit cannot tell the bit before the last one, whatever its weights: it has one number for the four strings 00, 01, 10 and
11 of the last two bits, and one threshold on it, so a bit can be told only if the numbers with this bit 1 are all on one side.
The last bit must be told from it, too, at the next step (for either next bit, the next state is a monotone function of this one).
Of the four numbers in their order, the first two would have to be alike in the one bit, and alike in the other one: but then they
are the same string.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from jaxtyping import Float, Integer

from core.models.loss import cross_entropy
from core.models.params import Ids, Params, Tokens
from core.models.rnn import backward, forward
from core.text.languages import NOISE, echo_floor, lag_floor, lag_language

STRING_LENGTH = 10  # bits of a string; of the lag language, one bit follows
BITS_SHOWN = 20  # bits that are drawn
SILENCE = 40  # steps of the task "hold"
LARGEST_WEIGHT = 10.0  # absolute value of a weight, at most
ROUNDED = 2  # decimals of states that are told apart
LONGEST = 3  # k of an echo or a lag, at most


@dataclass(frozen=True, eq=False)
class BitTask:
    """All strings of a task, one in a column. ``answers``: the bit that is to be told, which in the lag language is not always
    the target. ``weights``: the share of each prediction in the mean; their sum is 1. ``best`` is the lowest perplexity that any
    model can have."""

    inputs: Tokens
    answers: Tokens
    targets: Tokens
    weights: Float[np.ndarray, "T N"]
    best: float


def _strings(length: int) -> Tokens:
    """All strings of bits of this length, (length, 2^length)."""
    return np.array(list(product((0, 1), repeat=length))).T


def _delayed(inputs: Tokens, k: int) -> Tokens:
    """The bit of ``k`` steps before, at every step; 0 where there is none."""
    answers = np.zeros_like(inputs)
    answers[k:] = inputs[: len(inputs) - k]
    return answers


def _from(first: int, length: int, probabilities: Float[np.ndarray, " N"]) -> Float[np.ndarray, "T N"]:
    """The weights of predictions that count from index ``first`` on, in strings with these probabilities."""
    weights = np.zeros((length, len(probabilities)))
    weights[first:] = probabilities / (length - first)
    return weights


def echo(k: int, length: int = STRING_LENGTH) -> BitTask:
    """The bit of ``k`` steps before, in equally probable strings."""
    inputs = _strings(length)
    answers = _delayed(inputs, k)
    return BitTask(inputs, answers, answers, _from(k, length, np.full(2**length, 0.5**length)), echo_floor())


def lag(k: int, length: int = STRING_LENGTH) -> BitTask:
    """The next bit of the lag language: each string has its probability in that language."""
    bits = _strings(length + 1)
    probabilities = 0.5**k * np.where(bits[k:] == bits[:-k], 1 - NOISE, NOISE).prod(axis=0)
    inputs = bits[:-1]
    return BitTask(inputs, _delayed(inputs, k - 1), bits[1:], _from(k - 1, length, probabilities), lag_floor())


def hold(length: int = SILENCE) -> BitTask:
    """Whether token 1 has come, in the equally probable strings in which it comes once or never."""
    inputs = np.eye(length, length + 1, dtype=np.int64)
    answers = np.cumsum(inputs, axis=0)
    return BitTask(inputs, answers, answers, _from(0, length, np.full(length + 1, 1 / (length + 1))), 1.0)


_MAKE: dict[str, Callable[[], BitTask]] = {
    **{f"echo-{k}": lambda k=k: echo(k) for k in range(LONGEST + 1)},
    **{f"lag-{k}": lambda k=k: lag(k) for k in range(1, LONGEST + 1)},
    "hold": hold,
}  # fmt: skip
TASKS = tuple(_MAKE)


@lru_cache(maxsize=len(_MAKE))
def task_named(name: str) -> BitTask:
    """The task of this name, one of ``TASKS``; its arrays are shared."""
    return _MAKE[name]()


def shown_bits(name: str, draw: int) -> tuple[Ids, list[int | None]]:
    """The ``draw``-th ``BITS_SHOWN`` bits of this task, and the bit that is to be told after each; None where it was not read."""
    rng, (kind, _dash, k) = np.random.default_rng(np.random.SeedSequence([BITS_SHOWN, draw])), name.partition("-")
    if kind == "hold":
        bits = np.eye(1, BITS_SHOWN, 3 + draw % (BITS_SHOWN - 3), dtype=np.int64)[0]
        return bits, np.cumsum(bits).tolist()
    bits = rng.integers(0, 2, BITS_SHOWN) if kind == "echo" else lag_language(BITS_SHOWN, int(k), rng)
    back = int(k) - (kind == "lag")
    return bits, [None] * back + bits[: BITS_SHOWN - back].tolist()


def network(numbers: Float[np.ndarray, " P"]) -> Params:
    """The network with these 8 or 16 numbers (one or two units), in the order of ``Params.flat``. ``ValueError`` for others."""
    return Params.over(np.array(numbers, np.float64), 2, 1 if len(numbers) == 8 else 2)


def loss_and_gradient(params: Params, task: BitTask) -> tuple[float, Float[np.ndarray, " P"]]:
    """The mean loss over all strings in nats, and its derivative by every weight, with the backward pass of training."""
    gradients = backward(forward(params, task.inputs), task.targets, weights=task.weights)
    return float((task.weights * gradients.losses).sum()), gradients.dparams.flat


def perplexity(params: Params, task: BitTask) -> float:
    """Exp of the mean loss over all strings."""
    losses = cross_entropy(forward(params, task.inputs).logits, task.targets)
    return float(np.exp((task.weights * losses).sum()))


def last_states(params: Params, task: BitTask) -> tuple[Float[np.ndarray, "S H"], Integer[np.ndarray, " S"]]:
    """The different states after the last bit, rounded to ``ROUNDED`` decimals, with the bit that is to be told there."""
    states = forward(params, task.inputs).h[-1].round(ROUNDED) + 0.0
    rows = np.unique(np.column_stack([states, task.answers[-1]]), axis=0)
    return rows[:, :-1], rows[:, -1].astype(int)


def most_needed(params: Params, task: BitTask) -> int:
    """The index in ``Params.flat`` of the weight without which the perplexity is highest."""
    without = []
    for index in range(len(params.flat)):
        cut = params.copy()
        cut.flat[index] = 0
        without.append(perplexity(cut, task))
    return int(np.argmax(without))


def held_state(weight: float) -> float:
    """The state above 0 at which a unit without input and bias stays: h = tanh(``weight`` h). It is 0 up to a weight of 1."""
    h = 1.0
    for _step in range(1000):  # from above, it falls towards the solution
        h = float(np.tanh(weight * h))
    return h if weight > 1 else 0.0

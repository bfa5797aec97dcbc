"""Exercises with checked answers: made from seeds, so that the numbers differ for everybody; known wrong answers are named.

``make(kind, seed)`` is an exercise, ``check`` the verdict on a typed answer. Every known mistake differs from the right answer.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from core.analysis.one_step_matrices import ways_to_multiply
from core.config.language import lazy_gettext
from core.models.params import count as parameters

Numbers = tuple[float, ...]
TOLERANCE = 0.006  # relative
MOST_ALIKE = 2  # exercises of one pattern in a set
MISTAKES = {
    "transposed": lazy_gettext("These are rows and columns exchanged."),
    "column": lazy_gettext("A bias has no row for every sequence: its gradient has the shape of the bias."),
    "axis": lazy_gettext("That is the sum along the other axis."),
    "mean": lazy_gettext("That is a mean of the rows; here it is their sum."),
    "one_row": lazy_gettext("That is the first row alone: a gradient of weights is a sum over all rows."),
    "no_square": lazy_gettext("That is 1 − h. The slope of tanh is 1 − h²."),
    "of_tanh": lazy_gettext("That is the slope of tanh."),
    "no_slope": lazy_gettext("That is dh without the slope of the activation."),
    "mean_of_exponentials": lazy_gettext("That is the arithmetic mean of 1/p: a mean of exponentials. Take the mean first."),
    "harmonic": lazy_gettext("That is the harmonic mean of 1/p, which is 1 over the mean of p."),
    "of_batches": lazy_gettext("That is a mean over batches, although they differ in size."),
    "other_way": lazy_gettext("The conversion is turned round: 1 nat is 1.44 bits."),
    "base": lazy_gettext("The base is another one: e belongs to nats, 2 to bits."),
    "no_bias": lazy_gettext("The biases are missing."),
    "times_T": lazy_gettext("The weights are shared by all steps: T does not count."),
    "untransposed": lazy_gettext("Products with transposed matrices count, too."),
    "off_by_one": lazy_gettext("Off by one: count once more, and mind both ends."),
    "sliding": lazy_gettext("That is a window that slides. Truncation cuts between blocks."),
    "by_rows": lazy_gettext("That is N instead of T: a row moves on by T tokens in an update."),
    "sum": lazy_gettext("Probabilities of one after another are multiplied, not added."),
    "no_root": lazy_gettext("The root is missing: the norm is the root of the sum of squares."),
    "sum_of_sizes": lazy_gettext("That is the sum of the sizes; the norm is the root of the sum of squares."),
    "times": lazy_gettext("A factor per step is a power, not a product with the number of steps."),
    "without_next": lazy_gettext("A table of n-grams also has the token that is predicted."),
}


class Exercise(NamedTuple):
    """A question; its answer, several numbers in order; wrong answers by the key of ``MISTAKES``; two hints: a rule, and the
    numbers in it; the key of a place of the dashboard that shows it."""

    question: str
    answer: Numbers
    mistakes: Mapping[str, Numbers]
    rule: str
    numbers: str
    place: str


class Verdict(NamedTuple):
    """``kind``: right, mistake, wrong, or unreadable; and a sentence."""

    kind: str
    says: str


Maker = Callable[[np.random.Generator], Exercise]


def _made(
    question: str, answer: Sequence[float], mistakes: Mapping[str, Sequence[float]], rule: str, numbers: str, place: str
) -> Exercise:
    known = {name: tuple(map(float, wrong)) for name, wrong in mistakes.items() if not _same(wrong, answer)}
    return Exercise(question, tuple(map(float, answer)), known, rule, numbers, place)


def _sizes(rng: np.random.Generator) -> dict[str, int]:
    """N, D, H, V: all different, so that a shape tells them apart."""
    return dict(zip("NDHV", (int(n) for n in rng.choice(np.arange(2, 13), 4, replace=False)), strict=True))


SHAPES = {  # what: rows, columns
    "X W_xh": "NH", "H W_hh": "NH", "H W_hq": "NV", "dW_xh": "DH", "dW_hq": "HV", "dx": "ND", "dh_prev": "NH", "W_xh^T": "HD",
    "W_hq^T": "VH", "x^T": "DN", "O": "NV", "dO": "NV", "A": "NH",
}  # fmt: skip


NAMED = {  # what a letter alone stands for
    "A": lazy_gettext("A (the pre-activations)"),
    "O": lazy_gettext("O (the logits)"),
    "dO": lazy_gettext("dO (the gradient of the logits)"),
}


def _shape(what: str, rng: np.random.Generator) -> Exercise:
    sizes = _sizes(rng)
    question = lazy_gettext(
        "N = {N} rows, D = {D} inputs, H = {H} hidden units, V = {V} tokens. How many rows and columns has {what}?",
        what=NAMED.get(what, what),
        **sizes,
    )
    answer = [sizes[letter] for letter in SHAPES[what]]
    rule = lazy_gettext(
        "X is (N, D), H is (N, H), W_xh is (D, H), W_hh (H, H), W_hq (H, V). A gradient has the shape of its weight."
    )
    return _made(question, answer, {"transposed": answer[::-1]}, rule, f"({', '.join(SHAPES[what])})", "shapes")


def _bias_shape(rng: np.random.Generator) -> Exercise:
    sizes = _sizes(rng)
    question = lazy_gettext("N = {N} rows, H = {H} hidden units. How many numbers has db_h?", N=sizes["N"], H=sizes["H"])
    rule = lazy_gettext("b_h is one row that is added to all N rows, so db_h is the sum of N rows.")
    return _made(question, [sizes["H"]], {"column": [sizes["N"]]}, rule, "db_h = sum(dt, axis=0)", "back")


def _concatenated(rng: np.random.Generator) -> Exercise:
    sizes = _sizes(rng)
    question = lazy_gettext("N = {N}, D = {D}, H = {H}. How many rows and columns has [X, H]?", **{k: sizes[k] for k in "NDH"})
    rule = lazy_gettext("Side by side the columns add up; the rows stay.")
    answer = [sizes["N"], sizes["D"] + sizes["H"]]
    return _made(question, answer, {"transposed": answer[::-1]}, rule, "(N, D + H)", "products")


def _small(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.choice(np.array([-3, -2, -1, 1, 2, 3]), shape) / 10


def _text(array: np.ndarray) -> str:
    return str(array.tolist())


def _bias(rng: np.random.Generator) -> Exercise:
    dt = _small(rng, 3, 3)
    question = lazy_gettext("dt = {dt}: three rows, three units. What are the three numbers of db_h?", dt=_text(dt))
    rule = lazy_gettext("b_h was added in every row, so its gradient is the sum of the rows: axis 0.")
    return _made(
        question,
        dt.sum(axis=0).tolist(),
        {"axis": dt.sum(axis=1).tolist(), "mean": dt.mean(axis=0).tolist()},
        rule,
        "sum(dt, axis=0)",
        "back",
    )


def _weight(rng: np.random.Generator) -> Exercise:
    x, dt = _small(rng, 3), _small(rng, 3)
    question = lazy_gettext("One input and one unit, three rows: x = {x}, dt = {dt}. What is dW_xh?", x=_text(x), dt=_text(dt))
    rule = lazy_gettext("dW_xh = x^T dt: products of the rows, added up.")
    wrong = {"one_row": [x[0] * dt[0]], "mean": [x @ dt / 3]}
    return _made(question, [x @ dt], wrong, rule, " + ".join(f"({a})·({b})" for a, b in zip(x, dt, strict=True)), "back")


def _input(rng: np.random.Generator) -> Exercise:
    W, dt = _small(rng, 2, 2), _small(rng, 2)
    question = lazy_gettext("One row: dt = {dt}, W_xh = {W}. What are the two numbers of dx?", dt=_text(dt), W=_text(W))
    rule = lazy_gettext("Backward goes through the same weights the other way: dx = dt W_xh^T.")
    return _made(question, (W @ dt).tolist(), {"transposed": (dt @ W).tolist()}, rule, "dx_i = Σ_j dt_j W_ij", "back")


def _slope(activation: str, rng: np.random.Generator) -> Exercise:
    h, dh = float(rng.integers(1, 10)) / 10, float(rng.integers(2, 10)) / 10
    slopes = {"tanh": 1 - h**2, "sigmoid": h * (1 - h), "relu": 1.0}
    question = lazy_gettext("{activation}: h_next = {h}, dh_next = {dh}. What is dt?", activation=activation, h=h, dh=dh)
    wrong = {"no_slope": [dh], "no_square": [dh * (1 - h)]} | ({} if activation == "tanh" else {"of_tanh": [dh * (1 - h**2)]})
    if activation == "sigmoid":
        del wrong["no_square"]
    rule = lazy_gettext("dt = dh_next · φ', with φ' = 1 − h² (tanh), h (1 − h) (sigmoid), 1 where h > 0 (relu).")
    return _made(question, [dh * slopes[activation]], wrong, rule, f"{dh} · {slopes[activation]:.4g}", "back")


def _perplexity(n: int, rng: np.random.Generator) -> Exercise:
    p = rng.choice(np.array([0.1, 0.2, 0.25, 0.4, 0.5, 0.8]), n, replace=False)
    question = lazy_gettext("A model gave the tokens that came the probabilities {p}. What is the perplexity?", p=_text(p))
    wrong = {"mean_of_exponentials": [np.mean(1 / p)], "harmonic": [1 / np.mean(p)], "base": [2 ** np.mean(-np.log(p))]}
    rule = lazy_gettext("Perplexity is exp of the mean of −ln p: the geometric mean of 1/p.")
    return _made(
        question,
        [math.exp(np.mean(-np.log(p)))],
        wrong,
        rule,
        f"exp(({' + '.join(f'ln {1 / one:.4g}' for one in p)}) / {n})",
        "number",
    )


def _batches(rng: np.random.Generator) -> Exercise:
    sizes, nats = rng.choice(np.arange(1, 10), 2, replace=False) * 10, rng.choice(np.arange(5, 30), 2, replace=False) / 10
    question = lazy_gettext(
        "Two batches: {a} tokens with a mean loss of {x} nats, {b} tokens with {y}. What is the perplexity of all?",
        a=int(sizes[0]), b=int(sizes[1]), x=float(nats[0]), y=float(nats[1]),
    )  # fmt: skip
    mean = float(sizes @ nats / sizes.sum())
    wrong = {"of_batches": [math.exp(nats.mean())], "mean_of_exponentials": [sizes @ np.exp(nats) / sizes.sum()]}
    rule = lazy_gettext("Add up the nats of all tokens, divide by the number of tokens, then take exp.")
    return _made(question, [math.exp(mean)], wrong, rule, f"exp({float(sizes @ nats):.4g} / {sizes.sum()})", "number")


UNITS = {  # question, value from nats
    "bits": (
        lazy_gettext("A loss of {nats} nats: how many bits?"),
        lambda x: x / math.log(2),
        lambda x: x * math.log(2),
        "other_way",
    ),
    "nats": (
        lazy_gettext("A loss of {nats} bits: how many nats?"),
        lambda x: x * math.log(2),
        lambda x: x / math.log(2),
        "other_way",
    ),
    "of_nats": (lazy_gettext("A mean loss of {nats} nats: which perplexity?"), math.exp, lambda x: 2**x, "base"),
    "of_bits": (lazy_gettext("A mean loss of {nats} bits: which perplexity?"), lambda x: 2**x, math.exp, "base"),
}


def _units(name: str, rng: np.random.Generator) -> Exercise:
    question, right, wrong, mistake = UNITS[name]
    nats = float(rng.integers(5, 40)) / 10
    rule = lazy_gettext("bits = nats / ln 2; perplexity = e to the nats = 2 to the bits.")
    return _made(lazy_gettext(question, nats=nats), [right(nats)], {mistake: [wrong(nats)]}, rule, "ln 2 = 0.6931", "compression")


def _parameters(embedded: bool, rng: np.random.Generator) -> Exercise:
    sizes, T = _sizes(rng), int(rng.integers(3, 9))
    V, H, D = sizes["V"], sizes["H"], sizes["D"] if embedded else sizes["V"]
    n = parameters(V, H, D if embedded else 0)
    question = lazy_gettext("V = {V}, H = {H}, one-hot input, T = {T} steps. How many parameters has the network?", V=V, H=H, T=T)
    if embedded:
        question = lazy_gettext(
            "V = {V}, D = {D}, H = {H}, with an embedding, T = {T} steps. How many parameters?", V=V, D=D, H=H, T=T
        )
    rule = lazy_gettext("W_xh, W_hh, W_hq and two biases, and W_emb if there is one; all steps share them.")
    numbers = f"{f'{V}·{D} + ' if embedded else ''}{D}·{H} + {H}·{H} + {H} + {H}·{V} + {V}"
    return _made(question, [n], {"no_bias": [n - H - V], "times_T": [n * T]}, rule, numbers, "shapes")


def _ways(rng: np.random.Generator) -> Exercise:
    n, m = (int(k) for k in rng.choice(np.arange(2, 7), 2, replace=False))
    one, other, wanted = ((n, n), (n, n), (n, n)) if rng.random() < 0.3 else ((m, n), (m, n), (n, n))
    question = lazy_gettext(
        "A is {a}, B is {b}. How many of the 8 products of A and B, in any order, transposed or not, have the shape {wanted}?",
        a=str(one), b=str(other), wanted=str(wanted),
    )  # fmt: skip
    untransposed = (one[1] == other[0] and (one[0], other[1]) == wanted) + (other[1] == one[0] and (other[0], one[1]) == wanted)
    rule = lazy_gettext("The inner sizes have to be equal; the outer ones are the shape of the product.")
    return _made(
        question, [ways_to_multiply(one, other, wanted)], {"untransposed": [untransposed]}, rule, "(a, b)·(b, c) = (a, c)", "back"
    )


def _kept(rng: np.random.Generator) -> Exercise:
    T, tau = int(rng.integers(6, 13)), int(rng.integers(2, 6))
    kept = sum(1 for t in range(1, T + 1) for k in range(1, t + 1) if (t - 1) // tau == (k - 1) // tau)
    sliding = sum(min(t, tau) for t in range(1, T + 1))
    question = lazy_gettext(
        "T = {T} steps, τ = {tau}. How many of the {all} cells of the triangle remain?", T=T, tau=tau, all=T * (T + 1) // 2
    )
    rule = lazy_gettext("Blocks of τ steps, the last one may be shorter; a block of n steps keeps n (n + 1) / 2 cells.")
    blocks = [tau] * (T // tau) + ([T % tau] if T % tau else [])
    return _made(question, [kept], {"sliding": [sliding]}, rule, " + ".join(f"{n}·{n + 1}/2" for n in blocks), "cut")


def _first(rng: np.random.Generator) -> Exercise:
    tau, t = int(rng.integers(2, 7)), int(rng.integers(7, 30))
    first = (t - 1) // tau * tau + 1
    question = lazy_gettext(
        "Blocks of τ = {tau} steps, counted from 1. Which is the first state that the loss of step {t} still reaches?",
        tau=tau,
        t=t,
    )
    rule = lazy_gettext("A block ends after τ, 2τ, 3τ, … steps; the gradient does not leave it.")
    return _made(
        question, [first], {"off_by_one": [first - 1], "sliding": [t - tau + 1]}, rule, f"{tau}·{(t - 1) // tau} + 1", "cut"
    )


def _token(rng: np.random.Generator) -> Exercise:
    N, T, update, row = (int(rng.integers(*ends)) for ends in ((2, 6), (6, 11), (2, 8), (2, 3)))
    L = N * T * int(rng.integers(9, 14))
    place = (row - 1) * (L // N) + (update - 1) * T + 1
    question = lazy_gettext(
        "{L} pairs, N = {N} rows in order, T = {T}. Which pair, counted from 1, does row 2 read first in update {update}?",
        L=L,
        N=N,
        T=T,
        update=update,
    )
    wrong = {"off_by_one": [place - 1], "by_rows": [(row - 1) * (L // N) + (update - 1) * N + 1]}
    rule = lazy_gettext("Row i begins after (i − 1)·L/N pairs, and moves on by T in every update.")
    return _made(question, [place], wrong, rule, f"{L}/{N} + {update - 1}·{T} + 1", "data")


def _window(rng: np.random.Generator) -> Exercise:
    k = int(rng.integers(2, 30))
    question = lazy_gettext(
        "The answer is the token of {k} steps back. Which is the shortest τ with which it can be learnt?", k=k
    )
    rule = lazy_gettext("The gradient has to reach the step where the token was read: k steps back, and the step itself.")
    return _made(question, [k + 1], {"off_by_one": [k]}, rule, f"{k} + 1", "proof")


def _bound(rng: np.random.Generator) -> Exercise:
    k, tau = int(rng.integers(2, 6)), int(rng.integers(6, 13))
    question = lazy_gettext(
        "Random bits, the answer {k} steps back, the state reset every {tau} steps. What is the best possible perplexity?",
        k=k,
        tau=tau,
    )
    rule = lazy_gettext("The first k answers of a window lie before it: a coin toss each. The others are known.")
    wrong = {"off_by_one": [2 ** ((k - 1) / tau)], "mean": [(2 * k + tau - k) / tau]}
    return _made(question, [2 ** (k / tau)], wrong | {"mean_of_exponentials": wrong.pop("mean")}, rule, f"2^({k}/{tau})", "proof")


def _table(rng: np.random.Generator) -> Exercise:
    V, n = int(rng.integers(5, 30)), int(rng.integers(2, 5))
    question = lazy_gettext("A vocabulary of {V}, a table of {n}-grams: how many probabilities does it hold at most?", V=V, n=n)
    rule = lazy_gettext("A row for every n − 1 tokens before, and in it one number for every token that may follow.")
    return _made(question, [V**n], {"without_next": [V ** (n - 1)], "times": [V * n]}, rule, f"{V}^{n}", "why")


def _joint(rng: np.random.Generator) -> Exercise:
    p = rng.choice(np.array([0.1, 0.2, 0.3, 0.4, 0.5]), 3)
    question = lazy_gettext(
        "The conditional probabilities of three tokens are {p}. What is the probability of the text?", p=_text(p)
    )
    rule = lazy_gettext("The joint probability is the product of the conditional ones.")
    return _made(question, [p.prod()], {"sum": [p.sum()]}, rule, " · ".join(map(str, p)), "product")


def _norm(rng: np.random.Generator) -> Exercise:
    a, b = (float(n) for n in rng.integers(2, 10, 2))
    question = lazy_gettext("A gradient of two numbers, ({a}, {b}). What is its norm?", a=a, b=b)
    rule = lazy_gettext("The norm is the root of the sum of squares.")
    wrong = {"sum_of_sizes": [a + b], "no_root": [a * a + b * b]}
    return _made(question, [math.hypot(a, b)], wrong, rule, f"√({a:g}² + {b:g}²)", "explodes")


def _clipped(rng: np.random.Generator) -> Exercise:
    n = int(rng.integers(2, 9))
    question = lazy_gettext("A gradient ({a}, {b}) is clipped to norm 1. Which two numbers are left?", a=3 * n, b=4 * n)
    rule = lazy_gettext("Its direction stays: both numbers are divided by the norm.")
    return _made(question, [0.6, 0.8], {"sum_of_sizes": [3 / 7, 4 / 7]}, rule, f"({3 * n}, {4 * n}) / {5 * n}", "explodes")


def _fading(rng: np.random.Generator) -> Exercise:
    factor, n = float(rng.integers(5, 10)) / 10, int(rng.integers(3, 12))
    question = lazy_gettext(
        "Every step back multiplies a gradient by {factor}. Which share is left after {n} steps?", factor=factor, n=n
    )
    rule = lazy_gettext("One factor for each step: a power.")
    return _made(
        question, [factor**n], {"times": [factor / n], "off_by_one": [factor ** (n - 1)]}, rule, f"{factor}^{n}", "what_if"
    )


KINDS: dict[str, Maker] = {
    **{f"shape {what}": partial(_shape, what) for what in SHAPES},
    "shape db_h": _bias_shape, "shape [X, H]": _concatenated, "db_h": _bias, "dW_xh": _weight, "dx": _input,
    **{f"slope {name}": partial(_slope, name) for name in ("tanh", "sigmoid", "relu")},
    **{f"perplexity of {n}": partial(_perplexity, n) for n in (2, 3, 4)}, "perplexity of batches": _batches,
    **{f"unit {name}": partial(_units, name) for name in UNITS},
    "parameters": partial(_parameters, False), "parameters, embedded": partial(_parameters, True), "ways": _ways,
    "kept cells": _kept, "first state": _first, "token of a row": _token, "shortest window": _window, "bound": _bound,
    "table": _table, "joint": _joint, "norm": _norm, "clipped": _clipped, "fading": _fading,
}  # fmt: skip


def make(kind: str, seed: int) -> Exercise:
    """The exercise of a kind with this seed; ``KeyError`` for an unknown kind."""
    return KINDS[kind](np.random.default_rng([seed, *map(ord, kind)]))


def exercise_set(seed: int, size: int = 10) -> list[tuple[str, Exercise]]:
    """``size`` exercises of different kinds, by their kinds: at most two of one pattern, such as shapes."""
    kinds, patterns = [], Counter()
    for kind in map(str, np.random.default_rng(seed).permutation(sorted(KINDS))):
        patterns[kind.split()[0].strip(",")] += 1
        if patterns[kind.split()[0].strip(",")] <= MOST_ALIKE:
            kinds.append(kind)
    return [(kind, make(kind, seed)) for kind in kinds[:size]]


def read_numbers(text: str) -> Numbers:
    """The numbers in a typed answer, also as "3/4". ``ValueError`` if there are none or something else stands between them."""
    parts = re.sub(r"[()\[\]×x]", " ", text.replace("−", "-")).replace(";", " ").replace(", ", " ").split()
    numbers = []
    for part in parts:
        above, slash, below = part.strip(",").replace(",", ".").partition("/")
        if slash and not float(below):
            raise ValueError
        numbers.append(float(above) / float(below) if slash else float(above))
    if not numbers or not all(map(math.isfinite, numbers)):
        raise ValueError
    return tuple(numbers)


def check(exercise: Exercise, typed: str) -> Verdict:
    """The verdict on a typed answer: right within three digits, a known mistake, or wrong."""
    try:
        numbers = read_numbers(typed)
    except ValueError:
        return Verdict("unreadable", lazy_gettext("Type numbers, with blanks between them."))
    if len(numbers) != len(exercise.answer):
        return Verdict("unreadable", lazy_gettext("The answer has {n} numbers.", n=len(exercise.answer)))
    if _same(numbers, exercise.answer):
        return Verdict("right", lazy_gettext("Right."))
    for name, wrong in exercise.mistakes.items():
        if _same(numbers, wrong):
            return Verdict("mistake", MISTAKES[name])
    return Verdict("wrong", lazy_gettext("Not yet. Take the hint, or look at the place."))


def _same(numbers: Sequence[float], others: Sequence[float]) -> bool:
    """Whether the second ones are meant by the first: whole numbers are exact, others right within three digits."""
    return len(numbers) == len(others) and all(map(_near, numbers, others))


def _near(number: float, wanted: float) -> bool:
    return math.isclose(number, wanted, rel_tol=0 if float(wanted).is_integer() else TOLERANCE, abs_tol=1e-4)

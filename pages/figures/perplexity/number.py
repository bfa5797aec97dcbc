"""Perplexity as a number of choices: those of single tokens, three means of them, and the double sum that is one logarithm."""

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.perplexity import Averages, Means, means_of_choices, one_hot_terms
from core.analysis.unrolled import most_probable
from core.config.language import gettext as _, lazy_gettext, ngettext, rich_text
from core.text.tokenizer import Tokenizer
from pages.figures.parts.axes import log_fraction
from pages.figures.parts.numbers import count, number, short
from pages.figures.parts.style import Pieces
from pages.figures.parts.symbols import visible
from pages.figures.parts.tables import Cell, Grid, Panel, cell, grid, panel, row

PROBABILITIES: dict[str, tuple[str, tuple[float | None, ...]]] = {  # name: words, probabilities (None is 1/V)
    "certain-ish": ("p = 0.8", (0.8,)),
    "unlikely": ("p = 0.2", (0.2,)),
    "both": (lazy_gettext("0.8 and 0.2"), (0.8, 0.2)),
    "best": (lazy_gettext("best: 1"), (1.0, 1.0)),
    "uniform": (lazy_gettext("uniform: 1/V"), (None, None)),
    "worst": (lazy_gettext("worst: one is 0"), (0.8, 0.2, 0.0)),
}
MEANS = {  # field of ``Means``: its name
    "harmonic": lazy_gettext("harmonic mean"),
    "geometric": lazy_gettext("geometric: perplexity"),
    "arithmetic": lazy_gettext("arithmetic mean"),
}
MAX_TOKENS = 5  # tokens with sliders, at most
SQUARES = 18  # choices drawn as squares, at most
SHOWN = 6  # symbols of a distribution that have columns, including the target
RIGHT = 0.86  # share of the width at which the axis ends; infinite values are drawn beyond it
DOUBLE_SUM = ("−1/N Σ_n Σ_k t_{nk} ln y_{nk}", "  =  −1/N Σ_n ln y_{n,target}")


class ChoiceToken(TypedDict):
    """A token, the position ``at`` of its slider, and its choices 1/p as squares; ``beyond``: there are more than drawn."""

    name: str
    at: int
    choices: str
    nats: str
    squares: float
    beyond: bool


class ChoiceAxis(TypedDict):
    """Positions from 0 to 1 with their labels."""

    ticks: list[tuple[float, str]]
    marks: list[tuple[float, str]]


class DrawnMean(TypedDict):
    """A mean of all choices, and its position on the axis; ``finite``: without tokens of p = 0, if they make it infinite."""

    name: str
    value: str
    at: float
    finite: float | None
    tone: str


class ChoicesDrawing(TypedDict):
    """``examples``: name, label, whether it is selected. ``places``: the label of every slider position. ``written``: the
    perplexity and the arithmetic mean as formulas with the numbers of the tokens."""

    examples: list[tuple[str, str, bool]]
    places: list[str]
    more: bool
    fewer: bool
    tokens: list[ChoiceToken]
    axis: ChoiceAxis
    means: list[DrawnMean]
    written: list[str]
    number: str
    sentence: Pieces


def places(vocab_size: int) -> tuple[float, ...]:
    """The positions of a slider of p: hundredths, a few small values, 1/V, and 0."""
    return tuple(sorted({0.0, 1e-4, 1e-3, 5e-3, 1 / vocab_size, *[i / 100 for i in range(1, 101)]}))


def example(name: str, vocab_size: int) -> list[float]:
    """The probabilities of a ready-made example; ``KeyError`` for an unknown name."""
    return [1 / vocab_size if p is None else p for p in PROBABILITIES[name][1]]


def choices_drawing(p: Sequence[float], means: Means, vocab_size: int, kind: str) -> ChoicesDrawing:
    """Sliders for the probabilities ``p`` (each one of :func:`places`), the choices of each, and the three means of these."""
    stops, top = places(vocab_size), axis_end([*means.choices, means.arithmetic])
    possible = [value for value in p if value > 0]
    finite = means_of_choices(np.array(possible)) if 0 < len(possible) < len(p) else None
    ticks = [1.0, 2.0, 5.0, 10.0] if top == 10 else [10.0**e for e in range(round(math.log10(top)) + 1)]
    return {
        "examples": [(name, _(words), list(p) == example(name, vocab_size)) for name, (words, _p) in PROBABILITIES.items()],
        "places": [probability(value, vocab_size) for value in stops],
        "more": len(p) < MAX_TOKENS,
        "fewer": len(p) > 1,
        "tokens": [_token(i, *each, stops) for i, each in enumerate(zip(p, means.choices, strict=True), 1)],
        "axis": {
            "ticks": [(_share(tick, top), number(tick, 1)) for tick in ticks] + [(1.0, "∞")],
            "marks": [(_share(value, top), f"1/p = {number(value)}") for value in means.choices],
        },
        "means": [_drawn(field, means, finite, top) for field in MEANS],
        "written": [_written(one) for one in (finite, means) if one and len(one.choices) > 1],
        "number": number(means.geometric),
        "sentence": _meaning(p, means.geometric, vocab_size, kind),
    }


def _drawn(field: str, means: Means, finite: Means | None, top: float) -> DrawnMean:
    value = getattr(means, field)
    return {
        "name": _(MEANS[field]),
        "value": number(value, 4),
        "at": _share(value, top),
        "finite": _share(getattr(finite, field), top) if finite and math.isinf(value) else None,
        "tone": "chosen" if field == "geometric" else "",
    }


def _written(means: Means) -> str:
    """The geometric mean of two choices or more as the root of their product; if it is finite, the arithmetic one beside it."""
    each, n = [*map(_choices, means.choices)], len(means.choices)
    product = " · ".join(each)
    root = f"√({product})" if n == 2 else f"({product})^{{1/{n}}}"
    right = f"{root} = {number(means.geometric)}"
    if math.isinf(means.geometric):
        return right
    return _("{right}, not {wrong}", right=right, wrong=f"({' + '.join(each)}) / {n} = {_choices(means.arithmetic)}")


def _choices(value: float) -> str:
    """A number of choices, as short as it can be without being another one."""
    return short(value) if float(f"{value:.4g}") == value else number(value)


def probability(p: float, vocab_size: int) -> str:
    """The label of p under a slider: 0.80, 0.001, and "1/V = ..." for 1/V."""
    return f"1/V = {number(p, 2)}" if p == 1 / vocab_size else f"{p:.2f}" if p in (0, 1) or p >= 0.01 else f"{p:.4f}".rstrip("0")


def _token(i: int, p: float, choices: float, stops: Sequence[float]) -> ChoiceToken:
    return {
        "name": _("token {i}", i=i),
        "at": min(range(len(stops)), key=lambda k: abs(stops[k] - p)),
        "choices": ngettext("{n} choice", "{n} choices", choices, n=number(choices)),
        "nats": _("−ln p = {n} nats", n=number(math.log(choices))),
        "squares": round(min(choices, SQUARES), 2),
        "beyond": choices > SQUARES,
    }


def _meaning(p: Sequence[float], perplexity: float, vocab_size: int, kind: str) -> Pieces:
    if math.isinf(perplexity):
        sentence = _("A token came that had probability 0: <strong>the worst value there is</strong>.")
    elif perplexity == 1:
        sentence = _("Every token was certain: <strong>the best value there is</strong>.")
    elif abs(perplexity - vocab_size) < 1e-9 * vocab_size:
        sentence = _("No {kind} is more likely than another: <strong>V = {V}, as if knowing nothing</strong>.")
    elif perplexity > vocab_size:
        sentence = ngettext(
            "<strong>Worse than guessing evenly</strong> among all V = {V} {kind}s: "
            "on average the token was given less than 1/V.",
            "<strong>Worse than guessing evenly</strong> among all V = {V} {kind}s: "
            "on average the tokens were given less than 1/V.",
            len(p),
        )
    else:
        sentence = ngettext(
            "The token was as hard as <strong>choosing among {n} {kind}s</strong> that are equally likely: a branching factor.",
            "The tokens were as hard as <strong>choosing among {n} {kind}s</strong> that are equally likely: a branching factor.",
            len(p),
        )
    return rich_text(sentence, n=number(perplexity), V=count(vocab_size), kind=_(kind))


def axis_end(choices: Sequence[float]) -> float:
    """The end of a logarithmic axis from 1 that includes these perplexities: a power of ten, at least 10."""
    finite = [value for value in choices if math.isfinite(value)]
    return 10.0 ** max(1, math.ceil(math.log10(max(finite, default=1.0)) - 1e-9))


def _share(value: float, top: float) -> float:
    """The position, 0 to RIGHT, of a number of choices on the axis from 1 to ``top``; 1 for infinity."""
    return 1.0 if math.isinf(value) else round(RIGHT * log_fraction(value, top, math.log10(top)), 4)


def which_mean(example: Means) -> Panel:
    """Which mean perplexity is, with the three means of p = 0.8 and 0.2 as the example."""
    sentence = rich_text(
        _(
            "Editions of Dive into Deep Learning before 1.0 say “harmonic mean” in words; the formula is the "
            "<strong>geometric</strong> one. For p = 0.8 and 0.2: <strong>geometric {geometric}</strong>, harmonic {harmonic}, "
            "arithmetic {arithmetic}."
        ),
        geometric=number(example.geometric, 2),
        harmonic=number(example.harmonic, 2),
        arithmetic=number(example.arithmetic, 4),
    )
    return panel(_("Which mean?"), sentence, formula=["exp( −1/N Σ_n ln p_n )", "  =  (1/p_1 · … · 1/p_N)^{1/N}"])


def one_hot(y: Float[np.ndarray, " V"], target: int, tokenizer: Tokenizer) -> Grid:
    """One token of the double sum: the one-hot row t, the row y, and the products t · ln y, all zero but one.

    The target, which stands first, and the most probable symbols have a column each, all others one column together.
    """
    most = min(SHOWN, len(y))
    shown = [target, *[k for k in most_probable(y, most) if k != target][: most - 1]]
    total, rest = float(one_hot_terms(y, target).sum()), len(y) - len(shown)
    columns = [(visible(tokenizer.vocab[k]), _term(float(y[k]), hot=k == target)) for k in shown]
    if rest:
        zeros, dots = cell("0 … 0", tone="muted"), cell("…", tone="muted")
        columns.append((_("{n} others", n=count(rest)), [zeros, _shaded(float(np.delete(y, shown).sum())), dots, zeros]))
    columns.append(("Σ", [cell("1"), cell(number(float(y.sum()))), cell(""), cell(number(total), tone="backward")]))
    head, terms = zip(*columns, strict=True)
    lines = zip((_("t: one-hot"), _("y: predicted"), "ln y", "t · ln y"), zip(*terms, strict=True), strict=True)
    rows = [row(name, list(cells), tone="strong" if name == "t · ln y" else "") for name, cells in lines]
    label = _("One-hot row times logarithms: only that of the target remains, {n} nats", n=number(-total))
    return grid([_("symbol k"), *head], rows, code=True, label=label)


def _term(p: float, *, hot: bool) -> list[Cell]:
    """A symbol's column: its entry in the one-hot row, its probability, the logarithm, and the product."""
    tone, log = "backward" if hot else "muted", number(math.log(p), 3) if p > 0 else "−∞"
    return [cell(str(int(hot)), tone=tone), _shaded(p), cell(log, tone=tone), cell(log if hot else "0", tone=tone)]


def _shaded(p: float) -> Cell:
    return cell(number(p, 2) if p >= 1e-4 or p == 0 else number(p, 1), bar=p)


def one_hot_words(loss: float, target: str, place: str) -> Panel:
    """The double sum, and the term of it that remains at this token."""
    sentence = rich_text(
        _(
            "t is 1 at the token that came (<strong>{target}</strong>) and 0 elsewhere, so of all V products one is left: "
            "<strong>−ln y = {n} nats</strong>."
        ),
        target=target,
        n=number(loss),
    )
    return panel(_("Two sums, one logarithm"), sentence, formula=DOUBLE_SUM, aside=place)


def averages_grid(columns: Sequence[tuple[str, Averages]]) -> Grid:
    """The right average and the two wrong ones beside each other, a column for each text."""
    ways = (
        (_("exp of the mean loss: perplexity"), "perplexity", "forward"),
        (_("wrong: mean of the exps"), "mean_of_exps", ""),
        (_("wrong: mean over batches, then exp"), "over_batches", ""),
    )
    rows = [
        row(words, [cell(number(getattr(each, field), 4)) for _name, each in columns], tone=tone) for words, field, tone in ways
    ]
    return grid(["", *[name for name, _each in columns]], rows, label=_("One right average and two wrong ones"))

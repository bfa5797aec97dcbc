"""The effect of length: likelihood and mean loss of a growing text, and the product rule step by step."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.analysis.perplexity import LN_10, Surprise
from core.config.language import gettext as _, ngettext, rich_text
from pages.figures.parts.chart import AXIS, LEGEND_ABOVE, Figure, layout, scatter, title
from pages.figures.parts.numbers import count, number, power
from pages.figures.parts.style import Part, colour, escape
from pages.figures.parts.symbols import visible
from pages.figures.parts.tables import Grid, Panel, cell, grid, panel, row

MANY = 12  # columns of a table from which on tiny products are powers of ten
POINTS = 240  # of a curve, at most
LEFT = 92  # px: room for the title of the left axis beside ticks as wide as 10⁻²⁰⁰⁰
TOP = {"xanchor": "left", "font": {"size": 14, "color": colour("text")}, "itemclick": False, "itemdoubleclick": False}
DRAWN = 1000  # tokens: enough for the likelihood to fall and the mean loss to converge
LIKELY, UNLIKELY = 0.092, 3.2e-12  # probabilities printed in Deep Learning from Scratch 2, 5.1.2


class ModelSurprise(NamedTuple):
    """A model's name and its surprise at a growing text."""

    name: str
    surprise: Surprise


def growing_figure(models: Sequence[ModelSurprise], kind: str) -> Figure:
    """Over one text, log10 of its likelihood (left, blue) and its mean loss (right, orange); the second model is dashed."""
    drawn = min(len(models[0].surprise.mean_nats), DRAWN)
    figure = layout(_("{kind}s read", kind=_(kind)), "", height=360, right=66)
    figure["margin"] |= {"l": LEFT}
    figure |= {"showlegend": True, "legend": LEGEND_ABOVE | TOP}
    figure["xaxis"] |= {"range": [0, drawn * 1.01]}
    likelihoods = [value for model in models for value in model.surprise.log10_likelihood[:drawn] if math.isfinite(value)]
    depth, highest = 1.04 * max(1.0, -min(likelihoods, default=0.0)), _highest(models, drawn)
    ticks = [-step for step in _steps(depth)]
    figure["yaxis"] |= _coloured(_("likelihood (log scale)"), "forward", ticks) | {"range": [-depth, 0.02 * depth]}
    figure["yaxis"] |= {"ticktext": list(map(power, ticks))}
    right = _coloured(_("mean loss, nats per {kind}", kind=_(kind)), "backward", _steps(highest)) | {"range": [0, 1.02 * highest]}
    figure["yaxis2"] = AXIS | right | {"overlaying": "y", "side": "right", "showgrid": False}
    return {"data": [curve for i, model in enumerate(models) for curve in _pair(model, drawn, i)], "layout": figure}


def _coloured(words: str, tone: str, ticks: list[float]) -> Part:
    """An axis in the colour of its curves."""
    name = title(words) | {"font": {"size": 14, "color": colour(tone)}}
    return {"title": name, "tickvals": ticks, "tickfont": {"color": colour(tone)}}


def _pair(model: ModelSurprise, drawn: int, i: int) -> list[Part]:
    places = np.unique(np.linspace(0, drawn - 1, min(POINTS, drawn)).astype(int))
    likelihood, mean = model.surprise.log10_likelihood[places], model.surprise.mean_nats[places]
    x, name = (places + 1).tolist(), _(model.name)
    hover = _("likelihood {value}", value="%{text}"), _("{value} nats each", value="%{y:.3f}")
    left = _curve(name, _("likelihood"), x, likelihood.round(1), "forward", i, hover[0])
    right = _curve(name, _("mean loss"), x, mean.round(4), "backward", i, hover[1])
    return [left | {"text": list(map(power, likelihood))}, right | {"yaxis": "y2"}]


def _curve(model: str, what: str, x: list[int], values: np.ndarray, tone: str, i: int, hover: str) -> Part:
    """The curves of the first model are solid and thick, those of the second dashed."""
    name, y = escape(model), [value if math.isfinite(value) else None for value in values.tolist()]
    hover = _("{model}, {n} read: {value}", model=name, n="%{x}", value=hover)
    look = {"color": colour(tone), "dash": ("solid", "6px 5px")[i > 0], "width": (3.5, 2)[i > 0]}
    return scatter(_("{model}: {what}", model=name, what=what), x, y, hover=hover, line=look)


def _highest(models: Sequence[ModelSurprise], drawn: int) -> float:
    """The end of the axis of mean losses: about the maximum, or twice the last value plus 1 nat if that is lower."""
    finite = [m.surprise.mean_nats[:drawn][np.isfinite(m.surprise.mean_nats[:drawn])] for m in models]
    tops = [min(float(values.max()), 2 * float(values[-1]) + 1) for values in finite if len(values)]
    return max([*tops, 0.5]) * 1.05


def _steps(end: float) -> list[float]:
    """Ticks from 0 to ``end``, in at most five round steps."""
    step = 10.0 ** math.floor(math.log10(end / 2))
    step *= next(factor for factor in (1, 2, 5, 10) if end / (factor * step) <= 5)
    return [step * i for i in range(int(end / step) + 1)]


def growing_words(models: Sequence[ModelSurprise], kind: str) -> list[Panel]:
    """Likelihood, mean loss and perplexity at a few lengths, in a panel for each model."""
    made = []
    for name, surprise in models:
        longest = len(surprise.mean_nats)
        rows = []
        for n in [*(n for n in (10, 100, 1000) if n < longest), longest]:
            numbers = power(surprise.log10_likelihood[n - 1]), number(surprise.mean_nats[n - 1]), number(surprise.running[n - 1])
            rows.append([ngettext("after {n} {kind}", "after {n} {kind}s", n, n=count(n), kind=_(kind)), " · ".join(numbers)])
        made.append(panel(_(name), aside=_("likelihood · nats per {kind} · perplexity", kind=_(kind)), rows=rows))
    return made


def growing_label(models: Sequence[ModelSurprise]) -> str:
    """The alternative text of the chart of likelihood against length."""
    name, surprise = models[0]
    values = {"n": len(surprise.nats), "likelihood": power(surprise.log10_likelihood[-1]), "nats": number(surprise.mean_nats[-1])}
    return _("{model}: after {n} tokens the likelihood is {likelihood}, the mean loss {nats} nats.", model=_(name), **values)


def product_rule(symbols: Sequence[str], surprise: Surprise, given: str) -> Grid:
    """A text as a table: p of each token given all tokens before it, the product so far, and the perplexity so far.

    ``given`` is the symbol before the text, or empty. With many columns, tiny products are integer powers of ten.
    """
    names = [visible(symbol) for symbol in symbols]

    def say(log10: float) -> str:
        return power(log10, 0 if len(names) >= MANY and log10 < -4 else 2)

    so_far = [say(value) for value in surprise.log10_likelihood]
    rows = [
        row(_("p, given all before"), [cell(number(p, 2), bar=float(p), tone="forward") for p in surprise.p]),
        row(_("product so far"), [cell(text) for text in so_far]),
        row(_("perplexity so far"), [cell(number(value), tone="backward") for value in surprise.running]),
    ]
    total = _("The product rule step by step: the likelihood is {likelihood}", likelihood=so_far[-1])
    return grid([_("after {symbol}", symbol=visible(given)) if given else "", *names], rows, code=True, label=total)


def product_words(words: Sequence[str], sentence: Surprise, shuffled: Surprise, other: Sequence[str]) -> list[Panel]:
    """The product rule, the small network's likelihood of two word orders, and the probabilities printed in the source."""
    first, *rest = [f"P({word}{' | ' + ' '.join(words[:i]) if i else ''})" for i, word in enumerate(words)]
    likely, unlikely = (float(surprise.log10_likelihood[-1]) for surprise in (sentence, shuffled))
    orders = rich_text(
        _(
            "“{sentence}” gets <strong>{likely}</strong>, “{other}” {unlikely}. "
            "Only the order differs: it makes {apart} powers of ten."
        ),
        sentence=" ".join(words),
        likely=power(likely, 2),
        other=" ".join(other),
        unlikely=power(unlikely, 2),
        apart=number(abs(likely - unlikely), 2),
    )
    rows = [
        ["“you say goodbye”", f"{LIKELY:g}"],
        ["“you say good die”", number(UNLIKELY, 2)],
        [_("apart by"), _("{n} powers of ten", n=number(math.log(LIKELY / UNLIKELY) / LN_10, 3))],
    ]
    return [
        panel(_("The product rule"), orders, formula=[f"P({' '.join(words)}) = {first}", *[f" · {factor}" for factor in rest]]),
        panel(_("What a model should do"), aside=_("figures of Deep Learning from Scratch 2, 5.1.2"), rows=rows),
    ]

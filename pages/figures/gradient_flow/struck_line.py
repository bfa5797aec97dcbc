"""Training with and without one line of the code: two curves of perplexity, the errors of the gradient, and why."""

import math

from core.config.language import gettext as _, lazy_gettext, sentences
from core.training.experiments.struck_line import MEAN_OVER, STRUCK_LINES, STRUCK_SETTINGS, Struck, place_of
from pages.figures.parts.axes import linear_axis, log_axis_between
from pages.figures.parts.chart import Curve, Figure, chart
from pages.figures.parts.numbers import count, number, percent
from pages.figures.parts.tables import Comparison, Panel, panel

STRUCK_NAMES = {  # of the lines, on their buttons
    "carry": lazy_gettext("carry of the state"),
    "future": "+ dh",
    "slope": "1 − h²",
    "rows": lazy_gettext("sum over the rows"),
    "mean": "1/(N·T)",
    "clip": lazy_gettext("clipping"),
}
WHY = {
    "carry": lazy_gettext(
        "Every window then begins with zeros, and its first predictions know nothing of the text before. The gradient is right "
        "for that, but it is that of another loss."
    ),
    "future": lazy_gettext(
        "Every state then answers for its own loss alone: nothing tells it what later losses need it to keep. The output layer's "
        "gradient stays right, as it does not pass through the states."
    ),
    "slope": lazy_gettext(
        "Where tanh is flat, a weight can change little, and 1 − h² says so. Without it the gradient of these weights is far too "
        "long, and clipping shortens it together with the right one of the output layer."
    ),
    "rows": lazy_gettext(
        "b_h then learns from the first of {N} rows alone. All other gradients are right, and training hardly changes. "
        "With dt in place of the sum NumPy would stop: (N, H) does not fit into (H,)."
    ),
    "mean": lazy_gettext(
        "The gradient then has its right direction and N·T = {many} times its length. Here clipping hides that: {clipped} of the "
        "right gradients are shortened anyway. Without clipping it would be a rate of {many} times {rate}."
    ),
    "clip": lazy_gettext(
        "{clipped} of the gradients are longer than {norm}. At a rate of {rate} their whole length is too far, and the loss "
        "stays high."
    ),
}
HEIGHT = 330  # px


def struck_panel(name: str) -> Panel:
    """The line that is struck out, and what is there instead."""
    line, (place, whole) = STRUCK_LINES[name], place_of(name)
    code = whole.split("  #")[0]
    title = _("core/training/simple_rnnlm.py, line {n}", n=place)
    return panel(title, [(code, "struck")], [(code.replace(line.code, line.instead), "code")])


def struck_figure(struck: Struck) -> Figure:
    """Both curves, each point the mean of ``MEAN_OVER`` updates; a curve ends where it overflows."""
    right, wrong = struck.perplexities.tolist()
    updates = [MEAN_OVER * (i + 1) for i in range(len(right))]
    finite = [value for value in (*right, *wrong) if math.isfinite(value)]
    curves = [
        Curve(_("as it is"), updates, right, "forward", label=_("as it is")),
        Curve(_("without the line"), updates, wrong, "backward", "6px 3px", label=_("without<br>the line")),
    ]
    y = log_axis_between(_("perplexity (log scale)"), 0.95 * min(finite), 1.05 * max(finite))
    return chart(curves, linear_axis(_("update"), updates), y, height=HEIGHT)


def struck_numbers(struck: Struck) -> Comparison:
    """The perplexity at the end, the errors of the gradient, and a sentence on why."""
    right, wrong = (number(float(curve[-1])) for curve in struck.perplexities)
    whole, *parts = struck.errors.items()
    errors = [(_("error of the gradient"), whole[1]), *parts]
    return {
        "columns": [_("as it is"), _("without the line")],
        "rows": [
            [_("perplexity at the end"), right, wrong],
            *([name, percent(0.0), percent(error) if math.isfinite(error) else number(error)] for name, error in errors),
        ],
        "sentence": struck_sentence(struck),
        "lines": 7,
        "note": _(
            "Error: |g′ − g| / |g|, the median over training, at the same weights, state and window; before clipping, unless "
            "clipping is the line. The end: the last {n} updates.",
            n=MEAN_OVER,
        ),
    }


def struck_sentence(struck: Struck) -> str:
    """What training does without the line, and why."""
    right, wrong = (float(curve[-1]) for curve in struck.perplexities)
    many = STRUCK_SETTINGS.batch_size * STRUCK_SETTINGS.num_steps
    why = {"N": STRUCK_SETTINGS.batch_size, "many": many, "clipped": percent(struck.clipped)}
    why |= {"norm": number(STRUCK_SETTINGS.clip_norm, 2), "rate": number(STRUCK_SETTINGS.learning_rate, 1)}
    ends = _("After {n} updates the perplexity is {right} with the line, {wrong} without it.",
             n=count(MEAN_OVER * struck.perplexities.shape[1]), right=number(right), wrong=number(wrong))  # fmt: skip
    return sentences(ends, _(WHY[struck.name], **why))

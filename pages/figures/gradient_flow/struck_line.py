"""Training with and without one line of the code: two curves of perplexity, the errors of the gradient, and why."""

import math

from core.config.language import gettext as _, lazy_gettext, sentences
from core.training.experiments.struck_line import MEAN_OVER, STRUCK_SETTINGS, Struck, struck_code
from pages.content.notation import FIRST_SOURCE, in_full, in_notation
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
        "Every window then begins with zeros, so none of its {T} predictions knows anything of the text before the window. The "
        "gradient is right for that, but it is that of another loss."
    ),
    "future": lazy_gettext(
        "Every state then answers for its own loss alone: nothing tells it what later losses need it to keep. The output layer's "
        "gradient stays right, as it does not pass through the states."
    ),
    "slope": lazy_gettext(
        "Where tanh is flat, a change of its input changes the state little, and 1 − h² says so. Without it the gradient of "
        "W_emb, W_xh, W_hh and b_h points elsewhere and is far too long. Clipping shortens the whole gradient, so the part of "
        "the output layer, which is right, shrinks with it."
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
        "With clipping, {clipped} of the gradients are longer than {norm} and are shortened. Without it every step has its whole "
        "length, at a rate of {rate}, and the loss stays high."
    ),
}
HEIGHT = 330  # px


def struck_panel(name: str) -> Panel:
    """The line that is struck out, and what is there instead."""
    n, *lines = struck_code(name)
    code, instead = (line.split("  #")[0].strip() for line in lines)
    return panel(_("core/training/simple_rnnlm.py, line {n}", n=n), [(code, "struck")], [(instead, "code")])


def struck_figure(struck: Struck) -> Figure:
    """Both curves, each point the mean of ``MEAN_OVER`` updates; a curve ends where it overflows."""
    right, wrong = struck.perplexities.tolist()
    updates = [MEAN_OVER * (i + 1) for i in range(len(right))]
    finite = [value for value in (*right, *wrong) if math.isfinite(value)]
    curves = [
        Curve(_("as it is"), updates, right, "forward", label=_("as it is")),
        Curve(_("without the line"), updates, wrong, "backward", "6px 3px", label=_("without<br>the line")),
    ]
    y = log_axis_between(_("perplexity of the windows (log scale)"), 0.95 * min(finite), 1.05 * max(finite))
    return chart(curves, linear_axis(_("update"), updates), y, height=HEIGHT)


def struck_numbers(struck: Struck, notation: str = FIRST_SOURCE) -> Comparison:
    """The perplexity at the end, the errors of the gradient, and a sentence on why."""
    right, wrong = (number(float(curve[-1])) for curve in struck.perplexities)
    whole, *parts = struck.errors.items()
    errors = [(_("error of the gradient"), whole[1]), *((in_full(name, notation), error) for name, error in parts)]
    return {
        "columns": [_("as it is"), _("without the line")],
        "rows": [
            [_("perplexity of the last windows"), right, wrong],
            *([name, percent(0.0), percent(error) if math.isfinite(error) else number(error)] for name, error in errors),
        ],
        "sentence": in_notation(struck_sentence(struck), notation),
        "lines": 7,
        "note": _(
            "Error: |g′ − g| / |g|, the median over training, at the same weights, state and window; before clipping, unless "
            "clipping is the line. The last windows: those of the last {n} updates.",
            n=MEAN_OVER,
        ),
    }


def struck_sentence(struck: Struck) -> str:
    """What training does without the line, and why."""
    right, wrong = (float(curve[-1]) for curve in struck.perplexities)
    many = STRUCK_SETTINGS.batch_size * STRUCK_SETTINGS.num_steps
    why = {"N": STRUCK_SETTINGS.batch_size, "T": STRUCK_SETTINGS.num_steps, "many": many, "clipped": percent(struck.clipped)}
    why |= {"norm": number(STRUCK_SETTINGS.clip_norm, 2), "rate": number(STRUCK_SETTINGS.learning_rate, 1)}
    ends = _("After {n} updates the perplexity is {right} with the line, {wrong} without it.",
             n=count(MEAN_OVER * struck.perplexities.shape[1]), right=number(right), wrong=number(wrong))  # fmt: skip
    return sentences(ends, _(WHY[struck.name], **why))

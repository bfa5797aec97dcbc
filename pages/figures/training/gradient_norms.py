"""The norm of the gradient at each of the first updates of a run that overflows."""

import math
from collections.abc import Sequence

from core.config.language import gettext as _
from pages.figures.parts.axes import Axis, log_axis
from pages.figures.parts.chart import Curve, Figure, chart, level_curve, note
from pages.figures.parts.numbers import number

HEIGHT = 280  # px
CLIP = 1.0  # the norm that clipping would leave


def gradient_norms_figure(norms: Sequence[float]) -> Figure:
    """The norms of updates 1, 2, … with their values, and the norm to which the scene's remedy clips them."""
    updates = range(1, len(norms) + 1)
    x = Axis(_("update"), 0.6, len(norms) + 0.4, log=False, ticks=[(float(update), str(update)) for update in updates])
    curves = [
        Curve(_("gradient norm"), updates, norms, "backward", mode="lines+markers", size=10, label=_("not<br>clipped")),
        level_curve(_("clip"), CLIP, x, "forward", "6px 4px", text=_("clipped to {norm}", norm=1), label=_("clipped<br>to 1")),
    ]
    figure = chart(curves, x, log_axis(_("gradient norm (log scale)"), [CLIP, *norms]), height=HEIGHT)
    figure["layout"]["annotations"] = [*figure["layout"].get("annotations", []), *map(_value, updates, norms)]
    return figure


def _value(update: int, norm: float) -> dict:
    return note(number(norm, 3), x=update, y=round(math.log10(norm), 4), yshift=18)


def gradient_norms_label(norms: Sequence[float]) -> str:
    """The chart in words."""
    return _("Gradient norm at each update: {norms}.", norms=", ".join(number(norm, 3) for norm in norms))

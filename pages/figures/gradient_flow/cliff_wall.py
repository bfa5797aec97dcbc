"""Why the map of the cliff has a wall: the last state over b_h, in sections through the map."""

import numpy as np
from jaxtyping import Float

from core.config.language import gettext as _, sentences
from core.training.experiments.cliff import BEST_STATE, BIASES, SECTION_WEIGHTS, SHARE, states_of_many
from pages.figures.parts.axes import Axis
from pages.figures.parts.chart import Curve, Figure, chart, level_curve
from pages.figures.parts.numbers import number, percent, short

HEIGHT = 230  # px
POINTS = 161  # along b_h, with 0 among them
NEAR_ZERO = 0.01  # of b_h, to both sides of 0: where the sentence reads the last state
LOOKS = (("forward", "6px 4px"), ("backward", "2px 5px"), ("text", "solid"))  # of the sections: tone and dashes


def wall_figure(T: int) -> Figure:
    """The state after T steps, from end to end of the map."""
    x, y = Axis("b_h", *BIASES, log=False), Axis("h_T", -1.06, 1.06, log=False)
    biases = np.linspace(*BIASES, POINTS)
    curves = [
        Curve(name, biases.tolist(), _last(biases, weight, T).tolist(), *look, 2.5, label=name)
        for weight, look in zip(SECTION_WEIGHTS, LOOKS, strict=True)
        for name in [f"W_hh {short(weight)}"]
    ]
    best = _("p(1) = {share}", share=percent(SHARE))
    curves.append(level_curve(best, BEST_STATE, x, "muted", "2px 5px", text=best, label=best))
    return chart(curves, x, y, height=HEIGHT, right=96)


def wall_sentence(T: int) -> str:
    """How far the last state moves close to b_h = 0, on the lower and on the upper edge of the map."""
    (low, high), beside = SECTION_WEIGHTS[::2], np.array([-NEAR_ZERO, NEAR_ZERO])
    (a, b), (c, d) = (map(_read, _last(beside, weight, T)) for weight in (low, high))
    return sentences(
        _("Why a wall? The loss is lowest where the last state, h_T, is {best}.", best=number(BEST_STATE, 2)),
        _(
            "Between b_h = −{near} and {near}, h_T goes from {a} to {b} if W_hh = {low}, but from {c} to {d} if W_hh = {high}. "
            "Each of the {T} steps multiplies the difference so far by W_hh (and by φ', which is 1 at 0): it dies out where W_hh "
            "is below 1, and grows where it is above.",
            near=short(NEAR_ZERO), a=a, b=b, c=c, d=d, low=short(low), high=short(high), T=T,
        ),
        _("The wall is this jump."),
    )  # fmt: skip


def _read(state: float) -> str:
    return number(float(state), 2)


def _last(biases: Float[np.ndarray, " P"], weight: float, T: int) -> Float[np.ndarray, " P"]:
    return states_of_many(biases, np.full_like(biases, weight), T)[-1]

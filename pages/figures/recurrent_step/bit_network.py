"""A network of one or two units that the reader builds: its weights, twenty bits, all its states, and gradient descent on it."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float, Integer

from core.config.language import gettext as _, ngettext
from core.models.params import Params
from core.training.experiments.bit_descent import BIT_RATE, BitDescent
from core.training.experiments.bit_tasks import LARGEST_WEIGHT
from pages.figures.parts.axes import Axis, linear_axis, log_axis_between
from pages.figures.parts.chart import LEGEND_ABOVE, Curve, Figure, chart, level_curve, marker, markers, vertical_line
from pages.figures.parts.network import hundredths
from pages.figures.parts.numbers import decimals, number, probability, share, short
from pages.figures.parts.style import Part
from pages.figures.parts.tables import Cell, Grid, cell, grid, row
from pages.figures.recurrent_step.blocks import Blocks, Cells, matrix

TONES = {"W_xh": "input", "W_hh": "memory", "b_h": "memory", "W_hq": "", "b_q": ""}  # of the matrices: the tone of their frame
HEIGHT = 270  # px
EDGE = 1.12  # of the states' axes


def weights_drawing(params: Params, names: Mapping[str, str], notice: str = "") -> Blocks:
    """Every weight in a cell that can be edited. ``names``: of each matrix, unique; edits come back with them."""
    cells = Cells(2, np.array([LARGEST_WEIGHT / 2]))
    matrices = [
        matrix(f"{name[0]}_{{{name[2:]}}}", [cells.part(names[name], np.atleast_2d(values), TONES[name], edit=True)])
        for name, values in params.named().items()
    ]
    return {"cell": [48, 28, 15], "equations": [list(matrices)], "notice": notice}


def bits_grid(bits: Sequence[int], states: Float[np.ndarray, "T H"], answers: Sequence[int | None], p: Sequence[float]) -> Grid:
    """The states after each bit, and the probability of each answer; None where the answer was not read."""
    rows = [row(_("h, unit {i}", i=i), list(map(_state, unit))) for i, unit in enumerate(states.T.tolist(), 1)]
    known = [answer is not None for answer in answers]
    rows.append(row(_("answer"), [cell(str(answer) if it_is else "–") for answer, it_is in zip(answers, known, strict=True)]))
    rows.append(row(_("p(answer)"), [_probability(*each) for each in zip(p, known, strict=True)]))
    head = [_("bit read"), *map(str, bits)]
    return grid(head, rows, code=True, label=_("Twenty bits: the states after each and the probability of the answer"))


def _state(value: float) -> Cell:
    return cell(decimals(value, 1)) | {"level": hundredths(np.array([value]), 1.0)[0]}


def _probability(p: float, known: bool) -> Cell:
    return cell(probability(p), tone="backward" if p < 0.5 else "", bar=share(p)) if known else cell("–", tone="muted")


def states_figure(params: Params, states: Float[np.ndarray, "S H"], answers: Integer[np.ndarray, " S"]) -> Figure:
    """Every state after the last bit, marked by the answer, and where the prediction changes: over one unit the probability of
    token 1, in the plane of two units the line at which it is a half."""
    slope, offset = params.W_hq[:, 1] - params.W_hq[:, 0], float(params.b_q[1] - params.b_q[0])
    if params.hidden_size == 1:
        figure = _over_one_unit(states[:, 0], answers, float(slope[0]), offset)
    else:
        figure = _in_the_plane(states, answers, slope, offset)
    figure["layout"] |= {"showlegend": True, "legend": LEGEND_ABOVE, "margin": figure["layout"]["margin"] | {"t": 34, "r": 12}}
    return figure


def states_label(states: Float[np.ndarray, "S H"]) -> str:
    many = len(np.unique(states, axis=0))  # a state at which both answers come is in it twice
    return ngettext("{n} state after the last bit of all strings, marked by the answer.",
                    "{n} different states after the last bit of all strings, marked by the answer.", many, n=many)  # fmt: skip


def descent_sentence(found: BitDescent) -> str:
    """How far gradient descent came."""
    first, last = found.perplexities[[0, -1]]
    return _(
        "Gradient descent (Adam, rate {rate}) on the mean over all strings: perplexity {first} at the weights that you set, "
        "{last} after {n} updates.",
        rate=short(BIT_RATE), first=number(float(first)), last=number(float(last)), n=len(found.perplexities) - 1,
    )  # fmt: skip


def _over_one_unit(states: Float[np.ndarray, " S"], answers: Integer[np.ndarray, " S"], slope: float, offset: float) -> Figure:
    def p(h: Float[np.ndarray, " any"]) -> list[float]:
        return (0.5 * (1 + np.tanh((slope * h + offset) / 2))).tolist()

    along = np.linspace(-EDGE, EDGE, 113)
    y = Axis(_("p(1)"), -0.06, 1.06, log=False, ticks=[(0, "0"), (0.5, "0.5"), (1, "1")])
    curve = Curve("p(1)", along.tolist(), p(along), "forward", width=2)
    figure = chart([curve], Axis(_("h, unit {i}", i=1), -EDGE, EDGE, log=False), y, height=HEIGHT)
    figure["data"][0]["showlegend"] = False
    figure["data"] += _marks(states.tolist(), p(states), answers)
    return figure


def _in_the_plane(
    states: Float[np.ndarray, "S 2"], answers: Integer[np.ndarray, " S"], slope: Float[np.ndarray, " 2"], offset: float
) -> Figure:
    x, y = (Axis(_("h, unit {i}", i=i), -EDGE, EDGE, log=False) for i in (1, 2))
    ends = _line(slope, offset)
    curves = [Curve(_("p(1) = 0.5"), *ends, "forward", "6px 4px", 2, hover=[_("p(1) = 0.5")] * len(ends[0]))] if ends else []
    figure = chart(curves, x, y, height=HEIGHT)
    figure["data"] += _marks(*states.T.tolist(), answers)
    return figure


def _line(slope: Float[np.ndarray, " 2"], offset: float) -> tuple[list[float], list[float]] | None:
    """The ends of slope · h + offset = 0 within the axes; None if it does not cross them."""
    found = []
    for axis in (0, 1):
        for end in (-EDGE, EDGE):
            if slope[1 - axis]:
                other = -(offset + slope[axis] * end) / slope[1 - axis]
                if abs(other) <= EDGE:
                    found.append((end, other) if axis == 0 else (other, end))
    if len(found) < 2:
        return None
    (x, y), (x2, y2) = min(found), max(found)
    return [x, x2], [y, y2]


def _marks(x: Sequence[float], y: Sequence[float], answers: Integer[np.ndarray, " S"]) -> list[Part]:
    found = []
    for answer, look in ((0, marker(11, "", "text", 2)), (1, marker(8, "text", "text", 1, symbol="square"))):
        of = np.flatnonzero(answers == answer)
        places = [[round(float(axis[i]), 4) for i in of] for axis in (x, y)]
        says = [
            _("answer {answer} at {x}, {y}", answer=answer, x=decimals(a), y=decimals(b)) for a, b in zip(*places, strict=True)
        ]
        found.append(markers(_("answer {answer}", answer=answer), *places, says, look) | {"showlegend": True})
    return found


def descent_figure(found: BitDescent, at: int, best: float) -> Figure:
    """The perplexity after every update, and the chosen one."""
    updates = range(len(found.perplexities))
    x = linear_axis(_("update"), updates)
    top = max(2.5, float(found.perplexities[np.isfinite(found.perplexities)].max(initial=0)))
    y = log_axis_between(_("perplexity (log scale)"), 0.97, 1.03 * top)
    curves = [
        level_curve(_("best possible"), best, x, "muted", "2px 5px", text=number(best)),
        Curve(_("perplexity"), updates, found.perplexities.tolist(), "forward", width=2.5),
    ]
    figure = chart(curves, x, y, height=HEIGHT)
    figure["layout"]["shapes"] = [vertical_line(at, "text", 1.5)]
    return figure


def path_figure(found: BitDescent, params: Params, at: int) -> Figure:
    """Every weight after every update, labelled at the end."""
    updates = range(len(found.weights))
    x, y = linear_axis(_("update"), updates), linear_axis(_("weights"), found.weights.ravel())
    tones = {"W_xh": ("forward", "solid"), "W_hh": ("backward", "solid"), "b_h": ("muted", "2px 3px"),
             "W_hq": ("text", "6px 3px"), "b_q": ("muted", "6px 3px")}  # fmt: skip
    names = [name for name, values in params.named().items() for _value in values.ravel()]
    curves = [
        Curve(name, updates, values.tolist(), *tones[name], 2, label=name if names.index(name) == i else "")
        for i, (name, values) in enumerate(zip(names, found.weights.T, strict=True))
    ]
    figure = chart(curves, x, y, height=HEIGHT, right=60)
    figure["layout"]["shapes"] = [vertical_line(at, "text", 1.5)]
    return figure

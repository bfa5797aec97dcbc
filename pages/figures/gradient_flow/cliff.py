"""The loss as a map over b_h and W_hh with two descents on it, a map of starts, and the numbers of the longest gradient."""

from collections.abc import Mapping
from typing import TypedDict

import numpy as np
from jaxtyping import Bool, Float

from core.config.language import gettext as _, sentences
from core.training.experiments.cliff import BIASES, NEAR, WEIGHT_ENDS, Descent, Surface, grid, on_map
from pages.figures.parts import words
from pages.figures.parts.axes import Axis, linear_axis, log_axis
from pages.figures.parts.chart import LEGEND_ABOVE, Curve, Figure, chart, level_curve, marker, markers, note
from pages.figures.parts.numbers import number, percent, short
from pages.figures.parts.style import Part, colour
from pages.figures.parts.tables import Comparison

HEIGHT, STARTS_HEIGHT, NORMS_HEIGHT = 400, 300, 230  # px
COLOURS = ((0.0, "background"), (0.3, "head-backward"), (1.0, "backward"))  # of the lowest to the highest loss
LEVEL = 0.1  # nats between two lines of equal loss
STILL = 0.01  # of b_h and W_hh: a path that has come no farther since its landing has stayed there
PICK, PATH, EXIT = "pick", "path", "exit"  # meta of traces: a click chooses the start; drawn up to an update (cliff.js)
TONES = ("text", "forward")  # of the descent without clipping, and with it
DASHES = ("3px 3px", "solid")
ENDS = ("backward", "ghost", "forward", "head-forward")  # of a start: neither arrives, not clipped alone, clipped alone, both


class Steps(TypedDict):
    """What the play bar of the map needs. ``frames[u]``: a row of numbers below ``head`` for each path after u updates.
    ``stops``: the values of b_h and W_hh that a start may have, by arrow keys; ``start``: the indices of this one's. ``path``
    changes with the paths."""

    head: list[str]
    frames: list[list[list[str]]]
    stops: list[list[float]]
    start: list[int]
    path: str


def cliff_figure(surface: Surface, free: Descent, clipped: Descent) -> Figure:
    """The map, and the points after each update of both descents, which may leave it."""
    curves = [_path(*path) for path in zip(_names(clipped), (free, clipped), TONES, DASHES, strict=True)]
    figure = chart(curves[::-1], *_axes(), height=HEIGHT)
    paths = [trace | {"meta": PATH, "showlegend": True} for trace in figure["data"]]
    exits = [exit for descent, tone in zip((free, clipped), TONES, strict=True) for exit in _exit(descent, tone)]
    figure["data"] = [_map(surface), *paths, *exits, _start(free)]
    figure["layout"] |= {
        "showlegend": True,
        "legend": LEGEND_ABOVE,
        "margin": figure["layout"]["margin"] | {"t": 30, "r": 84, "b": 46},
    }
    return figure


def _axes() -> tuple[Axis, Axis]:
    return Axis("b_h", *BIASES, log=False), Axis("W_hh", *WEIGHT_ENDS, log=False)


def _start(descent: Descent) -> Part:
    place = [[float(value)] for value in descent.places[0]]
    look = {"meta": PICK, "showlegend": True}
    return markers(_("start"), *place, [_("start: {place}", place=_place(descent, 0))], marker(13, "raised", "text", 3)) | look


def _names(clipped: Descent) -> tuple[str, str]:
    return _("not clipped"), _("clipped at {norm}", norm=short(clipped.clip_norm))


def _map(surface: Surface) -> Part:
    low, high = float(surface.losses.min()), float(surface.losses.max())
    return _over(surface.biases, surface.weights) | {
        "type": "contour",
        "name": _("loss"),
        "z": np.round(surface.losses, 4).tolist(),
        "contours": {"start": 0.0, "end": high, "size": LEVEL},
        "zmin": low,
        "zmax": high,
        "line": {"width": 0.4, "color": colour("muted")},
        "colorscale": [[place, colour(tone)] for place, tone in COLOURS],
        "colorbar": {
            "title": {"text": _("loss, nats"), "side": "right", "font": {"size": 14}},
            "thickness": 12,
            "outlinewidth": 0,
            "dtick": 5 * LEVEL,
        },
        "hovertemplate": "b_h %{x:.2f}, W_hh %{y:.3f}<br><b>%{z:.3f}</b> nats<extra></extra>",
    }


def _over(biases: Float[np.ndarray, " B"], weights: Float[np.ndarray, " W"]) -> Part:
    """The places of values on a grid, at which a click chooses the start."""
    (x, dx), (y, dy) = ((float(axis[0]), float(axis[1] - axis[0])) for axis in (biases, weights))
    return {"x0": x, "dx": dx, "y0": y, "dy": dy, "meta": PICK}


def _path(name: str, descent: Descent, tone: str, dash: str) -> Curve:
    hover = [
        _(
            "{name}, after {n} updates<br>{place}<br>loss {loss}, norm of the gradient {norm}",
            name=name,
            n=i,
            place=_place(descent, i),
            loss=number(float(loss)),
            norm=number(float(norm)),
        )
        for i, (loss, norm) in enumerate(zip(descent.losses, descent.norms, strict=True))
    ]
    return Curve(name, *descent.places.T.tolist(), tone, dash, 2.5, mode="lines+markers", size=6, hover=hover)


def _place(descent: Descent, i: int) -> str:
    return "b_h {}, W_hh {}".format(*(number(float(value)) for value in descent.places[i]))


def _exit(descent: Descent, tone: str) -> list[Part]:
    """A mark where the path leaves the map, with the place at which it goes on."""
    i = descent.left
    if not i:
        return []
    inside, outside = descent.places[i - 1], descent.places[i]
    with np.errstate(all="ignore"):
        shares = [(end - inside) / (outside - inside) for end in np.transpose([BIASES, WEIGHT_ENDS])]
    share = min(float(s) for pair in shares for s in pair if np.isfinite(s) and s >= 0)
    x, y = np.clip(inside + share * (outside - inside), *np.transpose([BIASES, WEIGHT_ENDS])).tolist()
    says = _("Update {n} leaves the map, to {place}.", n=i, place=_place(descent, i))
    look = {"meta": EXIT, "customdata": [i]}
    return [
        markers(_("off the map"), [x], [y], [says], marker(15, tone, "background", 1.5, symbol="x"), showlegend=False, **look)
    ]


def path_steps(free: Descent, clipped: Descent, stops: tuple[tuple[float, ...], tuple[float, ...]]) -> Steps:
    """Both descents in numbers, update by update."""
    names, both = _names(clipped), (free, clipped)
    place = [float(value) for value in free.places[0]]
    return {
        "head": ["", "b_h", "W_hh", _("loss"), _("gradient norm")],
        "frames": [
            [[name, *_numbers(descent, i)] for name, descent in zip(names, both, strict=True)] for i in range(len(free.losses))
        ],
        "stops": [list(of_axis) for of_axis in stops],
        "start": [int(np.argmin(np.abs(np.array(of_axis) - value))) for of_axis, value in zip(stops, place, strict=True)],
        "path": " ".join(repr(float(d.losses[-1])) for d in both) + f" {place} {clipped.clip_norm}",
    }


def _numbers(descent: Descent, i: int) -> list[str]:
    return [number(float(value)) for value in (*descent.places[i], descent.losses[i], descent.norms[i])]


Arrived = Bool[np.ndarray, "S S"]


def starts_figure(free: Arrived, clipped: Arrived, updates: int, place: tuple[float, float]) -> Figure:
    """Of every start on a grid, which descent is in the valley by now; and the chosen start."""
    figure = chart([], *_axes(), height=STARTS_HEIGHT)
    side = len(free)
    kinds = free.astype(int) + 2 * clipped
    names = _kinds()
    scale = [[(i + edge) / len(ENDS), colour(tone)] for i, tone in enumerate(ENDS) for edge in (0, 1)]
    heat = _over(*grid(side, side)) | {
        "type": "heatmap",
        "z": kinds.tolist(),
        "text": [[names[kind] for kind in row] for row in kinds],
        "zmin": -0.5,
        "zmax": len(ENDS) - 0.5,
        "colorscale": scale,
        "showscale": False,
        "hovertemplate": "b_h %{x:.2f}, W_hh %{y:.2f}<br><b>%{text}</b><extra></extra>",
    }
    keys = [
        markers(names[i], [None], [None], [""], marker(12, tone, "muted", 1, symbol="square"), showlegend=True)
        for i, tone in enumerate(ENDS)
        if (kinds == i).any()
    ]
    chosen = markers(_("start"), *([value] for value in place), [_("start")], marker(13, "raised", "text", 3)) | {"meta": PICK}
    figure["data"] = [heat, *keys[::-1], chosen | {"showlegend": False}]
    words = _("in the valley after {n} updates", n=updates)
    title = {"text": words, "side": "top", "font": {"size": 14, "color": colour("muted")}}
    margin = figure["layout"]["margin"] | {"t": 76, "r": 16, "b": 46}
    figure["layout"] |= {"showlegend": True, "legend": LEGEND_ABOVE | {"title": title}, "margin": margin}
    return figure


def _kinds() -> tuple[str, str, str, str]:
    return _("neither way"), _("only if not clipped"), _("only if clipped"), _("both ways")


def starts_sentence(free: Arrived, clipped: Arrived, updates: int, clip_norm: float) -> str:
    """How many of the starts are in the valley, and what is true of the others."""
    shares = {"n": updates, "near": short(NEAR), "free": percent(float(free.mean())), "clipped": percent(float(clipped.mean()))}
    arrived = _(
        "After {n} updates {free} of the starts are in the valley, within {near} nats of the lowest loss, without clipping; "
        "{clipped} clipped at {norm}.",
        **shares,
        norm=short(clip_norm),
    )
    neither = float((~free & ~clipped).mean())
    return sentences(arrived, _("{neither} neither way, yet.", neither=percent(neither)) if neither else "")


def norms_figure(free: Descent, clipped: Descent) -> Figure:
    """The norm of the gradient at every update, before clipping, and the clip norm."""
    updates = range(1, len(free.norms))
    curves = [
        Curve(name, updates, descent.norms[:-1].tolist(), tone, dash, 2.5, label=name)
        for name, descent, tone, dash in zip(_names(clipped), (free, clipped), TONES, DASHES, strict=True)
    ]
    x = linear_axis(_("update"), updates)
    limit = words.setting("clip_norm", clipped.clip_norm)
    curves.append(level_curve(limit, clipped.clip_norm, x, "muted", "2px 5px", text=limit))
    y = log_axis(_("norm of the gradient (log scale)"), (norm for curve in curves for norm in curve.y))
    figure = chart(curves, x, y, height=NORMS_HEIGHT)
    figure["layout"]["annotations"].append(note(limit, 13, "muted", **_left_end(y, clipped.clip_norm)))
    return figure


def _left_end(y: Axis, value: float) -> Mapping[str, object]:
    return {"xref": "paper", "x": 0, "xanchor": "left", "y": y.place(value), "yanchor": "bottom"}


def cliff_numbers(free: Descent, clipped: Descent) -> Comparison:
    """The update of each descent that has the longest gradient, and where each ends."""
    both = (free, clipped)
    steepest = [descent.steepest for descent in both]
    return {
        "columns": list(_names(clipped)),
        "rows": [
            [_("steepest update"), *(str(i + 1) for i in steepest)],
            [_("its norm"), *(number(float(d.norms[i])) for d, i in zip(both, steepest, strict=True))],
            [_("length of its step"), *(number(float(d.lengths[i])) for d, i in zip(both, steepest, strict=True))],
            ["b_h", *(_change(d.places[i : i + 2, 0]) for d, i in zip(both, steepest, strict=True))],
            ["W_hh", *(_change(d.places[i : i + 2, 1]) for d, i in zip(both, steepest, strict=True))],
            [_("loss after update {n}", n=len(free.lengths)), *(number(float(d.losses[-1])) for d in both)],
        ],
        "sentence": cliff_sentence(free, clipped),
        "lines": 4,
    }


def _change(values: np.ndarray) -> str:
    return " → ".join(number(float(value), 2) for value in values)


def cliff_sentence(free: Descent, clipped: Descent) -> str:
    """What the longest gradient does to both descents."""
    i = free.steepest
    if not free.norms[i] > clipped.clip_norm:
        return _("No gradient is longer than the clip norm: both paths are the same.")
    numbers = {"n": i + 1, "norm": number(float(free.norms[i])), "length": number(float(free.lengths[i]))}
    meets = _("Update {n} meets a gradient of norm {norm}: without clipping its step is {length} long.", **numbers)
    shortest = _("Clipped, no step is longer than {length}.", length=number(float(clipped.lengths.max())))
    return sentences(meets, _landing(free), shortest, _end(clipped))


def _landing(free: Descent) -> str:
    """Where the steepest step lands."""
    after = free.places[free.steepest + 1]
    if on_map(*after):
        return ""
    lands = {"place": _place(free, free.steepest + 1), "norm": number(float(free.norms[free.steepest + 1]), 2)}
    if free.arrived:
        return _("It lands off the map, at {place}, and comes back.", **lands)
    way = float(np.abs(free.places[-1] - after).max())
    if way < STILL:
        return _("It lands off the map, at {place}, where the gradient is {norm}: there it stays.", **lands)
    lands |= {"n": len(free.lengths), "end": _place(free, -1)}
    return _("It lands off the map, at {place}, where the gradient is {norm}. After {n} updates it is at {end}.", **lands)


def _end(clipped: Descent) -> str:
    loss = number(float(clipped.losses[-1]))
    if clipped.arrived:
        return _("It ends in the valley, at a loss of {loss}.", loss=loss)
    return _("After {n} updates it is not in the valley yet: the loss is {loss}.", n=len(clipped.lengths), loss=loss)

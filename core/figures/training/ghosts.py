"""Earlier runs in the perplexity chart: dashed grey curves, the newest named at the right edge, beside the lines' names."""

import math
from collections.abc import Sequence
from typing import Any

from core.config.settings import Settings
from core.figures.parts import words
from core.figures.parts.names import AWAY, at_edge, beside_plot
from core.figures.parts.numbers import number
from core.figures.parts.style import Scene, colour, escape
from core.figures.training.perplexity_axes import Axis, curve
from core.figures.training.reference_lines import Scale
from core.models.loss import perplexity_of
from core.training.history import Ghost

LABELS = 3  # the newest ghosts are named, all of them where the pointer rests
NAMED_FROM = 20  # updates; what ended sooner was a knob on its way
LONGEST = 15  # characters of a name
ROOM = 20  # characters that fit beside the plot
STROKE = {"color": colour("muted"), "width": 1.5, "dash": "5px 3px"}


def ghost_curve(ghost: Ghost, settings: Settings, axis: Axis) -> dict[str, Any]:
    """The curve of an earlier run, named by what sets that run apart from ``settings``."""
    name = f"earlier run: {escape(words.differing(ghost.settings, settings))}"
    return curve(ghost.points, axis, name, width=1.5, opacity=0.8) | {"line": STROKE}


def named(ghosts: Sequence[Ghost]) -> list[Ghost]:
    """Those that went far enough, the newest few."""
    return [ghost for ghost in ghosts if ghost.points[-1].update >= NAMED_FROM][-LABELS:]


def ghost_ends(ghosts: Sequence[Ghost], axis: Axis, scale: Scale) -> list[dict[str, Any]]:
    """From where an earlier run ended to its name: what it reached, to be compared with."""
    return [
        {
            "type": "line",
            "x0": axis.at(ghost.points[-1]),
            "x1": 10 ** axis.range[1],
            "y0": end,
            "y1": end,
            "line": {"color": colour("muted"), "width": 1, "dash": "1px 3px"},
            "layer": "below",
        }
        for ghost in named(ghosts)
        if (end := _end(ghost, scale)) < scale.high
    ]


def ghost_names(ghosts: Sequence[Ghost], settings: Settings, scale: Scale) -> list[Scene]:
    """What stands beside the plot, clear of every curve: what differs, and what was reached."""
    return [_name(ghost, settings, scale) for ghost in named(ghosts)]


def _end(ghost: Ghost, scale: Scale) -> float:
    """The last perplexity, inside the chart."""
    nats = ghost.points[-1].nats
    return scale.high if math.isnan(nats) else min(max(perplexity_of(nats), scale.low), scale.high)


def _name(ghost: Ghost, settings: Settings, scale: Scale) -> Scene:
    name, reached = _short(ghost.settings, settings), number(perplexity_of(ghost.points[-1].nats))
    return beside_plot(
        f"<i>{escape(name)}</i>" + (f" {reached}" if len(name) + len(reached) < ROOM else ""),
        scale.at(_end(ghost, scale)),
        type=13,
        hover=f"earlier run: {escape(words.differing(ghost.settings, settings))}<br>{reached}",
    )


def _short(settings: Settings, other: Settings) -> str:
    """As many differences as there is room for, and a sign if there are more."""
    told = [words.differing(settings, other, most).split(" + ") for most in (3, 2, 1)]
    names = [name + (" …" if more else "") for name, *more in told]
    return next((name for name in names if len(name) <= LONGEST), names[-1])


def hidden_label(hidden: int) -> list[dict[str, Any]]:
    """Perplexities over other symbols cannot be compared: those ghosts are counted, not drawn."""
    if not hidden:
        return []
    runs = "1 earlier run on" if hidden == 1 else f"{hidden} earlier runs on"
    words = {"text": f"{runs}<br>another text: hidden", "font": {"size": 12, "color": colour("muted")}}
    return [at_edge() | words | {"yref": "paper", "y": 0, "yanchor": "top", "xshift": AWAY, "yshift": -10}]

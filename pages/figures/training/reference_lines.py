"""Lines to compare the perplexity curve with: n-gram models, the best possible, earlier runs, and the reader's prediction."""

import math
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from core.config.language import gettext as _, lazy_gettext, ngettext
from core.config.settings import Settings
from core.models.ngram import Baseline
from core.training.curves import Point
from core.training.held_out import Judgement
from core.training.history import Ghost
from core.training.user_prediction import Expectation, Outcome, outcome, timed
from pages.figures.parts import words
from pages.figures.parts.chart import AT_EDGE, BEST_DASH, LABEL_SHIFT, edge_label, horizontal_line, marker, note
from pages.figures.parts.numbers import count, number, superscript
from pages.figures.parts.style import BASELINE_DASHES, Part, Parts, colour, escape
from pages.figures.training.perplexity_axes import FIELD, IN_LEGEND, PerplexityAxis, PointAxis, curve, dots, label

SHARED_WITHIN = 0.01  # relative distance: closer lines share a label
LABELS = 3  # of the newest earlier runs; all runs have tooltips
LABELLED_FROM = 20  # updates; runs that ended sooner had a value that a control passed while it was dragged
LONGEST = 15  # characters of the name of an earlier run
ROOM = 20  # characters that fit beside the plot
WITHIN_NOISE = lazy_gettext("within the noise of this run: paired, the difference is at most two standard errors")
STROKE = {"color": colour("muted"), "width": 1.5, "dash": "5px 3px"}  # of an earlier run
SECOND = "backward"  # the colour of a second run
EXPECTED = lazy_gettext("expected")
NEARLY_RIGHT = 1.05  # times too high or too low: lines drawn by hand are no more exact
NOT_DRAWABLE_AXIS = "seconds"  # readers cannot draw on this axis: the pace depends on the machine


class Reference(NamedTuple):
    """A horizontal line with its label and its tooltip (``detail``)."""

    rank: int  # the order of the names in a shared label
    perplexity: float
    label: str
    detail: str
    tone: str
    dash: str


def reference_lines(baselines: Sequence[Baseline], floor: float | None) -> list[Reference]:
    """A line for each n-gram model, and a line for the best possible perplexity if it is known."""
    lines = []
    for b in baselines:
        full = f"V{superscript(b.order) if b.order != 1 else ''} = {count(b.table)}"
        name, stored = _(b.name), count(b.parameters)
        detail = _("{model}: {n} numbers stored, a full table has {full}", model=name, n=stored, full=full)
        lines.append(Reference(b.order, b.perplexity, name, detail, f"baseline-{b.order}", BASELINE_DASHES[b.order]))
    if floor:
        exact = _("exact: the entropy of the language")
        lines.append(Reference(len(lines), floor, _("best possible"), exact, "positive", BEST_DASH))
    return lines


def reference_labels(lines: Sequence[Reference], scale: PerplexityAxis) -> Parts:
    """Labels with the names and values of all lines; lines within 1 % share a label."""
    groups: list[list[Reference]] = []
    for line in sorted(lines, key=lambda line: -line.perplexity):
        if groups and groups[-1][0].perplexity <= line.perplexity * (1 + SHARED_WITHIN):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_label(sorted(group, key=lambda line: line.rank), scale.position(group[0].perplexity)) for group in groups]


def _label(group: Sequence[Reference], position: Part) -> Part:
    """The label of a group: one line of text for one reference, two lines for several."""
    first, last = group[0], group[-1]
    if first is last:
        name = first.label
    elif last.rank - first.rank == len(group) - 1:
        name = f"{first.label} –<br>{last.label}"
    else:
        name = _("{first} and<br>{last}", first=first.label, last=last.label)
    details = "<br>".join(line.detail for line in group)
    size = 14 if first is last else 13
    return edge_label(f"<b>{name}</b> {number(last.perplexity)}", position, line=first.tone, size=size, hover=details)


def run_curve(ghost: Ghost, settings: Settings, axis: PointAxis) -> Part:
    """The curve of an earlier run, named by the settings that differ from ``settings``."""
    return curve(ghost.points, axis, _run_name(ghost, settings), width=1.5, opacity=0.8) | {"line": STROKE}


def _run_name(ghost: Ghost, settings: Settings) -> str:
    return _("earlier run: {differences}", differences=escape(words.differing(ghost.settings, settings)))


def pair_names(second: Ghost, settings: Settings) -> tuple[str, str]:
    """The names of the run and of a second run that trains beside it: the setting in which they differ."""
    if not settings.differing(second.settings, "live", "restart"):
        return _("this run"), _("second run")
    return escape(_short(settings, second.settings)), escape(_short(second.settings, settings))


def second_curve(second: Ghost | None, settings: Settings, axis: PointAxis) -> Parts:
    """The curve of a second run that trains beside the run, with a dot at its newest point."""
    if not second:
        return []
    name, tone = pair_names(second, settings)[1], colour(SECOND)
    line = {"line": {"color": tone, "width": 3, "dash": "9px 3px"}}
    return [
        curve(second.points, axis, name, width=3) | line | IN_LEGEND | {"legendrank": 2},
        *dots(second.points[-1:], axis, name, marker(12, SECOND, SECOND, 2)),
    ]


def second_label(second: Ghost | None, settings: Settings, scale: PerplexityAxis) -> Parts:
    """The label of the second run beside the plot, with its perplexity; that of the run is beside the chart."""
    if not second:
        return []
    name, reached = pair_names(second, settings)[1], second.points[-1].perplexity
    return [edge_label(f"<b>{name}</b> {number(reached)}", scale.position(reached), SECOND, size=13)]


def _labelled(ghosts: Sequence[Ghost]) -> list[Ghost]:
    """The newest runs that are long enough for a label."""
    return [ghost for ghost in ghosts if ghost.points[-1].update >= LABELLED_FROM][-LABELS:]


def run_ends(ghosts: Sequence[Ghost], axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """Horizontal lines from the end of each labelled run to its label, for comparison with the perplexity it reached."""
    return [
        horizontal_line(height, "muted", 1, "1px 3px", (axis.value(ghost.points[-1]), axis.ends()[1]))
        for ghost in _labelled(ghosts)
        if (height := scale.clipped(ghost.points[-1].perplexity)) < scale.top
    ]


def run_labels(ghosts: Sequence[Ghost], settings: Settings, scale: PerplexityAxis, now: Judgement | None) -> Parts:
    """Labels of earlier runs beside the plot: different settings, and the perplexity reached, with ≈ if it is within the noise
    of the run ``now``."""
    made, labelled = [], _labelled(ghosts)
    names = [_short(ghost.settings, settings) for ghost in labelled]
    for ghost, name in zip(labelled, names, strict=True):
        end = ghost.points[-1]
        if names.count(name) > 1:  # equal settings, as after undos: the last update tells the runs apart
            name = _("{name} to {update}", name=name, update=count(end.update))
        same = bool(now and ghost.judgement and ghost.judgement.within_noise(now))
        reached = f"≈ {number(end.perplexity)}" if same else number(end.perplexity)
        text = f"<i>{escape(name)}</i>" + (f" {reached}" if len(name) + len(reached) < ROOM else "")
        hover = f"{_run_name(ghost, settings)}<br>{reached}{f'<br>{_(WITHIN_NOISE)}' if same else ''}"
        made.append(edge_label(text, scale.position(end.perplexity), size=13, hover=hover))
    return made


def _short(settings: Settings, other: Settings) -> str:
    """As many different settings as fit into ``LONGEST`` characters, with an ellipsis if there are more."""
    values = words.differing_values(settings, other) or [_("the same settings")]
    names = [", ".join(values[:most]) + (" …" if values[most:] else "") for most in (3, 2, 1)]
    return next((name for name in names if len(name) <= LONGEST), names[-1])


def hidden_label(hidden: int) -> Parts:
    """The number of runs on other texts: they are not drawn, as their perplexities cannot be compared."""
    if not hidden:
        return []
    text = ngettext("{n} earlier run on<br>another text: hidden", "{n} earlier runs on<br>another text: hidden", hidden, n=hidden)
    place = AT_EDGE | {"yref": "paper", "y": 0, "yanchor": "top", "xshift": LABEL_SHIFT, "yshift": -10}
    return [note(text, 12, "muted", **place)]


def expected_points(expectation: Expectation | None, judged: Sequence[Point], across: str) -> list[Point]:
    """The points of the reader's line; on an axis of seconds, at the pace of the run."""
    points = expectation.points if expectation else ()
    return timed(points, judged) if across == NOT_DRAWABLE_AXIS else list(points)


def expected_line(points: Sequence[Point], axis: PointAxis) -> Parts:
    """The reader's line: thin, dashed, and in the colour of text, since it is not measured."""
    if not points:
        return []
    updates = [round(point.update) if point.update >= 1 else 0 for point in points]
    look = {"color": colour("text"), "width": 2, "dash": "6px 4px"}
    return [curve(points, axis, _(EXPECTED), width=2) | {"line": look, "customdata": updates}]


def expected_label(points: Sequence[Point], axis: PointAxis, scale: PerplexityAxis) -> Parts:
    """The name of the reader's line, below its end, since learning curves fall."""
    below = {"yanchor": "top", "yshift": -4}
    return [
        label(_(EXPECTED), axis.at(end), scale.place(end.perplexity), size=14, xanchor=axis.side(end), **below)
        for end in points[-1:]
    ]


class ExpectationStatus(TypedDict):
    """The status below the chart: whether a line can be drawn, is being drawn, or exists; and its error in words."""

    can: bool
    drawing: bool
    drawn: bool
    room: float  # what the x-axis must include before a line is drawn
    serial: int  # of the existing line
    across: str
    says: str


def expectation_status(
    expectation: Expectation | None, judged: Sequence[Point], *, room: Point | None, across: str
) -> ExpectationStatus:
    """``room``: the extent of the chart while a line is drawn, else None."""
    compared = outcome(expectation, judged) if expectation else None
    return {
        "can": across != NOT_DRAWABLE_AXIS,
        "drawing": room is not None,
        "drawn": expectation is not None,
        "room": getattr(room, FIELD[across]) if room else 0.0,
        "serial": expectation.serial if expectation else 0,
        "across": across,
        "says": _comparison(compared) if compared else "",
    }


def _comparison(compared: Outcome) -> str:
    """The error of the reader's line in one sentence."""
    both = {"n": count(compared.update), "expected": number(compared.expected), "found": number(compared.found)}
    if not math.isfinite(compared.factor):
        return _("At update {n} you expected {expected}, it is {found}.", **both)
    factor = max(compared.factor, 1 / compared.factor)
    if factor < NEARLY_RIGHT:
        return _("At update {n} you expected {expected}, it is {found}: nearly right.", **both)
    both["factor"] = number(factor)
    if compared.factor > 1:
        return _("At update {n} you expected {expected}, it is {found}: your line is too low, by a factor of {factor}.", **both)
    return _("At update {n} you expected {expected}, it is {found}: your line is too high, by a factor of {factor}.", **both)

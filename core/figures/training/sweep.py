"""A sweep: a curve for every value with its name at the end, and beside it what each value has reached."""

import math
from collections.abc import Sequence
from typing import Any

from core.config.settings import KNOBS
from core.figures.parts import words
from core.figures.parts.axes import Axis, ladder, ladder_ticks
from core.figures.parts.chart import BEST, Curve, Figure, chart
from core.figures.parts.numbers import count, number, tick
from core.figures.parts.style import DASHES, colour, escape
from core.training.curves import Point, thin
from core.training.experiments.grid_search import Group, leading
from core.training.experiments.sweep_worker import Budget, Member

HEIGHT = 330  # px
POINTS = 60  # of a curve, at most
TONES = ("baseline-1", "baseline-3", "baseline-5")
START, WORST = 1.1, 1.6  # times the perplexity at the start: that is seen, with room; what is above stands at the upper edge
UNKNOWN = 10.0  # perplexity at the start, where nobody says
FAR = 2.0  # from the least to the largest value: where they lie nearer, a straight axis has more ticks
LONGEST = 16  # characters of a name at the end of a curve
WIDEST = 9  # and of one below the axis,
SPREAD, RING, RINGS = 0.6, 11, 9  # of the way to the next value, over which seeds stand; px of one alone, and of several
ABREAST = 5  # where more of them than that stand in two lines


def curves_figure(
    groups: Sequence[Group], name: str, budget: Budget, *, judged_on: str, theory: Sequence[float] = (), start: float = UNKNOWN
) -> Figure:
    """Perplexity against what was spent, both log: the mean of each value's seeds, the best one thick, each seed thin.

    ``theory``: what it says of each value, where it does: a green line. ``start``: the perplexity at which all begin, about.
    """
    x, y = _spent_axis(groups, budget), ladder(f"perplexity, {judged_on} (log scale)", *_ends(groups, theory, start))
    first, seeds, means = leading(groups), [], _known(groups, name, theory, start, x)
    for i, group in enumerate(groups):
        look = ("forward", "solid") if group is first else (TONES[i % len(TONES)], DASHES[i % len(DASHES)])
        seeds += _seeds(group, name, budget, "ghost" if group is first else "baseline-0")
        means.append(_mean(group, name, budget, look, 4.5 if group is first else 2.5))
    means.sort(key=lambda curve: curve.width)
    return chart([*seeds, *means], x, y, height=HEIGHT, right=150)


def _known(groups: Sequence[Group], name: str, theory: Sequence[float], start: float, x: Axis) -> list[Curve]:
    """A line for every perplexity that theory says, and before there are curves their names; or else where all begin."""
    named, values = not _begun(groups), {}
    for group, value in zip(groups, theory, strict=False):
        values.setdefault(value, []).append(words.value(name, group.value))
    lines = [(f"{KNOBS[name].name} {', '.join(which)}", value, "positive", BEST) for value, which in values.items()]
    if named and not theory:
        lines.append(("uniform", start, "baseline-0", DASHES[0]))
    said = [f"{escape(what)}: <b>{number(value)}</b>" for what, value, _, _ in lines]
    return [
        Curve("known", x.across(), [value] * 2, tone, dash, 2, label=told if named else "", label_tone="muted", said=[told] * 2)
        for (_, value, tone, dash), told in zip(lines, said, strict=True)
    ]


def _mean(group: Group, name: str, budget: Budget, look: tuple[str, str], width: float) -> Curve:
    points = thin(group.curve, POINTS)
    said = words.value(name, group.value)
    reached = number(group.perplexity) if group.sound else _trouble(group.members)
    label = f"<b>{escape(_short(said, LONGEST))}</b>: {reached}" if points else ""
    told = [f"{escape(said)}, update {count(point.update)}: <b>{number(point.perplexity)}</b>" for point in points]
    x = [_spent(point, budget) for point in points]
    return Curve(
        said,
        x,
        [point.perplexity for point in points],
        *look,
        width,
        label=label,
        label_tone="forward" if look[0] == "forward" else "muted",
        said=told,
    )


def _seeds(group: Group, name: str, budget: Budget, tone: str) -> list[Curve]:
    """Thin curves of the single seeds, where there are several. Not transparent: forty layers would tint what lies below."""
    if len(group.members) == 1:
        return []
    found = []
    for member in group.members:
        points, who = thin(list(member.points), POINTS), f"{words.value(name, group.value)}, seed {member.settings.seed}"
        said = [f"{escape(who)}, update {count(point.update)}: {number(point.perplexity)}" for point in points]
        x, y = [_spent(point, budget) for point in points], [point.perplexity for point in points]
        found.append(Curve(who, x, y, tone, width=1, said=said))
    return found


def reached_figure(
    groups: Sequence[Group], name: str, *, judged_on: str, theory: Sequence[float] = (), start: float = UNKNOWN
) -> Figure:
    """What is reached over the values: a dot for every seed, their geometric mean as a line, crosses for what diverged.

    ``theory``: what it says of each value, where it does: a green dash. ``start``: the perplexity at which all begin, about.
    """
    low, high = _ends(groups, theory, start, reached=True)
    title = f"perplexity now, {judged_on}"
    y = ladder(f"{title} (log scale)", low, high) if high > FAR * low else Axis(title, low, high, log=False)
    ticks = list(enumerate(_ticks([words.value(name, group.value) for group in groups])))
    x = Axis(KNOBS[name].title, -0.5, len(groups) - 0.5, log=False, ticks=ticks)
    means = [group.perplexity for group in groups]
    told = [f"{escape(words.said(name, group.value))}: <b>{number(group.perplexity)}</b>" for group in groups]
    line = Curve("mean", list(range(len(groups))), means, "forward", width=2.5, mode="lines+markers", size=5, said=told)
    figure = chart([line], x, y, height=HEIGHT)
    figure["data"] += [_dots(groups, name, y), _crosses(groups, name, y), *_dashes(theory, y)]
    figure["layout"]["xaxis"]["tickangle"] = 0
    return figure


def _ticks(said: Sequence[str]) -> list[str]:
    """Values below the axis: where there are many, in two lines in turn; where there are few, a word in each line."""
    if len(said) > ABREAST:
        return ["<br>" * (i % 2) + escape(_short(word, WIDEST)) for i, word in enumerate(said)]
    return ["<br>".join(escape(_short(line, WIDEST)) for line in one.split(" ", 1)) for one in said]


def _dots(groups: Sequence[Group], name: str, y: Axis) -> Figure:
    """A ring for every network that can be judged; hollow while it still learns."""
    there = [(i, member) for i, member in _placed(groups) if _judged(member)]
    blue, paper = colour("forward"), colour("background")
    fill, size = [blue if m.ended else paper for _, m in there], RINGS if len(_placed(groups)) > len(groups) else RING
    look = {"size": size, "color": fill, "line": {"color": blue, "width": 2}}
    return _markers("seeds", there, name, [min(y.place(m.reached.perplexity), y.high) for _, m in there], look)


def _crosses(groups: Sequence[Group], name: str, y: Axis) -> Figure:
    """A cross at the upper edge for every network that has diverged or could not be trained."""
    there = [(i, member) for i, member in _placed(groups) if in_trouble(member)]
    look = {"size": 12, "symbol": "x", "color": colour("backward"), "line": {"color": colour("backward"), "width": 1}}
    return _markers("diverged", there, name, [y.high] * len(there), look)


def _placed(groups: Sequence[Group]) -> list[tuple[float, Member]]:
    """Every network and where it stands: about its value, each seed at a place of its own."""
    return [
        (i + SPREAD * ((j + 0.5) / len(group.members) - 0.5), member)
        for i, group in enumerate(groups)
        for j, member in enumerate(group.members)
    ]


def _dashes(theory: Sequence[float], y: Axis) -> list[Figure]:
    """What theory says of every value."""
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": "theory",
            "x": [i - 0.35, i + 0.35],
            "y": [y.place(value)] * 2,
            "text": [f"theory: {number(value, 4)}"] * 2,
            "hovertemplate": "%{text}<extra></extra>",
            "line": {"color": colour("positive"), "width": 4},
        }
        for i, value in enumerate(theory)
    ]


def _markers(kind: str, there: Sequence[tuple[float, Member]], name: str, y: Sequence[float], look: dict[str, Any]) -> Figure:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": kind,
        "x": [i for i, _ in there],
        "y": list(y),
        "text": [escape(f"{words.said(name, value_of(m, name))}, seed {m.settings.seed}: {_stands(m)}") for _, m in there],
        "hovertemplate": "%{text}<extra></extra>",
        "marker": look,
        "cliponaxis": False,
    }


def value_of(member: Member, name: str) -> Any:
    """A network's value of the setting that is varied."""
    return getattr(member.settings, name)


def _judged(member: Member) -> bool:
    return bool(member.step and member.reached and math.isfinite(member.reached.nats)) and not in_trouble(member)


def in_trouble(member: Member) -> bool:
    """Whether it has diverged or could not be trained."""
    return member.ended in ("diverged", "failed")


def _stands(member: Member) -> str:
    if member.ended == "failed":
        return "could not be trained"
    return f"diverged at update {count(member.step)}" if member.ended else number(member.reached.perplexity)


def _trouble(members: Sequence[Member]) -> str:
    """What became of seeds without a mean."""
    lost = [member.ended for member in members if in_trouble(member)]
    kind = "failed" if set(lost) == {"failed"} else "diverged"
    return kind if len(lost) == len(members) else f"{len(lost)} of {len(members)} {kind}"


def _begun(groups: Sequence[Group]) -> bool:
    return any(member.points for group in groups for member in group.members)


def _ends(groups: Sequence[Group], theory: Sequence[float], start: float, reached: bool = False) -> tuple[float, float]:
    """The ends of the axis of perplexity: it holds what theory says, and what was seen as soon as something was."""
    bounds = [value * edge for value in theory for edge in (0.97, 1.03)]
    bounds += _heights(groups, start, reached) if _begun(groups) or not theory else ()
    return min(bounds), max(bounds)


def _heights(groups: Sequence[Group], start: float, reached: bool) -> tuple[float, float]:
    """What an axis has to hold: the start, or what is reached where that is lower."""
    members = [member for group in groups for member in group.members if member.points]
    start = max((member.points[0].perplexity for member in members), default=start)
    now = [member.reached for member in members if member.step]
    seen = now if reached else [point for member in members for point in member.points]
    finite = [point.perplexity for point in seen if math.isfinite(point.perplexity)]
    low, most = 0.93 * min(finite, default=1.0), 1.12 * max(finite, default=start)
    return low, max(min(most, WORST * start), 1.1 * low if reached else START * start)


def _spent(point: Point, budget: Budget) -> float:
    return point.tokens if budget.tokens else point.seconds


def _spent_axis(groups: Sequence[Group], budget: Budget) -> Axis:
    """Tokens or seconds of each network, logarithmic, the untrained one at the left."""
    spent = [_spent(point, budget) for group in groups for member in group.members for point in member.points if point.update]
    most = budget.tokens or budget.seconds
    first = min([value for value in spent if value > 0], default=most / 100)
    nothing = first / 2
    unit = "tokens read by each" if budget.tokens else "seconds of computing, each"
    ticks = [(math.log10(nothing), "0"), *ladder_ticks(first, most * 1.01, (1,) if most > 99 * first else (1, 3), tick)]
    return Axis(f"{unit} (log scale)", math.log10(nothing) - 0.05, math.log10(most) + 0.03, ticks=ticks, nothing=nothing)


def _short(said: str, most: int) -> str:
    return said if len(said) <= most else said[: most - 1] + "…"

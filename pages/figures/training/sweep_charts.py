"""Both charts of a sweep: a curve for every value of a setting, and the perplexity that each value has reached."""

import math
from collections.abc import Sequence
from typing import Any

from core.config.language import gettext as _
from core.config.settings import KNOBS
from core.training.curves import Point, thin
from core.training.experiments.sweep import Group, leading
from core.training.experiments.sweep_worker import Budget, Member
from pages.figures.parts import words
from pages.figures.parts.axes import Axis, log_axis_between, log_ticks
from pages.figures.parts.chart import BEST_DASH, Curve, Figure, chart, level_curve, marker, markers, scatter
from pages.figures.parts.numbers import count, number
from pages.figures.parts.style import BASELINE_DASHES, Part, Parts, colour, escape

HEIGHT = 330  # px
POINTS = 60  # of a curve, at most
TONES = ("baseline-1", "baseline-3", "baseline-5")
START, WORST = 1.1, 1.6  # times the perplexity at the start: limits of the upper end of the axis
USUAL_START = 10.0  # perplexity at the start, where none is given
MIN_LOG_RATIO = 2.0  # from the least to the largest value: for a smaller range, a linear axis has more ticks
LONGEST = 16  # characters of a label at the end of a curve
WIDEST = 9  # characters of a tick label
SPREAD, RING, RINGS = 0.6, 11, 9  # share of the distance between values, for the seeds; px of a ring: of one seed, of several
LABELS_PER_LINE = 5  # tick labels on one line; more than that alternate between two lines


def curves_figure(
    groups: Sequence[Group],
    name: str,
    budget: Budget,
    *,
    judged_on: str,
    theory: Sequence[float] = (),
    start: float = USUAL_START,
) -> Figure:
    """Perplexity against tokens or seconds spent, both log: the mean of each value's seeds, the best thick, single seeds thin.

    ``theory``: the theoretical perplexity of each value, if known (green lines). ``start``: the rough perplexity at the start.
    """
    x = _spent_axis(groups, budget)
    y = log_axis_between(_("perplexity, {text} (log scale)", text=judged_on), *_ends(groups, theory, start))
    first, seeds, means = leading(groups), [], _theory_lines(groups, name, theory, start, x)
    for i, group in enumerate(groups):
        tone, dash, width, seed_tone = TONES[i % len(TONES)], BASELINE_DASHES[i % len(BASELINE_DASHES)], 2.5, "baseline-0"
        if group is first:
            tone, dash, width, seed_tone = "forward", "solid", 4.5, "ghost"
        means.append(_mean(group, name, budget, (tone, dash), width))
        several = group.members if len(group.members) > 1 else ()  # the curve of a single seed is the mean
        for member in several:
            seed = _("{value}, seed {n}", value=words.value(name, group.value), n=member.settings.seed)
            # Opaque: forty transparent layers would tint the curves below.
            seeds.append(_curve(seed, member.points, budget, seed_tone, width=1))
    means.sort(key=lambda curve: curve.width)
    return chart([*seeds, *means], x, y, height=HEIGHT, right=150)


def _theory_lines(groups: Sequence[Group], name: str, theory: Sequence[float], start: float, x: Axis) -> list[Curve]:
    """A line at each theoretical perplexity, labelled until there are curves; without theory, a line at ``start`` until then."""
    labelled, values = not any(member.points for group in groups for member in group.members), {}
    for group, value in zip(groups, theory, strict=False):
        values.setdefault(value, []).append(words.value(name, group.value))
    lines = [(f"{words.name(name)} {', '.join(which)}", value, "positive", BEST_DASH) for value, which in values.items()]
    if labelled and not theory:
        lines.append((_("uniform"), start, "baseline-0", BASELINE_DASHES[0]))
    curves = []
    for what, value, tone, dash in lines:
        text = _("{name}: <b>{perplexity}</b>", name=escape(what), perplexity=number(value))
        curves.append(level_curve("known", value, x, tone, dash, text=text, label=text if labelled else "", label_tone="muted"))
    return curves


def _mean(group: Group, name: str, budget: Budget, look: tuple[str, str], width: float) -> Curve:
    points, value = group.curve, words.value(name, group.value)
    reached = number(group.perplexity) if group.sound else _trouble(group.members)
    label = _("<b>{name}</b>: {reached}", name=escape(_short(value, LONGEST)), reached=reached) if points else ""
    tone = "forward" if look[0] == "forward" else "muted"
    return _curve(value, points, budget, *look, width=width, form="<b>{}</b>", label=label, label_tone=tone)


def _curve(name: str, points: Sequence[Point], budget: Budget, *look: str, form: str = "{}", **more: Any) -> Curve:
    """Perplexity against tokens or seconds spent, thinned; ``form`` is the format of the perplexity in a tooltip."""
    points, texts = thin(list(points), POINTS), []
    for point in points:
        perplexity = form.format(number(point.perplexity))
        texts.append(_("{name}, update {n}: {perplexity}", name=escape(name), n=count(point.update), perplexity=perplexity))
    return Curve(name, [_spent(p, budget) for p in points], [p.perplexity for p in points], *look, hover=texts, **more)


def reached_figure(
    groups: Sequence[Group], name: str, *, judged_on: str, theory: Sequence[float] = (), start: float = USUAL_START
) -> Figure:
    """The perplexity reached by each value: a dot for every seed, their geometric means as a line, a cross for every failure.

    ``theory``: the theoretical perplexity of each value, if known (green dashes). ``start``: the rough perplexity at the start.
    """
    low, high = _ends(groups, theory, start, reached=True)
    if high > MIN_LOG_RATIO * low:
        y = log_axis_between(_("perplexity now, {text} (log scale)", text=judged_on), low, high)
    else:
        y = Axis(_("perplexity now, {text}", text=judged_on), low, high, log=False)
    ticks = list(enumerate(_ticks([words.value(name, group.value) for group in groups])))
    x = Axis(f"{_(KNOBS[name].label)} {KNOBS[name].symbol}".strip(), -0.5, len(groups) - 0.5, log=False, ticks=ticks)
    means = [group.perplexity for group in groups]
    values = [(escape(words.setting(name, group.value)), number(group.perplexity)) for group in groups]
    texts = [_("{name}: <b>{perplexity}</b>", name=setting, perplexity=reached) for setting, reached in values]
    line = Curve("mean", list(range(len(groups))), means, "forward", width=2.5, mode="lines+markers", size=5, hover=texts)
    figure = chart([line], x, y, height=HEIGHT)
    figure["data"] += [*_rings_and_crosses(groups, name, y), *_theory_dashes(theory, y)]
    figure["layout"]["xaxis"]["tickangle"] = 0
    return figure


def _ticks(values: Sequence[str]) -> list[str]:
    """Tick labels of the values: many alternate between two lines; few are broken after their first word."""
    if len(values) > LABELS_PER_LINE:
        return ["<br>" * (i % 2) + escape(_short(value, WIDEST)) for i, value in enumerate(values)]
    return ["<br>".join(escape(_short(line, WIDEST)) for line in value.split(" ", 1)) for value in values]


def _rings_and_crosses(groups: Sequence[Group], name: str, y: Axis) -> Parts:
    """A ring for every network with a finite perplexity, filled once it has ended; a cross at the upper edge for every network
    that has diverged or could not be trained. The seeds of a value are spread around the position of the value."""
    judged, lost, heights = [], [], []
    for i, group in enumerate(groups):
        for j, member in enumerate(group.members):
            x = i + SPREAD * ((j + 0.5) / len(group.members) - 0.5)
            if has_failed(member):
                lost.append((x, member))
            elif member.step and member.reached and math.isfinite(member.reached.nats):
                judged.append((x, member))
                heights.append(min(y.drawn(member.reached.perplexity), y.ends()[1]))
    several = any(len(group.members) > 1 for group in groups)
    rings = marker(RINGS if several else RING, "forward", "forward", 2)
    rings["color"] = [colour("forward" if member.ended else "background") for _x, member in judged]
    crosses = marker(12, "backward", "backward", 1, symbol="x")
    return [_members("seeds", judged, name, heights, rings), _members("diverged", lost, name, [y.ends()[1]] * len(lost), crosses)]


def _members(kind: str, placed: Sequence[tuple[float, Member]], name: str, y: Sequence[float], look: Part) -> Part:
    texts = []
    for _x, member in placed:
        setting = words.setting(name, value_of(member, name))
        texts.append(escape(_("{setting}, seed {n}: {result}", setting=setting, n=member.settings.seed, result=_result(member))))
    return markers(kind, [x for x, _member in placed], y, texts, look)


def _theory_dashes(theory: Sequence[float], y: Axis) -> Parts:
    """A dash at the theoretical perplexity of each value."""
    look = {"color": colour("positive"), "width": 4}
    texts = [_("theory: {perplexity}", perplexity=number(value, 4)) for value in theory]
    return [
        scatter("theory", [i - 0.35, i + 0.35], [y.drawn(value)] * 2, hover="%{text}", text=[text] * 2, line=look)
        for i, (value, text) in enumerate(zip(theory, texts, strict=True))
    ]


def value_of(member: Member, name: str) -> Any:
    """A network's value of the varied setting."""
    return getattr(member.settings, name)


def has_failed(member: Member) -> bool:
    """Whether a network has diverged or could not be trained."""
    return member.ended in ("diverged", "failed")


def _result(member: Member) -> str:
    if member.ended == "failed":
        return _("could not be trained")
    return _("diverged at update {n}", n=count(member.step)) if member.ended else number(member.reached.perplexity)


def _trouble(members: Sequence[Member]) -> str:
    """Why a value has no mean: how many of its seeds diverged or failed."""
    lost = [member.ended for member in members if has_failed(member)]
    numbers = {"n": len(lost), "many": len(members)}
    if set(lost) == {"failed"}:
        return _("failed") if len(lost) == len(members) else _("{n} of {many} failed", **numbers)
    return _("diverged") if len(lost) == len(members) else _("{n} of {many} diverged", **numbers)


def _ends(groups: Sequence[Group], theory: Sequence[float], start: float, reached: bool = False) -> tuple[float, float]:
    """The ends of the perplexity axis, which includes theoretical values and, as soon as there are any, measured ones: of all
    points, including the start, or of the newest points only (``reached``)."""
    bounds = [value * edge for value in theory for edge in (0.97, 1.03)]
    members = [member for group in groups for member in group.members if member.points]
    if members or not theory:
        start = max((member.points[0].perplexity for member in members), default=start)
        now = [member.reached for member in members if member.step]
        points = now if reached else [point for member in members for point in member.points]
        finite = [point.perplexity for point in points if math.isfinite(point.perplexity)]
        low, most = 0.93 * min(finite, default=1.0), 1.12 * max(finite, default=start)
        bounds += [low, max(min(most, WORST * start), 1.1 * low if reached else START * start)]
    return min(bounds), max(bounds)


def _spent(point: Point, budget: Budget) -> float:
    return point.tokens if budget.tokens else point.seconds


def _spent_axis(groups: Sequence[Group], budget: Budget) -> Axis:
    """A logarithmic axis of the tokens or seconds of each network, with the untrained network at the left."""
    spent = [_spent(point, budget) for group in groups for member in group.members for point in member.points if point.update]
    most = budget.tokens or budget.seconds
    first = min([value for value in spent if value > 0], default=most / 100)
    zero = first / 2
    title = _("tokens read by each (log scale)") if budget.tokens else _("seconds of computing, each (log scale)")
    ticks = [(zero, "0"), *log_ticks(first, most * 1.01, (1,) if most > 99 * first else (1, 3))]
    return Axis(title, math.log10(zero) - 0.05, math.log10(most) + 0.03, ticks=ticks, zero=zero)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"

"""One setting varied, all others as they are: the values that a sweep offers, its members, and what they say together."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from core.config.settings import KNOBS, Settings
from core.models.loss import perplexity_of
from core.training.curves import Point
from core.training.experiments.sweep_worker import Member

MOST_VALUES, MOST_SEEDS = 8, 5
OFFERED = 5  # values
OFF = "off"  # what a knob says that does nothing
FINE = 16  # a knob with more stops than that is offered at every second one
SCALES = ("input_scale", "output_scale")  # which an initialisation brings with it
JUDGED_BY = "validation_share"  # perplexities of other texts cannot be compared
VARIED = tuple(name for name, knob in KNOBS.items() if knob.kind != "view" and name != JUDGED_BY)


class Group(NamedTuple):
    """The members with one value, a seed each."""

    value: Any
    members: tuple[Member, ...]

    @property
    def sound(self) -> bool:
        """Whether none has diverged or could not be trained: only then they have a mean."""
        return not any(member.ended in ("diverged", "failed") for member in self.members)

    @property
    def curve(self) -> list[Point]:
        """The mean loss at every update at which all that were trained have been judged: its perplexity is a geometric mean."""
        judged = [{point.update: point for point in member.points} for member in self.members if member.points]
        shared = set.intersection(*map(set, judged)) if judged else ()
        return [_mean([points[update] for points in judged]) for update in sorted(shared)]

    @property
    def perplexity(self) -> float:
        """The geometric mean of what its members have reached; not a number where it has none."""
        reached = [member.reached.nats for member in self.members if member.reached]
        return perplexity_of(math.fsum(reached) / len(reached)) if reached and self.sound else math.nan


def _mean(points: Sequence[Point]) -> Point:
    return points[0]._replace(nats=math.fsum(point.nats for point in points) / len(points))


def grouped(members: Sequence[Member], name: str) -> list[Group]:
    """Members with the same value of a setting, in order."""
    groups: dict[Any, tuple[Member, ...]] = {}
    for member in members:
        value = getattr(member.settings, name)
        groups[value] = (*groups.get(value, ()), member)
    return [Group(value, together) for value, together in groups.items()]


def leading(groups: Sequence[Group]) -> Group | None:
    """The value with the lowest mean so far."""
    there = [group for group in groups if math.isfinite(group.perplexity) and any(member.step for member in group.members)]
    return min(there, key=lambda group: group.perplexity, default=None)


def best(members: Sequence[Member]) -> Member | None:
    """The one with the lowest perplexity so far, of those that have learnt and not diverged."""
    sound = [m for m in members if m.step and m.reached and m.ended in ("", "finished") and math.isfinite(m.reached.nats)]
    return min(sound, key=lambda member: member.reached.nats, default=None)


def rival(members: Sequence[Member], name: str) -> Member | None:
    """The best network with another value of a setting than the best of all, where the two cannot be told apart."""
    first = best(members)
    second = best([one for one in members if first and getattr(one.settings, name) != getattr(first.settings, name)])
    return second if second and first.judgement and second.judgement and first.judgement.within_noise(second.judgement) else None


def varied(settings: Settings, name: str, value: Any) -> Settings:
    """Settings with one of them changed. An initialisation comes with its own scales."""
    return settings.but(**{name: value}, **(dict.fromkeys(SCALES) if name == "init" else {}))


def plans(settings: Settings, name: str, values: Sequence[Any], seeds: int) -> list[Settings]:
    """The settings of all members: every value with every seed, the value's seeds one after another.

    The seeds are those from the settings' own on. A sweep over seeds has one for each value.
    """
    if name == "seed":
        return [varied(settings, name, value) for value in values]
    first = min(settings.seed, KNOBS["seed"].high - seeds + 1)
    return [varied(settings, name, value).but(seed=first + i) for value in values for i in range(seeds)]


def offered(settings: Settings, name: str) -> list[Any]:
    """Five values around the present one; of all the range where that is off; or all that there are of a word."""
    knob = KNOBS[name]
    if not knob.between:
        return list(knob.words)[:MOST_VALUES]
    limit = getattr(settings, knob.within) if knob.within else None
    stops = [stop for stop in knob.stops if stop is not None and (limit is None or stop < limit)]
    stops += [None] * (knob.optional and bool(limit))
    if knob.words.get(getattr(settings, name)) == OFF:
        return [stops[i * (len(stops) - 1) // (OFFERED - 1)] for i in range(OFFERED)]
    return _around(stops, _nearest(stops, getattr(settings, name)), 2 if len(stops) > FINE else 1)


def _nearest(stops: Sequence[Any], value: Any) -> int:
    """The place of a value among the stops; where it is none of them, of the one next to it. None is the last."""
    if value in stops or value is None:
        return stops.index(value) if value in stops else len(stops) - 1
    return min((i for i, stop in enumerate(stops) if stop is not None), key=lambda i: abs(stops[i] - value))


def _around(stops: Sequence[Any], middle: int, stride: int) -> list[Any]:
    """Five stops with the middle one among them, as far as there are so many."""
    reach = OFFERED // 2
    before, after = middle // stride, (len(stops) - 1 - middle) // stride
    first = max(middle - stride * min(before, max(reach, OFFERED - 1 - after)), 0)
    return list(stops[first::stride][:OFFERED])

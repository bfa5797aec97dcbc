"""A sweep in words: how far it is, what went wrong, and which network is the best so far."""

import math
from collections.abc import Sequence

from core.config.settings import KNOBS
from core.figures.parts import words
from core.figures.parts.numbers import count, number, percent, tick
from core.figures.training.sweep_charts import in_trouble, value_of
from core.training.experiments.grid_search import Group, best, rival
from core.training.experiments.sweep import Seen
from core.training.experiments.sweep_worker import Budget, Member


def progress_words(seen: Seen, playing: bool) -> str:
    """How far the networks are, and when they will be done."""
    done, members = sum(bool(member.ended) for member in seen.members), len(seen.members)
    if done == members:
        lost = sum(map(in_trouble, seen.members))
        return f"All {members} networks are done" + (f"; {lost} of them could not learn." if lost else ".")
    if not playing:
        return f"Stopped at {percent(seen.share)}; what was reached stays."
    left = f", about {_seconds(seen.left)} left" if math.isfinite(seen.left) else ""
    return f"{percent(seen.share)}{left}. {done} of {members} networks are done."


def _seconds(left: float) -> str:
    return f"{max(round(left), 1)} s" if left < 100 else f"{round(left / 60)} min"


def trouble_words(members: Sequence[Member], name: str) -> list[str]:
    """A sentence for every network that has diverged or could not be trained, the first of those with the same one."""
    sentences: dict[str, str] = {}
    for member in filter(in_trouble, members):
        others = [other for other in members if value_of(other, name) == value_of(member, name)]
        seed = "" if all(map(in_trouble, others)) else f", seed {member.settings.seed}"
        sentences.setdefault(member.said, f"{words.said(name, value_of(member, name))}{seed}: {member.said}")
    return list(sentences.values())


def best_words(members: Sequence[Member], name: str, *, seeds: int) -> str:
    """The best network so far, and whether the best with another value differs from it by more than the noise."""
    member, other = best(members), rival(members, name)
    if not member:
        return ""
    seed = f", seed {member.settings.seed}" if seeds > 1 else ""
    value, point = words.said(name, value_of(member, name)), member.reached
    noise = f" {words.said(name, value_of(other, name))} is within the noise of it." if other else ""
    return f"Lowest: {value}{seed}, perplexity {number(point.perplexity)} at update {count(point.update)}.{noise}"


def budget_words(budget: Budget) -> str:
    """A budget as it is chosen."""
    return f"{tick(budget.tokens)} tokens each" if budget.tokens else f"{budget.seconds:g} s of computing each"


def sweep_label(groups: Sequence[Group], name: str) -> str:
    """Both charts in words."""
    values = ", ".join(f"{words.value(name, group.value)}: {number(group.perplexity)}" for group in groups)
    return f"Perplexity for each {KNOBS[name].label.lower()}. {values}."

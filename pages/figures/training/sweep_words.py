"""A sweep in words: its progress, its failures, and the best network so far."""

import math
from collections.abc import Sequence

from core.config.language import Message, gettext as _, lazy_gettext, sentences
from core.config.settings import KNOBS
from core.training.experiments.sweep import Group, SweepStatus, best, rival
from core.training.experiments.sweep_worker import Budget, Member
from pages.figures.parts import words
from pages.figures.parts.numbers import amount, count, number, percent
from pages.figures.training.sweep_charts import has_failed, value_of


def progress_words(seen: SweepStatus, playing: bool) -> str:
    """The progress of the networks, and the time left."""
    done, members = sum(bool(member.ended) for member in seen.members), len(seen.members)
    if done == members:
        lost = sum(map(has_failed, seen.members))
        if lost:
            return _("All {n} networks are done; {lost} of them could not learn.", n=members, lost=lost)
        return _("All {n} networks are done.", n=members)
    share = percent(seen.share)
    if not playing:
        return _("Stopped at {share}; what was reached stays.", share=share)
    far = _("{share}.", share=share)
    if math.isfinite(seen.left):
        time = f"{max(round(seen.left), 1)} s" if seen.left < 100 else f"{round(seen.left / 60)} min"
        far = _("{share}, about {time} left.", share=share, time=time)
    return sentences(far, _("{done} of {n} networks are done.", done=done, n=members))


def failure_words(members: Sequence[Member], name: str) -> list[str]:
    """A sentence for every different failure message, about the first network with that message."""
    failures: dict[str, str] = {}
    for member in filter(has_failed, members):
        others = [other for other in members if value_of(other, name) == value_of(member, name)]
        about = {"setting": words.setting(name, value_of(member, name)), "problem": _(member.message)}
        if all(map(has_failed, others)):
            sentence = _("{setting}: {problem}", **about)
        else:
            sentence = _("{setting}, seed {n}: {problem}", n=member.settings.seed, **about)
        failures.setdefault(member.message, sentence)
    return list(failures.values())


def best_words(members: Sequence[Member], name: str, *, seeds: int) -> str:
    """The best network so far, and the best network with another value if it is within the noise of the former."""
    member, other = best(members), rival(members, name)
    if not member:
        return ""
    point = member.reached
    about = {
        "setting": words.setting(name, value_of(member, name)),
        "seed": member.settings.seed,
        "perplexity": number(point.perplexity),
        "n": count(point.update),
    }
    if seeds > 1:
        lowest = _("Lowest: {setting}, seed {seed}, perplexity {perplexity} at update {n}.", **about)
    else:
        lowest = _("Lowest: {setting}, perplexity {perplexity} at update {n}.", **about)
    noise = _("{setting} is within the noise of it.", setting=words.setting(name, value_of(other, name))) if other else ""
    return sentences(lowest, noise)


def budget_words(budget: Budget) -> Message:
    """A budget as an option of the control."""
    if budget.tokens:
        return lazy_gettext("{n} tokens each", n=amount(budget.tokens))
    return lazy_gettext("{n} s of computing each", n=f"{budget.seconds:g}")


def sweep_label(groups: Sequence[Group], name: str) -> str:
    """The alternative text of both charts."""
    pairs = [(words.value(name, group.value), number(group.perplexity)) for group in groups]
    values = ", ".join(_("{value}: {perplexity}", value=value, perplexity=perplexity) for value, perplexity in pairs)
    return _("Perplexity for each {setting}. {values}.", setting=_(KNOBS[name].label).lower(), values=values)

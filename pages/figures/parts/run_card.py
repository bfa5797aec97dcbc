"""The card of the run in the sidebar: its state, its perplexity, a small curve."""

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from core.config.language import gettext as _, lazy_gettext
from core.config.settings import Settings
from core.text.corpus import Corpus
from core.training.curves import thin
from core.training.history import History
from core.training.run.live_run import Snapshot
from core.training.snapshots import Moment, View, is_milestone
from core.training.tbptt import remedy
from pages.figures.parts import words
from pages.figures.parts.numbers import count, number, short
from pages.figures.parts.symbols import kinds

TITLES = {
    "untrained": lazy_gettext("Untrained"),
    "training": lazy_gettext("Training"),
    "waiting": lazy_gettext("Waiting for its turn"),
    "paused": lazy_gettext("Paused"),
    "diverged": lazy_gettext("Diverged"),
    "failed": lazy_gettext("Stopped"),
}
POINTS = 60
EVEN_GUESS_FACTOR = 1.05  # times V: a perplexity up to this limit counts as even guessing


class Past(TypedDict):
    """The slider of moments: a stop for each stored moment, and the last for now. ``film``: indices of the stops in the film."""

    updates: list[int]
    words: list[str]
    at: int
    film: list[int]


class RunCard(TypedDict):
    """State, perplexity, a small curve of [x, y] from 0 to 1, and buttons of [command, text, icon]."""

    state: str
    title: str
    aside: str
    number: str
    what: str
    sentence: str
    curve: list[list[float]]
    past: Past | None
    buttons: list[list[str]]
    lines: list[str]
    small: bool


def judged_on(on_training_text: bool) -> str:
    """The name of the perplexity of a run, which depends on the text it is measured on."""
    return _("perplexity, training text") if on_training_text else _("held-out perplexity")


def judged_at(view: View, on_training_text: bool) -> str:
    """The name of the perplexity of a view, with the update at which it was judged: training may be further."""
    return _("{what}, update {n}", what=judged_on(on_training_text), n=count(view.judged.update))


def meaning(perplexity: float, V: int, kind: str) -> tuple[str, str]:
    """The meaning of a perplexity in two short lines: the number of equally likely tokens among which a choice is as hard.

    A model that guesses evenly among all V tokens has perplexity V; one with a higher perplexity is too sure of wrong tokens.
    """
    if not perplexity <= EVEN_GUESS_FACTOR * V:
        return _("worse than guessing evenly"), _("among all {n} {kind}s", n=count(V), kind=_(kind))
    if perplexity > V:
        return _("as if choosing among"), _("all {n} {kind}s", n=count(V), kind=_(kind))
    return _("as if choosing among"), _("{n} equally likely {kind}s", n=number(perplexity), kind=_(kind))


def run_card(
    snapshot: Snapshot,
    history: History,
    corpus: Corpus,
    *,
    on_training_text: bool,
    small: bool,
    update: int,
    past: Moment | None = None,
) -> RunCard:
    """The data of the card; ``small``: on the Training page. ``update``: of the run itself, also while ``past`` is displayed."""
    view, state = snapshot.view, snapshot.state
    moments = [moment.update for moment in history.moments.kept if moment.update < update]
    return {
        "state": "past" if past else state,
        "title": _("At update {n}", n=count(view.point.update)) if past else _(TITLES[state]),
        "aside": "" if small or past else _("update {n}", n=count(view.point.update)),
        "number": "∞" if state == "diverged" else number(view.perplexity),
        "what": judged_on(on_training_text) if past else judged_at(view, on_training_text),
        "sentence": _sentence(snapshot, corpus, small=small, past=past, update=update),
        "curve": [] if small else _sparkline(history, [*moments, update]),
        "past": _past(moments, past, update),
        "buttons": _buttons(snapshot, small=small, past=past is not None),
        "lines": describe(view.settings, corpus),
        "small": small,
    }


def _past(moments: Sequence[int], past: Moment | None, update: int) -> Past | None:
    if not moments:
        return None
    at = min(range(len(moments)), key=lambda i: abs(moments[i] - past.update)) if past else len(moments)
    words = [_("update {n}", n=count(stop)) for stop in moments]
    film = [i for i, stop in enumerate(moments) if is_milestone(stop)]
    return {"updates": list(moments), "words": [*words, _("now: update {n}", n=count(update))], "at": at, "film": film}


def _sentence(snapshot: Snapshot, corpus: Corpus, *, small: bool, past: Moment | None, update: int) -> str:
    """A sentence on the state of the run itself, also while a ``past`` moment is displayed. A small card does not say why a run
    stopped: the readout of the Training page does."""
    if past and snapshot.state == "training":
        return _("Training goes on: update {n}.", n=count(update))
    if past:
        return _("The run rests at update {n}.", n=count(update))
    if snapshot.state == "untrained":
        return _("It finds all {tokens} about equally likely. Press play.", tokens=kinds(corpus))
    if snapshot.state == "waiting":
        return _("Another run is computing. Yours is next.")
    return "" if small else _(snapshot.reason)


def _buttons(snapshot: Snapshot, *, small: bool, past: bool) -> list[list[str]]:
    if past:
        return [["now", _("Now"), ""], ["branch", _("Branch from here"), ""]]
    if small:
        return []
    if snapshot.state == "diverged":
        return [[do, text, ""] for do, text in remedies(snapshot)]
    if snapshot.state in ("training", "waiting"):
        return [["pause", _("Pause"), "pause"]]
    return [["play", _("Play: train the network"), "play"], ["step", _("One update"), "step"]]


def _sparkline(history: History, stops: Sequence[int]) -> list[list[float]]:
    """The judged curve above the slider as [x, log perplexity], both from 0 to 1. The x of a stop is its position on the
    slider; between two stops x is logarithmic in the update."""
    points = [point for point in thin(history.judged, POINTS) if math.isfinite(point.nats)]
    nats = [point.nats for point in points]
    low, high = min(nats, default=0.0), max(nats, default=0.0)
    positions = np.linspace(0, 1, len(stops)) if len(stops) > 1 else [1.0]
    x = np.interp(np.log1p([point.update for point in points]), np.log1p(stops), positions).tolist()
    return [[round(at, 4), round((point.nats - low) / (high - low or 1.0), 3)] for at, point in zip(x, points, strict=True)]


def describe(settings: Settings, corpus: Corpus) -> list[str]:
    """A line each: the text; the sizes; activation, optimizer and seed."""
    sizes = [("V", corpus.tokenizer.size), ("H", settings.hidden_size), ("N", settings.batch_size), ("T", settings.num_steps)]
    unit = words.value("unit", corpus.tokenizer.unit)
    manner = [words.value(name, getattr(settings, name)) for name in ("activation", "optimizer")]
    return [
        _("{text}, {unit}", text=_(corpus.name), unit=unit),
        " · ".join(f"{name} {count(value)}" for name, value in sizes),
        " · ".join([*manner, _("seed {n}", n=settings.seed)]),
    ]


def remedies(snapshot: Snapshot) -> list[list[str]]:
    """Remedies for what is wrong with a run, as [command, text of its button]."""
    diagnosis, settings = snapshot.view.diagnosis, snapshot.view.settings
    back = [["back", _("Back to update {n}", n=count(diagnosis.back))]] if diagnosis.back >= 0 else []
    halve = ["halve_rate", _("Halve the rate")]
    if diagnosis.kind == "overflows":
        return [["reset", _("Start over")], *back]
    if snapshot.state == "diverged":
        return [halve, ["clip", _("Clip at {norm}", norm=short(remedy(settings, "clip")["clip_norm"]))]]
    if diagnosis.kind == "overfitting":
        decay = words.value("weight_decay", remedy(settings, "decay")["weight_decay"])
        return [["decay", _("Weight decay {value}", value=decay)], *back]
    return [halve] if diagnosis.kind == "too_fast" else []
